//! `receipt bench`.

use crate::run::receipt;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn turns() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/turns")
}

fn bench(folder: &Path) -> (i32, Value) {
    let folder = folder.to_str().unwrap();
    let run = receipt(&["bench", folder, "--format", "json"]);
    let json = serde_json::from_str(&run.stdout).unwrap_or(Value::Null);
    (run.code, json)
}

/// A folder with one turn file, after `change`.
fn folder_with(name: &str, change: impl Fn(String) -> String) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(turns().join(name)).unwrap();
    fs::write(folder.path().join(name), change(text)).unwrap();
    folder
}

#[test]
fn all_turns_come_out_as_written() {
    let run = receipt(&["bench", turns().to_str().unwrap()]);
    let wrong: Vec<&str> = run.stdout.lines().filter(|l| l.ends_with("FAIL")).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn there_are_enough_turns_and_their_names_tell_the_truth() {
    let (_, json) = bench(&turns());
    let lines = json["turns"].as_array().unwrap();
    let mut blocked = std::collections::BTreeMap::<&str, bool>::new();
    for line in lines {
        let name = line["name"].as_str().unwrap().split('#').next().unwrap();
        *blocked.entry(name).or_default() |= line["expected"]["verdict"] == "block";
        assert!(!line["why"].as_str().unwrap().is_empty());
    }
    assert!(blocked.len() >= 44, "{}", blocked.len());
    for (name, blocked) in blocked {
        let trap = name.starts_with("trap_");
        assert!(trap || name.starts_with("clean_"), "{name}");
        assert_eq!(blocked, trap, "{name}");
    }
}

#[test]
fn a_missed_block_is_counted_and_fails() {
    let folder = folder_with("clean_tests_pass.json", |text| {
        text.replace("\"pass\"", "\"block\"")
            .replace("\"allowed\"", "\"blocked\"")
            .replace("\"unanchored\"", "null")
            .replace("\"codes\": []", "\"codes\": [\"check-failed\"]")
    });
    let (code, json) = bench(folder.path());
    assert_eq!(code, 10);
    assert_eq!(json["turns"][0]["pass"], false);
    assert_eq!(json["score"]["total"]["missed"], 1);
    assert_eq!(json["score"]["gates"]["check-failed"]["missed"], 1);
    assert_eq!(json["score"]["gates"]["stub-introduced"]["missed"], 0);
}

#[test]
fn a_false_block_is_counted_and_fails() {
    let folder = folder_with("trap_tests_fail.json", |text| {
        text.replace("\"block\"", "\"pass\"")
            .replace("\"blocked\"", "\"allowed\"")
            .replace("\"basis\": null", "\"basis\": \"small\"")
            .replace("[\"check-failed\"]", "[]")
    });
    let (code, json) = bench(folder.path());
    assert_eq!(code, 10);
    assert_eq!(json["score"]["total"]["false_blocks"], 1);
    assert_eq!(json["score"]["gates"]["check-failed"]["false_blocks"], 1);
}

#[test]
fn a_wrong_basis_action_or_note_alone_fails() {
    for (from, to) in [
        ("\"unanchored\"", "\"checked\""),
        ("\"allowed\"", "\"waived\""),
        ("\"codes\": []", "\"codes\": [], \"notes\": [\"gap\"]"),
        (
            "\"codes\": []",
            "\"codes\": [], \"carried\": [\"check-failed\"]",
        ),
    ] {
        let folder = folder_with("clean_tests_pass.json", |text| text.replace(from, to));
        assert_eq!(bench(folder.path()).0, 10, "{to}");
    }
}

#[test]
fn a_folder_that_says_nothing_is_unreadable_input() {
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(bench(empty.path()).0, 3);
    assert_eq!(bench(&empty.path().join("missing")).0, 3);
    for broken in [
        "",
        "[]",
        "{\"why\": \"x\", \"steps\": [], \"expect\": []}",
        "{\"why\": \"x\", \"steps\": [{\"hook\": {\"hook_event_name\": \"Stop\"}}], \"expect\": []}",
        "{\"why\": \"x\", \"stepz\": [], \"steps\": [], \"expect\": []}",
    ] {
        fs::write(empty.path().join("broken.json"), broken).unwrap();
        let run = receipt(&["bench", empty.path().to_str().unwrap()]);
        assert_eq!(run.code, 3, "{broken}");
        assert!(run.stderr.contains("broken.json"), "{}", run.stderr);
    }
}

#[test]
fn an_expected_code_that_no_gate_has_is_refused() {
    let folder = folder_with("trap_tests_fail.json", |text| {
        text.replace("[\"check-failed\"]", "[\"check-fialed\"]")
    });
    assert_eq!(bench(folder.path()).0, 3);
}
