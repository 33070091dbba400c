//! Keys and values of a store, to and from bytes (`spec/ledger.md`, "Store").

use super::{BLOCK, CHUNK, Note, Pair, StoreError};
use receipt_core::hash::Digest;
use receipt_core::heads::Head;
use receipt_core::record::Kind;
use receipt_core::tree::Frontier;

pub(super) fn corrupt(what: &str) -> StoreError {
    StoreError::Corrupt(what.to_owned())
}

pub(super) fn key(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

pub(super) fn record_key(seq: u64, chunk: u32) -> Vec<u8> {
    key(&[b"r", &seq.to_be_bytes(), &chunk.to_be_bytes()])
}

/// The key of the block of the stream index that holds a position.
pub(super) fn stream_key(stream: &Digest, stream_seq: u64) -> Vec<u8> {
    key(&[b"s", stream, &(stream_seq / BLOCK).to_be_bytes()])
}

pub(super) fn node_key(level: u32, index: u64) -> Vec<u8> {
    key(&[b"t", &level.to_be_bytes(), &index.to_be_bytes()])
}

pub(super) fn head_key(stream: &Digest) -> Vec<u8> {
    key(&[b"h", stream])
}

pub(super) fn note_key(size: u64) -> Vec<u8> {
    key(&[b"n", &size.to_be_bytes()])
}

pub(super) const FRONTIER: &[u8] = b"f";

pub(super) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let end = at.checked_add(8)?;
    Some(u64::from_le_bytes(bytes.get(at..end)?.try_into().ok()?))
}

pub(super) fn digest_at(bytes: &[u8], at: usize) -> Option<Digest> {
    bytes.get(at..at.checked_add(32)?)?.try_into().ok()
}

pub(super) fn frontier_bytes(frontier: &Frontier) -> Vec<u8> {
    let mut bytes = frontier.size().to_le_bytes().to_vec();
    for root in frontier.roots() {
        bytes.extend_from_slice(root);
    }
    bytes
}

pub(super) fn parse_frontier(bytes: &[u8]) -> Option<Frontier> {
    let size = u64_at(bytes, 0)?;
    let (roots, rest) = bytes.get(8..)?.as_chunks::<32>();
    if !rest.is_empty() {
        return None;
    }
    Frontier::from_parts(size, roots.to_vec())
}

pub(super) fn head_bytes(head: &Head) -> Vec<u8> {
    key(&[
        &head.stream_seq.to_le_bytes(),
        &head.seq.to_le_bytes(),
        &head.link,
    ])
}

pub(super) fn parse_head(bytes: &[u8]) -> Option<Head> {
    (bytes.len() == 48).then_some(())?;
    Some(Head {
        stream_seq: u64_at(bytes, 0)?,
        seq: u64_at(bytes, 8)?,
        link: digest_at(bytes, 16)?,
    })
}

/// The record numbers in a block of the stream index.
pub(super) fn parse_block(bytes: &[u8]) -> Result<Vec<u64>, StoreError> {
    let (numbers, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() || numbers.is_empty() || numbers.len() as u64 > BLOCK {
        return Err(corrupt("a block of the stream index"));
    }
    Ok(numbers.iter().map(|n| u64::from_le_bytes(*n)).collect())
}

pub(super) fn parse_note(key: &[u8], value: Vec<u8>) -> Option<Note> {
    Some(Note {
        size: u64::from_be_bytes(key.get(1..)?.try_into().ok()?),
        text: String::from_utf8(value).ok()?,
    })
}

/// A record's chunks: the first one begins with the length of the whole.
pub(super) fn push_record(pairs: &mut Vec<Pair>, seq: u64, bytes: &[u8]) {
    let mut whole = Vec::with_capacity(bytes.len().saturating_add(4));
    whole.extend_from_slice(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
    whole.extend_from_slice(bytes);
    for (chunk, index) in whole.chunks(CHUNK).zip(0u32..) {
        pairs.push((record_key(seq, index), chunk.to_vec()));
    }
}

/// The records whose chunks stand in `pairs`, whole ones only.
pub(super) fn assemble(pairs: Vec<Pair>, from: u64) -> Result<Vec<Vec<u8>>, StoreError> {
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

pub(super) fn key_record_key(seq: u64) -> Vec<u8> {
    key(&[b"k", &seq.to_be_bytes()])
}

/// Whether the bytes at rest are of a record of kind `key`: the header's second
/// field tells.
pub(super) fn is_key_record(bytes: &[u8]) -> bool {
    bytes.get(2..4) == Some(&Kind::Key.number().to_le_bytes())
}
