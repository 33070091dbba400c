//! Events that no service took: kept, drained later, marked late, never silently.

use crate::world::World;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

fn event(name: &str, more: &Value) -> Value {
    let mut event = json!({"session_id": "s", "hook_event_name": name});
    let members = more.as_object().unwrap().clone();
    event.as_object_mut().unwrap().extend(members);
    event
}

fn request(call: &str) -> Value {
    event(
        "PreToolUse",
        &json!({"tool_name": "Bash", "tool_use_id": call, "tool_input": {"command": format!("ls {call}")}}),
    )
}

/// A service that cannot start: a key that others may read is refused.
fn key_mode(world: &World, mode: u32) {
    let key = world.home().join("keys/record.pem");
    fs::set_permissions(key, fs::Permissions::from_mode(mode)).unwrap();
}

fn spooled(world: &World) -> Vec<String> {
    let entries = fs::read_dir(world.home().join("ledger/spool")).unwrap();
    entries
        .map(|e| e.unwrap())
        .filter(|e| e.path().is_file())
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect()
}

fn is_late(record: &Value) -> bool {
    record["flags"]
        .as_array()
        .unwrap()
        .iter()
        .any(|f| f == "late")
}

/// The commands of the late records, and of the others.
fn commands(records: &[Value]) -> (Vec<String>, Vec<String>) {
    let with_command = |late: bool| {
        let chosen = records.iter().filter(move |r| is_late(r) == late);
        let command = |r: &Value| r["body"]["commands"]["command"].as_str().map(str::to_owned);
        chosen.filter_map(command).collect()
    };
    (with_command(true), with_command(false))
}

/// Plays a turn that ends with code that nobody checked; returns the stop's answer.
fn unverified_turn(world: &World) -> String {
    let path = world.project().join("a.py");
    let text: String = (0..20).map(|n| format!("x{n} = {n}\n")).collect();
    world.event(&event("UserPromptSubmit", &json!({"prompt": "go"})));
    world.write("a.py", &text);
    world.event(&event(
        "PostToolUse",
        &json!({"tool_name": "Write", "tool_use_id": "w", "cwd": world.project(),
            "tool_input": {"file_path": path, "content": text},
            "tool_response": {"type": "create", "filePath": path, "content": text,
                "originalFile": null, "structuredPatch": []}}),
    ));
    world.event(&event("Stop", &json!({})))
}

#[test]
fn a_service_that_cannot_start_loses_nothing_and_the_log_shows_the_gap() {
    let world = World::new();
    world.event(&request("before"));
    world.receipt(&["service", "stop"]);
    key_mode(&world, 0o644);
    for call in ["one", "two", "three"] {
        assert_eq!(world.event(&request(call)), "");
    }
    assert_eq!(spooled(&world).len(), 3);
    let log = fs::read_to_string(world.home().join("service.log")).unwrap();
    assert!(log.contains("record.pem"), "{log}");
    key_mode(&world, 0o600);
    // The log takes in what waits, without any service.
    let human = world.receipt(&["log"]);
    assert!(human.out.contains("spooled"), "{}{}", human.out, human.err);
    let (late, timely) = commands(&world.records());
    assert_eq!(late, ["ls one", "ls two", "ls three"]);
    assert_eq!(timely, ["ls before"]);
    assert!(spooled(&world).is_empty());
    world.event(&request("after"));
    let (late, timely) = commands(&world.records());
    assert_eq!((late.len(), timely.len()), (3, 2));
    world.audit();
}

/// A stop that nobody could answer enforces nothing, and nobody is told later.
#[test]
fn a_spooled_stop_is_late_and_gives_no_verdict() {
    let world = World::new();
    key_mode(&world, 0o644);
    assert_eq!(unverified_turn(&world), "");
    key_mode(&world, 0o600);
    assert_eq!(world.event(&request("next")), "");
    let records = world.records();
    let stop = records.iter().find(|r| r["kind"] == "stop-requested");
    assert!(is_late(stop.unwrap()));
    assert!(!records.iter().any(|r| r["kind"] == "verdict-stop"));
    world.audit();
}

/// What came late still counts: the next stop is refused for it.
#[test]
fn late_edits_count_at_the_next_stop() {
    let world = World::new();
    key_mode(&world, 0o644);
    unverified_turn(&world);
    key_mode(&world, 0o600);
    let answer = world.event(&event("Stop", &json!({"stop_hook_active": false})));
    assert!(answer.contains("\"decision\":\"block\""), "{answer}");
    assert_eq!(world.export_and_verify().code, 10);
}

/// A file that is no event is moved aside with a record of it; the events around
/// it keep their numbers, so that the verdict over them can be folded again.
#[test]
fn an_unreadable_spool_file_is_set_aside_and_said() {
    let world = World::new();
    key_mode(&world, 0o644);
    let spool = world.home().join("ledger/spool");
    world.event(&request("first"));
    fs::write(spool.join("00000000000000000001-cut"), b"RCPT cut off").unwrap();
    fs::write(spool.join("99999999999999999999-bad"), b"").unwrap();
    unverified_turn(&world);
    key_mode(&world, 0o600);
    let answer = world.event(&event("Stop", &json!({"again": true})));
    assert!(answer.contains("\"decision\":\"block\""), "{answer}");
    let quarantined = fs::read_dir(spool.join("quarantine")).unwrap().count();
    assert_eq!(quarantined, 2);
    let gaps = world
        .records()
        .into_iter()
        .filter(|r| r["body"]["facts"]["gap"]["reason"] == "unreadable-spool-file");
    assert_eq!(gaps.count(), 2);
    let ran = world.export_and_verify();
    assert_eq!(ran.code, 10, "{}", ran.out);
    world.audit();
}

/// A spool or a quarantine that is no folder ends no service.
#[test]
fn a_spool_that_is_no_folder_keeps_no_event_from_the_ledger() {
    let reasons = |world: &World| -> Vec<Value> {
        let records = world.records();
        let gaps = records.iter().map(|r| r["body"]["facts"]["gap"].clone());
        gaps.filter(|gap| {
            gap["reason"]
                .as_str()
                .is_some_and(|r| r.starts_with("unreadable"))
        })
        .collect()
    };
    let world = World::new();
    let spool = world.home().join("ledger/spool");
    world.receipt(&["service", "stop"]);
    let _ = fs::remove_dir_all(&spool);
    fs::write(&spool, "no folder").unwrap();
    for call in ["a", "b"] {
        assert_eq!(world.event(&request(call)), "");
    }
    let (late, timely) = commands(&world.records());
    assert_eq!((late.len(), timely.len()), (0, 2));
    let said = reasons(&world);
    assert_eq!(said[0]["reason"], "unreadable-spool", "{said:?}");
    assert!(
        said[0]["why"].as_str().unwrap().contains("`spool`"),
        "{said:?}"
    );
    // The one service of both events says it once; the commands say it too.
    world.receipt(&["service", "stop"]);
    fs::remove_file(&spool).unwrap();
    fs::create_dir(&spool).unwrap();
    fs::write(spool.join("quarantine"), "no folder").unwrap();
    fs::write(spool.join("0001-bad"), "no event").unwrap();
    assert_eq!(world.event(&request("c")), "");
    assert!(spool.join(".0001-bad.aside").exists());
    let said = reasons(&world);
    assert_eq!(
        said.last().unwrap()["file"],
        "spool/.0001-bad.aside",
        "{said:?}"
    );
    assert_eq!(commands(&world.records()).1.len(), 3);
    world.audit();
}

/// Without keys or ledger nothing can be recorded; it waits for them.
#[test]
fn a_home_that_was_moved_away_and_back_has_everything() {
    let world = World::new();
    world.event(&request("before"));
    world.receipt(&["service", "stop"]);
    fs::rename(world.home().join("keys"), world.path("keys")).unwrap();
    assert_eq!(world.event(&request("meanwhile")), "");
    assert_ne!(world.receipt(&["log"]).code, 0);
    fs::rename(world.path("keys"), world.home().join("keys")).unwrap();
    let (late, timely) = commands(&world.records());
    assert_eq!(
        (late, timely),
        (
            vec!["ls meanwhile".to_owned()],
            vec!["ls before".to_owned()]
        )
    );
    world.audit();
}
