//! Bringing store and journal to the same state.
//!
//! The store may be behind (a crash), ahead (the journal lost its tail), or
//! unusable. Every record is verified before it goes from one to the other.

use crate::check;
use crate::disk::Disk;
use crate::error::LedgerError;
use crate::head::open_note;
use crate::intake::journal::{Journal, Torn};
use crate::intake::segment::Item;
use crate::keys::{KeyRing, Keys};
use crate::open::Options;
use crate::read::{decode, root_at};
use crate::state::{Stage, State};
use crate::store::{Batch, Entry, Note, Store, StoreError};
use receipt_core::hash::Digest;
use receipt_core::heads::Heads;
use receipt_core::seal::Record;
use receipt_core::tree::Frontier;
use std::sync::Arc;

/// What is needed to resume.
pub(crate) struct Resume<'a> {
    pub(crate) disk: &'a Arc<dyn Disk>,
    pub(crate) id: Digest,
    pub(crate) ring: &'a KeyRing,
    pub(crate) options: Options,
}

/// A ledger whose parts agree.
pub(crate) struct Resumed {
    pub(crate) store: Box<dyn Store>,
    pub(crate) journal: Journal,
    pub(crate) keys: Keys,
    pub(crate) state: State,
    pub(crate) replayed: u64,
    pub(crate) refilled: u64,
    pub(crate) torn: Option<Torn>,
    pub(crate) dropped: Vec<String>,
}

/// Why resuming failed.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The store is to blame: another one, filled anew, may do.
    Store(String),
    /// Anything else.
    Ledger(LedgerError),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        if error.is_broken() {
            Self::Store(error.to_string())
        } else {
            Self::Ledger(LedgerError::Store(error))
        }
    }
}

impl From<LedgerError> for Trouble {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Store(error) => error.into(),
            other => Self::Ledger(other),
        }
    }
}

/// A finding about the store's own content.
fn blame_store(error: LedgerError) -> Trouble {
    match error {
        LedgerError::Store(error) => error.into(),
        other => Trouble::Store(other.to_string()),
    }
}

fn at(seq: u64, why: &'static str) -> LedgerError {
    LedgerError::Record { seq, why }
}

impl Resume<'_> {
    /// Brings journal and store together. `existed`: the store was there before,
    /// so it must hold the genesis record at least.
    pub(crate) fn run(&self, mut store: Box<dyn Store>, existed: bool) -> Result<Resumed, Trouble> {
        let mut journal = Journal::open(Arc::clone(self.disk), self.id)?;
        let size = store.frontier()?.size();
        if existed && size == 0 {
            return Err(Trouble::Store("it is empty".to_owned()));
        }
        let keys = if size == 0 {
            self.keys_from(&journal)?
        } else {
            self.keys_of_store(&*store)?
        };
        self.ring.check(&keys)?;
        let mut state = State::load(self.id, &*store).map_err(blame_store)?;
        check_edge(&*store, &state, &keys)?;
        let mut replay = Replay {
            keys: &keys,
            state: &mut state,
            store: Some(&mut *store),
            torn: None,
        };
        let reach = replay.run(&mut journal)?;
        let torn = replay.torn.take();
        let replayed = state.size().saturating_sub(size);
        let refilled = refill(&mut journal, &*store, &state, &keys, reach)?;
        if replayed > 0 {
            store.sync()?;
        }
        let dropped = if self.options.drop_verified {
            drop_verified(&mut journal, &*store, size)?
        } else {
            Vec::new()
        };
        Ok(Resumed {
            store,
            journal,
            keys,
            state,
            replayed,
            refilled,
            torn,
            dropped,
        })
    }

    /// Verifies the journal from the genesis record on, without a store.
    /// Returns the keys and the number of records.
    pub(crate) fn dry_run(&self, why: &str) -> Result<(Keys, u64), LedgerError> {
        let mut journal = Journal::open(Arc::clone(self.disk), self.id)?;
        if journal.segments().first() != Some(&0) {
            return Err(LedgerError::Unusable {
                why: why.to_owned(),
            });
        }
        let keys = self.keys_from(&journal)?;
        let mut state = State::empty(self.id, Frontier::default());
        let mut replay = Replay {
            keys: &keys,
            state: &mut state,
            store: None,
            torn: None,
        };
        replay.run(&mut journal).map_err(|trouble| match trouble {
            Trouble::Ledger(error) => error,
            Trouble::Store(why) => LedgerError::Unusable { why },
        })?;
        Ok((keys, state.size()))
    }

    fn keys_of_store(&self, store: &dyn Store) -> Result<Keys, Trouble> {
        let bytes = store.record(0)?.unwrap_or_default();
        let record = decode(0, &bytes).map_err(blame_store)?;
        check::genesis_keys(&record, &self.id).map_err(blame_store)
    }

    fn keys_from(&self, journal: &Journal) -> Result<Keys, LedgerError> {
        let none = LedgerError::Missing { from: 0, to: 1 };
        if journal.segments().first() != Some(&0) {
            return Err(none);
        }
        let segment = journal.peek(0)?;
        let Some(batch) = segment.batches().next().transpose()? else {
            return Err(none);
        };
        match batch.first() {
            Some(Item::Record(bytes)) => check::genesis_keys(&decode(0, bytes)?, &self.id),
            _ => Err(at(0, "the journal does not begin with it")),
        }
    }
}

/// The last record, the link before it, and the tree's right edge.
fn check_edge(store: &dyn Store, state: &State, keys: &Keys) -> Result<(), Trouble> {
    let size = state.size();
    let Some(last) = size.checked_sub(1) else {
        return Ok(());
    };
    let record = store_record(store, last)?;
    let refused = |why| Trouble::Store(at(last, why).to_string());
    check::content(&record).map_err(refused)?;
    check::signature(&record, keys).map_err(refused)?;
    if record.signed.link() != state.link {
        return Err(refused("the heads state another link"));
    }
    if let Some(before) = last.checked_sub(1)
        && store_record(store, before)?.signed.link() != record.header().prev
    {
        return Err(refused("it is not chained to the record before"));
    }
    if root_at(store, size).map_err(blame_store)? != state.frontier.root() {
        return Err(refused("the tree's nodes do not yield its root"));
    }
    if let Some(note) = &state.note {
        let checkpoint = open_note(&note.text, keys)
            .map_err(|_| Trouble::Store("its newest note is refused".to_owned()))?;
        if checkpoint.size > size
            || root_at(store, checkpoint.size).map_err(blame_store)? != checkpoint.root
        {
            return Err(Trouble::Store(
                "its nodes do not yield the root of its newest checkpoint".to_owned(),
            ));
        }
    }
    Ok(())
}

fn store_record(store: &dyn Store, seq: u64) -> Result<Record, Trouble> {
    let bytes = store.record(seq)?.unwrap_or_default();
    decode(seq, &bytes).map_err(blame_store)
}

/// Walks the journal: what the store has is compared, the rest is added.
struct Replay<'a> {
    keys: &'a Keys,
    state: &'a mut State,
    store: Option<&'a mut dyn Store>,
    torn: Option<Torn>,
}

impl Replay<'_> {
    /// Returns the number of records that the journal reaches.
    fn run(&mut self, journal: &mut Journal) -> Result<u64, Trouble> {
        let size = self.state.size();
        let segments = journal.segments().to_vec();
        let start = segments.partition_point(|first| *first <= size);
        let from = start.saturating_sub(1);
        if let Some(first) = segments.first().filter(|first| **first > size) {
            return Err(Trouble::Ledger(LedgerError::Missing {
                from: size,
                to: *first,
            }));
        }
        let mut next = segments.get(from).copied().unwrap_or(0);
        for first in segments.iter().skip(from) {
            if *first != next {
                return Err(Trouble::Ledger(LedgerError::Missing {
                    from: next,
                    to: *first,
                }));
            }
            let (segment, torn) = journal.read(*first)?;
            self.torn = torn;
            for batch in segment.batches() {
                next = self.batch(next, &batch?)?;
            }
        }
        Ok(next)
    }

    /// One batch whose first record is `next`; returns the number after it.
    fn batch(&mut self, mut next: u64, items: &[Item<'_>]) -> Result<u64, Trouble> {
        let mut stage = Stage::new(self.state);
        let have = self.state.size();
        for item in items {
            match *item {
                Item::Record(bytes) if next < have => {
                    self.compare(next, bytes)?;
                    next = next.saturating_add(1);
                }
                Item::Record(bytes) => {
                    let record = decode(next, bytes)?;
                    check::content(&record)
                        .and_then(|()| check::signature(&record, self.keys))
                        .and_then(|()| check::place(&stage, &record))
                        .map_err(|why| at(next, why))?;
                    stage.push(&record, bytes.to_vec());
                    next = next.saturating_add(1);
                }
                Item::Note(text) if stage.batch.entries.is_empty() => {
                    self.compare_note(next, text)?;
                }
                Item::Note(text) => {
                    let note = check::note(&stage, text, self.keys)
                        .map_err(|why| at(next.saturating_sub(1), why))?;
                    stage.batch.notes.push(note);
                }
            }
        }
        let batch = stage.batch;
        if !batch.entries.is_empty() {
            if let Some(store) = self.store.as_mut() {
                store.append(&batch)?;
            }
            self.state.commit(batch);
        }
        Ok(next)
    }

    fn compare(&self, seq: u64, bytes: &[u8]) -> Result<(), Trouble> {
        match &self.store {
            Some(store) if store.record(seq)?.as_deref() != Some(bytes) => Err(Trouble::Store(
                at(seq, "the journal has it otherwise").to_string(),
            )),
            _ => Ok(()),
        }
    }

    fn compare_note(&self, size: u64, text: &str) -> Result<(), Trouble> {
        match &self.store {
            Some(store) if store.note_from(size)?.is_none_or(|n| n.text != text) => Err(
                Trouble::Store(format!("it lacks the note over {size} records")),
            ),
            _ => Ok(()),
        }
    }
}

/// Puts records back into the journal that only the store has, verified.
fn refill(
    journal: &mut Journal,
    store: &dyn Store,
    state: &State,
    keys: &Keys,
    reach: u64,
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
            let record = decode(next, &bytes).map_err(blame_store)?;
            let sound = check::content(&record).and_then(|()| check::signature(&record, keys));
            if sound.is_err() || record.header().prev != link {
                return Err(Trouble::Store(at(next, "it is damaged").to_string()));
            }
            link = record.signed.link();
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
fn drop_verified(
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
        let (segment, _) = journal.read(*first)?;
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
