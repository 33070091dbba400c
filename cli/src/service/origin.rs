//! Where an event came from: the second evidence item of its record.

use crate::error::Error;
use crate::home::own_user;
use crate::service::engine::Caller;
use crate::service::open::ledger_error;
use crate::wire::HookEvent;
use receipt_core::hash::Digest;
use receipt_core::seal::Record;
use receipt_ledger::Ledger;
use serde_json::{Map, Value, json};

/// How an event reached the service.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source {
    /// From the hook to which it happened.
    Live(Caller),
    /// Late, from a hook that found it in the spool of its user.
    Late(Caller),
    /// Late, from the ledger's own spool.
    Spool,
}

impl Source {
    pub(crate) const fn is_late(self) -> bool {
        !matches!(self, Self::Live(_))
    }

    const fn caller(self) -> Option<Caller> {
        match self {
            Self::Live(caller) | Self::Late(caller) => Some(caller),
            Self::Spool => None,
        }
    }
}

/// The item's bytes.
pub(crate) fn bytes(message: &HookEvent, source: Source) -> Vec<u8> {
    let redacted: Map<String, Value> = message
        .redacted
        .iter()
        .map(|(rule, n)| (rule.clone(), (*n).into()))
        .collect();
    let peer = source.caller();
    json!({
        "agent": message.agent,
        "pid": message.pid,
        "parent": message.parent,
        "peer": peer.map(|c| json!({"uid": c.uid, "pid": c.pid})),
        "service": {"uid": own_user()},
        "root": message.root,
        "transcript_len": message.transcript_len,
        "redacted": redacted,
    })
    .to_string()
    .into_bytes()
}

/// The users at both ends of the socket, by the kernel's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ends {
    peer: u32,
    service: u32,
}

impl Ends {
    /// Of an event's record; `None` for other records, erased content, and
    /// events that nobody brought.
    fn of(record: &Record) -> Option<Self> {
        let evidence = &record.disclosure.as_ref()?.content.evidence;
        let origin: Value = serde_json::from_slice(evidence.get(1)?).ok()?;
        let user = |path| u32::try_from(origin.pointer(path)?.as_u64()?).ok();
        Some(Self {
            peer: user("/peer/uid")?,
            service: user("/service/uid")?,
        })
    }
}

/// Whether a user kept the records that is neither of those who reported what
/// is in them. Root reads every key.
pub(crate) fn is_kept_apart(records: &[Record]) -> bool {
    let events = records.iter().filter(|r| r.header().client_event != 0);
    let mut ends = events.map(Ends::of).peekable();
    let apart = |ends: Ends| ends.peer != 0 && ends.peer != ends.service;
    ends.peek().is_some() && ends.all(|ends| ends.is_some_and(apart))
}

/// The user whose events a stream holds; `None` where no record says it.
///
/// # Errors
/// Where the ledger cannot be read.
pub(crate) fn user_of(ledger: &Ledger, stream: &Digest) -> Result<Option<u32>, Error> {
    for position in (0..ledger.stream_len(stream)).rev() {
        let record = ledger
            .stream_record(stream, position)
            .map_err(ledger_error)?;
        if let Some(ends) = record.as_ref().and_then(Ends::of) {
            return Ok(Some(ends.peer));
        }
    }
    Ok(None)
}
