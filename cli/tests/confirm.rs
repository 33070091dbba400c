//! At a stop the client's transcript confirms what hooks reported: a result
//! that a tool made up by itself is no pass.

use crate::world::World;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// A session with a transcript, as the client writes it beside its hooks.
struct Session<'a> {
    world: &'a World,
}

impl<'a> Session<'a> {
    fn new(world: &'a World) -> Self {
        fs::create_dir_all(world.path("transcripts")).unwrap();
        let session = Self { world };
        session.line(json!({"type": "user", "message": {"role": "user", "content": "before"}}));
        session
    }

    fn path(&self) -> PathBuf {
        self.world.path("transcripts/s.jsonl")
    }

    fn append(&self, file: PathBuf, line: &Value) {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let mut file = fs::File::options()
            .create(true)
            .append(true)
            .open(file)
            .unwrap();
        writeln!(file, "{line}").unwrap();
    }

    fn line(&self, line: Value) {
        self.append(self.path(), &line);
    }

    fn event(&self, mut payload: Value) -> String {
        payload["session_id"] = "s".into();
        payload["cwd"] = json!(self.world.project());
        payload["transcript_path"] = json!(self.path());
        self.world.event(&payload)
    }

    fn prompt(&self, text: &str) {
        self.event(json!({"hook_event_name": "UserPromptSubmit", "prompt": text}));
    }

    /// The prompt as the client keeps it.
    fn prompted(&self, text: &str) {
        self.line(json!({"type": "user", "message": {"role": "user", "content": text}}));
    }

    fn write(&self) {
        self.write_lines(30);
    }

    fn write_lines(&self, count: usize) {
        let path = self.world.project().join("app.py");
        let text = "x = 1\n".repeat(count);
        let mut call = json!({"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_use_id": format!("w{count}"),
            "tool_input": {"file_path": path, "content": text}});
        self.event(call.clone());
        self.world.write("app.py", &text);
        call["hook_event_name"] = "PostToolUse".into();
        call["tool_response"] = json!({"type": "create", "filePath": path, "content": text,
            "originalFile": null, "structuredPatch": []});
        self.event(call);
    }

    /// What hooks say of a test run.
    fn test(&self, id: &str) {
        let mut call = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_use_id": id, "tool_input": {"command": "pytest -q"}});
        self.event(call.clone());
        call["hook_event_name"] = "PostToolUse".into();
        call["tool_response"] = json!({"stdout": "5 passed in 0.01s", "stderr": ""});
        self.event(call);
    }

    fn stop(&self) -> String {
        self.event(json!({"hook_event_name": "Stop", "last_assistant_message": "Done."}))
    }
}

/// The result of a call, as the client keeps it.
fn result(id: &str, error: bool) -> Value {
    json!({"type": "user", "toolUseResult": {"stdout": "5 passed in 0.01s"},
        "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": id, "is_error": error, "content": "5 passed"}]}})
}

/// The newest verdict's facts.
fn verdict(world: &World) -> Value {
    let records = world.records();
    let newest = records.iter().rev().find(|r| r["kind"] == "verdict-stop");
    newest.unwrap()["body"]["facts"]["verdict"].clone()
}

fn codes(verdict: &Value) -> Vec<&str> {
    let findings = verdict["findings"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    findings.iter().filter_map(|f| f["code"].as_str()).collect()
}

#[test]
fn a_pass_that_the_transcript_has_is_a_pass() {
    let world = World::new();
    let session = Session::new(&world);
    session.prompt("go");
    session.write();
    session.test("t");
    session.line(result("t", false));
    assert_eq!(session.stop(), "");
    let verdict = verdict(&world);
    assert_eq!(verdict["basis"], "checked", "{verdict}");
    assert_eq!(codes(&verdict), Vec::<&str>::new());
}

#[test]
fn a_pass_that_the_transcript_lacks_is_none() {
    for line in [None, Some(result("other", false)), Some(result("t", true))] {
        let world = World::new();
        let session = Session::new(&world);
        session.prompt("go");
        session.write();
        session.test("t");
        line.iter().for_each(|line| session.line(line.clone()));
        let said = session.stop();
        assert!(said.contains("#"), "{said}");
        let found = verdict(&world);
        assert_eq!(found["verdict"], "undetermined", "{found}");
        assert_eq!(found["action"], "allowed");
        assert_eq!(codes(&found), ["unconfirmed"]);
        refused_by_a_verifier(&world);
        // The client was late with its file: the next stop looks again.
        session.line(result("t", false));
        assert_eq!(session.stop(), "");
        assert_eq!(verdict(&world)["verdict"], "pass");
    }
}

fn refused_by_a_verifier(world: &World) {
    let (file, trust) = (world.path("r.json"), world.path("trust"));
    let exported = world.receipt(&["export", "-o", file.to_str().unwrap()]);
    assert_eq!(exported.code, 0, "{}", exported.err);
    let key = world.receipt(&["key", "show", "--format", "allowed-signers"]);
    fs::write(&trust, key.out).unwrap();
    let paths = [file.to_str().unwrap(), "--trust", trust.to_str().unwrap()];
    let ran = world.receipt(&["verify", paths[0], paths[1], paths[2]]);
    assert_eq!(ran.code, 12, "{}", ran.out);
    fs::remove_file(file).unwrap();
}

#[test]
fn a_result_in_a_subagents_transcript_counts() {
    let world = World::new();
    let session = Session::new(&world);
    session.prompt("go");
    session.write();
    session.test("t");
    let mut line = result("t", false);
    line["isSidechain"] = true.into();
    line["agentId"] = "a1".into();
    session.append(world.path("transcripts/s/subagents/agent-a1.jsonl"), &line);
    assert_eq!(session.stop(), "");
    assert_eq!(verdict(&world)["basis"], "checked");
}

#[test]
fn what_was_there_before_the_turn_confirms_nothing() {
    let world = World::new();
    let session = Session::new(&world);
    session.line(result("t", false));
    session.prompt("go");
    session.write();
    session.test("t");
    session.stop();
    assert_eq!(codes(&verdict(&world)), ["unconfirmed"]);
}

#[test]
fn a_waiver_that_nobody_typed_waives_nothing() {
    for typed in [false, true] {
        let world = World::new();
        let session = Session::new(&world);
        session.prompt("go");
        session.prompted("go");
        session.write();
        session.prompt("receipt: skip it is late");
        if typed {
            session.prompted("receipt: skip it is late");
        }
        // Something was changed after that prompt.
        session.write_lines(60);
        let answer = session.stop();
        let found = verdict(&world);
        let due = if typed { "waived" } else { "blocked" };
        assert_eq!(found["action"], due, "{answer}");
        assert_eq!(codes(&found).contains(&"unconfirmed-waiver"), !typed);
    }
}

#[test]
fn a_transcript_that_cannot_be_read_whole_leaves_results_unchecked() {
    type Spoil = fn(&Session<'_>);
    let spoils: [Spoil; 4] = [
        |session| fs::remove_file(session.path()).unwrap(),
        |session| fs::write(session.path(), "").unwrap(),
        |session| {
            let filler = format!("{}\n", "x".repeat(9 << 20));
            fs::write(session.path(), filler).unwrap();
        },
        |session| {
            fs::remove_file(session.path()).unwrap();
            fs::create_dir(session.path()).unwrap();
        },
    ];
    for spoil in spoils {
        let world = World::new();
        let session = Session::new(&world);
        session.prompt("go");
        session.write();
        session.test("t");
        spoil(&session);
        assert_eq!(session.stop(), "");
        let found = verdict(&world);
        assert_eq!(found["basis"], "checked");
        assert_eq!(codes(&found), ["unchecked"]);
    }
}

#[test]
fn a_service_that_was_started_anew_knows_where_the_turn_began() {
    let world = World::new();
    let session = Session::new(&world);
    session.line(result("t", false));
    session.prompt("go");
    session.write();
    session.test("t");
    assert_eq!(world.receipt(&["service", "stop"]).code, 0);
    session.stop();
    assert_eq!(codes(&verdict(&world)), ["unconfirmed"]);
}

#[test]
fn a_call_that_ended_twice_confirms_nothing() {
    for made_up_first in [false, true] {
        let world = World::new();
        let session = Session::new(&world);
        session.prompt("go");
        session.write();
        let ls = || {
            let mut call = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
                "tool_use_id": "t", "tool_input": {"command": "ls"}});
            session.event(call.clone());
            call["hook_event_name"] = "PostToolUse".into();
            call["tool_response"] = json!({"stdout": "app.py", "stderr": ""});
            session.event(call);
        };
        // The client ran `ls`; a tool says that a test run had its id.
        if made_up_first {
            session.test("t");
            ls();
        } else {
            ls();
            session.test("t");
        }
        session.line(result("t", false));
        session.stop();
        let found = verdict(&world);
        assert_eq!(found["verdict"], "undetermined", "{found}");
        assert!(codes(&found).contains(&"unconfirmed"), "{found}");
    }
}
