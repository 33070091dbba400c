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
use crate::keys::KeyRing;
use crate::open::Options;
use crate::read::{decode, root_at};
use crate::refill::{drop_verified, refill, verbatim};
use crate::state::{Stage, State};
use crate::store::{Store, StoreError};
use receipt_core::hash::Digest;
use receipt_core::keychain::KeyChain;
use receipt_core::seal::Record;
use receipt_core::tree::Frontier;
use std::collections::VecDeque;
use std::ops::Range;
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
    /// The private keys that are in force.
    pub(crate) ring: KeyRing,
    pub(crate) keys: KeyChain,
    pub(crate) state: State,
    pub(crate) replayed: u64,
    pub(crate) refilled: u64,
    pub(crate) torn: Option<Torn>,
    pub(crate) dropped: Vec<String>,
}

/// What the journal alone yields.
pub(crate) struct Tried {
    pub(crate) keys: KeyChain,
    pub(crate) state: State,
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
pub(crate) fn blame_store(error: LedgerError) -> Trouble {
    match error {
        LedgerError::Store(error) => error.into(),
        other => Trouble::Store(other.to_string()),
    }
}

pub(crate) fn at(seq: u64, why: &'static str) -> LedgerError {
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
        let mut keys = if size == 0 {
            self.keys_from(&journal)?
        } else {
            keys_of(&*store, &self.id, size).map_err(blame_store)?
        };
        let mut state = State::load(self.id, &*store).map_err(blame_store)?;
        check_edge(&*store, &state, &keys)?;
        let mut replay = Replay {
            keys: &mut keys,
            state: &mut state,
            store: Some(&mut *store),
            page: VecDeque::new(),
        };
        let reach = replay.run(&mut journal)?;
        let ring = self.ring.fit(&keys)?;
        let torn = journal.torn().cloned();
        let replayed = state.size().saturating_sub(size);
        let refilled = refill(&mut journal, &*store, &state, &keys, reach, &mut verbatim)?;
        if replayed > 0 {
            store.sync()?;
        }
        let mut dropped = Vec::new();
        if self.options.drop_verified {
            dropped = drop_verified(&mut journal, &*store, size)?;
        }
        Ok(Resumed {
            store,
            journal,
            ring,
            keys,
            state,
            replayed,
            refilled,
            torn,
            dropped,
        })
    }

    /// Verifies the journal from the genesis record on, without a store.
    pub(crate) fn dry_run(&self, why: &str) -> Result<Tried, LedgerError> {
        let mut journal = Journal::open(Arc::clone(self.disk), self.id)?;
        if journal.segments().first() != Some(&0) {
            return Err(LedgerError::Unusable {
                why: why.to_owned(),
            });
        }
        let mut keys = self.keys_from(&journal)?;
        let mut state = State::empty(self.id, Frontier::default());
        let mut replay = Replay {
            keys: &mut keys,
            state: &mut state,
            store: None,
            page: VecDeque::new(),
        };
        replay.run(&mut journal).map_err(|trouble| match trouble {
            Trouble::Ledger(error) => error,
            Trouble::Store(why) => LedgerError::Unusable { why },
        })?;
        Ok(Tried { keys, state })
    }

    fn keys_from(&self, journal: &Journal) -> Result<KeyChain, LedgerError> {
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
fn check_edge(store: &dyn Store, state: &State, keys: &KeyChain) -> Result<(), Trouble> {
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

/// The keys that a store's records below `size` bind, each change verified.
pub(crate) fn keys_of(store: &dyn Store, id: &Digest, size: u64) -> Result<KeyChain, LedgerError> {
    let bytes = store.record(0)?.unwrap_or_default();
    let mut keys = check::genesis_keys(&decode(0, &bytes)?, id)?;
    for seq in store.key_records()?.into_iter().filter(|seq| *seq < size) {
        let record = decode(seq, &store.record(seq)?.unwrap_or_default())?;
        check::content(&record)
            .and_then(|()| check::signature(&record, &keys))
            .and_then(|()| check::follow(&record, &mut keys))
            .map_err(|why| at(seq, why))?;
    }
    Ok(keys)
}

pub(crate) fn store_record(store: &dyn Store, seq: u64) -> Result<Record, Trouble> {
    let bytes = store.record(seq)?.unwrap_or_default();
    decode(seq, &bytes).map_err(blame_store)
}

/// Walks the journal: what the store has is compared, the rest is added.
struct Replay<'a> {
    keys: &'a mut KeyChain,
    state: &'a mut State,
    store: Option<&'a mut dyn Store>,
    /// The store's records that are compared next.
    page: VecDeque<Vec<u8>>,
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
            let segment = journal.read(*first)?;
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
                    if let Some(store) = &self.store {
                        compare(&**store, &mut self.page, next..have, bytes)?;
                    }
                    next = next.saturating_add(1);
                }
                Item::Record(bytes) => {
                    let record = decode(next, bytes)?;
                    check::content(&record)
                        .and_then(|()| check::signature(&record, self.keys))
                        .and_then(|()| check::place(&stage, &record))
                        .map_err(|why| at(next, why))?;
                    check::follow(&record, self.keys).map_err(|why| at(next, why))?;
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

    fn compare_note(&self, size: u64, text: &str) -> Result<(), Trouble> {
        match &self.store {
            Some(store) if store.note_from(size)?.is_none_or(|n| n.text != text) => Err(
                Trouble::Store(format!("it lacks the note over {size} records")),
            ),
            _ => Ok(()),
        }
    }
}

/// Compares the store's record `range.start` of those up to `range.end`.
fn compare(
    store: &dyn Store,
    page: &mut VecDeque<Vec<u8>>,
    range: Range<u64>,
    bytes: &[u8],
) -> Result<(), Trouble> {
    if page.is_empty() {
        *page = store.records(range.start, range.end)?.into();
    }
    if page.pop_front().as_deref() == Some(bytes) {
        return Ok(());
    }
    let otherwise = at(range.start, "the journal has it otherwise");
    Err(Trouble::Store(otherwise.to_string()))
}
