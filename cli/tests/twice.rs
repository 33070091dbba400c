//! Plugin and settings both wired: every event is delivered twice at once.

use crate::world::{World, answer};
use serde_json::{Value, json};
use std::io::Write;

/// The events of a turn whose tests fail, with the snapshots that go with them.
fn failing_turn(world: &World) -> Vec<Value> {
    let path = world.project().join("a.py");
    let wrote = json!({"type": "create", "filePath": path, "content": "x = 1\n",
        "originalFile": null, "structuredPatch": []});
    let write = json!({"tool_name": "Write", "tool_use_id": "w",
        "tool_input": {"file_path": path, "content": "x = 1\n"}});
    let test =
        json!({"tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": "pytest -q"}});
    let event = |name: &str, call: &Value, member: &str, value: Value| {
        let mut event = json!({"session_id": "s", "hook_event_name": name, "cwd": world.project()});
        let members = call.as_object().unwrap().clone();
        event.as_object_mut().unwrap().extend(members);
        event[member] = value;
        event
    };
    let none = json!({});
    vec![
        event("UserPromptSubmit", &none, "prompt", json!("go")),
        event("PreToolUse", &write, "x", json!(1)),
        event("PostToolUse", &write, "tool_response", wrote),
        event("PreToolUse", &test, "x", json!(1)),
        event(
            "PostToolUseFailure",
            &test,
            "error",
            json!("Exit code 1\n1 failed in 0.01s"),
        ),
        event(
            "Stop",
            &none,
            "last_assistant_message",
            json!("All tests pass."),
        ),
    ]
}

/// Two hooks that have both begun, and wait for their input, before either gets it.
fn at_once(world: &World, payload: &Value) -> [String; 2] {
    let start = || {
        let mut command = world.command();
        command.args(["hook", "claude-code"]);
        command.spawn().unwrap()
    };
    let mut twice = [start(), start()];
    for child in &twice {
        let place = format!("/proc/{}/wchan", child.id());
        let waits = || {
            std::fs::read_to_string(&place)
                .unwrap()
                .contains("pipe_read")
        };
        while !waits() {
            std::thread::yield_now();
        }
    }
    for child in &mut twice {
        let text = payload.to_string();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
    }
    twice.map(answer)
}

fn count(world: &World, kind: &str) -> usize {
    world.kinds().iter().filter(|k| *k == kind).count()
}

/// While the first stop's hook looks at the worktree, the second one arrives.
#[test]
fn each_event_is_recorded_once_and_each_stop_answered_alike() {
    let world = World::new();
    let events = failing_turn(&world);
    for event in &events {
        if event["hook_event_name"] == "PostToolUse" {
            world.write("a.py", "x = 1\n");
        }
        let answers = at_once(&world, event);
        assert_eq!(answers[0], answers[1], "{event}");
        let stop = event["hook_event_name"] == "Stop";
        assert_eq!(
            answers[0].contains("\"decision\":\"block\""),
            stop,
            "{event}"
        );
    }
    let names = [
        "prompt-human",
        "tool-requested",
        "tool-succeeded",
        "tool-failed",
    ];
    let counts: Vec<usize> = names.iter().map(|n| count(&world, n)).collect();
    assert_eq!(counts, [1, 2, 1, 1]);
    let names = [
        "stop-requested",
        "verdict-stop",
        "stop-unanswered",
        "duplicate",
    ];
    let counts: Vec<usize> = names.iter().map(|n| count(&world, n)).collect();
    assert_eq!(counts, [1, 1, 0, events.len()]);
    let ran = world.export_and_verify();
    assert_eq!(ran.code, 10, "{}", ran.out);
    world.audit();
}

/// The block ladder counts stops, not deliveries.
#[test]
fn a_stop_delivered_twice_spends_one_block() {
    let world = World::new();
    let mut events = failing_turn(&world);
    let stop = events.pop().unwrap();
    for event in &events {
        if event["hook_event_name"] == "PostToolUse" {
            world.write("a.py", "x = 1\n");
        }
        world.event(event);
    }
    let work = json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Read",
        "tool_input": {"file_path": "a.py"}});
    let mut blocked = 0;
    for round in 0..3 {
        let mut again = stop.clone();
        again["stop_hook_active"] = json!(round > 0);
        let answers = at_once(&world, &again);
        assert_eq!(answers[0], answers[1], "round {round}");
        blocked += usize::from(answers[0].contains("\"decision\":\"block\""));
        let mut work = work.clone();
        work["tool_use_id"] = json!(format!("r{round}"));
        world.event(&work);
    }
    assert_eq!(blocked, 2, "a hard finding has two blocks");
    assert_eq!(count(&world, "verdict-stop"), 3);
    world.audit();
}
