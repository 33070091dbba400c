//! Keyed ids against the vectors of `spec/record.md`.

use receipt_core::hash::digest_from_hex;
use receipt_gates::keyed::{Keyer, Thing};
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn keyed_ids_are_those_of_the_vectors() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/vectors/record");
    let mut seen = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let vector: Value = serde_json::from_slice(&bytes).unwrap();
        if vector["what"] != "keyed-id" {
            continue;
        }
        let text = |name: &str| vector[name].as_str().unwrap().to_owned();
        let digest = |name: &str| digest_from_hex(&text(name)).unwrap();
        let thing = match text("tag").as_str() {
            "path" => Thing::Path,
            "call" => Thing::Call,
            "agent" => Thing::Agent,
            "stub" => Thing::Stub,
            "test" => Thing::Test,
            "selector" => Thing::Selector,
            other => panic!("unknown tag {other}"),
        };
        let keyer = Keyer::new(&digest("ledger_secret"), &digest("stream"));
        assert_eq!(keyer.id(thing, &text("name")), text("id"));
        seen.insert(text("tag"));
    }
    assert_eq!(seen.len(), 6);
}

#[test]
fn a_path_has_one_id_per_component() {
    let keyer = Keyer::new(&[1; 32], &[2; 32]);
    let id = |name| keyer.id(Thing::Path, name);
    let joined = format!("{}/{}", id("src"), id("lib.rs"));
    assert_eq!(keyer.path("src/lib.rs"), joined);
    assert_eq!(keyer.path("/src//lib.rs"), joined);
    assert_eq!(keyer.path(""), "");
    assert_ne!(keyer.id(Thing::Call, "src"), id("src"));
}
