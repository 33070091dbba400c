//! Answers to commands.

use crate::error::Error;
use crate::output;
use crate::service::engine::{Caller, Engine};
use crate::service::export::{self, Reader};
use crate::service::open::ledger_error;
use crate::service::rights::Rights;
use crate::wire::{Query, Refusal, Reply, Status, ToClient};
use receipt_core::checkpoint::verifier_key;
use receipt_core::hash::hex;
use receipt_core::key::Use;
use receipt_ledger::{AuditReport, Ledger, stored};

/// Most records in one page.
const MAX_PAGE: u32 = 256;

/// Bytes after which a page is sent as it is.
const PAGE_BYTES: usize = 4 << 20;

/// Answers a query. `tell` is told how far an audit is.
///
/// # Errors
/// Where what is asked for is not there, or the ledger cannot be read.
pub(crate) fn reply(
    engine: &Engine,
    query: Query,
    reader: Reader,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Reply, Error> {
    match query {
        Query::Status => Ok(Reply::Status(status(engine))),
        Query::Stop => Ok(Reply::Stopping),
        Query::Records { from, limit } => page(&engine.ledger, from, limit),
        Query::Export(wish) => {
            export::build(&engine.ledger, &engine.keys, &wish, reader).map(Reply::Receipt)
        }
        Query::Audit => Ok(audited(&engine.ledger.audit(tell))),
        Query::Checkpoint { size } => checkpoint(&engine.ledger, size),
        Query::Consistency { old, new } => {
            let proof = engine.ledger.consistency_proof(old, new);
            let proof = proof.map_err(Error::input)?;
            Ok(Reply::Consistency { proof })
        }
    }
}

/// Answers a client's query; errors become a refusal with their text.
pub(crate) fn answer(engine: &Engine, query: Query, caller: Caller) -> ToClient {
    to_client(reply(engine, query, reader(caller), &mut |_, _| {}))
}

/// Whose receipts a client may have.
pub(crate) const fn reader(caller: Caller) -> Reader {
    match caller.rights {
        Rights::Keep => Reader::Keeper,
        Rights::Report => Reader::User(caller.uid),
    }
}

/// What is sent to the client.
pub(crate) fn to_client(reply: Result<Reply, Error>) -> ToClient {
    match reply {
        Ok(reply) => ToClient::Reply(reply),
        Err(error) => ToClient::Refused(Refusal::Failed(error.to_string())),
    }
}

fn status(engine: &Engine) -> Status {
    Status {
        pid: std::process::id(),
        identity: hex(engine.keys.identity.public().as_bytes()),
        ledger: hex(engine.ledger.id()),
        records: engine.ledger.size(),
        started_us: engine.started_us,
    }
}

/// A checkpoint with every key that may have signed it.
fn checkpoint(ledger: &Ledger, size: Option<u64>) -> Result<Reply, Error> {
    let note = match size {
        None => ledger.latest_checkpoint().cloned(),
        Some(size) => ledger
            .checkpoint_at_or_after(size.saturating_sub(1))
            .map_err(ledger_error)?,
    };
    let note = note.ok_or_else(|| {
        Error::input("the ledger has no such checkpoint yet")
            .hint("one is made after each verdict, at a session's end and when the service ends")
    })?;
    let keys = ledger
        .keys()
        .of_use(Use::Checkpoint)
        .map(|key| verifier_key(ledger.id(), key));
    Ok(Reply::Checkpoint {
        note: note.text,
        keys: keys.collect(),
    })
}

/// One page of records.
pub(crate) fn page(ledger: &Ledger, from: u64, limit: u32) -> Result<Reply, Error> {
    let to = from.saturating_add(limit.min(MAX_PAGE).into());
    let mut records = Vec::new();
    let mut bytes = 0usize;
    for record in ledger.range(from, to) {
        let encoded = stored::encode(&record.map_err(ledger_error)?).map_err(Error::fault)?;
        bytes = bytes.saturating_add(encoded.len());
        records.push(encoded);
        if bytes >= PAGE_BYTES {
            break;
        }
    }
    Ok(Reply::Records {
        records,
        size: ledger.size(),
    })
}

/// The report of an audit.
pub(crate) fn audited(report: &AuditReport) -> Reply {
    Reply::Audit {
        sound: report.is_sound(),
        report: output::audit::json(report),
    }
}
