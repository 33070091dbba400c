//! Input that no client sends, and machines in trouble: a hook exits 0 and says
//! nothing, the service lives or comes back, the ledger stays sound.

use crate::world::{World, answer, finish, start};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};

fn request(call: &str) -> Value {
    json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_use_id": call, "tool_input": {"command": format!("ls {call}")}})
}

fn commands(world: &World) -> Vec<String> {
    let records = world.records();
    let command = |r: &Value| r["body"]["commands"]["command"].as_str().map(str::to_owned);
    records.iter().filter_map(command).collect()
}

/// A shell in which every file is bounded, as on a full disk.
fn on_full_disk(world: &World, blocks: u32) -> Command {
    let program = env!("CARGO_BIN_EXE_receipt");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec '{program}' hook claude-code");
    let mut shell = Command::new("bash");
    shell
        .args(["-c", &script])
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("RECEIPT_HOME", world.home())
        .current_dir(world.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    shell
}

#[test]
fn deep_nesting_ends_neither_hook_nor_service() {
    let world = World::new();
    world.event(&request("before"));
    let pid = world.service();
    let deep =
        |open: &str, close: &str, n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
    let inside = |value: &str| {
        format!(
            r#"{{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"{}","tool_input":{{"command":"ls","x":{value}}}}}"#,
            value.len()
        )
    };
    let payloads = [
        deep("[", "]", 200_000),
        deep("{\"a\":", "}", 200_000),
        inside(&deep("[", "]", 100_000)),
        inside(&deep("{\"a\":", "}", 1_000)),
        inside(&deep("[", "]", 127)),
        "[".repeat(1 << 20),
        "\"".repeat(1 << 20),
        "\\ud83d".repeat(100_000),
    ];
    for payload in &payloads {
        assert_eq!(world.hook(payload.as_bytes()), "");
    }
    assert_eq!(world.service(), pid, "the service outlives them");
    let recorded = world.records().into_iter().filter(|r| r["client_us"] != 0);
    assert_eq!(recorded.count(), payloads.len() + 1);
    world.audit();
}

/// Commands, paths and texts of any size and any characters.
#[test]
fn huge_and_odd_values_are_recorded() {
    let world = World::new();
    let odd = "\u{202e}\u{0}\u{1b}[31m\u{feff}\u{2028}é😀".repeat(50);
    let edit = |path: &str, text: &str| {
        json!({"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Write",
            "tool_use_id": path, "cwd": world.project(),
            "tool_input": {"file_path": path, "content": text},
            "tool_response": {"type": "create", "filePath": path, "content": text,
                "originalFile": null, "structuredPatch": []}})
    };
    let bash = |call: &str, command: &str| {
        json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_use_id": call, "tool_input": {"command": command}})
    };
    let prompt = |text: &str| json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": text});
    let payloads = [
        prompt(&odd),
        prompt(&"word ".repeat(2 << 20)),
        bash("many", &"cd x && make test; ".repeat(20_000)),
        bash("odd", &odd),
        bash("quotes", &"'\"`$(".repeat(20_000)),
        edit(&"/a".repeat(20_000), "x = 1\n"),
        edit(&odd, &odd),
        edit("a.py", &"x = 1  # TODO\n".repeat(200_000)),
        json!({"session_id": odd, "hook_event_name": "Stop", "last_assistant_message": odd}),
        json!({"session_id": "x".repeat(1 << 20), "hook_event_name": "Stop"}),
    ];
    for payload in &payloads {
        assert_eq!(world.event(payload), "");
    }
    let recorded = world.records().into_iter().filter(|r| r["client_us"] != 0);
    assert_eq!(recorded.count(), payloads.len());
    assert_eq!(world.receipt(&["log"]).code, 0);
    let log = fs::read_to_string(world.home().join("service.log")).unwrap_or_default();
    assert_eq!(log, "");
    world.audit();
}

/// The agent never meets a closed pipe, whatever the hook can do with its input.
#[test]
fn all_input_is_read_even_where_nothing_can_be_kept() {
    let world = World::bare();
    let mut command = world.command();
    command
        .args(["hook", "claude-code"])
        .env_remove("HOME")
        .env_remove("RECEIPT_HOME");
    let mut hook = command.spawn().unwrap();
    let mut stdin = hook.stdin.take().unwrap();
    stdin.write_all(&vec![b'a'; 1 << 20]).unwrap();
    drop(stdin);
    assert_eq!(answer(hook), "");
}

#[test]
fn closed_and_missing_streams_hurt_nobody() {
    let world = World::new();
    for streams in [
        "<&-",
        ">&-",
        "2>&-",
        "<&- >&- 2>&-",
        "</dev/null",
        ">/dev/full",
    ] {
        let program = env!("CARGO_BIN_EXE_receipt");
        let script = format!("'{program}' hook claude-code {streams}");
        let mut shell = Command::new("bash");
        shell
            .args(["-c", &script])
            .env_clear()
            .env("RECEIPT_HOME", world.home())
            .current_dir(world.project())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let ran = finish(start(shell, request("t").to_string().as_bytes()));
        let said = (ran.code, ran.out.as_str(), ran.err.as_str());
        assert_eq!(said, (0, "", ""), "{streams}");
    }
    world.audit();
}

/// The service's disk fills up while it runs: nothing acknowledged is lost, and
/// all is well again with room.
#[test]
fn a_disk_that_fills_up_loses_nothing_acknowledged() {
    let world = World::new();
    let mut calls = Vec::new();
    // Text that does not compress.
    let mut state = 1u64;
    let mut word = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        format!("{:08x} ", state >> 32)
    };
    let filler: String = (0..8_000).map(|_| word()).collect();
    for n in 0..40 {
        let mut event = request(&format!("t{n}"));
        event["tool_input"]["description"] = json!(filler);
        let shell = on_full_disk(&world, 1_024);
        let ran = finish(start(shell, event.to_string().as_bytes()));
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
        calls.push(format!("ls t{n}"));
    }
    let log = fs::read_to_string(world.home().join("service.log")).unwrap();
    assert!(log.contains("too large"), "the disk was never full: {log}");
    world.receipt(&["service", "stop"]);
    world.event(&request("after"));
    // The disk held each event at least in the spool.
    calls.push("ls after".to_owned());
    let mut found = commands(&world);
    found.sort();
    calls.sort();
    assert_eq!(found, calls);
    world.audit();
}

/// Takes the right to write from a folder and everything in it, or gives it back.
fn writable(path: &Path, yes: bool) {
    let mut permissions = fs::metadata(path).unwrap().permissions();
    let mode = permissions.mode();
    permissions.set_mode(if yes { mode | 0o200 } else { mode & !0o222 });
    fs::set_permissions(path, permissions).unwrap();
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            writable(&entry.unwrap().path(), yes);
        }
    }
}

fn give(path: &Path, user: u32) {
    std::os::unix::fs::lchown(path, Some(user), Some(user)).unwrap();
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            give(&entry.unwrap().path(), user);
        }
    }
}

#[test]
fn a_read_only_home_hurts_nobody_and_works_again() {
    const NOBODY: u32 = 65_534;
    let world = World::new();
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        eprintln!("skipped: only root can run a hook as another user");
        return;
    }
    give(&world.path(""), NOBODY);
    let run = |arguments: &[&str], payload: &str| {
        let mut command = world.command_as(NOBODY);
        command.args(arguments);
        finish(start(command, payload.as_bytes()))
    };
    let hook = |call: &str| {
        let ran = run(&["hook", "claude-code"], &request(call).to_string());
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    };
    hook("before");
    run(&["service", "stop"], "");
    writable(&world.home(), false);
    hook("meanwhile");
    let log = run(&["log"], "");
    assert!(
        log.code == 1 && log.err.contains("ermission denied"),
        "{}{}",
        log.out,
        log.err
    );
    writable(&world.home(), true);
    hook("after");
    let log = run(&["log"], "").out;
    assert!(
        log.contains("ls before") && log.contains("ls after"),
        "{log}"
    );
    assert!(!log.contains("ls meanwhile"), "{log}");
    assert_eq!(run(&["audit"], "").code, 0);
    run(&["service", "stop"], "");
}
