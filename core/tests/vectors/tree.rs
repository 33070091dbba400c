use super::{Vector, accepted, run};
use crate::tree::Nodes;
use receipt_core::tree::{
    consistency_proof, inclusion_proof, leaf_hash, verify_consistency, verify_inclusion,
};

#[test]
fn trees() {
    run("tree", &["ok", "refused"], |vector| {
        match vector.text("what") {
            "root" => root(vector),
            "inclusion-all" => inclusion_all(vector),
            "consistency-all" => consistency_all(vector),
            "inclusion" => accepted(verify_inclusion(
                &vector.digest("leaf_hash"),
                vector.number("index"),
                vector.number("size"),
                &vector.digests("proof"),
                &vector.digest("root"),
            )),
            "consistency" => accepted(verify_consistency(
                (vector.number("old"), &vector.digest("old_root")),
                (vector.number("size"), &vector.digest("root")),
                &vector.digests("proof"),
            )),
            other => panic!("{}: unknown what `{other}`", vector.name),
        }
    });
}

fn root(vector: &Vector) -> &'static str {
    let nodes = Nodes::of(&vector.many_bytes("leaves"));
    accepted(nodes.root() == vector.digest("root"))
}

fn inclusion_all(vector: &Vector) -> &'static str {
    let leaves = vector.many_bytes("leaves");
    let (nodes, size, root) = (
        Nodes::of(&leaves),
        leaves.len() as u64,
        vector.digest("root"),
    );
    let proofs = vector.proofs();
    assert_eq!(proofs.len(), leaves.len(), "{}", vector.name);
    for ((index, leaf), proof) in (0u64..).zip(&leaves).zip(&proofs) {
        assert_eq!(inclusion_proof(&nodes, index, size).as_ref(), Some(proof));
        assert!(verify_inclusion(
            &leaf_hash(leaf),
            index,
            size,
            proof,
            &root
        ));
    }
    "ok"
}

fn consistency_all(vector: &Vector) -> &'static str {
    let leaves = vector.many_bytes("leaves");
    let (nodes, size, root) = (
        Nodes::of(&leaves),
        leaves.len() as u64,
        vector.digest("root"),
    );
    let proofs = vector.proofs();
    assert_eq!(proofs.len(), leaves.len(), "{}", vector.name);
    for ((old, old_root), proof) in (1u64..).zip(vector.digests("old_roots")).zip(&proofs) {
        assert_eq!(consistency_proof(&nodes, old, size).as_ref(), Some(proof));
        assert!(verify_consistency((old, &old_root), (size, &root), proof));
    }
    "ok"
}
