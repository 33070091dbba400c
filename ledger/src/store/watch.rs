//! Leaves a mark when the store turns out to be broken while it is in use, so
//! that the next open sets it aside and fills another one. Opening looks only
//! at the edge of a store; damage further inside shows when it is read.

use super::{Batch, Note, Store, StoreError};
use crate::disk::Disk;
use crate::layout::{self, SUSPECT};
use receipt_core::hash::Digest;
use receipt_core::heads::{Head, Heads};
use receipt_core::tree::Frontier;
use std::ops::Range;
use std::sync::Arc;

/// A store in use.
pub(crate) struct Watched {
    store: Box<dyn Store>,
    disk: Arc<dyn Disk>,
}

impl Watched {
    pub(crate) fn new(store: Box<dyn Store>, disk: &Arc<dyn Disk>) -> Box<Self> {
        Box::new(Self {
            store,
            disk: Arc::clone(disk),
        })
    }

    fn seen<T>(&self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        if let Err(error @ (StoreError::Corrupt(_) | StoreError::Panicked | StoreError::Hangs(_))) =
            &result
        {
            // Where the mark cannot be left, the error itself still tells.
            let _ = layout::replace(&*self.disk, SUSPECT, error.to_string().as_bytes());
        }
        result
    }
}

impl Store for Watched {
    fn append(&mut self, batch: &Batch) -> Result<(), StoreError> {
        let done = self.store.append(batch);
        self.seen(done)
    }

    fn reader(&self) -> Result<Box<dyn Store>, StoreError> {
        Ok(Self::new(self.seen(self.store.reader())?, &self.disk))
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        let done = self.store.sync();
        self.seen(done)
    }

    fn frontier(&self) -> Result<Frontier, StoreError> {
        self.seen(self.store.frontier())
    }

    fn key_records(&self) -> Result<Vec<u64>, StoreError> {
        self.seen(self.store.key_records())
    }

    fn record(&self, seq: u64) -> Result<Option<Vec<u8>>, StoreError> {
        self.seen(self.store.record(seq))
    }

    fn records(&self, from: u64, to: u64) -> Result<Vec<Vec<u8>>, StoreError> {
        self.seen(self.store.records(from, to))
    }

    fn leaf(&self, seq: u64) -> Result<Option<Vec<u8>>, StoreError> {
        self.seen(self.store.leaf(seq))
    }

    fn stream_entry(&self, stream: &Digest, stream_seq: u64) -> Result<Option<u64>, StoreError> {
        self.seen(self.store.stream_entry(stream, stream_seq))
    }

    fn stream_entries(&self, stream: &Digest, range: Range<u64>) -> Result<Vec<u64>, StoreError> {
        self.seen(self.store.stream_entries(stream, range))
    }

    fn nodes(&self, level: u32, range: Range<u64>) -> Result<Vec<Digest>, StoreError> {
        self.seen(self.store.nodes(level, range))
    }

    fn node(&self, level: u32, index: u64) -> Result<Option<Digest>, StoreError> {
        self.seen(self.store.node(level, index))
    }

    fn heads(&self) -> Result<Heads, StoreError> {
        self.seen(self.store.heads())
    }

    fn head(&self, stream: &Digest) -> Result<Option<Head>, StoreError> {
        self.seen(self.store.head(stream))
    }

    fn note_from(&self, size: u64) -> Result<Option<Note>, StoreError> {
        self.seen(self.store.note_from(size))
    }

    fn latest_note(&self) -> Result<Option<Note>, StoreError> {
        self.seen(self.store.latest_note())
    }
}
