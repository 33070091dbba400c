//! Hooks and services of different versions: other builds of this program are
//! made by changing the greeting in a copy of it.

use crate::client::GREETING;
use crate::world::{World, answer, copy_program, finish, start};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A copy of the program that takes itself for another version.
pub(crate) fn build(world: &World, protocol: u8, minor: u8) -> PathBuf {
    let mut bytes = fs::read(env!("CARGO_BIN_EXE_receipt")).unwrap();
    let places: Vec<usize> = (0..bytes.len() - 16)
        .filter(|at| bytes[*at] == b'r' && bytes[*at..at + 16] == GREETING)
        .collect();
    assert_eq!(places.len(), 1, "the greeting stands in the program once");
    bytes[places[0] + 8] = protocol;
    bytes[places[0] + 12] = minor;
    let path = world.path(&format!("receipt-{protocol}-{minor}"));
    let written = path.with_extension("bytes");
    fs::write(&written, bytes).unwrap();
    copy_program(&written, &path);
    path
}

fn request(call: &str) -> Value {
    json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_use_id": call, "tool_input": {"command": format!("ls {call}")}})
}

fn hook(world: &World, program: &Path, call: &str) {
    let mut command = world.command_of(program);
    command.args(["hook", "claude-code"]);
    assert_eq!(
        answer(start(command, request(call).to_string().as_bytes())),
        ""
    );
}

/// What `service status` says, asked by that build.
fn status(world: &World, program: &Path) -> Value {
    let mut command = world.command_of(program);
    command.args(["service", "status", "--format", "json"]);
    serde_json::from_str(&finish(start(command, b"")).out).unwrap()
}

/// Commands and flags of the recorded calls, as that build reads them.
fn calls(world: &World, program: &Path) -> Vec<(String, bool)> {
    let mut command = world.command_of(program);
    command.args(["log", "--format", "json", "--kind", "tool-requested"]);
    let ran = finish(start(command, b""));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines = ran.out.lines();
    let records = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    records
        .map(|r| {
            let command = r["body"]["commands"]["command"].as_str().unwrap();
            (command.to_owned(), r["flags"][0] == "late")
        })
        .collect()
}

fn spooled(world: &World) -> usize {
    let entries = fs::read_dir(world.home().join("ledger/spool")).into_iter();
    entries.flatten().count()
}

#[test]
fn a_newer_hook_replaces_an_older_service_and_an_older_one_does_not() {
    let world = World::new();
    let (old, new) = (build(&world, 1, 1), build(&world, 1, 2));
    hook(&world, &old, "a");
    let before = status(&world, &old);
    assert_eq!(before["program_version"], "0.1.0");
    hook(&world, &new, "b");
    let after = status(&world, &new);
    assert_eq!(after["program_version"], "0.2.0");
    assert_ne!(before["pid"], after["pid"]);
    // From now on both are served by the newer one.
    for n in 0..6 {
        hook(&world, [&old, &new][n % 2], &format!("c{n}"));
    }
    assert_eq!(status(&world, &old)["pid"], after["pid"]);
    let calls = calls(&world, &old);
    assert_eq!(calls.len(), 8);
    assert!(calls.iter().all(|(_, late)| !late), "{calls:?}");
    world.audit();
}

#[test]
fn programs_of_two_protocols_lose_nothing() {
    let world = World::new();
    let (old, new) = (build(&world, 1, 1), build(&world, 2, 1));
    hook(&world, &old, "a");
    hook(&world, &new, "b");
    let service = status(&world, &new);
    assert_eq!(service["protocol"], 2);
    // The older hook is not understood, waits in the spool, and ends nothing.
    hook(&world, &old, "c");
    assert_eq!(spooled(&world), 1);
    let seen = status(&world, &old);
    assert_eq!(
        (&seen["running"], &seen["protocol"], &seen["pid"]),
        (&json!(true), &json!(2), &Value::Null)
    );
    let mut stop = world.command_of(&old);
    stop.args(["service", "stop"]);
    let ran = finish(start(stop, b""));
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.err.contains("protocol 2"), "{}", ran.err);
    assert_eq!(status(&world, &new)["pid"], service["pid"]);
    // The newer command of both is let at the ledger by a service of the older.
    let mut stop = world.command_of(&new);
    stop.args(["service", "stop"]);
    assert_eq!(finish(start(stop, b"")).out, "stopped\n");
    hook(&world, &old, "d");
    assert_eq!(status(&world, &old)["protocol"], 1);
    let recorded = calls(&world, &new);
    assert_eq!(status(&world, &new)["running"], false);
    let mut commands: Vec<&str> = recorded.iter().map(|(c, _)| c.as_str()).collect();
    commands.sort_unstable();
    assert_eq!(commands, ["ls a", "ls b", "ls c", "ls d"]);
    assert_eq!(spooled(&world), 0);
}

#[test]
fn an_older_service_leaves_what_a_newer_hook_spooled() {
    let world = World::new();
    let (old, new) = (build(&world, 1, 1), build(&world, 2, 1));
    // Its service cannot start: the socket's folder is not private.
    let run = world.home().join("run");
    fs::create_dir(&run).unwrap();
    fs::set_permissions(&run, fs::Permissions::from_mode(0o755)).unwrap();
    hook(&world, &new, "a");
    fs::set_permissions(&run, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(spooled(&world), 1);
    hook(&world, &old, "b");
    assert_eq!(spooled(&world), 1, "neither drained nor set aside");
    hook(&world, &new, "c");
    assert_eq!(spooled(&world), 0);
    let recorded = calls(&world, &new);
    let all: Vec<(&str, bool)> = recorded.iter().map(|(c, l)| (c.as_str(), *l)).collect();
    assert_eq!(all, [("ls b", false), ("ls a", true), ("ls c", false)]);
}

/// Many hooks of both versions at once: one hand-over, and every event is there.
#[test]
fn a_crowd_of_both_versions_fights_no_war() {
    let world = World::new();
    let (old, new) = (build(&world, 1, 1), build(&world, 1, 2));
    hook(&world, &old, "first");
    let running: Vec<_> = (0..32)
        .map(|n| {
            let mut command = world.command_of([&old, &new][n % 2]);
            command.args(["hook", "claude-code"]);
            start(command, request(&format!("t{n}")).to_string().as_bytes())
        })
        .collect();
    for child in running {
        assert_eq!(answer(child), "");
    }
    hook(&world, &new, "last");
    let service = status(&world, &new);
    assert_eq!(service["program_version"], "0.2.0");
    for n in 0..8 {
        hook(&world, &old, &format!("later{n}"));
    }
    assert_eq!(status(&world, &old)["pid"], service["pid"]);
    let recorded = calls(&world, &new);
    let distinct: std::collections::BTreeSet<&String> = recorded.iter().map(|(c, _)| c).collect();
    assert_eq!((recorded.len(), distinct.len()), (42, 42));
    world.audit();
}
