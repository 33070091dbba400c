//! Threads that serve connections, kept a while for the next: a hook connects
//! for one event, and a new thread would be a tenth of what it costs.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Idle threads that are kept.
const KEPT: usize = 16;

/// How long they wait for work.
const WAIT: Duration = Duration::from_secs(10);

type Work = Box<dyn FnOnce() + Send>;

/// An idle thread, by the first number that it was given.
type Idle = (u64, Sender<Work>);

/// The threads that wait for work, the one that came last at the end.
#[derive(Clone, Default)]
pub(crate) struct Crew(Arc<Mutex<Vec<Idle>>>);

impl Crew {
    /// Has a thread do this. `number` is not used twice.
    ///
    /// # Errors
    /// Where no thread is idle and none can be made.
    pub(crate) fn give(&self, number: u64, work: Work) -> std::io::Result<()> {
        let idle = self.lock().pop();
        let work = match idle {
            None => work,
            Some((_, thread)) => match thread.send(work) {
                Ok(()) => return Ok(()),
                Err(back) => back.0,
            },
        };
        let crew = self.clone();
        let thread = move || {
            work();
            crew.idle(number);
        };
        std::thread::Builder::new().spawn(thread).map(drop)
    }

    /// Does what comes until nothing comes for a while.
    fn idle(&self, number: u64) {
        let (give, given) = channel();
        while self.enlist(number, &give) {
            let Some(work) = self.next(number, &given) else {
                return;
            };
            work();
        }
    }

    fn enlist(&self, number: u64, give: &Sender<Work>) -> bool {
        let mut idle = self.lock();
        let room = idle.len() < KEPT;
        if room {
            idle.push((number, give.clone()));
        }
        room
    }

    /// The next work; `None` where none came in time.
    fn next(&self, number: u64, given: &Receiver<Work>) -> Option<Work> {
        match given.recv_timeout(WAIT) {
            Ok(work) => Some(work),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                let mut idle = self.lock();
                let here = idle.iter().position(|(other, _)| *other == number);
                let Some(here) = here else {
                    // Somebody took it from the list just now, and gives it work.
                    drop(idle);
                    return given.recv().ok();
                };
                idle.remove(here);
                None
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_work_is_done_and_idle_threads_do_more_of_it() {
        let crew = Crew::default();
        let (tell, told) = channel();
        for number in 0..200 {
            let tell = tell.clone();
            let work = move || tell.send(std::thread::current().id()).unwrap();
            crew.give(number, Box::new(work)).unwrap();
            if number % 4 == 0 {
                // Until one of them is idle.
                while crew.lock().is_empty() {
                    std::thread::yield_now();
                }
            }
        }
        drop(tell);
        let mut by: Vec<_> = told.iter().take(200).collect();
        assert_eq!(by.len(), 200);
        by.sort_by_key(|id| format!("{id:?}"));
        by.dedup();
        assert!(by.len() < 200, "every work had a thread of its own");
        assert!(crew.lock().len() <= KEPT);
    }
}
