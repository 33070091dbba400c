//! The Merkle tree over all records (RFC 6962, section 2.1, SHA-256).
//!
//! A leaf is header ‖ signature of a record. Hashes of complete subtrees are
//! kept by [`NodeSource`], so appending costs two hashes and a proof costs
//! O(log n) look-ups. Verification follows RFC 9162, sections 2.1.3 and 2.1.4.

use crate::hash::Digest;
use crate::limits::MAX_PROOF;
use alloc::vec::Vec;
use sha2::{Digest as _, Sha256};

/// Hash of one leaf.
#[must_use]
pub fn leaf_hash(leaf: &[u8]) -> Digest {
    Sha256::new()
        .chain_update([0])
        .chain_update(leaf)
        .finalize()
        .into()
}

/// Hash of an inner node.
#[must_use]
pub fn node_hash(left: &Digest, right: &Digest) -> Digest {
    Sha256::new()
        .chain_update([1])
        .chain_update(left)
        .chain_update(right)
        .finalize()
        .into()
}

/// Root of the tree without leaves.
#[must_use]
pub fn empty_root() -> Digest {
    Sha256::new().finalize().into()
}

/// The right edge of a growing tree: the roots of its complete subtrees, from
/// the largest to the smallest, one for each set bit of `size`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frontier {
    size: u64,
    roots: Vec<Digest>,
}

/// A complete subtree's root: `index` counts subtrees of 2^`level` leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// Height above the leaves.
    pub level: u32,
    /// Which subtree of that height.
    pub index: u64,
    /// Its root.
    pub hash: Digest,
}

impl Frontier {
    /// A frontier read back from storage; `None` where the parts do not fit.
    #[must_use]
    pub fn from_parts(size: u64, roots: Vec<Digest>) -> Option<Self> {
        (roots.len() == size.count_ones() as usize).then_some(Self { size, roots })
    }

    /// Number of leaves.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The roots, largest subtree first.
    #[must_use]
    pub fn roots(&self) -> &[Digest] {
        &self.roots
    }

    /// Adds a leaf. Returns every subtree that it completes, the leaf first.
    pub fn push(&mut self, leaf: &[u8]) -> Vec<Node> {
        let mut node = Node {
            level: 0,
            index: self.size,
            hash: leaf_hash(leaf),
        };
        let mut completed = Vec::from([node]);
        while node.index & 1 == 1 {
            let Some(left) = self.roots.pop() else { break };
            node = Node {
                level: node.level.saturating_add(1),
                index: node.index >> 1,
                hash: node_hash(&left, &node.hash),
            };
            completed.push(node);
        }
        self.roots.push(node.hash);
        self.size = self.size.saturating_add(1);
        completed
    }

    /// Root of the whole tree.
    #[must_use]
    pub fn root(&self) -> Digest {
        self.roots
            .iter()
            .rev()
            .copied()
            .reduce(|right, left| node_hash(&left, &right))
            .unwrap_or_else(empty_root)
    }
}

/// Where the roots of complete subtrees are kept.
pub trait NodeSource {
    /// The root of subtree `index` of 2^`level` leaves.
    fn node(&self, level: u32, index: u64) -> Option<Digest>;
}

/// Root over leaves `[start, start + len)` where `start` is a multiple of the
/// largest power of two not above `len`.
fn range_root(source: &dyn NodeSource, start: u64, len: u64) -> Option<Digest> {
    if len.is_power_of_two() {
        let level = len.trailing_zeros();
        return source.node(level, start >> level);
    }
    let left = split(len);
    let right_root = range_root(source, start.checked_add(left)?, len.checked_sub(left)?)?;
    Some(node_hash(&range_root(source, start, left)?, &right_root))
}

/// The largest power of two smaller than `len`, for `len` ≥ 2.
const fn split(len: u64) -> u64 {
    1 << (63 - len.saturating_sub(1).leading_zeros())
}

/// Proof that leaf `index` is in the tree of `size` leaves.
#[must_use]
pub fn inclusion_proof(source: &dyn NodeSource, index: u64, size: u64) -> Option<Vec<Digest>> {
    if index >= size {
        return None;
    }
    let (mut start, mut len) = (0u64, size);
    let mut proof = Vec::new();
    while len > 1 {
        let left = split(len);
        let middle = start.checked_add(left)?;
        if index < middle {
            proof.push(range_root(source, middle, len.checked_sub(left)?)?);
            len = left;
        } else {
            proof.push(range_root(source, start, left)?);
            start = middle;
            len = len.checked_sub(left)?;
        }
    }
    proof.reverse();
    Some(proof)
}

/// Proof that the tree of `old` leaves is a prefix of the tree of `size`.
#[must_use]
pub fn consistency_proof(source: &dyn NodeSource, old: u64, size: u64) -> Option<Vec<Digest>> {
    if old > size {
        return None;
    }
    if old == 0 || old == size {
        return Some(Vec::new());
    }
    let (mut start, mut len, mut rest, mut whole) = (0u64, size, old, true);
    let mut proof = Vec::new();
    while rest != len {
        let left = split(len);
        let middle = start.checked_add(left)?;
        if rest <= left {
            proof.push(range_root(source, middle, len.checked_sub(left)?)?);
            len = left;
        } else {
            proof.push(range_root(source, start, left)?);
            start = middle;
            len = len.checked_sub(left)?;
            rest = rest.checked_sub(left)?;
            whole = false;
        }
    }
    if !whole {
        proof.push(range_root(source, start, len)?);
    }
    proof.reverse();
    Some(proof)
}

/// Whether the proof shows `leaf` (a leaf hash) at `index` under `root`.
#[must_use]
pub fn verify_inclusion(
    leaf: &Digest,
    index: u64,
    size: u64,
    proof: &[Digest],
    root: &Digest,
) -> bool {
    if index >= size || proof.len() > MAX_PROOF {
        return false;
    }
    let (mut position, mut last) = (index, size.saturating_sub(1));
    let mut hash = *leaf;
    for sibling in proof {
        if last == 0 {
            return false;
        }
        if position & 1 == 1 || position == last {
            hash = node_hash(sibling, &hash);
            while position & 1 == 0 && position != 0 {
                position >>= 1;
                last >>= 1;
            }
        } else {
            hash = node_hash(&hash, sibling);
        }
        position >>= 1;
        last >>= 1;
    }
    last == 0 && hash == *root
}

/// Whether the proof shows that the tree (`old`, `old_root`) is a prefix of
/// the tree (`size`, `root`).
#[must_use]
pub fn verify_consistency(
    (old, old_root): (u64, &Digest),
    (size, root): (u64, &Digest),
    proof: &[Digest],
) -> bool {
    if old == 0 || old > size || proof.len() > MAX_PROOF.saturating_add(1) {
        return old == 0 && proof.is_empty() && *old_root == empty_root();
    }
    if old == size {
        return proof.is_empty() && old_root == root;
    }
    let mut hashes = proof.iter();
    let seed = if old.is_power_of_two() {
        Some(old_root)
    } else {
        hashes.next()
    };
    let Some(seed) = seed else { return false };
    let mut position = old.saturating_sub(1);
    let mut last = size.saturating_sub(1);
    while position & 1 == 1 {
        position >>= 1;
        last >>= 1;
    }
    let (mut from, mut to) = (*seed, *seed);
    for sibling in hashes {
        if last == 0 {
            return false;
        }
        if position & 1 == 1 || position == last {
            from = node_hash(sibling, &from);
            to = node_hash(sibling, &to);
            while position & 1 == 0 && position != 0 {
                position >>= 1;
                last >>= 1;
            }
        } else {
            to = node_hash(&to, sibling);
        }
        position >>= 1;
        last >>= 1;
    }
    last == 0 && from == *old_root && to == *root
}
