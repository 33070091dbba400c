//! Odd input, odd arguments, no room, no service: the hook exits 0, prints
//! nothing, and what could be kept is kept.

use crate::world::{World, answer, finish, start};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

fn request(session: &str, call: &str) -> Value {
    json!({
        "session_id": session, "cwd": "/nowhere", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_use_id": call, "tool_input": {"command": format!("ls {call}")},
    })
}

#[test]
fn garbage_on_stdin_is_recorded_as_it_came() {
    let world = World::new();
    let stop = br#"{"session_id":"s","hook_event_name":"Notification","message":"#;
    let with = |before: &[u8], rest: &[u8]| [before, rest].concat();
    let inputs: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"not json".to_vec(),
        b"[1,2,3]".to_vec(),
        b"\x00\x01\x02\xff\xfe\xfd".to_vec(),
        with(stop, b"\"cut off in \xe2\x82"),
        with(stop, br#""lone \ud83d surrogate"}"#),
        with(
            b"\xef\xbb\xbf",
            br#"{"session_id":"s","hook_event_name":"SubagentStart"}"#,
        ),
        b"{\r\n\"session_id\":\"s\",\r\n\"hook_event_name\":\"PreCompact\"\r\n}\r\n".to_vec(),
        br#"{"session_id":7,"hook_event_name":["Stop"],"cwd":null}"#.to_vec(),
        br#"{"session_id":"s","hook_event_name":"NeverHeardOf","new":{"a":[1.5]}}"#.to_vec(),
    ];
    for input in &inputs {
        assert_eq!(world.hook(input), "", "{}", String::from_utf8_lossy(input));
    }
    let from_hooks = world
        .records()
        .into_iter()
        .filter(|r| r["client_us"] != 0)
        .count();
    assert_eq!(from_hooks, inputs.len());
    let kinds = world.kinds();
    for kind in ["subagent-started", "compacted", "notified"] {
        assert!(kinds.iter().any(|k| k == kind), "{kind} in {kinds:?}");
    }
    world.audit();
}

#[test]
fn fifty_megabytes_are_cut_and_flagged() {
    let world = World::new();
    let mut payload = br#"{"session_id":"s","hook_event_name":"Notification","message":""#.to_vec();
    payload.resize(50 << 20, b'a');
    payload.extend_from_slice(b"\"}");
    assert_eq!(world.hook(&payload), "");
    let record = world.records().pop().unwrap();
    assert_eq!(
        record["flags"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|f| *f == "cut")
            .count(),
        1
    );
    world.audit();
}

#[test]
fn any_arguments_exit_0_and_print_nothing() {
    let world = World::new();
    let lists: [&[&str]; 7] = [
        &["hook"],
        &["hook", "--help"],
        &["hook", "nonsense", "--x", "y"],
        &["hook", "claude-code", "--home"],
        &["hook", "claude-code", "--version", "\u{fffd}"],
        &["hook", ""],
        &["hook", "claude-code", "extra"],
    ];
    for arguments in lists {
        let mut command = world.command();
        command.args(arguments);
        let child = start(command, request("s", "t").to_string().as_bytes());
        assert_eq!(answer(child), "", "{arguments:?}");
    }
}

#[test]
fn a_missing_transcript_and_folder_change_nothing() {
    let world = World::new();
    let mut payload = request("s", "t1");
    payload["transcript_path"] = json!("/nowhere/at/all.jsonl");
    assert_eq!(world.event(&payload), "");
    let stop = json!({"session_id": "s", "hook_event_name": "Stop", "cwd": "/nowhere",
        "transcript_path": "/nowhere/at/all.jsonl", "stop_hook_active": false});
    assert_eq!(world.event(&stop), "");
    assert!(world.kinds().contains(&"verdict-stop".to_owned()));
}

#[test]
fn without_any_home_the_hook_is_silent() {
    let world = World::bare();
    let mut command = world.command();
    command
        .args(["hook", "claude-code"])
        .env_remove("HOME")
        .env_remove("RECEIPT_HOME");
    assert_eq!(answer(start(command, b"{}")), "");
}

#[test]
fn without_a_ledger_events_wait_in_the_spool_and_none_is_made() {
    let world = World::bare();
    assert_eq!(world.event(&request("s", "t1")), "");
    assert_eq!(world.receipt(&["log"]).code, 3);
    assert!(!world.home().join("ledger/genesis").exists());
    assert_eq!(world.receipt(&["init", "--no-hooks"]).code, 0);
    assert_eq!(world.event(&request("s", "t2")), "");
    let records = world.records();
    let late = records
        .iter()
        .filter(|r| r["flags"].as_array().unwrap().iter().any(|f| f == "late"));
    assert_eq!(late.count(), 1, "{records:?}");
    assert!(world.kinds().contains(&"gap".to_owned()));
    world.audit();
}

#[test]
fn a_killed_service_loses_nothing() {
    let world = World::new();
    for round in 0..6 {
        let calls: Vec<String> = (0..4).map(|n| format!("t{round}-{n}")).collect();
        let running: Vec<_> = calls
            .iter()
            .map(|call| world.start_hook(request("s", call).to_string().as_bytes()))
            .collect();
        world.kill_service();
        for child in running {
            assert_eq!(answer(child), "");
        }
    }
    world.event(&request("s", "last"));
    let commands: Vec<Value> = world
        .records()
        .iter()
        .map(|r| r["body"]["commands"]["command"].clone())
        .collect();
    for round in 0..6 {
        for n in 0..4 {
            let command = json!(format!("ls t{round}-{n}"));
            assert!(commands.contains(&command), "{command} was lost");
        }
    }
    world.audit();
}

/// A user that owns nothing here; tests run as root cannot be refused by modes.
const NOBODY: u32 = 65_534;

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|m| std::os::unix::fs::MetadataExt::uid(&m) == 0)
}

#[test]
fn a_home_that_cannot_be_written_hurts_nobody() {
    if !is_root() {
        eprintln!("skipped: only root can run a hook as another user");
        assert!(std::env::var_os("CI").is_none(), "CI runs as root");
        return;
    }
    let world = World::new();
    world.event(&request("s", "t1"));
    let before = world.records().len();
    let open = fs::Permissions::from_mode(0o755);
    fs::set_permissions(world.path(""), open.clone()).unwrap();
    for folder in [
        world.home(),
        world.home().join("ledger"),
        world.home().join("run"),
    ] {
        fs::set_permissions(folder, open.clone()).unwrap();
    }
    let mut command = world.command_as(NOBODY);
    command.args(["hook", "claude-code"]);
    let ran = finish(start(command, request("s", "t2").to_string().as_bytes()));
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    assert_eq!(
        world.records().len(),
        before,
        "another user's event is not taken"
    );
}

#[test]
fn a_full_disk_hurts_nobody() {
    let world = World::new();
    world.event(&request("s", "t1"));
    world.receipt(&["service", "stop"]);
    // No file may grow beyond one block: every write fails as on a full disk.
    let script = format!(
        "trap '' XFSZ; ulimit -f 0; exec '{}' hook claude-code",
        env!("CARGO_BIN_EXE_receipt")
    );
    let mut shell = std::process::Command::new("bash");
    shell
        .args(["-c", &script])
        .env_clear()
        .env("RECEIPT_HOME", world.home())
        .current_dir(world.project())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let ran = finish(start(shell, request("s", "t2").to_string().as_bytes()));
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    world.event(&request("s", "t3"));
    world.audit();
}

#[test]
fn a_profile_that_cannot_be_read_leaves_the_gates_closed() {
    let world = World::new();
    fs::write(
        world.home().join("receipt.toml"),
        "[gates]\nno-such-gate = \"off\"\n",
    )
    .unwrap();
    world.event(&json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "go"}));
    let edit: String = (0..20).map(|n| format!("x{n} = {n}\n")).collect();
    world.write("a.py", &edit);
    world.event(
        &json!({"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Write",
        "tool_use_id": "w", "cwd": world.project(),
        "tool_input": {"file_path": world.project().join("a.py"), "content": edit},
        "tool_response": {"type": "create", "filePath": world.project().join("a.py"),
            "content": edit, "originalFile": null, "structuredPatch": []}}),
    );
    let out = world.event(&json!({"session_id": "s", "hook_event_name": "Stop"}));
    assert!(out.contains("\"decision\":\"block\""), "{out}");
    let log = fs::read_to_string(world.home().join("service.log")).unwrap();
    assert!(log.contains("no-such-gate"), "{log}");
}
