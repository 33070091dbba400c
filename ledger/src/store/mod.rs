//! Where records are kept in an order that can be queried.
//!
//! A store is an index over what the journal holds, never the only copy. Each
//! append is one atomic batch: records, tree nodes, stream index, heads,
//! frontier and notes stand or fall together.

pub mod kv;
pub mod memory;
pub mod sled;
pub(crate) mod watch;

use receipt_core::hash::Digest;
use receipt_core::heads::{Head, Heads};
use receipt_core::tree::{Frontier, Node};
use std::ops::Range;

/// Height of the lowest subtrees whose roots a store keeps: those below are
/// computed from at most 64 records. sled holds every 8 to 16 keys in a page of
/// its own, and some 300 bytes of memory for each page, so a key for each node
/// would be most of the memory that a large ledger takes.
pub const KEPT_LEVEL: u32 = 6;

/// What one append puts into a store, all or nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Number of the first record: the store's length before.
    pub first: u64,
    /// The records, without a gap.
    pub entries: Vec<Entry>,
    /// Subtrees of [`KEPT_LEVEL`] and higher that the records complete.
    pub nodes: Vec<Node>,
    /// Heads that changed, as they are after the batch.
    pub heads: Heads,
    /// The tree's right edge after the batch.
    pub frontier: Frontier,
    /// Checkpoint notes over sizes of at most `first` + entries.
    pub notes: Vec<Note>,
}

impl Batch {
    /// Number of records after the batch.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.first.saturating_add(self.entries.len() as u64)
    }
}

/// One record of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its position in the ledger.
    pub seq: u64,
    /// Its stream.
    pub stream: Digest,
    /// Its position in the stream.
    pub stream_seq: u64,
    /// Its link.
    pub link: Digest,
    /// Its bytes at rest ([`crate::stored`]).
    pub bytes: Vec<u8>,
}

/// A checkpoint's signed note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Number of records it covers.
    pub size: u64,
    /// The note.
    pub text: String,
}

/// Why a store refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The machine's fault: full disk, permissions. The store may be whole.
    #[error("{0}")]
    Environment(String),
    /// Another process, or an earlier handle of this one, has it open.
    #[error("its files are open elsewhere; end the process that has them open")]
    Locked,
    /// Its files are damaged.
    #[error("its files are damaged: {0}")]
    Corrupt(String),
    /// The store's code panicked.
    #[error("it panicked")]
    Panicked,
    /// No answer within the watchdog's time.
    #[error("it did not answer within {0} seconds")]
    Hangs(u64),
    /// An earlier error; nothing more is asked of it.
    #[error("it failed earlier and is not asked again")]
    Failed,
    /// A batch that does not continue what is there.
    #[error("a batch begins at record {first}, but {len} are there")]
    OutOfOrder {
        /// Where the batch begins.
        first: u64,
        /// The store's length.
        len: u64,
    },
}

impl StoreError {
    /// Whether setting the store aside and filling a new one can help.
    #[must_use]
    pub const fn is_broken(&self) -> bool {
        matches!(
            self,
            Self::Corrupt(_) | Self::Panicked | Self::Hangs(_) | Self::Failed
        )
    }
}

/// What a store does.
///
/// After an error of [`Store::append`] or [`Store::sync`] nothing more may be
/// asked; dropping it must neither write nor wait.
pub trait Store: Send {
    /// Adds a batch, all or nothing. Durable only after [`Store::sync`].
    ///
    /// # Errors
    /// [`StoreError::OutOfOrder`] where the batch does not continue the store.
    fn append(&mut self, batch: &Batch) -> Result<(), StoreError>;

    /// Another handle on the same content, to be read in another thread while
    /// this one appends. It knows the records that are there now.
    ///
    /// # Errors
    /// The store's.
    fn reader(&self) -> Result<Box<dyn Store>, StoreError>;

    /// Brings all batches to stable storage.
    ///
    /// # Errors
    /// The store's.
    fn sync(&mut self) -> Result<(), StoreError>;

    /// The tree's right edge; its size is the number of records.
    ///
    /// # Errors
    /// The store's.
    fn frontier(&self) -> Result<Frontier, StoreError>;

    /// A record's bytes at rest.
    ///
    /// # Errors
    /// The store's.
    fn record(&self, seq: u64) -> Result<Option<Vec<u8>>, StoreError>;

    /// Records from `from` on, below `to`: at least one if there is one, and no
    /// more than a few MiB at a time.
    ///
    /// # Errors
    /// The store's.
    fn records(&self, from: u64, to: u64) -> Result<Vec<Vec<u8>>, StoreError>;

    /// The first bytes of a record, as many as a leaf has, or all of it.
    ///
    /// # Errors
    /// The store's.
    fn leaf(&self, seq: u64) -> Result<Option<Vec<u8>>, StoreError>;

    /// The number of a stream's record, by its position in the stream.
    ///
    /// # Errors
    /// The store's.
    fn stream_entry(&self, stream: &Digest, stream_seq: u64) -> Result<Option<u64>, StoreError>;

    /// The numbers of a stream's records by their positions in it, in order and
    /// without a gap from `range.start` on; no more than a few MiB at a time.
    ///
    /// # Errors
    /// The store's; [`StoreError::Corrupt`] where some follow a gap at its start.
    fn stream_entries(&self, stream: &Digest, range: Range<u64>) -> Result<Vec<u64>, StoreError>;

    /// The roots of complete subtrees of one height, in order and without a gap
    /// from `range.start` on; no more than a few MiB at a time.
    ///
    /// # Errors
    /// As [`Store::stream_entries`].
    fn nodes(&self, level: u32, range: Range<u64>) -> Result<Vec<Digest>, StoreError>;

    /// The root of a complete subtree.
    ///
    /// # Errors
    /// The store's.
    fn node(&self, level: u32, index: u64) -> Result<Option<Digest>, StoreError>;

    /// The numbers of all records of kind `key`, in order.
    ///
    /// # Errors
    /// The store's.
    fn key_records(&self) -> Result<Vec<u64>, StoreError>;

    /// The heads of all streams.
    ///
    /// # Errors
    /// The store's.
    fn heads(&self) -> Result<Heads, StoreError>;

    /// The head of one stream.
    ///
    /// # Errors
    /// The store's.
    fn head(&self, stream: &Digest) -> Result<Option<Head>, StoreError>;

    /// The note of the smallest checkpoint of at least `size` records.
    ///
    /// # Errors
    /// The store's.
    fn note_from(&self, size: u64) -> Result<Option<Note>, StoreError>;

    /// The note of the largest checkpoint.
    ///
    /// # Errors
    /// The store's.
    fn latest_note(&self) -> Result<Option<Note>, StoreError>;
}

/// Where stores come from: one place that holds at most one store in force.
pub trait Stores: Send {
    /// Opens the store in force; makes an empty one if there is none.
    ///
    /// # Errors
    /// The store's.
    fn open(&mut self) -> Result<Box<dyn Store>, StoreError>;

    /// Puts the store in force out of the way and keeps it, under the name
    /// returned; `None` if there was none. The next open makes an empty one.
    ///
    /// # Errors
    /// The store's.
    fn set_aside(&mut self) -> Result<Option<String>, StoreError>;

    /// Removes the store in force and all that were set aside, with their
    /// content. The next open makes an empty one.
    ///
    /// # Errors
    /// The store's; it can be tried again.
    fn erase(&mut self) -> Result<(), StoreError>;

    /// Whether a store is in force.
    ///
    /// # Errors
    /// The store's.
    fn exists(&self) -> Result<bool, StoreError>;
}
