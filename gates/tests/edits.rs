//! The labelled edits of `fixtures/edits`, each as the client reports it.

use crate::turns::Recorder;
use receipt_gates::facts::Observation;
use receipt_gates::verdict::VerdictFacts;
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;

/// One edit with its labels.
#[derive(Debug)]
struct Labelled {
    file: String,
    path: String,
    /// Known to be seen otherwise.
    known_miss: bool,
    stubs: Vec<String>,
    notes: Vec<String>,
    lines: u64,
    old: String,
    new: String,
}

fn list(text: &str) -> Vec<String> {
    let words = text.split(',').map(str::trim);
    let mut words: Vec<String> = words.filter(|w| *w != "-").map(str::to_owned).collect();
    words.sort();
    words
}

fn parse(file: &str, block: &str) -> Labelled {
    let (head, body) = block.split_once('\n').unwrap();
    let (old, new) = body.split_once("\n>>>\n").unwrap();
    let fields: Vec<&str> = head.split('|').map(str::trim).collect();
    let [path, stubs, notes, lines] = fields[..] else {
        panic!("{file}: {head}");
    };
    Labelled {
        file: file.to_owned(),
        path: path.trim_start_matches('!').to_owned(),
        known_miss: path.starts_with('!'),
        stubs: list(stubs),
        notes: list(notes),
        lines: lines.parse().unwrap(),
        old: format!("{old}\n"),
        new: new.to_owned(),
    }
}

fn labelled() -> Vec<Labelled> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/edits");
    let mut edits = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "txt") {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            edits.extend(text.split("=== ").skip(1).map(|block| parse(&name, block)));
        }
    }
    edits
}

/// The records and the verdict of an edit made after a failing test run.
fn judged(edit: &Labelled) -> (Recorder, VerdictFacts) {
    let mut recorder = Recorder::new(Default::default(), None);
    let mut hook = |payload| recorder.step(&json!({"hook": payload}));
    hook(json!({"hook_event_name": "UserPromptSubmit", "prompt": "Go on."}));
    let bash = json!({"command": "make test"});
    hook(
        json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
        "tool_use_id": "t", "tool_input": bash, "error": "Exit code 1\nFAILED"}),
    );
    let path = format!("/proj/{}", edit.path);
    let input = json!({"file_path": path, "old_string": edit.old, "new_string": edit.new});
    hook(
        json!({"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_use_id": "e",
        "tool_input": input,
        "tool_response": {"filePath": path, "originalFile": edit.old}}),
    );
    hook(json!({"hook_event_name": "Stop"}));
    let verdict = recorder.judge();
    (recorder, verdict)
}

/// What is seen of an edit.
fn seen(edit: &Labelled) -> (Vec<String>, Vec<String>, u64) {
    let (recorder, verdict) = judged(edit);
    let mut stubs = Vec::new();
    let mut lines = 0;
    for record in &recorder.records {
        for observation in &record.facts.obs {
            if let Observation::Edit(edit) = observation {
                lines += if edit.code { edit.lines } else { 0 };
                let added = edit.stubs.iter().filter(|s| s.more > 0);
                stubs.extend(added.map(|s| s.kind.clone()));
            }
        }
    }
    let findings = verdict.findings.iter();
    let mut notes: Vec<String> = findings
        .filter(|f| f.gate == "turn" && f.code != "gap")
        .map(|f| f.code.clone())
        .collect();
    stubs.sort();
    notes.sort();
    (stubs, notes, lines)
}

#[test]
fn weakening_is_told_as_a_fact_with_its_records() {
    let text = "t/test_a.py | - | - | 0\nassert f(1) == 2\nassert f(2) == 3\n>>>\nassert f(1)\n";
    let verdict = judged(&parse("here", text)).1;
    let told: Vec<String> = verdict
        .findings
        .iter()
        .filter(|f| f.code.starts_with("assertions"))
        .map(|f| receipt_gates::explain::finding(f, &receipt_gates::explain::NoNames))
        .collect();
    assert_eq!(
        told,
        [
            "1 assertion fewer than before in 1 file (#3)",
            "1 assertion lets more pass than before in 1 file (#3)"
        ]
    );
}

#[test]
fn edits_are_seen_as_people_labelled_them() {
    let edits = labelled();
    assert!(edits.len() >= 80, "{}", edits.len());
    let mut wrong = String::new();
    let mut misses = 0;
    for edit in &edits {
        let seen = seen(edit);
        let right = seen == (edit.stubs.clone(), edit.notes.clone(), edit.lines);
        if right == edit.known_miss {
            misses += 1;
            let _ = writeln!(
                wrong,
                "{} {}: {seen:?}\n{}>>>\n{}",
                edit.file, edit.path, edit.old, edit.new
            );
        }
    }
    assert!(wrong.is_empty(), "{misses} of {}:\n{wrong}", edits.len());
}
