//! Connections: one thread each, a bounded number, frames in and out.

use crate::service::engine::{Caller, Job};
use crate::wire::{self, ToClient, ToService};
use crate::world::clock::Deadline;
use crate::world::socket;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, channel};
use std::time::Duration;

/// Connections served at once; others wait in the socket's queue.
const MAX_CONNECTIONS: usize = 256;

/// How long a client may be silent.
const SILENCE: Duration = Duration::from_secs(10);

static NEXT: AtomicU64 = AtomicU64::new(1);

/// Messages whose answer is not sent yet.
static UNANSWERED: AtomicUsize = AtomicUsize::new(0);

/// A message that is being answered.
struct Unanswered;

impl Unanswered {
    fn begin() -> Self {
        UNANSWERED.fetch_add(1, Ordering::AcqRel);
        Self
    }
}

impl Drop for Unanswered {
    fn drop(&mut self) {
        UNANSWERED.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Waits until every answer that the engine gave is sent, or time is up.
pub(crate) fn finish(deadline: Deadline) {
    while UNANSWERED.load(Ordering::Acquire) > 0 && deadline.left().is_some() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Accepts connections for ever.
pub(crate) fn accept(listener: &UnixListener, jobs: &SyncSender<Job>) {
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        let Ok(stream) = stream else { continue };
        while open.load(Ordering::Acquire) >= MAX_CONNECTIONS {
            std::thread::sleep(Duration::from_millis(1));
        }
        open.fetch_add(1, Ordering::AcqRel);
        let (jobs, open) = (jobs.clone(), Arc::clone(&open));
        std::thread::spawn(move || {
            serve(stream, &jobs);
            open.fetch_sub(1, Ordering::AcqRel);
        });
    }
}

/// Serves one client until it leaves, falls silent or sends nonsense.
fn serve(mut stream: UnixStream, jobs: &SyncSender<Job>) {
    let Some((uid, pid)) = socket::peer(&stream) else {
        return;
    };
    if !welcome(uid) {
        return;
    }
    let _ = stream.set_read_timeout(Some(SILENCE));
    let _ = stream.set_write_timeout(Some(SILENCE));
    let caller = Caller {
        connection: NEXT.fetch_add(1, Ordering::Relaxed),
        uid,
        pid,
    };
    // Whether the engine waits for more from this client.
    let mut awaited = false;
    while let Ok(Some(message)) = wire::receive::<ToService>(&mut stream) {
        let _unanswered = Unanswered::begin();
        let Some(reply) = answer(caller, message, jobs) else {
            break;
        };
        awaited = matches!(reply, ToClient::NeedsSnapshot { .. });
        let sent = wire::send(&mut stream, &reply);
        if sent.is_err() || matches!(reply, ToClient::Done { .. }) {
            break;
        }
    }
    if awaited {
        let _ = jobs.send(Job::Left {
            connection: caller.connection,
        });
    }
}

/// Has the engine answer a message; `None` where it ends.
fn answer(caller: Caller, message: ToService, jobs: &SyncSender<Job>) -> Option<ToClient> {
    let (answer, answers) = channel();
    let job = Job::Message {
        caller,
        message,
        answer,
    };
    jobs.send(job).ok()?;
    answers.recv().ok()
}

/// Whether a user may talk to this service: its own, and the superuser.
fn welcome(uid: u32) -> bool {
    uid == 0 || uid == rustix::process::getuid().as_raw()
}
