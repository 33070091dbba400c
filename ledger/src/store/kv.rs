//! A store over any ordered map of bytes (`spec/ledger.md`, "Store").
//!
//! Keys are a letter, then fixed-width big-endian fields, so that their order
//! is the order of the numbers. No value is larger than [`CHUNK`].

use super::{Batch, Note, Store, StoreError, StreamEntry};
use receipt_core::hash::Digest;
use receipt_core::heads::{Head, Heads};
use receipt_core::tree::Frontier;
use std::ops::Range;

/// Largest value. Larger ones would end up in files that sled never syncs.
pub const CHUNK: usize = 4096;

/// Bytes of keys and values that one page holds at most, roughly.
pub const PAGE: usize = 4 << 20;

/// A key with its value.
pub type Pair = (Vec<u8>, Vec<u8>);

/// An ordered map of bytes.
pub trait Kv: Send {
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

    /// One value.
    ///
    /// # Errors
    /// The map's.
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError>;

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

/// A [`Store`] over a [`Kv`].
#[derive(Debug)]
pub struct KvStore<K> {
    kv: K,
    len: u64,
}

fn corrupt(what: &str) -> StoreError {
    StoreError::Corrupt(what.to_owned())
}

fn key(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

fn record_key(seq: u64, chunk: u32) -> Vec<u8> {
    key(&[b"r", &seq.to_be_bytes(), &chunk.to_be_bytes()])
}

fn stream_key(stream: &Digest, stream_seq: u64) -> Vec<u8> {
    key(&[b"s", stream, &stream_seq.to_be_bytes()])
}

fn node_key(level: u32, index: u64) -> Vec<u8> {
    key(&[b"t", &level.to_be_bytes(), &index.to_be_bytes()])
}

fn head_key(stream: &Digest) -> Vec<u8> {
    key(&[b"h", stream])
}

fn note_key(size: u64) -> Vec<u8> {
    key(&[b"n", &size.to_be_bytes()])
}

const FRONTIER: &[u8] = b"f";

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let end = at.checked_add(8)?;
    Some(u64::from_le_bytes(bytes.get(at..end)?.try_into().ok()?))
}

fn digest_at(bytes: &[u8], at: usize) -> Option<Digest> {
    bytes.get(at..at.checked_add(32)?)?.try_into().ok()
}

fn frontier_bytes(frontier: &Frontier) -> Vec<u8> {
    let mut bytes = frontier.size().to_le_bytes().to_vec();
    for root in frontier.roots() {
        bytes.extend_from_slice(root);
    }
    bytes
}

fn parse_frontier(bytes: &[u8]) -> Option<Frontier> {
    let size = u64_at(bytes, 0)?;
    let (roots, rest) = bytes.get(8..)?.as_chunks::<32>();
    if !rest.is_empty() {
        return None;
    }
    Frontier::from_parts(size, roots.to_vec())
}

fn head_bytes(head: &Head) -> Vec<u8> {
    key(&[
        &head.stream_seq.to_le_bytes(),
        &head.seq.to_le_bytes(),
        &head.link,
    ])
}

fn parse_head(bytes: &[u8]) -> Option<Head> {
    (bytes.len() == 48).then_some(())?;
    Some(Head {
        stream_seq: u64_at(bytes, 0)?,
        seq: u64_at(bytes, 8)?,
        link: digest_at(bytes, 16)?,
    })
}

fn parse_entry(bytes: &[u8]) -> Option<StreamEntry> {
    (bytes.len() == 40).then_some(())?;
    Some(StreamEntry {
        seq: u64_at(bytes, 0)?,
        link: digest_at(bytes, 8)?,
    })
}

fn parse_note(key: &[u8], value: Vec<u8>) -> Option<Note> {
    Some(Note {
        size: u64::from_be_bytes(key.get(1..)?.try_into().ok()?),
        text: String::from_utf8(value).ok()?,
    })
}

/// A record's chunks: the first one begins with the length of the whole.
fn push_record(pairs: &mut Vec<Pair>, seq: u64, bytes: &[u8]) {
    let mut whole = Vec::with_capacity(bytes.len().saturating_add(4));
    whole.extend_from_slice(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
    whole.extend_from_slice(bytes);
    for (chunk, index) in whole.chunks(CHUNK).zip(0u32..) {
        pairs.push((record_key(seq, index), chunk.to_vec()));
    }
}

fn pairs_of(batch: &Batch) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for entry in &batch.entries {
        push_record(&mut pairs, entry.seq, &entry.bytes);
        pairs.push((
            stream_key(&entry.stream, entry.stream_seq),
            key(&[&entry.seq.to_le_bytes(), &entry.link]),
        ));
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

/// The records whose chunks stand in `pairs`, whole ones only.
fn assemble(pairs: Vec<Pair>, from: u64) -> Result<Vec<Vec<u8>>, StoreError> {
    let mut records: Vec<Vec<u8>> = Vec::new();
    let mut missing = 0usize;
    let (mut seq, mut chunk) = (from, 0u32);
    for (key, value) in pairs {
        if key != record_key(seq, chunk) {
            return Err(corrupt("a chunk of a record is missing"));
        }
        if chunk == 0 {
            let (len, rest) = value
                .split_first_chunk::<4>()
                .ok_or_else(|| corrupt("a record's first chunk is too short"))?;
            missing = u32::from_le_bytes(*len) as usize;
            records.push(Vec::with_capacity(rest.len()));
        }
        let part = if chunk == 0 {
            value.get(4..)
        } else {
            Some(&value[..])
        }
        .unwrap_or_default();
        missing = missing
            .checked_sub(part.len())
            .ok_or_else(|| corrupt("a record is longer than it says"))?;
        if let Some(record) = records.last_mut() {
            record.extend_from_slice(part);
        }
        if missing == 0 {
            (seq, chunk) = (seq.saturating_add(1), 0);
        } else {
            chunk = chunk.saturating_add(1);
        }
    }
    if missing > 0 {
        records.pop();
    }
    Ok(records)
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

    /// Puts pairs as they are, for tests of damaged stores.
    ///
    /// # Errors
    /// The map's.
    pub fn put_raw(&mut self, pairs: Vec<Pair>) -> Result<(), StoreError> {
        self.kv.put(pairs)
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
        self.kv.put(pairs_of(batch))?;
        self.len = batch.end();
        Ok(())
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

    fn stream_entry(
        &self,
        stream: &Digest,
        stream_seq: u64,
    ) -> Result<Option<StreamEntry>, StoreError> {
        let Some(value) = self.kv.get(&stream_key(stream, stream_seq))? else {
            return Ok(None);
        };
        parse_entry(&value)
            .map(Some)
            .ok_or_else(|| corrupt("an entry of the stream index"))
    }

    fn stream_entries(
        &self,
        stream: &Digest,
        range: Range<u64>,
    ) -> Result<Vec<StreamEntry>, StoreError> {
        let (from, to) = (
            stream_key(stream, range.start),
            stream_key(stream, range.end),
        );
        let mut entries = Vec::new();
        for ((key, value), position) in self.kv.page(&from, &to, PAGE)?.iter().zip(range) {
            if *key != stream_key(stream, position) {
                break;
            }
            let entry = parse_entry(value);
            entries.push(entry.ok_or_else(|| corrupt("an entry of the stream index"))?);
        }
        Ok(entries)
    }

    fn nodes(&self, level: u32, range: Range<u64>) -> Result<Vec<Digest>, StoreError> {
        let (from, to) = (node_key(level, range.start), node_key(level, range.end));
        let mut nodes = Vec::new();
        for ((key, value), index) in self.kv.page(&from, &to, PAGE)?.into_iter().zip(range) {
            if key != node_key(level, index) {
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
