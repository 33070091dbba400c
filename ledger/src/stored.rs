//! A record at rest (`spec/ledger.md`, "Stored record").
//!
//! The leaf comes first, so that the first chunk of a record holds its header
//! and signature. Evidence is compressed; its sizes are checked before anything
//! is decompressed.

use receipt_core::commit::{Commitments, Content};
use receipt_core::hash::Digest;
use receipt_core::limits::{MAX_EVIDENCE_ITEMS, MAX_GROUP, MAX_PAYLOAD, MAX_RECORD};
use receipt_core::record::{LEAF_LEN, Signed, config};
use receipt_core::seal::{Disclosure, Record};
use std::borrow::Cow;

/// How an evidence item stands.
const VERBATIM: u8 = 0;
const LZ4: u8 = 1;

/// Why bytes are no stored record, or a record cannot be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StoredError {
    /// Not the encoding.
    #[error("the bytes are no stored record")]
    Malformed,
    /// Bytes follow the record.
    #[error("bytes follow the record")]
    Trailing,
    /// The header is refused.
    #[error("the header is refused")]
    Header,
    /// A part is larger than it may be.
    #[error("{0} is larger than it may be")]
    TooLarge(&'static str),
    /// A compressed item does not yield what it says.
    #[error("evidence does not decompress to the size it states")]
    Compression,
}

#[derive(bincode::Encode, bincode::Decode)]
struct Stored<'a> {
    leaf: [u8; LEAF_LEN],
    commitments: Commitments,
    disclosure: Option<StoredDisclosure<'a>>,
}

#[derive(bincode::Encode, bincode::Decode)]
struct StoredDisclosure<'a> {
    secret: Digest,
    groups: [Option<Cow<'a, [u8]>>; 4],
    evidence: Vec<Item<'a>>,
}

#[derive(bincode::Encode, bincode::Decode)]
struct Item<'a> {
    method: u8,
    size: u64,
    bytes: Cow<'a, [u8]>,
}

/// The record's bytes at rest.
///
/// # Errors
/// [`StoredError::TooLarge`] naming the part.
pub fn encode(record: &Record) -> Result<Vec<u8>, StoredError> {
    let leaf = record.signed.leaf();
    let stored = Stored {
        leaf: leaf.try_into().map_err(|_| StoredError::Header)?,
        commitments: record.commitments.clone(),
        disclosure: record.disclosure.as_ref().map(compress).transpose()?,
    };
    bincode::encode_to_vec(&stored, config()).map_err(|_| StoredError::TooLarge("the record"))
}

fn compress(disclosure: &Disclosure) -> Result<StoredDisclosure<'_>, StoredError> {
    let content = &disclosure.content;
    check_sizes(
        content.groups.iter().flatten().map(Vec::len),
        content.evidence.iter().map(|e| e.len() as u64),
    )?;
    Ok(StoredDisclosure {
        secret: disclosure.secret,
        groups: content
            .groups
            .each_ref()
            .map(|g| g.as_deref().map(Cow::Borrowed)),
        evidence: content.evidence.iter().map(|e| pack(e)).collect(),
    })
}

/// Every bound on content, before anything is copied or decompressed.
fn check_sizes(
    groups: impl Iterator<Item = usize>,
    evidence: impl Iterator<Item = u64>,
) -> Result<(), StoredError> {
    let (mut total, mut count) = (0u64, 0usize);
    for size in groups {
        if size > MAX_GROUP {
            return Err(StoredError::TooLarge("a body group"));
        }
        total = total.saturating_add(size as u64);
    }
    for size in evidence {
        count = count.saturating_add(1);
        if size > MAX_PAYLOAD as u64 {
            return Err(StoredError::TooLarge("an evidence item"));
        }
        total = total.saturating_add(size);
    }
    if count > MAX_EVIDENCE_ITEMS {
        return Err(StoredError::TooLarge("the number of evidence items"));
    }
    if total > MAX_RECORD as u64 {
        return Err(StoredError::TooLarge("the record"));
    }
    Ok(())
}

fn pack(bytes: &[u8]) -> Item<'_> {
    let packed = lz4_flex::block::compress(bytes);
    let (method, at_rest) = if packed.len() < bytes.len() {
        (LZ4, Cow::Owned(packed))
    } else {
        (VERBATIM, Cow::Borrowed(bytes))
    };
    Item {
        method,
        size: bytes.len() as u64,
        bytes: at_rest,
    }
}

fn unpack(item: Item<'_>) -> Result<Vec<u8>, StoredError> {
    let size = usize::try_from(item.size).map_err(|_| StoredError::Compression)?;
    let bytes = match item.method {
        VERBATIM => item.bytes.into_owned(),
        LZ4 => {
            lz4_flex::block::decompress(&item.bytes, size).map_err(|_| StoredError::Compression)?
        }
        _ => return Err(StoredError::Malformed),
    };
    if bytes.len() == size {
        Ok(bytes)
    } else {
        Err(StoredError::Compression)
    }
}

/// Reads a stored record. Signature and commitments are not checked here.
///
/// # Errors
/// [`StoredError`] where the bytes are anything else.
pub fn decode(bytes: &[u8]) -> Result<Record, StoredError> {
    if bytes.len() > MAX_RECORD {
        return Err(StoredError::TooLarge("the record"));
    }
    let (stored, used): (Stored<'_>, usize) =
        bincode::decode_from_slice(bytes, config()).map_err(|_| StoredError::Malformed)?;
    if used != bytes.len() {
        return Err(StoredError::Trailing);
    }
    Ok(Record {
        signed: Signed::from_leaf(&stored.leaf).map_err(|_| StoredError::Header)?,
        commitments: stored.commitments,
        disclosure: stored.disclosure.map(decompress).transpose()?,
    })
}

fn decompress(stored: StoredDisclosure<'_>) -> Result<Disclosure, StoredError> {
    check_sizes(
        stored.groups.iter().flatten().map(|g| g.len()),
        stored.evidence.iter().map(|e| e.size),
    )?;
    let evidence = stored
        .evidence
        .into_iter()
        .map(unpack)
        .collect::<Result<_, _>>()?;
    Ok(Disclosure {
        secret: stored.secret,
        content: Content {
            groups: stored.groups.map(|g| g.map(Cow::into_owned)),
            evidence,
        },
    })
}

/// The leaf at the start of a stored record.
#[must_use]
pub fn leaf(bytes: &[u8]) -> Option<&[u8]> {
    bytes.get(..LEAF_LEN)
}
