//! `ledger-guard` end to end: a call that would touch the ledger is refused before
//! it runs, the refusal is on the record, and the session goes on.

use crate::world::World;
use serde_json::{Value, json};
use std::fs;

fn before(world: &World, command: &str) -> Value {
    let answer = world.event(&json!({"hook_event_name": "PreToolUse", "session_id": "s",
        "cwd": world.project(), "tool_name": "Bash", "tool_use_id": command,
        "tool_input": {"command": command}}));
    serde_json::from_str(&answer).unwrap_or_default()
}

fn decision(answer: &Value) -> &str {
    let decision = &answer["hookSpecificOutput"]["permissionDecision"];
    decision.as_str().unwrap_or_default()
}

fn guarded(world: &World) -> Vec<Value> {
    let records = world.records();
    let seen = records.iter().flat_map(|record| {
        let all = record["body"]["facts"]["obs"].as_array().cloned();
        all.unwrap_or_default()
    });
    seen.filter_map(|o| o.get("guarded").cloned()).collect()
}

#[test]
fn a_call_that_would_erase_the_ledger_is_refused_and_told() {
    let world = World::new();
    world.event(
        &json!({"hook_event_name": "UserPromptSubmit", "session_id": "s",
        "cwd": world.project(), "prompt": "Clean up"}),
    );
    let home = world.home();
    let answer = before(&world, &format!("rm -rf {}", home.display()));
    assert_eq!(decision(&answer), "deny", "{answer}");
    let reason = &answer["hookSpecificOutput"]["permissionDecisionReason"];
    assert!(
        reason.as_str().unwrap().contains("`receipt log`"),
        "{reason}"
    );
    let denied = json!({"what": "ledger", "how": "write", "denied": true});
    assert_eq!(guarded(&world), [denied]);
    assert_eq!(before(&world, "rm -rf build"), Value::Null);
    let stop = world.event(&json!({"hook_event_name": "Stop", "session_id": "s",
        "cwd": world.project(), "stop_hook_active": false, "last_assistant_message": "Cleaned."}));
    assert_eq!(stop, "");
    let ran = world.receipt(&["export", "--format", "markdown"]);
    let told = "a call that would have touched the ledger or its wiring was refused (#";
    assert!(ran.out.contains(told), "{}", ran.out);
    // Nobody waits for the outcome of a call that never ran.
    let gaps = world
        .records()
        .iter()
        .filter(|r| r["kind"] == "gap")
        .count();
    assert_eq!(gaps, 1, "that of the call that did not end");
    assert_eq!(
        world.export_and_verify().code,
        13,
        "allowed without a check"
    );
}

#[test]
fn both_deliveries_of_a_refused_call_are_refused() {
    let world = World::new();
    let command = format!("rm -rf {}", world.home().display());
    assert_eq!(decision(&before(&world, &command)), "deny");
    assert_eq!(decision(&before(&world, &command)), "deny");
    assert_eq!(guarded(&world).len(), 1);
}

#[test]
fn hooks_are_not_taken_out_of_settings_that_hold_them() {
    let world = World::new();
    let user = world.path("user/.claude");
    fs::create_dir_all(&user).unwrap();
    let ran = world.receipt(&["init"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let file = user.join("settings.json");
    let write = |text: &str| {
        let answer = world.event(&json!({"hook_event_name": "PreToolUse", "session_id": "s",
            "cwd": world.project(), "tool_name": "Write", "tool_use_id": text,
            "tool_input": {"file_path": file, "content": text}}));
        serde_json::from_str(&answer).unwrap_or_default()
    };
    assert_eq!(decision(&write("{}")), "deny");
    let more = fs::read_to_string(&file)
        .unwrap()
        .replacen('{', "{\"model\": \"x\",", 1);
    assert_eq!(write(&more), Value::Null, "other settings may change");
    assert_eq!(
        decision(&before(&world, "rm ~/.claude/settings.json")),
        "deny"
    );
    assert_eq!(before(&world, "cat ~/.claude/settings.json"), Value::Null);
}

#[test]
fn the_users_profile_says_whether_calls_are_refused() {
    for (mode, denied) in [("block", true), ("warn", false), ("off", false)] {
        let world = World::new();
        let profile = format!("[gates]\nledger-guard = \"{mode}\"\n");
        fs::write(world.home().join("receipt.toml"), profile).unwrap();
        let answer = before(&world, "receipt uninstall");
        assert_eq!(decision(&answer) == "deny", denied, "{mode}: {answer}");
        assert_eq!(guarded(&world)[0]["denied"] == true, denied);
    }
}
