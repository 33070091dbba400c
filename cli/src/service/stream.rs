//! Warm state of one session's stream.

use crate::error::Error;
use crate::service::confirm::Mark;
use crate::service::edited::Edited;
use crate::service::open::ledger_error;
use receipt_core::hash::{Digest, hex};
use receipt_core::record::{Flags, stream_id};
use receipt_core::seal::Record;
use receipt_gates::facts::Facts;
use receipt_gates::fold::Stream;
use receipt_gates::keyed::Keyer;
use receipt_gates::record::RecordView;
use receipt_ledger::Ledger;

/// A stream with its folded state.
#[derive(Debug)]
pub(crate) struct Warm {
    /// The stream's id.
    pub(crate) id: Digest,
    /// Makes its keyed ids.
    pub(crate) keyer: Keyer,
    /// Its folded state, up to the newest record.
    pub(crate) folded: Stream,
    /// The user who reports to it, once that is looked up.
    pub(crate) user: Option<u32>,
    /// Where the client's transcript stood when the turn began.
    pub(crate) mark: Mark,
    /// Code files that were edited in the turn.
    pub(crate) edited: Edited,
    /// The user was told that the judge gave no verdict.
    pub(crate) outage_told: std::cell::Cell<bool>,
}

impl Warm {
    /// Folds a stream of the ledger from the turn that is or was open last.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub(crate) fn load(ledger: &Ledger, ids: &Digest, id: Digest) -> Result<Self, Error> {
        let mut folded = Stream::default();
        let records = since_opening(ledger, &id)?;
        let mut edited = Edited::default();
        for record in records.iter().rev() {
            apply(&mut folded, record);
            edited.take_record(record);
        }
        Ok(Self {
            id,
            keyer: Keyer::new(ids, &id),
            folded,
            user: None,
            edited,
            outage_told: std::cell::Cell::new(false),
            mark: records.last().map(mark).unwrap_or_default(),
        })
    }

    /// Name of the stream's snapshot folder.
    pub(crate) fn snapshot_folder(&self) -> String {
        hex(self.id.get(..8).unwrap_or_default())
    }
}

/// The mark of the record that opened a turn.
fn mark(opening: &Record) -> Mark {
    let evidence = opening.disclosure.as_ref().map(|d| &d.content.evidence);
    let origin = evidence.and_then(|items| items.get(1));
    Mark::of(
        origin.map_or(&[], Vec::as_slice),
        opening.header().client_us,
    )
}

/// The stream's records back to the newest that opened a turn, newest first.
fn since_opening(ledger: &Ledger, id: &Digest) -> Result<Vec<Record>, Error> {
    let mut records = Vec::new();
    for position in (0..ledger.stream_len(id)).rev() {
        let record = ledger.stream_record(id, position).map_err(ledger_error)?;
        let Some(record) = record else { break };
        let opens = record.header().has(Flags::OPENS_TURN);
        records.push(record);
        if opens {
            break;
        }
    }
    Ok(records)
}

/// Folds one stored record; a pruned one counts as withheld.
pub(crate) fn apply(folded: &mut Stream, record: &Record) {
    let facts: Option<Facts> = record
        .facts()
        .and_then(|bytes| serde_json::from_slice(bytes).ok());
    folded.apply(&RecordView::new(record.header(), facts.as_ref()));
}

/// The stream of a session.
pub(crate) fn id_of(agent: &str, session: &str) -> Digest {
    stream_id(agent, session)
}
