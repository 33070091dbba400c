//! Reading: records by position, ranges, and proofs.

use crate::error::LedgerError;
use crate::ledger::{Health, Ledger};
use crate::store::{KEPT_LEVEL, Note, Store, StoreError};
use crate::stored;
use receipt_core::hash::Digest;
use receipt_core::heads::{self, Head, HeadProof, Heads};
use receipt_core::record::{LEDGER_STREAM, Signed};
use receipt_core::seal::Record;
use receipt_core::tree::{self, Frontier, NodeSource};
use std::cell::RefCell;
use std::collections::VecDeque;

impl Ledger {
    fn readable(&self) -> Result<&dyn Store, LedgerError> {
        if self.health == Health::Store {
            return Err(LedgerError::Store(StoreError::Failed));
        }
        Ok(&*self.store)
    }

    /// A record; `None` past the end.
    ///
    /// # Errors
    /// [`LedgerError::Store`], [`LedgerError::Record`].
    pub fn record(&self, seq: u64) -> Result<Option<Record>, LedgerError> {
        let bytes = self.readable()?.record(seq)?;
        bytes.map(|bytes| decode(seq, &bytes)).transpose()
    }

    /// The records from `from` on, below `to`.
    #[must_use]
    pub fn range(&self, from: u64, to: u64) -> Range<'_> {
        Range {
            ledger: self,
            next: from,
            to: to.min(self.size()),
            page: VecDeque::new(),
        }
    }

    /// The numbers of all records that tell a change of keys, in order.
    ///
    /// # Errors
    /// [`LedgerError::Store`].
    pub fn key_records(&self) -> Result<Vec<u64>, LedgerError> {
        let mut numbers = self.readable()?.key_records()?;
        // A view's store goes on.
        numbers.retain(|seq| *seq < self.size());
        Ok(numbers)
    }

    /// Number of records of a stream.
    #[must_use]
    pub fn stream_len(&self, stream: &Digest) -> u64 {
        let head = self.state.heads.get(stream);
        head.map_or(0, |h| h.stream_seq.saturating_add(1))
    }

    /// A stream's record by its position in the stream; `None` past its end.
    ///
    /// # Errors
    /// [`LedgerError::Store`], [`LedgerError::Record`].
    pub fn stream_record(
        &self,
        stream: &Digest,
        stream_seq: u64,
    ) -> Result<Option<Record>, LedgerError> {
        match self.readable()?.stream_entry(stream, stream_seq)? {
            None => Ok(None),
            Some(seq) => self.record(seq),
        }
    }

    /// The streams with their newest records.
    #[must_use]
    pub const fn streams(&self) -> &Heads {
        &self.state.heads
    }

    /// The smallest checkpoint whose tree holds record `seq`.
    ///
    /// # Errors
    /// [`LedgerError::Store`].
    pub fn checkpoint_at_or_after(&self, seq: u64) -> Result<Option<Note>, LedgerError> {
        let note = self.readable()?.note_from(seq.saturating_add(1))?;
        // A view's store goes on.
        Ok(note.filter(|note| note.size <= self.size()))
    }

    /// Root of the tree over the first `size` records.
    ///
    /// # Errors
    /// [`LedgerError::Store`]; [`LedgerError::Missing`] past the end.
    pub fn root_at(&self, size: u64) -> Result<Digest, LedgerError> {
        if size > self.size() {
            return Err(past_end(size, self.size()));
        }
        root_at(self.readable()?, size)
    }

    /// Proof that record `seq` is in the tree of `size` records.
    ///
    /// # Errors
    /// [`LedgerError::Store`]; [`LedgerError::Missing`] past the end.
    pub fn inclusion_proof(&self, seq: u64, size: u64) -> Result<Vec<Digest>, LedgerError> {
        if size > self.size() || seq >= size {
            return Err(past_end(seq.max(size), self.size()));
        }
        let nodes = Nodes::new(self.readable()?);
        nodes.finish(tree::inclusion_proof(&nodes, seq, size))
    }

    /// Proof that the tree of `old` records is a prefix of the tree of `size`.
    ///
    /// # Errors
    /// [`LedgerError::Store`]; [`LedgerError::Missing`] past the end.
    pub fn consistency_proof(&self, old: u64, size: u64) -> Result<Vec<Digest>, LedgerError> {
        if size > self.size() || old > size {
            return Err(past_end(old.max(size), self.size()));
        }
        let nodes = Nodes::new(self.readable()?);
        nodes.finish(tree::consistency_proof(&nodes, old, size))
    }

    /// The heads that the checkpoint over `size` records commits: of all
    /// streams but the ledger's own, below its `Heads` record.
    ///
    /// # Errors
    /// [`LedgerError::Store`].
    pub fn heads_at(&self, size: u64) -> Result<Heads, LedgerError> {
        let store = self.readable()?;
        let below = size.saturating_sub(1);
        let mut heads = Heads::new();
        for (stream, newest) in &self.state.heads {
            if stream == &LEDGER_STREAM {
                continue;
            }
            if let Some(head) = head_below(store, stream, newest, below)? {
                heads.insert(*stream, head);
            }
        }
        Ok(heads)
    }

    /// One stream's place in the heads of the checkpoint over `size` records;
    /// `None` if the stream began later.
    ///
    /// # Errors
    /// [`LedgerError::Store`].
    pub fn head_proof(&self, stream: &Digest, size: u64) -> Result<Option<HeadProof>, LedgerError> {
        Ok(heads::prove(&self.heads_at(size)?, stream))
    }
}

fn past_end(to: u64, size: u64) -> LedgerError {
    LedgerError::Missing { from: size, to }
}

pub(crate) fn decode(seq: u64, bytes: &[u8]) -> Result<Record, LedgerError> {
    let record = stored::decode(bytes).map_err(|_| LedgerError::Record {
        seq,
        why: "its stored bytes are damaged",
    })?;
    if record.header().seq != seq {
        return Err(LedgerError::Record {
            seq,
            why: "another record stands in its place",
        });
    }
    Ok(record)
}

/// The last head of a stream with `seq` < `below`, by bisection.
fn head_below(
    store: &dyn Store,
    stream: &Digest,
    newest: &Head,
    below: u64,
) -> Result<Option<Head>, LedgerError> {
    if newest.seq < below {
        return Ok(Some(*newest));
    }
    let (mut found, mut low, mut high) = (None, 0, newest.stream_seq);
    while low < high {
        let middle = low.midpoint(high);
        let seq = store
            .stream_entry(stream, middle)?
            .ok_or_else(|| StoreError::Corrupt("the stream index has a gap".to_owned()))?;
        if seq < below {
            found = Some((middle, seq));
            low = middle.saturating_add(1);
        } else {
            high = middle;
        }
    }
    let Some((stream_seq, seq)) = found else {
        return Ok(None);
    };
    let leaf = store.leaf(seq)?.unwrap_or_default();
    let signed = Signed::from_leaf(&leaf)
        .map_err(|_| StoreError::Corrupt(format!("record #{seq} has no leaf")))?;
    Ok(Some(Head {
        stream_seq,
        seq,
        link: signed.link(),
    }))
}

/// Root of a complete subtree; those that are not kept are computed.
fn node(store: &dyn Store, level: u32, index: u64) -> Result<Option<Digest>, StoreError> {
    if level >= KEPT_LEVEL {
        return store.node(level, index);
    }
    let mut subtree = Frontier::default();
    let first = index << level;
    for seq in first..first.saturating_add(1 << level) {
        let Some(leaf) = store.leaf(seq)? else {
            return Ok(None);
        };
        subtree.push(&leaf);
    }
    Ok(Some(subtree.root()))
}

/// Root over the first `size` records, from the store's nodes.
pub(crate) fn root_at(store: &dyn Store, size: u64) -> Result<Digest, LedgerError> {
    let mut roots = Vec::new();
    let mut start = 0u64;
    for level in (0..64u32).rev().filter(|l| size >> l & 1 == 1) {
        let node = node(store, level, start >> level)?
            .ok_or_else(|| StoreError::Corrupt("a tree node is missing".to_owned()))?;
        roots.push(node);
        start |= 1 << level;
    }
    let frontier = Frontier::from_parts(size, roots).unwrap_or_default();
    Ok(frontier.root())
}

/// The store's nodes for proofs; keeps the error that a look-up met.
struct Nodes<'a> {
    store: &'a dyn Store,
    error: RefCell<Option<StoreError>>,
}

impl<'a> Nodes<'a> {
    const fn new(store: &'a dyn Store) -> Self {
        Self {
            store,
            error: RefCell::new(None),
        }
    }

    fn finish(&self, proof: Option<Vec<Digest>>) -> Result<Vec<Digest>, LedgerError> {
        let met = self.error.borrow_mut().take();
        proof.ok_or_else(|| {
            LedgerError::Store(
                met.unwrap_or_else(|| StoreError::Corrupt("a tree node is missing".to_owned())),
            )
        })
    }
}

impl NodeSource for Nodes<'_> {
    fn node(&self, level: u32, index: u64) -> Option<Digest> {
        match node(self.store, level, index) {
            Ok(node) => node,
            Err(error) => {
                self.error.borrow_mut().get_or_insert(error);
                None
            }
        }
    }
}

/// Records in order. Ends after the first error.
#[derive(Debug)]
pub struct Range<'a> {
    ledger: &'a Ledger,
    next: u64,
    to: u64,
    page: VecDeque<Vec<u8>>,
}

impl Range<'_> {
    fn step(&mut self) -> Result<Option<Record>, LedgerError> {
        if self.next >= self.to {
            return Ok(None);
        }
        if self.page.is_empty() {
            self.page = self.ledger.readable()?.records(self.next, self.to)?.into();
        }
        let seq = self.next;
        let bytes = self.page.pop_front().ok_or(LedgerError::Record {
            seq,
            why: "the store does not have it",
        })?;
        let record = decode(seq, &bytes)?;
        self.next = seq.saturating_add(1);
        Ok(Some(record))
    }
}

impl Iterator for Range<'_> {
    type Item = Result<Record, LedgerError>;

    fn next(&mut self) -> Option<Self::Item> {
        let step = self.step();
        if step.is_err() {
            self.to = self.next;
        }
        step.transpose()
    }
}
