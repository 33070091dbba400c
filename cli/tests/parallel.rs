//! Many hooks at once, and one event delivered twice.

use crate::world::{World, answer};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;

fn request(n: u32) -> Value {
    json!({
        "session_id": format!("s{}", n % 4), "cwd": "/nowhere", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_use_id": format!("t{n}"), "tool_input": {"command": "ls"},
    })
}

/// 64 processes at once, with no service running when they start.
#[test]
fn sixty_four_events_at_once_are_sixty_four_records() {
    let world = World::new();
    for round in 0..2 {
        let running: Vec<_> = (0..64)
            .map(|n| world.start_hook(request(round * 64 + n).to_string().as_bytes()))
            .collect();
        for child in running {
            assert_eq!(answer(child), "");
        }
        let calls: Vec<Value> = world
            .records()
            .iter()
            .filter(|r| r["kind"] == "tool-requested")
            .map(|r| r["body"]["facts"]["call"].clone())
            .collect();
        let distinct: BTreeSet<String> = calls.iter().map(Value::to_string).collect();
        let expected = 64 * (round as usize + 1);
        assert_eq!((calls.len(), distinct.len()), (expected, expected));
        world.audit();
        world.receipt(&["service", "stop"]);
    }
}

#[test]
fn an_event_delivered_twice_is_one_event_and_a_duplicate() {
    let world = World::new();
    world.event(&request(1));
    world.event(&request(1));
    let kinds = world.kinds();
    let count = |kind: &str| kinds.iter().filter(|k| *k == kind).count();
    assert_eq!(
        (count("tool-requested"), count("duplicate")),
        (1, 1),
        "{kinds:?}"
    );
}

#[test]
fn the_same_words_said_later_are_another_event() {
    let world = World::new();
    let prompt =
        json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "go on"});
    world.event(&prompt);
    world.event(&prompt);
    assert_eq!(
        world
            .kinds()
            .iter()
            .filter(|k| *k == "prompt-human")
            .count(),
        2
    );
}

#[test]
fn a_stop_delivered_twice_at_once_is_answered_alike_and_spends_one_block() {
    let world = World::new();
    world.event(&json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "go"}));
    world.event(&json!({"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Edit",
        "tool_use_id": "e", "cwd": world.project(),
        "tool_input": {"file_path": world.project().join("a.py"), "old_string": "a", "new_string": "b"},
        "tool_response": {"filePath": world.project().join("a.py"), "oldString": "a",
            "newString": "b", "originalFile": "a\n", "structuredPatch": []}}));
    world.event(
        &json!({"session_id": "s", "hook_event_name": "PostToolUseFailure",
        "tool_name": "Bash", "tool_use_id": "c", "tool_input": {"command": "pytest -q"},
        "error": "Exit code 1\n1 failed in 0.01s"}),
    );
    let stop = json!({"session_id": "s", "hook_event_name": "Stop"}).to_string();
    let answers = at_once(&world, stop.as_bytes());
    assert!(answers[0].contains("\"decision\":\"block\""), "{answers:?}");
    assert_eq!(answers[0], answers[1]);
    let kinds = world.kinds();
    let count = |kind: &str| kinds.iter().filter(|k| *k == kind).count();
    assert_eq!(
        (
            count("verdict-stop"),
            count("stop-requested"),
            count("duplicate")
        ),
        (1, 1, 1)
    );
}

/// Two hooks that have both begun, and wait for their input, before either gets it.
fn at_once(world: &World, payload: &[u8]) -> Vec<String> {
    let start = || {
        let mut command = world.command();
        command.args(["hook", "claude-code"]);
        command.spawn().unwrap()
    };
    let mut twice = [start(), start()];
    for child in &twice {
        let place = format!("/proc/{}/wchan", child.id());
        while !std::fs::read_to_string(&place)
            .unwrap()
            .contains("pipe_read")
        {
            std::thread::yield_now();
        }
    }
    for child in &mut twice {
        child.stdin.take().unwrap().write_all(payload).unwrap();
    }
    twice.into_iter().map(answer).collect()
}
