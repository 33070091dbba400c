//! Folded state handed to a new process folds on to the same verdicts there.
#![allow(
    clippy::disallowed_methods,
    reason = "the new process is a test of this binary, named by its environment"
)]

use crate::fold::refold;
use crate::turns::{files, record};
use receipt_gates::fold::Stream;
use std::collections::BTreeMap;
use std::process::Command;

/// Names the file with the states, in the child's environment.
const STATES: &str = "RECEIPT_TEST_STATES";

/// Name of the test that the child runs.
const CHILD: &str = "process::the_child_folds_on";

/// One state of a turn file: its name, the split, the serialised stream.
type Handed = (String, usize, String);

/// Runs as a test of the child process; on its own it has nothing to do.
#[test]
fn the_child_folds_on() {
    let Ok(path) = std::env::var(STATES) else {
        return;
    };
    let handed: Vec<Handed> = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let recorded: BTreeMap<String, _> = files()
        .iter()
        .map(|f| record(f))
        .map(|r| (r.name.clone(), r))
        .collect();
    let mut found = Vec::new();
    for (name, split, state) in handed {
        let mut stream: Stream = serde_json::from_str(&state).unwrap();
        let turn = &recorded[&name];
        let verdicts = refold(&mut stream, &turn.records[split..], &turn.profile);
        found.push((verdicts, serde_json::to_string(&stream).unwrap()));
    }
    std::fs::write(format!("{path}.found"), serde_json::to_vec(&found).unwrap()).unwrap();
}

#[test]
fn a_new_process_folds_on_to_the_same() {
    let mut handed: Vec<Handed> = Vec::new();
    let mut expected = Vec::new();
    for file in files() {
        let turn = record(&file);
        let mut whole = Stream::default();
        refold(&mut whole, &turn.records, &turn.profile);
        let end = serde_json::to_string(&whole).unwrap();
        for split in 0..=turn.records.len() {
            let mut first = Stream::default();
            refold(&mut first, &turn.records[..split], &turn.profile);
            handed.push((
                turn.name.clone(),
                split,
                serde_json::to_string(&first).unwrap(),
            ));
            let verdicts = refold(&mut first, &turn.records[split..], &turn.profile);
            expected.push((verdicts, end.clone()));
        }
    }
    assert!(handed.len() > 500, "only {} states", handed.len());
    let path = std::env::temp_dir().join(format!("receipt-states-{}", std::process::id()));
    std::fs::write(&path, serde_json::to_vec(&handed).unwrap()).unwrap();
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", CHILD])
        .env(STATES, &path)
        .output()
        .unwrap();
    assert!(
        child.status.success(),
        "{}",
        String::from_utf8_lossy(&child.stdout)
    );
    let found_path = format!("{}.found", path.display());
    let found: Vec<(Vec<String>, String)> =
        serde_json::from_slice(&std::fs::read(&found_path).unwrap()).unwrap();
    std::fs::remove_file(&path).unwrap();
    std::fs::remove_file(&found_path).unwrap();
    for ((name, split, _), (found, expected)) in handed.iter().zip(found.iter().zip(&expected)) {
        assert_eq!(found, expected, "{name} split at {split}");
    }
    assert_eq!(found.len(), expected.len());
}
