//! Where the ledger stands, and the making of the next batch.

use crate::error::LedgerError;
use crate::heads::HeadsTree;
use crate::store::{Batch, Entry, KEPT_LEVEL, Note, Store};
use receipt_core::hash::Digest;
use receipt_core::heads::{Head, Heads};
use receipt_core::keychain::KeyChain;
use receipt_core::seal::{Place, Record, Time};
use receipt_core::tree::Frontier;

/// What the next record depends on.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) ledger: Digest,
    /// Link of the last record; zeros before the first.
    pub(crate) link: Digest,
    pub(crate) frontier: Frontier,
    pub(crate) heads: Heads,
    /// The tree over `heads`.
    pub(crate) tree: HeadsTree,
    pub(crate) note: Option<Note>,
}

impl State {
    /// The state of an empty ledger.
    pub(crate) fn empty(ledger: Digest, frontier: Frontier) -> Self {
        Self {
            ledger,
            link: [0; 32],
            frontier,
            heads: Heads::new(),
            tree: HeadsTree::default(),
            note: None,
        }
    }

    /// The state that a store's last batch left.
    pub(crate) fn load(ledger: Digest, store: &dyn Store) -> Result<Self, LedgerError> {
        let frontier = store.frontier()?;
        let mut state = Self::empty(ledger, frontier);
        state.heads = store.heads()?;
        state.tree = HeadsTree::of(&state.heads);
        state.note = store.latest_note()?;
        let last = state.size().checked_sub(1);
        let newest = state.heads.values().max_by_key(|h| h.seq);
        state.link = newest.map_or([0; 32], |h| h.link);
        if newest.map(|h| h.seq) != last {
            return Err(LedgerError::Record {
                seq: last.unwrap_or(0),
                why: "the heads do not end with it",
            });
        }
        Ok(state)
    }

    pub(crate) const fn size(&self) -> u64 {
        self.frontier.size()
    }

    /// Takes over what a batch changed.
    pub(crate) fn commit(&mut self, batch: Batch) {
        if let Some(entry) = batch.entries.last() {
            self.link = entry.link;
        }
        self.frontier = batch.frontier;
        for (stream, head) in batch.heads {
            self.tree.put(&stream, &head);
            self.heads.insert(stream, head);
        }
        if let Some(note) = batch.notes.into_iter().next_back() {
            self.note = Some(note);
        }
    }
}

/// A batch in the making, on top of a state that does not change.
pub(crate) struct Stage<'a> {
    base: &'a State,
    link: Digest,
    pub(crate) batch: Batch,
}

impl<'a> Stage<'a> {
    pub(crate) fn new(base: &'a State) -> Self {
        Self {
            base,
            link: base.link,
            batch: Batch {
                first: base.size(),
                entries: Vec::new(),
                nodes: Vec::new(),
                heads: Heads::new(),
                frontier: base.frontier.clone(),
                notes: Vec::new(),
            },
        }
    }

    fn head(&self, stream: &Digest) -> Option<&Head> {
        self.batch
            .heads
            .get(stream)
            .or_else(|| self.base.heads.get(stream))
    }

    /// Where the next record of a stream goes.
    pub(crate) fn place(&self, stream: &Digest, time: Time) -> Place {
        let head = self.head(stream);
        Place {
            ledger: self.base.ledger,
            seq: self.batch.frontier.size(),
            prev: self.link,
            stream_seq: head.map_or(0, |h| h.stream_seq.saturating_add(1)),
            stream_prev: head.map_or([0; 32], |h| h.link),
            time,
        }
    }

    /// Adds a record that stands at its [`Stage::place`].
    pub(crate) fn push(&mut self, record: &Record, bytes: Vec<u8>) {
        let header = record.header();
        let link = record.signed.link();
        let completed = self.batch.frontier.push(&record.signed.leaf());
        let kept = completed.into_iter().filter(|n| n.level >= KEPT_LEVEL);
        self.batch.nodes.extend(kept);
        let head = Head {
            stream_seq: header.stream_seq,
            seq: header.seq,
            link,
        };
        self.batch.heads.insert(header.stream, head);
        self.batch.entries.push(Entry {
            seq: header.seq,
            stream: header.stream,
            stream_seq: header.stream_seq,
            link,
            bytes,
        });
        self.link = link;
    }

    /// The facts of a Heads record that would come next.
    pub(crate) fn heads_facts(&self, keys: &KeyChain) -> Vec<u8> {
        let mut tree = self.base.tree.clone();
        for (stream, head) in &self.batch.heads {
            tree.put(stream, head);
        }
        tree.facts(keys.changes_below(self.batch.end()))
    }
}
