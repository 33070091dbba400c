//! Events that never came, told in `gap` records (`spec/gates.md`, "Absence").

use crate::error::Error;
use crate::service::engine::{Batch, Engine};
use crate::service::open::{ledger_draft, ledger_error};
use receipt_core::event::{Event, EventKind};
use receipt_core::hash::Digest;
use receipt_core::record::{Kind, LEDGER_STREAM};
use receipt_gates::facts::{Facts, Observation};

/// How many of a session's newest records are looked at for its end.
const ENDING: u64 = 64;

/// How many of the ledger's own newest records are looked at for the last service.
const SERVICES: u64 = 4_096;

/// Before an event is recorded: a session that begins again and never ended.
pub(super) fn before(
    engine: &mut Engine,
    stream: Digest,
    event: &Event,
    batch: &mut Batch,
) -> Result<(), Error> {
    let EventKind::SessionStarted { source, .. } = &event.kind else {
        return Ok(());
    };
    // A compaction or `/clear` goes on with the same process.
    if !matches!(source.as_str(), "startup" | "resume") || ended(engine, &stream, batch)? {
        return Ok(());
    }
    tell(engine, stream, "no-end", Vec::new(), batch)
}

/// Whether a session is new, or the newest of its start and end is an end.
fn ended(engine: &Engine, stream: &Digest, batch: &Batch) -> Result<bool, Error> {
    let told = |kind: Kind| match kind {
        Kind::SessionEnded => Some(true),
        Kind::SessionStarted => Some(false),
        _ => None,
    };
    let here = batch.drafts.iter().rev().filter(|d| d.stream == *stream);
    if let Some(known) = here.filter_map(|draft| told(draft.kind)).next() {
        return Ok(known);
    }
    let length = engine.ledger.stream_len(stream);
    for position in (length.saturating_sub(ENDING)..length).rev() {
        let record = engine.ledger.stream_record(stream, position);
        let kind = record
            .map_err(ledger_error)?
            .and_then(|r| r.header().kind());
        if let Some(known) = kind.and_then(told) {
            return Ok(known);
        }
    }
    Ok(length == 0)
}

/// At a stop or a session's end, before the verdict: calls without an outcome,
/// outcomes without a request, a stop without a prompt. With work in the
/// background an outcome may still come.
pub(super) fn at_end(
    engine: &mut Engine,
    stream: Digest,
    event: &Event,
    batch: &mut Batch,
) -> Result<(), Error> {
    let Some(fold) = engine.warm(stream)?.folded.fold() else {
        return Ok(());
    };
    let calls = &fold.turn().calls;
    let (stops, running) = match &event.kind {
        EventKind::StopRequested { background, .. } => (true, !background.is_empty()),
        _ => (false, false),
    };
    let open = if running {
        Vec::new()
    } else {
        calls.without_outcome()
    };
    let orphans = calls.without_request().to_vec();
    let stop = fold.turn().stop.as_ref().map(|stop| stop.seq);
    let unasked = stop.filter(|_| stops && calls.without_prompt());
    for (reason, missing) in [
        ("no-outcome", open),
        ("no-request", orphans),
        ("no-prompt", unasked.into_iter().collect()),
    ] {
        if !missing.is_empty() {
            tell(engine, stream, reason, missing, batch)?;
        }
    }
    Ok(())
}

fn tell(
    engine: &mut Engine,
    stream: Digest,
    reason: &str,
    missing: Vec<u64>,
    batch: &mut Batch,
) -> Result<(), Error> {
    let facts = Facts {
        obs: vec![Observation::Gap(reason.to_owned())],
        missing,
        ..Facts::default()
    };
    engine.say(stream, Kind::Gap, facts, batch)
}

impl Engine {
    /// Records that a service begins, and that the one before never said that it
    /// ended: what happened meanwhile is in the spool or nowhere.
    pub(super) fn begins(&mut self) -> Result<(), Error> {
        let mut batch = self.batch();
        if let Some(seq) = self.unended_service()? {
            let facts = serde_json::json!({"gap": {"reason": "service", "began": seq}});
            batch
                .drafts
                .push(ledger_draft(Kind::Gap, facts.to_string().into_bytes())?);
        }
        batch.drafts.push(service_draft("began")?);
        self.serving = true;
        self.commit(batch)
    }

    /// The record of the last service's beginning, if it never ended.
    fn unended_service(&self) -> Result<Option<u64>, Error> {
        let length = self.ledger.stream_len(&LEDGER_STREAM);
        for position in (length.saturating_sub(SERVICES)..length).rev() {
            let record = self.ledger.stream_record(&LEDGER_STREAM, position);
            let Some(record) = record.map_err(ledger_error)? else {
                break;
            };
            if record.header().kind() == Some(Kind::Service) {
                let began = record.facts() == Some(&service_facts("began")[..]);
                return Ok(began.then_some(record.header().seq));
            }
        }
        Ok(None)
    }
}

fn service_facts(what: &str) -> Vec<u8> {
    format!("{{\"service\":\"{what}\"}}").into_bytes()
}

/// The draft of a record that a service began or ended.
pub(super) fn service_draft(what: &str) -> Result<receipt_core::seal::Draft, Error> {
    ledger_draft(Kind::Service, service_facts(what))
}
