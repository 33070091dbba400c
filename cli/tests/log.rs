//! `receipt log` and its filters.

use crate::world::World;
use serde_json::json;

#[test]
fn grep_finds_records_by_what_they_say() {
    let world = World::new();
    for (call, command) in [
        ("t1", "cargo test -q"),
        ("t2", "ls src"),
        ("t3", "cargo build"),
    ] {
        world.event(&json!({"session_id": "s", "hook_event_name": "PreToolUse",
            "tool_name": "Bash", "tool_use_id": call, "tool_input": {"command": command}}));
    }
    let ran = world.receipt(&[
        "log",
        "--kind",
        "tool-requested",
        "--grep",
        "cargo (test|build)",
    ]);
    assert_eq!((ran.code, ran.out.lines().count()), (0, 2), "{}", ran.out);
    assert!(!ran.out.contains("ls src"), "{}", ran.out);
    let none = world.receipt(&["log", "--grep", "^nothing says this$"]);
    assert_eq!((none.code, none.out.as_str()), (0, ""));
}

#[test]
fn a_pattern_that_is_none_is_a_usage_error_that_shows_the_place() {
    let world = World::new();
    let ran = world.receipt(&["log", "--grep", "(unclosed"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("unclosed group"), "{}", ran.err);
}
