//! `fixtures/cases.md`: every reported fault is shown by something that is there.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The Rust sources of all crates.
fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|e| e == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

/// What stands in backticks after a word.
fn named<'a>(cell: &'a str, word: &str) -> Vec<&'a str> {
    let begins = format!("{word} `");
    let after = cell.split(begins.as_str()).skip(1);
    after.filter_map(|rest| rest.split('`').next()).collect()
}

#[test]
fn every_reported_fault_is_shown_by_something_that_is_there() {
    let table = fs::read_to_string(root().join("fixtures/cases.md")).unwrap();
    let mut tests = String::new();
    for name in ["core", "gates", "receipts", "ledger", "cli"] {
        sources(&root().join(name).join("tests"), &mut tests);
    }
    let rows: Vec<&str> = table.lines().filter(|l| l.starts_with("| O-")).collect();
    for (at, row) in rows.iter().enumerate() {
        assert!(row.starts_with(&format!("| O-{:03} |", at + 1)), "{row}");
        let (turns, shown) = (named(row, "turn"), named(row, "test"));
        for turn in &turns {
            let file = root().join(format!("fixtures/turns/{turn}.json"));
            assert!(file.exists(), "{row}");
        }
        for test in &shown {
            assert!(tests.contains(&format!("fn {test}()")), "{row}");
        }
        let otherwise = row.contains("Otherwise: ");
        assert!(otherwise || turns.len() + shown.len() > 0, "{row}");
    }
    assert_eq!(rows.len(), 68);
}
