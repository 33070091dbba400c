//! The vectors of `fixtures/vectors`, made by a script that shares no code
//! with this crate. Each file has one defect, named by its file, and says in
//! `expect` what must come of it.

mod checkpoint;
mod commit;
mod key;
mod record;
mod tree;

use receipt_core::hash::Digest;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// One vector file.
pub(crate) struct Vector {
    name: String,
    value: Value,
}

impl Vector {
    fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        let value = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        Self { name, value }
    }

    fn get(&self, name: &str) -> &Value {
        self.value
            .get(name)
            .unwrap_or_else(|| panic!("{}: no member `{name}`", self.name))
    }

    fn text(&self, name: &str) -> &str {
        text_of(self.get(name))
    }

    fn number(&self, name: &str) -> u64 {
        self.text(name).parse().unwrap()
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        bytes_of(self.get(name))
    }

    fn digest(&self, name: &str) -> Digest {
        digest_of(self.get(name))
    }

    fn list(&self, name: &str) -> &[Value] {
        self.get(name).as_array().unwrap()
    }

    fn digests(&self, name: &str) -> Vec<Digest> {
        self.list(name).iter().map(digest_of).collect()
    }

    fn many_bytes(&self, name: &str) -> Vec<Vec<u8>> {
        self.list(name).iter().map(bytes_of).collect()
    }

    /// Proofs of a list of cases.
    fn proofs(&self) -> Vec<Vec<Digest>> {
        let proof = |v: &Value| v.as_array().unwrap().iter().map(digest_of).collect();
        self.list("proofs").iter().map(proof).collect()
    }
}

pub(crate) fn text_of(value: &Value) -> &str {
    value.as_str().unwrap()
}

pub(crate) fn bytes_of(value: &Value) -> Vec<u8> {
    data_encoding::HEXLOWER
        .decode(text_of(value).as_bytes())
        .unwrap()
}

pub(crate) fn digest_of(value: &Value) -> Digest {
    bytes_of(value).try_into().unwrap()
}

/// Runs every vector of a folder: `outcome` says what comes of it, `known`
/// lists the outcomes that the specification names.
fn run(folder: &str, known: &[&str], outcome: impl Fn(&Vector) -> &'static str) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/vectors");
    let paths: BTreeSet<PathBuf> = std::fs::read_dir(root.join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert!(!paths.is_empty(), "no vectors in {folder}");
    let mut unseen: BTreeSet<&str> = known.iter().copied().collect();
    for path in paths {
        let vector = Vector::read(&path);
        let expect = vector.text("expect").to_owned();
        assert!(
            known.contains(&expect.as_str()),
            "{}: unknown expect `{expect}`",
            vector.name
        );
        assert_eq!(outcome(&vector), expect, "{folder}/{}", vector.name);
        unseen.remove(expect.as_str());
    }
    assert!(unseen.is_empty(), "{folder}: no vector for {unseen:?}");
}

/// The word for a yes or no.
const fn accepted(yes: bool) -> &'static str {
    if yes { "ok" } else { "refused" }
}
