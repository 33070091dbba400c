//! Hook payloads of Claude Code and the events they become.

use super::render;
use proptest::prelude::*;
use receipt_core::agent::claude_code::{MAX_REASON, answer, event};
use receipt_core::agent::{self, Answer, lines};
use receipt_core::event::{Agent, EventKind};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/hooks");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "json"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no fixtures");
    files
}

/// The bytes on the hook's stdin: `raw` text, `hex` bytes, or a JSON payload.
fn stdin(case: &Value) -> Vec<u8> {
    if let Some(hex) = case["hex"].as_str() {
        let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
        let byte =
            |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        return digits.chunks(2).map(byte).collect();
    }
    match case["raw"].as_str() {
        Some(raw) => raw.as_bytes().to_vec(),
        None => case["payload"].to_string().into_bytes(),
    }
}

#[test]
fn every_fixture_becomes_its_event() {
    for path in fixtures() {
        let case: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        assert!(case["why"].is_string(), "{}: says why", path.display());
        let is = render::event(&event(&stdin(&case)));
        let name = path.display();
        assert_eq!(is, case["event"], "{name}: became\n{is:#}");
    }
}

#[test]
fn a_fixture_cut_anywhere_never_panics() {
    for path in fixtures() {
        let case: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let bytes = stdin(&case);
        for end in (0..bytes.len()).step_by(7) {
            let cut = event(&bytes[..end]);
            assert_eq!(
                cut.kind.name(),
                "other",
                "{}: half a payload is no event",
                path.display()
            );
        }
    }
}

/// Events of the client that have a kind of their own.
const KNOWN: [&str; 16] = [
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PermissionDenied",
    "PostToolBatch",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "StopFailure",
    "ConfigChange",
    "PreCompact",
    "PostCompact",
    "Notification",
];

#[test]
fn captured_payloads_are_understood() {
    let Some(folder) = std::env::var_os("RECEIPT_CAPTURED_PAYLOADS") else {
        println!("skipped: RECEIPT_CAPTURED_PAYLOADS names no folder");
        return;
    };
    let mut seen = 0;
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if let Some((_, hook)) = name.split_once('-').filter(|_| name.starts_with('0')) {
                let event = event(&fs::read(&path).unwrap());
                let other = matches!(event.kind, EventKind::Other { .. });
                assert_eq!(
                    other,
                    !KNOWN.contains(&hook),
                    "{}: {event:?}",
                    path.display()
                );
                assert!(!event.session.is_empty(), "{}", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 0, "the folder holds no payloads");
}

#[test]
fn wrong_types_are_absent_fields() {
    for wrong in [
        json!(null),
        json!(1),
        json!([]),
        json!({}),
        json!(true),
        json!([null, 7, {}]),
    ] {
        for name in KNOWN {
            let payload = json!({
                "hook_event_name": name, "session_id": "s", "cwd": wrong, "tool_name": wrong,
                "tool_input": wrong, "tool_response": wrong, "tool_use_id": wrong, "error": wrong,
                "prompt": wrong, "background_tasks": [wrong], "tool_calls": [wrong],
                "last_assistant_message": wrong, "stop_hook_active": "yes", "agent_id": wrong,
            });
            let event = event(payload.to_string().as_bytes());
            assert_eq!(event.session, "s");
            assert_ne!(event.kind.name(), "other", "{name} with {wrong}");
        }
    }
}

#[test]
fn wrong_types_inside_a_response_are_absent_fields() {
    for wrong in [
        json!(null),
        json!(1),
        json!("x"),
        json!([]),
        json!([[1], "x", {}]),
        json!({}),
    ] {
        for tool in [
            "Bash",
            "Edit",
            "MultiEdit",
            "Write",
            "NotebookEdit",
            "Read",
            "mcp__a__b",
        ] {
            let payload = json!({
                "hook_event_name": "PostToolUse", "session_id": "s", "tool_name": tool,
                "tool_input": {"file_path": wrong, "edits": wrong, "command": wrong, "content": wrong},
                "tool_response": {
                    "stdout": wrong, "structuredPatch": wrong, "originalFile": wrong, "type": wrong,
                    "bashEditDiff": wrong, "original_file": wrong, "notebook_path": "n", "file": wrong,
                },
            });
            let event = event(payload.to_string().as_bytes());
            assert_eq!(event.kind.name(), "tool-succeeded");
        }
    }
}

#[test]
fn what_is_no_object_is_kept_as_an_unnamed_event() {
    let deep = "[".repeat(100_000);
    for bytes in [
        &b""[..],
        b"null",
        b"[]",
        b"\"Stop\"",
        b"{",
        b"\xff\xfe",
        b"{}",
        deep.as_bytes(),
    ] {
        let event = event(bytes);
        assert_eq!(
            event.kind,
            EventKind::Other {
                name: String::new()
            }
        );
        assert_eq!(event.session, "");
    }
}

#[test]
fn answers_are_one_json_object_or_nothing() {
    let parsed = |a| -> Value { serde_json::from_str(&answer(a).unwrap()).unwrap() };
    let text = || String::from("say \"why\"\nand how");
    assert_eq!(answer(Answer::Silent), None);
    assert_eq!(
        parsed(Answer::Block { reason: text() }),
        json!({"decision": "block", "reason": text()})
    );
    assert_eq!(
        parsed(Answer::Notice { text: text() }),
        json!({"systemMessage": text()})
    );
    assert_eq!(
        parsed(Answer::Deny { reason: text() }),
        json!({"hookSpecificOutput": {"hookEventName": "PreToolUse",
            "permissionDecision": "deny", "permissionDecisionReason": text()}})
    );
}

#[test]
fn a_reason_is_capped_between_characters() {
    let reason = "é".repeat(MAX_REASON + 5);
    let printed = agent::answer(Agent::ClaudeCode, Answer::Block { reason }).unwrap();
    let object: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(
        object["reason"].as_str().unwrap().chars().count(),
        MAX_REASON
    );
}

#[test]
fn far_apart_edits_in_a_long_file_stay_small() {
    let old: String = (0..20_000).map(|n| format!("line {n}\n")).collect();
    let new = old
        .replace("line 3\n", "three\n")
        .replace("line 19990\n", "");
    let (added, removed) = lines::diff(&old, &new);
    assert_eq!(added, ["three"]);
    assert_eq!(removed, ["line 3", "line 19990"]);
}

#[test]
fn over_the_bound_the_middle_counts_as_replaced() {
    let old: String = (0..3_000).map(|n| format!("old {n}\nsame\n")).collect();
    let new: String = (0..3_000).map(|n| format!("new {n}\nsame\n")).collect();
    let (added, removed) = lines::diff(&old, &new);
    assert_eq!((added.len(), removed.len()), (5_999, 5_999));
}

/// Length of a longest common subsequence, the slow way.
fn common(old: &[&str], new: &[&str]) -> usize {
    let mut row = vec![0; new.len() + 1];
    for a in old {
        let mut diagonal = 0;
        for (at, b) in new.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if a == b {
                diagonal + 1
            } else {
                above.max(row[at])
            };
            diagonal = above;
        }
    }
    row[new.len()]
}

proptest! {
    #[test]
    fn a_difference_is_minimal(old in "[abc\n]{0,60}", new in "[abc\n]{0,60}") {
        let (added, removed) = lines::diff(&old, &new);
        let old: Vec<&str> = old.lines().collect();
        let new: Vec<&str> = new.lines().collect();
        let common = common(&old, &new);
        prop_assert_eq!(removed.len(), old.len() - common);
        prop_assert_eq!(added.len(), new.len() - common);
        let mut kept = old.clone();
        for line in &removed {
            let at = kept.iter().position(|kept| kept == line);
            kept.remove(at.unwrap());
        }
        let mut both: Vec<&str> = kept.into_iter().chain(added.iter().map(String::as_str)).collect();
        let mut new = new.clone();
        both.sort_unstable();
        new.sort_unstable();
        prop_assert_eq!(both, new);
    }

    #[test]
    fn any_bytes_become_an_event(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = event(&bytes);
    }
}

#[test]
fn a_stop_request_is_told_from_its_bytes() {
    use receipt_core::agent::claude_code::asks_to_stop;
    let yes = [
        r#"{"hook_event_name":"Stop"}"#,
        "{\n \"a\": 1, \"hook_event_name\" :\t\"Stop\" }",
    ];
    let no = [
        r#"{"hook_event_name":"SubagentStop"}"#,
        r#"{"hook_event_name":"StopFailure"}"#,
        r#"{"hook_event_name":"PreToolUse","tool_input":{"command":"echo '{\"hook_event_name\":\"Stop\"}'"}}"#,
        r#"{"hook_event_name":}"#,
        r#""hook_event_name""#,
        "",
    ];
    assert!(yes.iter().all(|p| asks_to_stop(p.as_bytes())));
    assert!(no.iter().all(|p| !asks_to_stop(p.as_bytes())));
}
