//! Connections: one thread each, a bounded number, frames in and out.
//!
//! Whoever connects and says nothing is the first to go when there are too
//! many, so that silence keeps no hook from being answered.

use crate::effect::judge::MAX_TIMEOUT;
use crate::greeting::{self, Welcome};
use crate::service::aside;
use crate::service::crew::Crew;
use crate::service::engine::{Caller, Job};
use crate::service::guests::{Guests, Held, Space};
use crate::service::rights::{Audience, Rights};
use crate::wire::{self, Query, Refusal, ToClient, ToService};
use crate::world::clock::Deadline;
use crate::world::socket;
use std::io::{self, ErrorKind, Read, Write};
use std::ops::ControlFlow;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, channel};
use std::time::Duration;

/// How long a client may take for one message, or to read one answer.
const SILENCE: Duration = Duration::from_secs(10);

/// Messages up to this length need no space of the common one.
const SMALL: usize = 64 << 10;

/// Room that a large answer takes of the common one: its bytes, and those of
/// the copies that are made of them.
const LARGE_ANSWER: usize = 16 << 20;

/// How often a client is told how far its audit is.
const PACE: Duration = Duration::from_millis(500);

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
pub(crate) fn accept(listener: &UnixListener, jobs: &SyncSender<Job>, audience: Audience) {
    let crew = Crew::default();
    let guests = Arc::new(Guests::default());
    let (messages, answers) = (Arc::new(Space::default()), Arc::new(Space::default()));
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
        let host = Host {
            audience,
            jobs: jobs.clone(),
            guests: Arc::clone(&guests),
            messages: Arc::clone(&messages),
            answers: Arc::clone(&answers),
        };
        let work = move || {
            serve(stream, id, &host);
            host.guests.leave(id);
        };
        if crew.give(id, Box::new(work)).is_err() {
            guests.leave(id);
        }
    }
}

/// What all connections share.
struct Host {
    audience: Audience,
    jobs: SyncSender<Job>,
    guests: Arc<Guests>,
    /// Room for large messages.
    messages: Arc<Space>,
    /// Room for large answers.
    answers: Arc<Space>,
}

/// Serves one client until it leaves, falls silent or sends nonsense.
fn serve(stream: UnixStream, connection: u64, host: &Host) {
    let Some((uid, pid)) = socket::peer(&stream) else {
        return;
    };
    let Some(rights) = Rights::of(uid, host.audience) else {
        return;
    };
    let caller = Caller {
        connection,
        uid,
        pid,
        rights,
    };
    if let Ok(Welcome::GoOn) = greet(&stream, caller, host)
        && converse(&stream, caller, host)
    {
        let _ = host.jobs.send(Job::Left { connection });
    }
}

/// Learns what the client speaks, and ends the service for a newer one.
fn greet(stream: &UnixStream, caller: Caller, host: &Host) -> io::Result<Welcome> {
    let mut patient = Patient::new(stream);
    let (version, intent) = greeting::hear(&mut patient)?;
    // What the machine's administrator runs is not for a hook to end.
    let may_end = host.audience == Audience::Keeper;
    let answer = Welcome::to(version, intent, may_end);
    if answer == Welcome::GivesWay {
        let unanswered = Unanswered::begin();
        let _ = answer_to(caller, ToService::Query(Query::Stop), &host.jobs);
        greeting::welcome(&mut patient, answer)?;
        drop(unanswered);
        // The connection ends with the process, which tells the client when.
        std::thread::sleep(SILENCE);
    } else {
        greeting::welcome(&mut patient, answer)?;
    }
    Ok(answer)
}

/// Answers message after message; true where the client left while the engine
/// waits for more from it.
fn converse(stream: &UnixStream, caller: Caller, host: &Host) -> bool {
    let mut awaited = false;
    let mut silence = SILENCE;
    loop {
        host.guests.waits(caller.connection);
        let (message, _held) = match receive(stream, &host.messages, silence) {
            Ok(Some(received)) => received,
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                let refused = ToClient::Refused(Refusal::NotUnderstood);
                let _ = wire::send(&mut Patient::new(stream), &refused);
                return awaited;
            }
            Ok(None) | Err(_) => return awaited,
        };
        host.guests.works(caller.connection);
        let _unanswered = Unanswered::begin();
        let Some((reply, _room)) = reply(stream, caller, message, host) else {
            return awaited;
        };
        silence = match reply {
            ToClient::NeedsJudgement { .. } => SILENCE.saturating_add(MAX_TIMEOUT),
            _ => SILENCE,
        };
        awaited = matches!(
            reply,
            ToClient::NeedsSnapshot { .. }
                | ToClient::NeedsTranscript { .. }
                | ToClient::NeedsJudgement { .. }
        );
        let sent = wire::send(&mut Patient::new(stream), &reply);
        if sent.is_err() || matches!(reply, ToClient::Done { .. }) {
            return awaited;
        }
    }
}

/// The answer, with the room that it takes until it is sent.
fn reply<'a>(
    stream: &UnixStream,
    caller: Caller,
    message: ToService,
    host: &'a Host,
) -> Option<(ToClient, Option<Held<'a>>)> {
    if !caller.rights.allow(&message) {
        return Some((ToClient::Refused(Refusal::NotAllowed), None));
    }
    let large = matches!(
        message,
        ToService::Query(Query::Records { .. } | Query::Export(_))
    );
    let room = if large {
        let Some(room) = host.answers.take(LARGE_ANSWER, Deadline::after(SILENCE)) else {
            return Some((ToClient::Refused(Refusal::Busy), None));
        };
        Some(room)
    } else {
        None
    };
    let answer = match message {
        ToService::Query(Query::Audit) => aside::audit(&host.jobs, &mut telling(stream, host))?,
        ToService::Query(Query::Records { from, limit }) => {
            aside::records(&host.jobs, from, limit)?
        }
        ToService::Query(Query::Export(wish)) => aside::export(&host.jobs, &wish, caller)?,
        message => answer_to(caller, message, &host.jobs)?,
    };
    Some((answer, room))
}

/// Tells a client at once and then now and then how far its audit is, and ends it where the
/// client has left.
fn telling(stream: &UnixStream, host: &Host) -> impl FnMut(u64, u64) -> ControlFlow<()> + Send {
    let mut next: Option<Deadline> = None;
    move |done, all| {
        if next.is_some_and(|next| next.left().is_some()) {
            return ControlFlow::Continue(());
        }
        next = Some(Deadline::after(PACE));
        // The engine is not idle while it is read.
        let busy = host.jobs.send(Job::Look(Box::new(|_| ())));
        let progress = ToClient::Progress { done, all };
        if busy.is_err() || wire::send(&mut Patient::new(stream), &progress).is_err() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// One message, with the space that it takes until it is answered.
fn receive<'a>(
    stream: &UnixStream,
    space: &'a Space,
    silence: Duration,
) -> io::Result<Option<(ToService, Option<Held<'a>>)>> {
    let mut patient = Patient {
        stream,
        until: Deadline::after(silence),
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

/// A stream that is read and written until a point in time, however slowly it drips.
struct Patient<'a> {
    stream: &'a UnixStream,
    until: Deadline,
}

impl<'a> Patient<'a> {
    fn new(stream: &'a UnixStream) -> Self {
        Self {
            stream,
            until: Deadline::after(SILENCE),
        }
    }
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.until.left().ok_or(ErrorKind::TimedOut)?;
        self.stream.set_read_timeout(Some(left))?;
        let mut stream = self.stream;
        stream.read(buffer)
    }
}

impl Write for Patient<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let left = self.until.left().ok_or(ErrorKind::TimedOut)?;
        self.stream.set_write_timeout(Some(left))?;
        let mut stream = self.stream;
        stream.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Has the engine answer a message; `None` where it ends.
fn answer_to(caller: Caller, message: ToService, jobs: &SyncSender<Job>) -> Option<ToClient> {
    let (answer, answers) = channel();
    let job = Job::Message {
        caller,
        message: Box::new(message),
        answer,
    };
    jobs.send(job).ok()?;
    answers.recv().ok()
}
