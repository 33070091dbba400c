//! The captured sessions of the real client, where they are present:
//! `RECEIPT_CAPTURED_PAYLOADS` names the folder of one client version.

use crate::run::receipt;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// What the hooks of a scenario must come to: verdict, action, basis and codes
/// of each stop. Nothing was in force when they were captured, so the client
/// went on as it did, whatever the answer would have been.
const SCENARIOS: &[(&str, &[&str])] = &[
    ("fail", &["block blocked check-failed"]),
    ("stub", &["block blocked stub-introduced"]),
    ("unverified", &["block blocked no-check-passed"]),
    ("hidden-failure", &["block blocked check-failed"]),
    ("pass", &["pass allowed unanchored"]),
    ("fail-then-fix", &["pass allowed unanchored"]),
    ("docs-only", &["pass allowed no-code"]),
    ("answer-only", &["pass allowed no-code"]),
    ("edit-after-test", &["pass allowed small"]),
    ("interrupt", &["pass allowed small"]),
    ("interrupt-tty", &["pass allowed small"]),
    ("subagent", &["pass allowed unanchored"]),
];

fn captured() -> Option<PathBuf> {
    let folder = std::env::var_os("RECEIPT_CAPTURED_PAYLOADS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: RECEIPT_CAPTURED_PAYLOADS is not set");
    }
    folder
}

/// The payloads of a scenario, in order of arrival.
fn payloads(folder: &Path) -> Vec<Value> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            name.ends_with(".json") && name.starts_with(|c: char| c.is_ascii_digit())
        })
        .collect();
    files.sort();
    let read = |path: &PathBuf| serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    files.iter().map(read).collect()
}

/// What bench says came out of a list of payloads, one phrase for each stop.
fn replay(payloads: Vec<Value>) -> Vec<String> {
    let stops = payloads.iter().filter(|p| p["hook_event_name"] == "Stop");
    let answer = json!({"verdict": "pass", "action": "allowed", "basis": "no-code"});
    let answers: Vec<Value> = stops.map(|_| answer.clone()).collect();
    if answers.is_empty() {
        return Vec::new();
    }
    let steps: Vec<Value> = payloads.into_iter().map(|p| json!({ "hook": p })).collect();
    let file = json!({"why": "captured", "steps": steps, "expect": answers});
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("captured.json"), file.to_string()).unwrap();
    let run = receipt(&["bench", folder.path().to_str().unwrap(), "--format", "json"]);
    let json: Value = serde_json::from_str(&run.stdout).expect(&run.stderr);
    json["turns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| phrase(&line["got"]))
        .collect()
}

fn phrase(got: &Value) -> String {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut words = vec![
        word(&got["verdict"]),
        word(&got["action"]),
        word(&got["basis"]),
    ];
    words.extend(got["codes"].as_array().unwrap().iter().map(word));
    words.retain(|w| !w.is_empty());
    words.join(" ")
}

#[test]
fn captured_hooks_come_to_the_right_verdicts() {
    let Some(captured) = captured() else { return };
    for (scenario, expected) in SCENARIOS {
        let got = replay(payloads(&captured.join(scenario)));
        assert_eq!(got, *expected, "{scenario}");
    }
}

#[test]
fn every_captured_session_is_replayed() {
    let Some(captured) = captured() else { return };
    let mut scenarios = 0;
    for entry in fs::read_dir(&captured).unwrap() {
        let folder = entry.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        scenarios += 1;
        let payloads = payloads(&folder);
        assert!(!payloads.is_empty(), "{}", folder.display());
        for line in replay(payloads) {
            eprintln!("{}: {line}", folder.file_name().unwrap().to_string_lossy());
        }
    }
    assert!(scenarios > 0);
}

#[test]
fn every_captured_transcript_is_scanned() {
    let Some(captured) = captured() else { return };
    let run = receipt(&[
        "scan",
        captured.to_str().unwrap(),
        "--summary",
        "--format",
        "json",
    ]);
    let json: Value = serde_json::from_str(&run.stdout).expect(&run.stderr);
    assert_eq!(run.code, 0);
    assert_eq!(json["unreadable"], 0);
    assert!(json["turns"].as_u64().unwrap() > 0);
}
