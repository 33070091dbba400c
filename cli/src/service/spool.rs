//! Draining the spool: events of hooks that found no service.

use crate::error::Error;
use crate::greeting::Version;
use crate::service::bound;
use crate::service::engine::{Batch, Caller, Engine};
use crate::service::open::{ledger_draft, ledger_error};
use crate::service::origin::Source;
use crate::service::stream::id_of;
use crate::wire::{self, HookEvent, ToClient};
use receipt_core::agent;
use receipt_core::event::Agent;
use receipt_core::hash::Digest;
use receipt_core::record::Kind;
use receipt_core::seal::Draft;
use receipt_gates::facts::{Facts, Observation};
use receipt_ledger::{Disk, LedgerError, Spool};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Most files taken at once, so that a live hook is not kept waiting.
const MAX_FILES: usize = 1_000;

/// Records what lies in the spool, marked late, with a gap record for each
/// session. A file goes only once its records are durable.
pub(crate) fn drain(engine: &mut Engine) -> Result<(), Error> {
    let disk = Arc::clone(engine.ledger.disk());
    let names = match Spool::list(&*disk) {
        Ok(names) => names,
        Err(error) => return unreadable(engine, &error),
    };
    if names.is_empty() {
        return Ok(());
    }
    let mut batch = engine.batch();
    let mut streams = BTreeSet::new();
    let mut taken = Vec::new();
    let mut unreadable = Vec::new();
    for name in names.into_iter().take(MAX_FILES) {
        match read(&*disk, &name) {
            Found::Newer => {}
            Found::Event(message) => {
                streams.insert(stream(&message));
                engine.event(&message, Source::Spool, &mut batch)?;
                taken.push(name);
            }
            Found::Unreadable => {
                batch.drafts.push(set_aside(&Spool::aside(&*disk, &name))?);
                unreadable.push(name);
            }
        }
        if batch.is_large() {
            break;
        }
    }
    for stream in streams {
        gap(engine, stream, "spooled", &mut batch)?;
    }
    engine.commit(batch)?;
    for name in taken {
        Spool::remove(&*disk, &name).map_err(ledger_error)?;
    }
    for name in unreadable {
        Spool::quarantine(&*disk, &name).map_err(ledger_error)?;
    }
    Ok(())
}

/// Records what a hook brings from the spool of its user, as [`drain`] does.
pub(crate) fn take(
    engine: &mut Engine,
    caller: Caller,
    events: Vec<HookEvent>,
    batch: &mut Batch,
) -> Result<ToClient, Error> {
    let mut streams = BTreeSet::new();
    let mut refused = Vec::new();
    for (index, message) in (0u32..).zip(events) {
        let message = bound::event(message);
        if engine.is_anothers(caller, &message)? {
            refused.push(index);
            continue;
        }
        streams.insert(stream(&message));
        engine.event(&message, Source::Late(caller), batch)?;
    }
    for stream in streams {
        gap(engine, stream, "spooled", batch)?;
    }
    Ok(ToClient::Kept { refused })
}

/// What a spooled file holds.
enum Found {
    /// An event.
    Event(Box<HookEvent>),
    /// An event of a newer program, which waits for its service.
    Newer,
    /// None.
    Unreadable,
}

fn read(disk: &dyn Disk, name: &str) -> Found {
    let Ok(bytes) = Spool::read(disk, name) else {
        return Found::Unreadable;
    };
    if wire::protocol(&bytes).is_some_and(|spoken| spoken > Version::own().protocol) {
        return Found::Newer;
    }
    match wire::decode(&bytes) {
        Ok(message) => Found::Event(Box::new(bound::event(message))),
        Err(_) => Found::Unreadable,
    }
}

fn stream(message: &HookEvent) -> Digest {
    let known = Agent::from_name(&message.agent);
    let session = known.map_or_else(String::new, |a| agent::event(a, &message.payload).session);
    id_of(&message.agent, &session)
}

/// The spool cannot be looked into: what is reported to the service is recorded
/// all the same. Said once by each service.
fn unreadable(engine: &mut Engine, error: &LedgerError) -> Result<(), Error> {
    if std::mem::replace(&mut engine.spool_refused, true) {
        return Ok(());
    }
    let facts = serde_json::json!({"gap": {
        "reason": "unreadable-spool", "why": error.to_string(),
    }});
    let mut batch = engine.batch();
    batch
        .drafts
        .push(ledger_draft(Kind::Gap, facts.to_string().into_bytes())?);
    engine.commit(batch)
}

/// Says that a file is no event and where it will lie. In the batch of the
/// others: a batch of its own would shift the numbers they were folded under.
fn set_aside(aside: &str) -> Result<Draft, Error> {
    let facts = serde_json::json!({"gap": {"reason": "unreadable-spool-file", "file": aside}});
    ledger_draft(Kind::Gap, facts.to_string().into_bytes())
}

fn gap(engine: &mut Engine, stream: Digest, reason: &str, batch: &mut Batch) -> Result<(), Error> {
    let facts = Facts {
        obs: vec![Observation::Gap(reason.to_owned())],
        ..Facts::default()
    };
    engine.say(stream, Kind::Gap, facts, batch)
}
