//! Final messages with labels that were written before the reader was run on them.

use receipt_gates::claim::{Claim, ClaimKind, claims};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a person reads in a message (`fixtures/messages/README.md`).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Labelled {
    style: String,
    message: String,
    passes: BTreeSet<String>,
    ran: bool,
    /// The reader is known not to read it so, and says too little.
    #[serde(default)]
    misread: bool,
}

/// The kinds that a check's outcome can deny.
const CHECKED: [ClaimKind; 4] = [
    ClaimKind::TestsPass,
    ClaimKind::BuildPasses,
    ClaimKind::LintClean,
    ClaimKind::TypesClean,
];

/// Kinds said outright of the whole, with the runner if one is named, unless the
/// message admits the opposite too.
fn passes(found: &[Claim]) -> BTreeSet<String> {
    let admitted = |kind| found.iter().any(|c| c.kind == kind && c.negated);
    let outright = |c: &&Claim| !c.negated && !c.hedged && !c.part;
    let said = found.iter().filter(outright);
    said.filter(|c| CHECKED.contains(&c.kind) && !admitted(c.kind))
        .map(|c| match c.tool {
            Some(tool) => format!("{}:{tool}", c.kind.as_str()),
            None => c.kind.as_str().to_owned(),
        })
        .collect()
}

/// Whether a run is named or tests that passed are counted.
fn ran(found: &[Claim]) -> bool {
    let named = |c: &Claim| match c.kind {
        ClaimKind::RanCheck => true,
        ClaimKind::TestsPass => c.count.is_some_and(|count| count > 0),
        _ => false,
    };
    let denied = found
        .iter()
        .any(|c| c.kind == ClaimKind::RanCheck && c.negated);
    !denied && found.iter().any(|c| !c.negated && !c.hedged && named(c))
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/messages");
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path());
    let files: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    assert!(!files.is_empty(), "no labelled messages");
    files
}

#[test]
fn messages_are_read_as_a_person_reads_them() {
    let mut wrong = String::new();
    let mut all = 0;
    for file in files() {
        let rows: Vec<Labelled> = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        for row in rows {
            all += 1;
            let found = claims(&row.message);
            let got = (passes(&found), ran(&found));
            let right = got == (row.passes.clone(), row.ran);
            let too_much = !got.0.is_subset(&row.passes) || got.1 && !row.ran;
            if right == row.misread || too_much {
                let (style, message) = (row.style, row.message);
                let expected = (row.passes, row.ran);
                wrong += &format!("{style}: {message}\n  label {expected:?}\n  read  {got:?}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "of {all} messages:\n{wrong}");
}
