use super::{Vector, accepted, bytes_of, digest_of, run, text_of};
use receipt_core::checkpoint::{Checkpoint, NoteError};
use receipt_core::heads::{self, Head, HeadProof, Heads};
use receipt_core::key::PublicKey;
use serde_json::Value;

#[test]
fn checkpoints() {
    let known = [
        "ok",
        "refused",
        "too-large",
        "text",
        "signature-line",
        "checkpoint",
        "unsigned",
        "bad-signature",
        "ledger",
    ];
    run("checkpoint", &known, |vector| match vector.text("what") {
        "note" => note(vector),
        "heads" => all_heads(vector),
        "head-proof" => head_proof(vector),
        other => panic!("{}: unknown what `{other}`", vector.name),
    });
}

fn note(vector: &Vector) -> &'static str {
    let key = PublicKey::from_bytes(&vector.digest("key")).unwrap();
    let checkpoint = match Checkpoint::open(vector.text("text"), &key) {
        Ok(checkpoint) => checkpoint,
        Err(NoteError::TooLarge) => return "too-large",
        Err(NoteError::Text) => return "text",
        Err(NoteError::SignatureLine) => return "signature-line",
        Err(NoteError::Checkpoint) => return "checkpoint",
        Err(NoteError::Unsigned) => return "unsigned",
        Err(NoteError::BadSignature) => return "bad-signature",
    };
    if checkpoint.ledger != vector.digest("ledger") {
        return "ledger";
    }
    assert_eq!(checkpoint.size, vector.number("size"));
    assert_eq!(checkpoint.root, vector.digest("root"));
    assert!(vector.text("text").starts_with(&checkpoint.text()));
    "ok"
}

fn head(value: &Value) -> Head {
    let number = |name: &str| text_of(&value[name]).parse().unwrap();
    Head {
        stream_seq: number("stream_seq"),
        seq: number("seq"),
        link: digest_of(&value["link"]),
    }
}

fn all_heads(vector: &Vector) -> &'static str {
    let listed = vector.list("heads");
    let all: Heads = listed
        .iter()
        .map(|h| (digest_of(&h["stream"]), head(h)))
        .collect();
    let root = vector.digest("root");
    assert_eq!(heads::root(&all), root, "{}", vector.name);
    let proofs = vector.proofs();
    for (index, ((stream, head), leaf)) in all.iter().zip(vector.list("leaves")).enumerate() {
        assert_eq!(heads::leaf(stream, head), bytes_of(leaf));
        let made = heads::prove(&all, stream).unwrap();
        assert_eq!(made.index, index as u64);
        assert_eq!(made.proof, proofs[index]);
        assert!(made.verifies(stream, &root));
    }
    "ok"
}

fn head_proof(vector: &Vector) -> &'static str {
    let shown = vector.get("head");
    let proof = HeadProof {
        head: head(shown),
        index: vector.number("index"),
        count: vector.number("count"),
        proof: vector.digests("proof"),
    };
    accepted(proof.verifies(&digest_of(&shown["stream"]), &vector.digest("root")))
}
