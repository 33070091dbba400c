//! Connections: one thread each, a bounded number, frames in and out.
//!
//! Whoever connects and says nothing is the first to go when there are too
//! many, so that silence keeps no hook from being answered.

use crate::service::engine::{Caller, Job};
use crate::service::guests::{Guests, Held, Space};
use crate::wire::{self, ToClient, ToService};
use crate::world::clock::Deadline;
use crate::world::socket;
use std::io::{self, ErrorKind, Read};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, channel};
use std::time::Duration;

/// How long a client may take for one message.
const SILENCE: Duration = Duration::from_secs(10);

/// Messages up to this length need no space of the common one.
const SMALL: usize = 64 << 10;

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
    let guests = Arc::new(Guests::default());
    let space = Arc::new(Space::default());
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // No descriptors are left, or no memory: not at once again.
            std::thread::sleep(Duration::from_millis(1));
            continue;
        };
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        while !guests.let_in(id, &stream) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let (jobs, guests, space) = (jobs.clone(), Arc::clone(&guests), Arc::clone(&space));
        std::thread::spawn(move || {
            serve(stream, id, &jobs, &guests, &space);
            guests.leave(id);
        });
    }
}

/// Serves one client until it leaves, falls silent or sends nonsense.
fn serve(
    mut stream: UnixStream,
    connection: u64,
    jobs: &SyncSender<Job>,
    guests: &Guests,
    space: &Space,
) {
    let Some((uid, pid)) = socket::peer(&stream) else {
        return;
    };
    if !welcome(uid) {
        return;
    }
    let _ = stream.set_write_timeout(Some(SILENCE));
    let caller = Caller {
        connection,
        uid,
        pid,
    };
    // Whether the engine waits for more from this client.
    let mut awaited = false;
    loop {
        guests.waits(connection);
        let Ok(Some((message, _held))) = receive(&stream, space) else {
            break;
        };
        guests.works(connection);
        let _unanswered = Unanswered::begin();
        let Some(reply) = answer(caller, message, jobs) else {
            break;
        };
        awaited = matches!(
            reply,
            ToClient::NeedsSnapshot { .. } | ToClient::NeedsTranscript { .. }
        );
        let sent = wire::send(&mut stream, &reply);
        if sent.is_err() || matches!(reply, ToClient::Done { .. }) {
            break;
        }
    }
    if awaited {
        let _ = jobs.send(Job::Left { connection });
    }
}

/// One message, with the space that it takes until it is answered.
fn receive<'a>(
    stream: &UnixStream,
    space: &'a Space,
) -> io::Result<Option<(ToService, Option<Held<'a>>)>> {
    let mut patient = Patient {
        stream,
        until: Deadline::after(SILENCE),
    };
    let Some(length) = wire::receive_length(&mut patient)? else {
        return Ok(None);
    };
    let held = if length > SMALL {
        let held = space.take(length, patient.until);
        Some(held.ok_or(ErrorKind::TimedOut)?)
    } else {
        None
    };
    let message = wire::receive_body(&mut patient, length)?;
    Ok(Some((message, held)))
}

/// A stream that is read until a point in time, however slowly it drips.
struct Patient<'a> {
    stream: &'a UnixStream,
    until: Deadline,
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.until.left().ok_or(ErrorKind::TimedOut)?;
        self.stream.set_read_timeout(Some(left))?;
        let mut stream = self.stream;
        stream.read(buffer)
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
