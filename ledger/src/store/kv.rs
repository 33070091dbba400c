//! A store over any ordered map of bytes (`spec/ledger.md`, "Store").
//!
//! Keys are a letter, then fixed-width big-endian fields, so that their order
//! is the order of the numbers. No value is larger than [`CHUNK`].

mod codec;

use super::{Batch, Note, Store, StoreError};
use codec::{
    FRONTIER, assemble, corrupt, digest_at, frontier_bytes, head_bytes, head_key, is_key_record,
    key, key_record_key, node_key, note_key, parse_block, parse_frontier, parse_head, parse_note,
    push_record, record_key, stream_key,
};
use receipt_core::hash::Digest;
use receipt_core::heads::{Head, Heads};
use receipt_core::record::LEAF_LEN;
use receipt_core::tree::Frontier;
use std::collections::BTreeMap;
use std::ops::Range;

/// Largest value. Larger ones would end up in files that sled never syncs.
pub const CHUNK: usize = 4096;

/// Bytes of keys and values that one page holds at most, roughly.
pub const PAGE: usize = 1 << 20;

/// Positions of a stream in one value of the stream index. A block for each
/// record would be as many keys again as there are records ([`super::KEPT_LEVEL`]).
pub const BLOCK: u64 = 64;

/// A key with its value.
pub type Pair = (Vec<u8>, Vec<u8>);

/// An ordered map of bytes.
pub trait Kv: Send + Sized + 'static {
    /// Another handle on the same map, for another thread.
    ///
    /// # Errors
    /// The map's.
    fn share(&self) -> Result<Self, StoreError>;

    /// Puts all pairs, or none.
    ///
    /// # Errors
    /// The map's.
    fn put(&mut self, pairs: Vec<Pair>) -> Result<(), StoreError>;

    /// Brings everything to stable storage.
    ///
    /// # Errors
    /// The map's.
    fn sync(&mut self) -> Result<(), StoreError>;

    /// Values by their keys.
    ///
    /// # Errors
    /// The map's.
    fn many(&self, keys: Vec<Vec<u8>>) -> Result<Vec<Option<Vec<u8>>>, StoreError>;

    /// One value.
    ///
    /// # Errors
    /// The map's.
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.many(vec![key.to_vec()])?.pop().flatten())
    }

    /// Pairs with `from` ≤ key < `to` in order, until about `limit` bytes are
    /// together; at least one if there is one.
    ///
    /// # Errors
    /// The map's.
    fn page(&self, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<Pair>, StoreError>;

    /// The last pair with `from` ≤ key < `to`.
    ///
    /// # Errors
    /// The map's.
    fn last(&self, from: &[u8], to: &[u8]) -> Result<Option<Pair>, StoreError>;
}

/// Something stands further on where nothing stands before it.
fn gap(nothing_before: bool, what: &str) -> Result<(), StoreError> {
    if nothing_before {
        return Err(corrupt(what));
    }
    Ok(())
}

/// A [`Store`] over a [`Kv`].
#[derive(Debug)]
pub struct KvStore<K> {
    kv: K,
    len: u64,
}

/// All pairs of a batch but those of the stream index.
fn pairs_of(batch: &Batch) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for entry in &batch.entries {
        push_record(&mut pairs, entry.seq, &entry.bytes);
        if is_key_record(&entry.bytes) {
            pairs.push((key_record_key(entry.seq), Vec::new()));
        }
    }
    for node in &batch.nodes {
        pairs.push((node_key(node.level, node.index), node.hash.to_vec()));
    }
    for (stream, head) in &batch.heads {
        pairs.push((head_key(stream), head_bytes(head)));
    }
    for note in &batch.notes {
        pairs.push((note_key(note.size), note.text.clone().into_bytes()));
    }
    pairs.push((FRONTIER.to_vec(), frontier_bytes(&batch.frontier)));
    pairs
}

impl<K: Kv> KvStore<K> {
    /// A store over what the map holds.
    ///
    /// # Errors
    /// The map's; [`StoreError::Corrupt`] for a frontier that is none.
    pub fn new(kv: K) -> Result<Self, StoreError> {
        let mut store = Self { kv, len: 0 };
        store.len = store.frontier()?.size();
        Ok(store)
    }

    /// The blocks of the stream index that a batch goes on with or begins.
    fn blocks_of(&self, batch: &Batch) -> Result<Vec<Pair>, StoreError> {
        let mut added: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        let mut begun = Vec::new();
        for entry in &batch.entries {
            let key = stream_key(&entry.stream, entry.stream_seq);
            if !added.contains_key(&key) && !entry.stream_seq.is_multiple_of(BLOCK) {
                begun.push(key.clone());
            }
            let numbers = added.entry(key).or_default();
            numbers.extend_from_slice(&entry.seq.to_le_bytes());
        }
        if !begun.is_empty() {
            let there = self.kv.many(begun.clone())?;
            for (key, value) in begun.into_iter().zip(there) {
                let numbers = added.entry(key).or_default();
                *numbers = [value.unwrap_or_default(), std::mem::take(numbers)].concat();
            }
        }
        Ok(added.into_iter().collect())
    }
}

impl<K: Kv> Store for KvStore<K> {
    fn append(&mut self, batch: &Batch) -> Result<(), StoreError> {
        if batch.first != self.len || batch.frontier.size() != batch.end() {
            return Err(StoreError::OutOfOrder {
                first: batch.first,
                len: self.len,
            });
        }
        let mut pairs = pairs_of(batch);
        pairs.extend(self.blocks_of(batch)?);
        self.kv.put(pairs)?;
        self.len = batch.end();
        Ok(())
    }

    fn reader(&self) -> Result<Box<dyn Store>, StoreError> {
        Ok(Box::new(Self {
            kv: self.kv.share()?,
            len: self.len,
        }))
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        self.kv.sync()
    }

    fn frontier(&self) -> Result<Frontier, StoreError> {
        match self.kv.get(FRONTIER)? {
            None => Ok(Frontier::default()),
            Some(bytes) => parse_frontier(&bytes).ok_or_else(|| corrupt("the frontier")),
        }
    }

    fn key_records(&self) -> Result<Vec<u64>, StoreError> {
        let pairs = self.kv.page(b"k", b"l", usize::MAX)?;
        let number = |(key, _): &Pair| Some(u64::from_be_bytes(key.get(1..)?.try_into().ok()?));
        let numbers = pairs.iter().map(number);
        let numbers: Option<Vec<u64>> = numbers.collect();
        numbers.ok_or_else(|| corrupt("the index of key records"))
    }

    fn record(&self, seq: u64) -> Result<Option<Vec<u8>>, StoreError> {
        if seq >= self.len {
            return Ok(None);
        }
        let (from, to) = (record_key(seq, 0), record_key(seq.saturating_add(1), 0));
        let pairs = self.kv.page(&from, &to, usize::MAX)?;
        match assemble(pairs, seq)?.pop() {
            Some(bytes) => Ok(Some(bytes)),
            None => Err(corrupt("a record is missing")),
        }
    }

    fn leaf(&self, seq: u64) -> Result<Option<Vec<u8>>, StoreError> {
        if seq >= self.len {
            return Ok(None);
        }
        match self.kv.get(&record_key(seq, 0))? {
            None => Err(corrupt("a record is missing")),
            Some(chunk) => Ok(Some(chunk.into_iter().skip(4).take(LEAF_LEN).collect())),
        }
    }

    fn records(&self, from: u64, to: u64) -> Result<Vec<Vec<u8>>, StoreError> {
        let to = to.min(self.len);
        if from >= to {
            return Ok(Vec::new());
        }
        let pairs = self
            .kv
            .page(&record_key(from, 0), &record_key(to, 0), PAGE)?;
        let records = assemble(pairs, from)?;
        if records.is_empty() {
            // One record larger than a page.
            return Ok(self.record(from)?.into_iter().collect());
        }
        Ok(records)
    }

    fn stream_entry(&self, stream: &Digest, stream_seq: u64) -> Result<Option<u64>, StoreError> {
        let Some(value) = self.kv.get(&stream_key(stream, stream_seq))? else {
            return Ok(None);
        };
        let place = usize::try_from(stream_seq % BLOCK).unwrap_or(usize::MAX);
        Ok(parse_block(&value)?.get(place).copied())
    }

    fn stream_entries(&self, stream: &Digest, range: Range<u64>) -> Result<Vec<u64>, StoreError> {
        let Some(last) = range.end.checked_sub(1).filter(|last| *last >= range.start) else {
            return Ok(Vec::new());
        };
        let from = stream_key(stream, range.start);
        let to = key(&[&stream_key(stream, last), &[0]]);
        let first = range.start - range.start % BLOCK;
        let (mut entries, mut open) = (Vec::new(), false);
        let starts = (first..).step_by(usize::try_from(BLOCK).unwrap_or(usize::MAX));
        for ((key, value), start) in self.kv.page(&from, &to, PAGE)?.iter().zip(starts) {
            if *key != stream_key(stream, start) {
                gap(entries.is_empty(), "the stream index has a gap")?;
                break;
            }
            if open {
                return Err(corrupt(
                    "the stream index goes on after a block that is not full",
                ));
            }
            let block = parse_block(value)?;
            open = (block.len() as u64) < BLOCK;
            let within = (start..).zip(block).filter(|(at, _)| range.contains(at));
            entries.extend(within.map(|(_, seq)| seq));
        }
        Ok(entries)
    }

    fn nodes(&self, level: u32, range: Range<u64>) -> Result<Vec<Digest>, StoreError> {
        let (from, to) = (node_key(level, range.start), node_key(level, range.end));
        let mut nodes = Vec::new();
        for ((key, value), index) in self.kv.page(&from, &to, PAGE)?.into_iter().zip(range) {
            if key != node_key(level, index) {
                gap(nodes.is_empty(), "the tree has a gap")?;
                break;
            }
            nodes.push(value.try_into().map_err(|_| corrupt("a tree node"))?);
        }
        Ok(nodes)
    }

    fn node(&self, level: u32, index: u64) -> Result<Option<Digest>, StoreError> {
        match self.kv.get(&node_key(level, index))? {
            None => Ok(None),
            Some(value) => match value.try_into() {
                Ok(hash) => Ok(Some(hash)),
                Err(_) => Err(corrupt("a tree node")),
            },
        }
    }

    fn heads(&self) -> Result<Heads, StoreError> {
        let mut heads = Heads::new();
        let mut from = b"h".to_vec();
        loop {
            let pairs = self.kv.page(&from, b"i", PAGE)?;
            let Some((last, _)) = pairs.last() else {
                return Ok(heads);
            };
            from = key(&[last, &[0]]);
            for (key, value) in pairs {
                let stream = digest_at(&key, 1).ok_or_else(|| corrupt("a head's key"))?;
                heads.insert(stream, parse_head(&value).ok_or_else(|| corrupt("a head"))?);
            }
        }
    }

    fn head(&self, stream: &Digest) -> Result<Option<Head>, StoreError> {
        match self.kv.get(&head_key(stream))? {
            None => Ok(None),
            Some(value) => match parse_head(&value) {
                Some(head) => Ok(Some(head)),
                None => Err(corrupt("a head")),
            },
        }
    }

    fn note_from(&self, size: u64) -> Result<Option<Note>, StoreError> {
        let page = self.kv.page(&note_key(size), b"o", 1)?;
        match page.into_iter().next() {
            None => Ok(None),
            Some((key, value)) => match parse_note(&key, value) {
                Some(note) => Ok(Some(note)),
                None => Err(corrupt("a note")),
            },
        }
    }

    fn latest_note(&self) -> Result<Option<Note>, StoreError> {
        match self.kv.last(b"n", b"o")? {
            None => Ok(None),
            Some((key, value)) => match parse_note(&key, value) {
                Some(note) => Ok(Some(note)),
                None => Err(corrupt("a note")),
            },
        }
    }
}
