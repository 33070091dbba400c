//! Between a store and a journal of which the store knows more: records go
//! back into the journal, or segments that are no longer needed go.

use crate::check;
use crate::error::LedgerError;
use crate::intake::journal::Journal;
use crate::intake::segment::Item;
use crate::read::decode;
use crate::resume::{Trouble, at, blame_store, store_record};
use crate::state::State;
use crate::store::{Batch, Entry, Note, Store};
use receipt_core::hash::Digest;
use receipt_core::heads::Heads;
use receipt_core::keychain::KeyChain;
use receipt_core::seal::Record;
use receipt_core::tree::Frontier;

/// What becomes of a verified record and its bytes on the way.
pub(crate) type Rewrite<'a> =
    &'a mut dyn FnMut(&mut Record, Vec<u8>) -> Result<Vec<u8>, LedgerError>;

/// They go as they are.
pub(crate) fn verbatim(_: &mut Record, bytes: Vec<u8>) -> Result<Vec<u8>, LedgerError> {
    Ok(bytes)
}

/// Puts records into the journal that only the store has, verified.
pub(crate) fn refill(
    journal: &mut Journal,
    store: &dyn Store,
    state: &State,
    keys: &KeyChain,
    reach: u64,
    rewrite: Rewrite<'_>,
) -> Result<u64, Trouble> {
    let mut next = reach;
    let mut link = match reach.checked_sub(1) {
        Some(before) if reach < state.size() => store_record(store, before)?.signed.link(),
        _ => [0; 32],
    };
    while next < state.size() {
        let mut batch = Batch {
            first: next,
            entries: Vec::new(),
            nodes: Vec::new(),
            heads: Heads::new(),
            frontier: Frontier::default(),
            notes: Vec::new(),
        };
        for bytes in store.records(next, state.size())? {
            let mut record = decode(next, &bytes).map_err(blame_store)?;
            let sound = check::content(&record).and_then(|()| check::signature(&record, keys));
            if sound.is_err() || record.header().prev != link {
                return Err(Trouble::Store(at(next, "it is damaged").to_string()));
            }
            link = record.signed.link();
            let bytes = rewrite(&mut record, bytes)?;
            batch.entries.push(entry(&record, link, bytes));
            next = next.saturating_add(1);
        }
        if batch.entries.is_empty() {
            return Err(Trouble::Store(at(next, "it is missing").to_string()));
        }
        batch.notes = notes_between(store, batch.first, next)?;
        journal.append(&batch)?;
    }
    Ok(next.saturating_sub(reach))
}

fn entry(record: &Record, link: Digest, bytes: Vec<u8>) -> Entry {
    let header = record.header();
    Entry {
        seq: header.seq,
        stream: header.stream,
        stream_seq: header.stream_seq,
        link,
        bytes,
    }
}

/// The notes over sizes in `(after, up_to]`.
fn notes_between(store: &dyn Store, after: u64, up_to: u64) -> Result<Vec<Note>, Trouble> {
    let mut notes = Vec::new();
    let mut size = after.saturating_add(1);
    while let Some(note) = store.note_from(size)?.filter(|n| n.size <= up_to) {
        size = note.size.saturating_add(1);
        notes.push(note);
    }
    Ok(notes)
}

/// Drops segments whose records were in the store when it was opened from disk
/// and still match, never the last one.
pub(crate) fn drop_verified(
    journal: &mut Journal,
    store: &dyn Store,
    opened: u64,
) -> Result<Vec<String>, Trouble> {
    let segments = journal.segments().to_vec();
    let mut dropped = Vec::new();
    for pair in segments.windows(2) {
        let [first, end] = pair else { continue };
        if *end > opened {
            break;
        }
        let segment = journal.read(*first)?;
        let mut seq = *first;
        for batch in segment.batches() {
            for item in batch? {
                let Item::Record(bytes) = item else { continue };
                if store.record(seq)?.as_deref() != Some(bytes) {
                    return Err(Trouble::Store(
                        at(seq, "the journal has it otherwise").to_string(),
                    ));
                }
                seq = seq.saturating_add(1);
            }
        }
        if seq == *end {
            dropped.push(journal.drop_segment(*first)?);
        }
    }
    Ok(dropped)
}
