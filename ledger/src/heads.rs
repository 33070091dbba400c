//! The Merkle map over all streams' heads, kept up to date.
//!
//! The root of the whole map stands in every `Heads` record. Computing it anew
//! each time would make a checkpoint as slow as the ledger has sessions; here a
//! changed head costs one path, and only a new stream costs the whole tree.

use receipt_core::hash::{Digest, hex};
use receipt_core::heads::{self, Head, Heads};
use receipt_core::record::LEDGER_STREAM;
use receipt_core::tree::{empty_root, leaf_hash, node_hash};
use std::collections::BTreeSet;

/// The tree over the heads of all streams but the ledger's own.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeadsTree {
    /// The streams, sorted.
    streams: Vec<Digest>,
    /// Hashes from the leaves up; an odd last one goes up unchanged.
    levels: Vec<Vec<Digest>>,
    /// Leaves whose paths are out of date, besides those in `shifted`.
    stale: BTreeSet<usize>,
    /// All leaves from this one on have moved; `None` if none has.
    shifted: Option<usize>,
}

impl HeadsTree {
    /// The tree over these heads.
    pub(crate) fn of(heads: &Heads) -> Self {
        let sessions = || heads.iter().filter(|(s, _)| **s != LEDGER_STREAM);
        let leaves: Vec<_> = sessions().map(|(s, h)| leaf(s, h)).collect();
        Self {
            streams: sessions().map(|(s, _)| *s).collect(),
            stale: BTreeSet::new(),
            shifted: Some(0),
            levels: vec![leaves],
        }
    }

    /// Sets the head of a stream. The ledger's own is left out: the `Heads`
    /// record itself would change it.
    pub(crate) fn put(&mut self, stream: &Digest, head: &Head) {
        if *stream == LEDGER_STREAM {
            return;
        }
        if self.levels.is_empty() {
            self.levels.push(Vec::new());
        }
        let Some(leaves) = self.levels.first_mut() else {
            return;
        };
        match self.streams.binary_search(stream) {
            Ok(index) => {
                if let Some(place) = leaves.get_mut(index) {
                    *place = leaf(stream, head);
                }
                self.stale.insert(index);
            }
            Err(index) => {
                self.streams.insert(index, *stream);
                leaves.insert(index, leaf(stream, head));
                self.shifted = Some(self.shifted.map_or(index, |from| from.min(index)));
            }
        }
    }

    /// Brings all paths up to date.
    pub(crate) fn settle(&mut self) {
        let mut stale = std::mem::take(&mut self.stale);
        let leaves = self.levels.first().map_or(0, Vec::len);
        if let Some(from) = self.shifted.take() {
            stale.extend(from..leaves);
        }
        let mut level = 0usize;
        while let Some(below) = self.levels.get(level).filter(|hashes| hashes.len() > 1) {
            let changed: Vec<(usize, Digest)> = stale
                .iter()
                .map(|i| i >> 1)
                .collect::<BTreeSet<_>>()
                .into_iter()
                .filter_map(|i| Some((i, parent(below, i)?)))
                .collect();
            let len = below.len().div_ceil(2);
            level = level.saturating_add(1);
            if self.levels.len() == level {
                self.levels.push(Vec::new());
            }
            let Some(above) = self.levels.get_mut(level) else {
                return;
            };
            above.resize(len, [0; 32]);
            for (index, hash) in &changed {
                if let Some(place) = above.get_mut(*index) {
                    *place = *hash;
                }
            }
            stale = changed.into_iter().map(|(index, _)| index).collect();
        }
    }

    /// The map's root.
    pub(crate) fn root(&mut self) -> Digest {
        self.settle();
        let top = self.levels.last().and_then(|hashes| hashes.first());
        top.copied().unwrap_or_else(empty_root)
    }

    /// The facts of a `Heads` record over this map, with so many changes of keys
    /// below it (`spec/checkpoint.md`).
    pub(crate) fn facts(&mut self, changes: u64) -> Vec<u8> {
        format!(
            "{{\"heads\":{{\"root\":\"{}\",\"count\":{},\"keys\":{changes}}}}}",
            hex(&self.root()),
            self.streams.len()
        )
        .into_bytes()
    }
}

fn leaf(stream: &Digest, head: &Head) -> Digest {
    leaf_hash(&heads::leaf(stream, head))
}

fn parent(below: &[Digest], index: usize) -> Option<Digest> {
    let left = index.checked_mul(2)?;
    let first = below.get(left)?;
    Some(match below.get(left.saturating_add(1)) {
        Some(second) => node_hash(first, second),
        None => *first,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_kept_is_the_root_computed() {
        let (mut heads, mut tree) = (Heads::new(), HeadsTree::default());
        assert_eq!(tree.root(), heads::root(&heads));
        for n in 0..300u64 {
            let stream = [u8::try_from(1 + n * 37 % 101).unwrap(); 32];
            let head = Head {
                stream_seq: n,
                seq: n,
                link: [u8::try_from(n % 251).unwrap(); 32],
            };
            heads.insert(stream, head);
            tree.put(&stream, &head);
            if n % 3 != 1 {
                assert_eq!(tree.root(), heads::root(&heads), "after {n}");
            }
        }
        assert_eq!(HeadsTree::of(&heads).root(), tree.root());
    }
}
