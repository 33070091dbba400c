//! `receipt scan`, on transcripts that the tests write.

use crate::run::{Run, receipt};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// A transcript being written.
struct Transcript {
    folder: tempfile::TempDir,
    lines: Vec<Vec<u8>>,
}

impl Transcript {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            lines: Vec::new(),
        }
    }

    fn entry(mut self, kind: &str, content: Value, result: Value) -> Self {
        let at = self.lines.len();
        let mut entry = json!({
            "type": kind, "uuid": format!("u{at}"), "sessionId": "s", "cwd": "/proj",
            "timestamp": format!("2026-01-01T00:00:{at:02}.000Z"),
            "message": {"role": kind, "id": format!("m{at}"), "content": content},
        });
        if !result.is_null() {
            entry["toolUseResult"] = result;
        }
        self.lines.push(entry.to_string().into_bytes());
        self
    }

    fn prompt(self, text: &str) -> Self {
        self.entry("user", json!(text), Value::Null)
    }

    fn says(self, text: &str) -> Self {
        self.entry(
            "assistant",
            json!([{"type": "text", "text": text}]),
            Value::Null,
        )
    }

    fn call(self, id: &str, tool: &str, input: Value) -> Self {
        let block = json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]);
        self.entry("assistant", block, Value::Null)
    }

    fn result(self, id: &str, error: bool, text: &str, result: Value) -> Self {
        let block =
            json!([{"type": "tool_result", "tool_use_id": id, "is_error": error, "content": text}]);
        self.entry("user", block, result)
    }

    fn bash(self, id: &str, command: &str, output: &str) -> Self {
        let details = json!({"stdout": output, "stderr": "", "interrupted": false});
        self.call(id, "Bash", json!({"command": command}))
            .result(id, false, output, details)
    }

    fn bash_fails(self, id: &str, command: &str, error: &str) -> Self {
        self.call(id, "Bash", json!({"command": command})).result(
            id,
            true,
            error,
            json!(format!("Error: {error}")),
        )
    }

    fn write(self, id: &str, path: &str, lines: usize) -> Self {
        let text = "x = 1\n".repeat(lines);
        let details = json!({"type": "create", "filePath": path, "content": text,
            "structuredPatch": [], "originalFile": null});
        self.call(id, "Write", json!({"file_path": path, "content": text}))
            .result(id, false, "File created", details)
    }

    fn raw(mut self, line: &[u8]) -> Self {
        self.lines.push(line.to_vec());
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.lines.join(&b'\n');
        bytes.push(b'\n');
        bytes
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("session.jsonl")
    }

    /// Scans it as written.
    fn scan(&self, options: &[&str]) -> Run {
        self.scan_bytes(&self.bytes(), options)
    }

    /// Scans these bytes in its place.
    fn scan_bytes(&self, bytes: &[u8], options: &[&str]) -> Run {
        fs::write(self.path(), bytes).unwrap();
        let path = self.path();
        let mut arguments = vec!["scan", path.to_str().unwrap(), "--format", "json"];
        arguments.extend(options);
        receipt(&arguments)
    }
}

fn failing() -> Transcript {
    Transcript::new()
        .prompt("change it")
        .write("t1", "/proj/app.py", 3)
        .bash_fails(
            "t2",
            "pytest -q",
            "Exit code 1\n1 failed, 3 passed in 0.05s",
        )
        .says("All tests pass.")
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}: {run:?}"))
}

fn codes(turn: &Value) -> Vec<&str> {
    let findings = turn["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|f| f["code"].as_str().unwrap())
        .collect()
}

#[test]
fn the_last_turn_as_json_has_exactly_the_frozen_members() {
    let run = failing().scan(&[]);
    assert_eq!(run.code, 10, "{run:?}");
    let turn = json(&run);
    let members = |value: &Value| {
        let mut names: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        names.sort();
        names.join(" ")
    };
    assert_eq!(
        members(&turn),
        "action basis checks claims edits findings turn verdict"
    );
    assert_eq!(
        members(&turn["findings"][0]),
        "code gate records severity text"
    );
    assert_eq!(members(&turn["edits"][0]), "added code path removed");
    assert_eq!(
        members(&turn["checks"][0]),
        "basis command kind outcome qualifiers runner"
    );
    assert_eq!(turn["turn"], 1);
    assert_eq!(turn["verdict"], "block");
    assert_eq!(turn["basis"], Value::Null);
    assert_eq!(turn["action"], "blocked");
    assert_eq!(turn["findings"][0]["severity"], "hard");
    assert_eq!(
        turn["edits"][0],
        json!({"path": "app.py", "added": 3, "removed": 0, "code": true})
    );
    assert_eq!(turn["checks"][0]["command"], "pytest -q");
    assert_eq!(turn["checks"][0]["outcome"], "failed");
    assert_eq!(turn["checks"][0]["basis"], "exit");
}

#[test]
fn people_get_the_result_first() {
    let transcript = failing();
    fs::write(transcript.path(), transcript.bytes()).unwrap();
    let run = receipt(&["scan", transcript.path().to_str().unwrap()]);
    assert_eq!(run.code, 10);
    let first = run.stdout.lines().next().unwrap();
    assert_eq!(first, "turn 1: block, blocked");
    assert!(
        run.stdout.contains("`pytest -q` exited 1"),
        "{}",
        run.stdout
    );
}

#[test]
fn turns_are_numbered_from_one_and_judged_each_by_itself() {
    let transcript = failing()
        .prompt("write the docs")
        .write("t3", "/proj/README.md", 40)
        .says("Done.");
    let last = transcript.scan(&[]);
    assert_eq!(
        (last.code, json(&last)["basis"].clone()),
        (0, json!("no-code"))
    );
    assert_eq!(codes(&json(&last)), ["carried-open"]);
    assert_eq!(transcript.scan(&["--turn", "1"]).code, 10);
    assert_eq!(transcript.scan(&["--turn", "2"]).code, 0);
    assert_eq!(transcript.scan(&["--turn", "3"]).code, 2);
    assert_eq!(transcript.scan(&["--turn", "0"]).code, 2);
    let all = transcript.scan(&["--all-turns"]);
    assert_eq!(all.code, 0);
    let turns: Vec<Value> = all
        .stdout
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(turns.len(), 2);
    assert_eq!(turns[0]["verdict"], "block");
    assert_eq!(turns[1]["turn"], 2);
}

#[test]
fn interrupted_work_is_judged_with_what_follows() {
    let transcript = Transcript::new()
        .prompt("add it")
        .write("t1", "/proj/new.py", 20)
        .prompt("[Request interrupted by user]")
        .prompt("What happened?")
        .says("You stopped me.");
    let turn = json(&transcript.scan(&[]));
    assert_eq!(turn["verdict"], "block");
    assert_eq!(turn["action"], "allowed");
    assert_eq!(codes(&turn), ["no-check-passed"]);
}

#[test]
fn a_subagents_own_transcript_belongs_to_the_turn() {
    let child = Transcript::new().write("c1", "/proj/parser.py", 80);
    let parent = Transcript::new()
        .prompt("implement the parser")
        .call("t1", "Agent", json!({"prompt": "do it"}))
        .result(
            "t1",
            false,
            "implemented, tests pass",
            json!({"status": "completed"}),
        )
        .says("Done.");
    let folder = parent.folder.path().join("session/subagents");
    fs::create_dir_all(&folder).unwrap();
    let child: Vec<Vec<u8>> = child
        .lines
        .iter()
        .map(|line| {
            let mut entry: Value = serde_json::from_slice(line).unwrap();
            // The client writes no structured results there.
            entry.as_object_mut().unwrap().remove("toolUseResult");
            entry["isSidechain"] = json!(true);
            entry["agentId"] = json!("a1");
            entry["uuid"] = json!(format!("c{}", entry["uuid"]));
            entry["timestamp"] = json!("2026-01-01T00:00:01.500Z");
            entry.to_string().into_bytes()
        })
        .collect();
    fs::write(folder.join("agent-a1.jsonl"), child.join(&b'\n')).unwrap();
    let turn = json(&parent.scan(&[]));
    assert_eq!(turn["verdict"], "block", "{turn}");
    assert_eq!(codes(&turn), ["no-check-passed"]);
}

#[test]
fn two_objects_welded_on_one_line_are_both_read() {
    let transcript = failing();
    let welded = transcript.lines.join(&b""[..]);
    assert_eq!(transcript.scan_bytes(&welded, &[]).code, 10);
}

#[test]
fn a_cut_last_line_loses_only_itself() {
    let transcript = failing();
    let mut bytes = transcript.bytes();
    bytes.extend_from_slice(br#"{"type":"user","message":{"role":"user","content":"and th"#);
    let run = transcript.scan_bytes(&bytes, &[]);
    assert_eq!(run.code, 10);
    assert!(run.stderr.contains("1 unreadable line"), "{}", run.stderr);
}

#[test]
fn a_malformed_line_in_the_middle_is_passed_over() {
    let transcript = Transcript::new()
        .prompt("change it")
        .write("t1", "/proj/app.py", 3)
        .raw(br#"{"type":"attachment","attachment":{"type":"queued_comm"#)
        .bash_fails("t2", "pytest", "Exit code 1\n1 failed")
        .says("done");
    assert_eq!(transcript.scan(&[]).code, 10);
}

#[test]
fn byte_order_mark_and_windows_line_ends_are_read() {
    let transcript = failing();
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    bytes.extend(transcript.lines.join(&b"\r\n"[..]));
    assert_eq!(transcript.scan_bytes(&bytes, &[]).code, 10);
}

#[test]
fn half_an_emoji_does_not_hide_the_failure() {
    let transcript = Transcript::new()
        .prompt("change it")
        .write("t1", "/proj/app.py", 3)
        .call("t2", "Bash", json!({"command": "pytest -q"}))
        .raw(
            br#"{"type":"user","uuid":"x","cwd":"/proj","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"Exit code 1\n2 failed \ud83d"}]}}"#,
        )
        .says("Done.");
    let run = transcript.scan(&[]);
    assert_eq!(codes(&json(&run)), ["check-failed"]);
}

#[test]
fn a_line_of_four_megabytes_is_read() {
    let output = format!("{}\n2 failed, 10 passed in 1.00s", "x".repeat(4 << 20));
    let transcript = Transcript::new()
        .prompt("change it")
        .write("t1", "/proj/app.py", 3)
        .bash("t2", "pytest -q | cat", &output)
        .says("Done.");
    let run = transcript.scan(&[]);
    assert_eq!(codes(&json(&run)).first(), Some(&"check-failed"));
}

#[test]
fn unknown_entries_are_passed_over() {
    let transcript = Transcript::new()
        .raw(br#"{"type":"atis-latch","x":1}"#)
        .prompt("hi")
        .raw(br#"{"type":"progress","data":{"type":"hook_progress","hookEvent":"SomethingNew"},"uuid":"u5"}"#)
        .says("Hello.");
    assert_eq!(transcript.scan(&[]).code, 0);
}

#[test]
fn what_holds_no_turn_is_unreadable_input() {
    let transcript = Transcript::new();
    for bytes in [
        &b""[..],
        b"\n\n",
        b"\x00\xff\xfe garbage",
        b"[]",
        b"{}",
        b"42",
    ] {
        let run = transcript.scan_bytes(bytes, &[]);
        assert_eq!(run.code, 3, "{bytes:?}: {run:?}");
        assert_eq!(run.stdout, "");
    }
    let missing = transcript.folder.path().join("missing.jsonl");
    let run = receipt(&["scan", missing.to_str().unwrap()]);
    assert_eq!(run.code, 3);
    assert!(run.stderr.contains("missing.jsonl"));
}

#[test]
fn a_folder_is_counted_only_when_asked_for() {
    let transcript = failing();
    fs::write(transcript.path(), transcript.bytes()).unwrap();
    let folder = transcript.folder.path().to_str().unwrap();
    assert_eq!(receipt(&["scan", folder]).code, 2);
    fs::create_dir(transcript.folder.path().join("deep")).unwrap();
    fs::write(transcript.folder.path().join("deep/empty.jsonl"), "").unwrap();
    let run = receipt(&["scan", folder, "--summary", "--format", "json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let summary = json(&run);
    assert_eq!(summary["files"], 2);
    assert_eq!(summary["turns"], 1);
    assert_eq!(summary["verdicts"], json!({"block": 1}));
    assert_eq!(summary["gates"]["check-failed"], 1);
    assert_eq!(summary["gates"]["stub-introduced"], 0);
    let empty = tempfile::tempdir().unwrap();
    let empty = empty.path().to_str().unwrap();
    assert_eq!(receipt(&["scan", empty, "--summary"]).code, 3);
}

#[test]
fn contradicting_options_are_refused() {
    let transcript = failing();
    assert_eq!(transcript.scan(&["--turn", "1", "--all-turns"]).code, 2);
    assert_eq!(transcript.scan(&["--all-turns", "--summary"]).code, 2);
    assert_eq!(transcript.scan(&["--format", "xml"]).code, 2);
    assert_eq!(transcript.scan(&["--unknown"]).code, 2);
}
