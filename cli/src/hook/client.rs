//! The conversation with the service.

use crate::effect::judge::{self, Backend};
use crate::effect::snapshot::{self, Wish};
use crate::effect::transcript;
use crate::greeting::{self, Intent, Welcome};
use crate::home::{Home, Keeper};
use crate::hook::spool::Backlog;
use crate::service;
use crate::wire::{self, HookEvent, ToClient, ToService};
use crate::world::clock::Deadline;
use crate::world::socket;
use receipt_core::agent;
use receipt_core::event::Agent;
use receipt_gates::judge::Ask;
use std::io::{self, ErrorKind, Read};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// How long an event may take in all, so that the hook can still spool it
/// before the client ends the hook (5 seconds at a session's end).
const PATIENCE: Duration = Duration::from_secs(4);

/// How long a stop request may take in all: less than its hook's time-out.
const STOP_PATIENCE: Duration = Duration::from_secs(20);

/// How long another process may hold the ledger before a service is started again.
const AGAIN: Duration = Duration::from_millis(100);

/// How often an event is sent, to one service after another.
const ATTEMPTS: usize = 3;

/// Most messages in one conversation.
const ROUNDS: usize = 6;

/// What became of an event.
pub(crate) enum Delivery {
    /// Durably recorded, with what to print.
    Answered(String),
    /// Durably recorded; the conversation broke off later.
    Recorded,
    /// Not acknowledged.
    Failed,
}

/// Delivers an event and performs what the service asks for. A service that
/// ended just now is tried once more: it knows the event by its id. An older one
/// is replaced, once: should another older program be faster, it serves as well.
pub(crate) fn deliver(home: &Home, event: &HookEvent) -> Delivery {
    let deadline = Deadline::after(patience(event));
    let mut intent = Intent::Replace;
    for _ in 0..ATTEMPTS {
        let Some(mut stream) = reach(home, deadline) else {
            return Delivery::Failed;
        };
        let Some(left) = deadline.left() else {
            return Delivery::Failed;
        };
        let _ = stream.set_read_timeout(Some(left));
        let _ = stream.set_write_timeout(Some(left));
        match send(home, event, intent, &mut stream) {
            Ok(Welcome::GivesWay) => {
                intent = Intent::Speak;
                // Its end ends the connection.
                let _ = stream.read(&mut [0]);
            }
            Ok(Welcome::GoOn) => match receive(&mut stream) {
                Ok(first) => return perform(home, event, &mut stream, first),
                Err(error) if wire::is_gone(&error) => {}
                Err(_) => return Delivery::Failed,
            },
            Ok(Welcome::Foreign) => return Delivery::Failed,
            Err(error) if wire::is_gone(&error) => {}
            Err(_) => return Delivery::Failed,
        }
    }
    Delivery::Failed
}

fn patience(event: &HookEvent) -> Duration {
    let agent = Agent::from_name(&event.agent);
    match agent {
        Some(agent) if agent::asks_to_stop(agent, &event.payload) => STOP_PATIENCE,
        _ => PATIENCE,
    }
}

/// Greets and sends in one go, what waited before it first; a service that does
/// not go on took nothing.
fn send(
    home: &Home,
    event: &HookEvent,
    intent: Intent,
    stream: &mut UnixStream,
) -> io::Result<Welcome> {
    greeting::hail(stream, intent)?;
    let mut backlog = Backlog::take(home);
    let waiting = backlog.as_mut().map(|b| std::mem::take(&mut b.events));
    let sent = match waiting {
        Some(events) => wire::send(stream, &ToService::Spooled(events)),
        None => Ok(()),
    };
    let sent = sent.and_then(|()| wire::send(stream, &ToService::Event(event.clone())));
    let (_, welcome) = greeting::answered(stream)?;
    if welcome == Welcome::GoOn {
        sent?;
        if let Some(backlog) = backlog {
            match receive(stream)? {
                ToClient::Kept { refused } => backlog.settle(&refused),
                _ => return Err(ErrorKind::InvalidData.into()),
            }
        }
    }
    Ok(welcome)
}

fn receive(stream: &mut UnixStream) -> io::Result<ToClient> {
    wire::receive(stream)?.ok_or_else(|| ErrorKind::UnexpectedEof.into())
}

/// Does what the service asks for, until it is done.
fn perform(home: &Home, event: &HookEvent, stream: &mut UnixStream, first: ToClient) -> Delivery {
    let mut message = first;
    // Waited for at the end, when the answer is known.
    let mut _notified = None;
    for _ in 0..ROUNDS {
        let answer = match message {
            ToClient::Done { answer, forget } => {
                if let Some(folder) = forget {
                    let _ = std::fs::remove_dir_all(snapshot_folder(home, &folder));
                }
                return Delivery::Answered(answer);
            }
            ToClient::NeedsSnapshot {
                folder,
                diff_from,
                edited,
            } => {
                let wish = Wish { diff_from, edited };
                let root = event.root.as_deref().map(Path::new);
                let folder = snapshot_folder(home, &folder);
                ToService::Snapshot(snapshot::take(root, &folder, &wish))
            }
            ToClient::NeedsTranscript { from, since_us } => {
                ToService::Transcript(confirm(event, from, since_us))
            }
            ToClient::NeedsJudgement {
                claim,
                facts,
                records,
                settings,
            } => {
                let ask = Ask {
                    claim,
                    facts,
                    records,
                };
                let Ok(judged) = judge::judge(&ask, &Backend::new(settings)) else {
                    return Delivery::Recorded;
                };
                _notified = Some(judge::leave(&session(event), &ask, &judged));
                ToService::Judged(judged)
            }
            ToClient::Reply(_)
            | ToClient::Kept { .. }
            | ToClient::Progress { .. }
            | ToClient::Refused(_) => {
                return Delivery::Failed;
            }
        };
        let next = wire::send(stream, &answer).and_then(|()| receive(stream));
        match next {
            Ok(next) => message = next,
            Err(_) => return Delivery::Recorded,
        }
    }
    Delivery::Recorded
}

fn session(event: &HookEvent) -> String {
    let agent = Agent::from_name(&event.agent);
    agent.map_or_else(String::new, |a| agent::event(a, &event.payload).session)
}

/// What the client's transcript has of the turn.
fn confirm(event: &HookEvent, from: u64, since_us: u64) -> wire::Transcript {
    let agent = Agent::from_name(&event.agent);
    let path = agent.and_then(|agent| agent::transcript_path(agent, &event.payload));
    path.map_or_else(wire::Transcript::default, |path| {
        transcript::read(Path::new(&path), from, since_us)
    })
}

/// The folder of a name that the service gave; never outside ours.
fn snapshot_folder(home: &Home, name: &str) -> std::path::PathBuf {
    let safe: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    home.snapshots().join(safe)
}

/// Connects, starting the service if none answers and a ledger is there. Gives
/// up at once where it cannot serve: the event is spooled.
fn reach(home: &Home, deadline: Deadline) -> Option<UnixStream> {
    if matches!(home.keeper, Keeper::Nobody) {
        return None;
    }
    let (path, owner) = (home.socket(), home.owner());
    if let Ok(stream) = socket::connect(&path, owner) {
        return Some(stream);
    }
    if !service::may_start(home) {
        return None;
    }
    let mut service = service::start(home).ok()?;
    let mut again = Deadline::after(AGAIN);
    let mut pause = Duration::from_micros(500);
    while deadline.left().is_some() {
        std::thread::sleep(pause);
        if let Ok(stream) = socket::connect(&path, owner) {
            return Some(stream);
        }
        match service.try_wait() {
            Ok(None) => {}
            // Another was faster, or an old one is about to end.
            Ok(Some(status)) if status.success() => {
                if again.left().is_none() {
                    service = service::start(home).ok()?;
                    again = Deadline::after(AGAIN);
                }
            }
            Ok(Some(_)) | Err(_) => return None,
        }
        pause = (pause * 2).min(Duration::from_millis(5));
    }
    None
}
