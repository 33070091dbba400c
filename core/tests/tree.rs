//! Laws of the Merkle tree, over every size up to 70.

use receipt_core::hash::Digest;
use receipt_core::tree::{
    Frontier, NodeSource, consistency_proof, empty_root, inclusion_proof, leaf_hash, node_hash,
    verify_consistency, verify_inclusion,
};
use std::collections::BTreeMap;

const SIZES: u64 = 70;

/// A tree with all its nodes.
pub(crate) struct Nodes {
    nodes: BTreeMap<(u32, u64), Digest>,
    frontier: Frontier,
}

impl Nodes {
    pub(crate) fn of(leaves: &[Vec<u8>]) -> Self {
        let mut tree = Self {
            nodes: BTreeMap::new(),
            frontier: Frontier::default(),
        };
        for leaf in leaves {
            for node in tree.frontier.push(leaf) {
                tree.nodes.insert((node.level, node.index), node.hash);
            }
        }
        tree
    }

    pub(crate) fn root(&self) -> Digest {
        self.frontier.root()
    }
}

impl NodeSource for Nodes {
    fn node(&self, level: u32, index: u64) -> Option<Digest> {
        self.nodes.get(&(level, index)).copied()
    }
}

fn leaves(count: u64) -> Vec<Vec<u8>> {
    (0..count).map(|n| n.to_le_bytes().to_vec()).collect()
}

/// The root by the definition of RFC 6962, without any cleverness.
fn plain_root(leaves: &[Vec<u8>]) -> Digest {
    match leaves {
        [] => empty_root(),
        [leaf] => leaf_hash(leaf),
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            node_hash(&plain_root(left), &plain_root(right))
        }
    }
}

#[test]
fn the_frontier_has_the_root_of_the_definition() {
    for size in 0..=SIZES {
        let leaves = leaves(size);
        let tree = Nodes::of(&leaves);
        assert_eq!(tree.root(), plain_root(&leaves), "size {size}");
        let restored = Frontier::from_parts(size, tree.frontier.roots().to_vec());
        assert_eq!(restored.as_ref(), Some(&tree.frontier));
        let mut wrong = tree.frontier.roots().to_vec();
        wrong.push([0; 32]);
        assert_eq!(Frontier::from_parts(size, wrong), None);
    }
}

#[test]
fn every_inclusion_proof_holds_and_every_mutant_fails() {
    for size in 1..=SIZES {
        let leaves = leaves(size);
        let (tree, root) = (Nodes::of(&leaves), plain_root(&leaves));
        for index in 0..size {
            let leaf = leaf_hash(&leaves[index as usize]);
            let proof = inclusion_proof(&tree, index, size).unwrap();
            let holds = |leaf: &Digest, index, size, proof: &[Digest], root: &Digest| {
                verify_inclusion(leaf, index, size, proof, root)
            };
            assert!(holds(&leaf, index, size, &proof, &root));
            for mutant in mutants(&proof) {
                assert!(
                    !holds(&leaf, index, size, &mutant, &root),
                    "{index} of {size}"
                );
            }
            assert!(!holds(&flipped(&leaf), index, size, &proof, &root));
            assert!(!holds(&leaf, index, size, &proof, &flipped(&root)));
            for other in (0..=size).filter(|other| *other != index) {
                assert!(!holds(&leaf, other, size, &proof, &root), "{other}");
            }
        }
        assert_eq!(inclusion_proof(&tree, size, size), None);
    }
}

#[test]
fn every_consistency_proof_holds_and_every_mutant_fails() {
    let roots: Vec<Digest> = (0..=SIZES).map(|n| plain_root(&leaves(n))).collect();
    for size in 1..=SIZES {
        let tree = Nodes::of(&leaves(size));
        let root = &roots[size as usize];
        for old in 1..=size {
            let old_root = &roots[old as usize];
            let proof = consistency_proof(&tree, old, size).unwrap();
            assert!(verify_consistency((old, old_root), (size, root), &proof));
            for mutant in mutants(&proof) {
                assert!(!verify_consistency((old, old_root), (size, root), &mutant));
            }
            let (bad_old, bad_root) = (flipped(old_root), flipped(root));
            assert!(!verify_consistency((old, &bad_old), (size, root), &proof));
            assert!(!verify_consistency(
                (old, old_root),
                (size, &bad_root),
                &proof
            ));
            for other in (1..=size).filter(|other| *other != old) {
                assert!(!verify_consistency((other, old_root), (size, root), &proof));
            }
        }
        assert_eq!(consistency_proof(&tree, size + 1, size), None);
        assert!(verify_consistency((0, &empty_root()), (size, root), &[]));
        assert!(!verify_consistency((0, root), (size, root), &[]));
    }
}

/// The same proof with one defect each.
fn mutants(proof: &[Digest]) -> Vec<Vec<Digest>> {
    let mut all = Vec::new();
    for at in 0..proof.len() {
        let mut changed = proof.to_vec();
        changed[at] = flipped(&changed[at]);
        all.push(changed);
        let mut shorter = proof.to_vec();
        shorter.remove(at);
        all.push(shorter);
        if at > 0 {
            let mut swapped = proof.to_vec();
            swapped.swap(at - 1, at);
            all.push(swapped);
        }
    }
    for at in 0..=proof.len() {
        let mut longer = proof.to_vec();
        longer.insert(at, [7; 32]);
        all.push(longer);
    }
    all
}

fn flipped(digest: &Digest) -> Digest {
    let mut out = *digest;
    out[0] ^= 1;
    out
}

#[test]
fn a_proof_of_the_largest_tree_is_bounded() {
    let proof = vec![[0; 32]; 64];
    let huge = u64::MAX;
    assert!(!verify_inclusion(&[0; 32], 0, huge, &proof, &[0; 32]));
    assert!(!verify_consistency(
        (1, &[0; 32]),
        (huge, &[0; 32]),
        &[[0; 32]; 65]
    ));
}
