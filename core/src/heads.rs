//! The heads of all streams, committed as a Merkle map (`spec/checkpoint.md`, "Heads").
//!
//! A `Heads` record closes each checkpoint. It holds the root of the RFC 6962
//! tree over one leaf per stream but the ledger's own, sorted by stream id; a
//! receipt discloses its own leaf alone, and with it how far its stream had come.

use crate::hash::Digest;
use crate::tree::{self, Frontier, NodeSource};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The newest record of one stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Its position in the stream.
    pub stream_seq: u64,
    /// Its position in the ledger.
    pub seq: u64,
    /// Its link.
    pub link: Digest,
}

/// The head of every stream.
pub type Heads = BTreeMap<Digest, Head>;

/// Length of a leaf of the map.
pub const HEAD_LEN: usize = 80;

/// The leaf of one stream: stream id ‖ stream_seq ‖ seq ‖ link.
#[must_use]
pub fn leaf(stream: &Digest, head: &Head) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD_LEN);
    bytes.extend_from_slice(stream);
    bytes.extend_from_slice(&head.stream_seq.to_le_bytes());
    bytes.extend_from_slice(&head.seq.to_le_bytes());
    bytes.extend_from_slice(&head.link);
    bytes
}

/// The root of the map.
#[must_use]
pub fn root(heads: &Heads) -> Digest {
    let mut frontier = Frontier::default();
    for (stream, head) in heads {
        frontier.push(&leaf(stream, head));
    }
    frontier.root()
}

/// One stream's place in the map, with its proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadProof {
    /// The head.
    pub head: Head,
    /// Its index among the sorted streams.
    pub index: u64,
    /// Number of streams.
    pub count: u64,
    /// The proof, as in an RFC 6962 tree.
    pub proof: Vec<Digest>,
}

struct Nodes(BTreeMap<(u32, u64), Digest>);

impl NodeSource for Nodes {
    fn node(&self, level: u32, index: u64) -> Option<Digest> {
        self.0.get(&(level, index)).copied()
    }
}

/// The proof for one stream; `None` if the stream has no head.
#[must_use]
pub fn prove(heads: &Heads, stream: &Digest) -> Option<HeadProof> {
    let index = heads.keys().position(|s| s == stream)? as u64;
    let mut nodes = Nodes(BTreeMap::new());
    let mut frontier = Frontier::default();
    for (stream, head) in heads {
        for node in frontier.push(&leaf(stream, head)) {
            nodes.0.insert((node.level, node.index), node.hash);
        }
    }
    Some(HeadProof {
        head: *heads.get(stream)?,
        index,
        count: heads.len() as u64,
        proof: tree::inclusion_proof(&nodes, index, heads.len() as u64)?,
    })
}

impl HeadProof {
    /// Whether the proof holds for the stream under a root.
    #[must_use]
    pub fn verifies(&self, stream: &Digest, root: &Digest) -> bool {
        let hash = tree::leaf_hash(&leaf(stream, &self.head));
        tree::verify_inclusion(&hash, self.index, self.count, &self.proof, root)
    }
}
