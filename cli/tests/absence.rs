//! Events that never came are told, and only those.

use crate::world::World;
use serde_json::{Value, json};

fn event(world: &World, name: &str, more: Value) -> String {
    let mut event = json!({"session_id": "s", "cwd": world.project(), "hook_event_name": name});
    let more = more.as_object().unwrap().clone();
    event.as_object_mut().unwrap().extend(more);
    world.event(&event)
}

fn call(world: &World, name: &str, id: &str) {
    let mut more = json!({"tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": "ls"}});
    if name == "PostToolUse" {
        more["tool_response"] = json!({"stdout": "", "stderr": ""});
    }
    event(world, name, more);
}

fn stop(world: &World) {
    assert_eq!(event(world, "Stop", json!({})), "");
}

/// Reason and named records of each gap in the session's stream.
fn gaps(world: &World) -> Vec<(String, Vec<String>)> {
    let records = world.records();
    let kind = |seq: &Value| {
        let seq = usize::try_from(seq.as_u64().unwrap()).unwrap();
        records[seq]["kind"].as_str().unwrap().to_owned()
    };
    let gaps = records.iter().filter(|r| r["kind"] == "gap");
    let facts = gaps
        .map(|r| &r["body"]["facts"])
        .filter(|f| f["obs"].is_array());
    let gap = |facts: &Value| {
        let reason = facts["obs"][0]["gap"].as_str().unwrap().to_owned();
        let missing = facts["missing"].as_array().cloned().unwrap_or_default();
        (reason, missing.iter().map(kind).collect())
    };
    facts.map(gap).collect()
}

fn told(reason: &str, kinds: &[&str]) -> (String, Vec<String>) {
    let kinds = kinds.iter().map(ToString::to_string).collect();
    (reason.to_owned(), kinds)
}

#[test]
fn an_orderly_session_has_no_gap() {
    let world = World::new();
    event(&world, "SessionStart", json!({"source": "startup"}));
    for turn in ["1", "2"] {
        event(
            &world,
            "UserPromptSubmit",
            json!({"prompt": format!("go {turn}")}),
        );
        call(&world, "PreToolUse", turn);
        call(&world, "PostToolUse", turn);
        let refused = format!("refused-{turn}");
        call(&world, "PreToolUse", &refused);
        event(
            &world,
            "PostToolBatch",
            json!({"tool_calls": [
            {"tool_name": "Bash", "tool_use_id": refused, "tool_input": {}, "tool_response": "no"}]}),
        );
        stop(&world);
    }
    event(&world, "SessionEnd", json!({"reason": "other"}));
    event(&world, "SessionStart", json!({"source": "resume"}));
    event(&world, "SessionStart", json!({"source": "compact"}));
    assert_eq!(gaps(&world), []);
}

#[test]
fn a_call_without_an_outcome_is_told_once() {
    let world = World::new();
    event(&world, "UserPromptSubmit", json!({"prompt": "go"}));
    call(&world, "PreToolUse", "lost");
    stop(&world);
    assert_eq!(gaps(&world), [told("no-outcome", &["tool-requested"])]);
    event(&world, "UserPromptSubmit", json!({"prompt": "and now"}));
    stop(&world);
    assert_eq!(gaps(&world).len(), 1);
    let records = world.records();
    let verdict = records
        .iter()
        .find(|r| r["kind"] == "verdict-stop")
        .unwrap();
    let notes = &verdict["body"]["facts"]["verdict"]["findings"];
    assert_eq!(notes[0]["code"], "gap", "{notes}");
    assert_eq!(verdict["body"]["facts"]["verdict"]["verdict"], "pass");
}

#[test]
fn with_work_in_the_background_an_outcome_may_still_come() {
    let world = World::new();
    event(&world, "UserPromptSubmit", json!({"prompt": "go"}));
    call(&world, "PreToolUse", "slow");
    event(
        &world,
        "Stop",
        json!({"background_tasks": [{"id": "1", "status": "running"}]}),
    );
    assert_eq!(gaps(&world), []);
    event(&world, "SessionEnd", json!({"reason": "other"}));
    assert_eq!(gaps(&world), [told("no-outcome", &["tool-requested"])]);
}

#[test]
fn an_outcome_that_nobody_asked_for_and_a_stop_without_a_prompt_are_told() {
    let world = World::new();
    call(&world, "PostToolUse", "stray");
    stop(&world);
    let due = [
        told("no-request", &["tool-succeeded"]),
        told("no-prompt", &["stop-requested"]),
    ];
    assert_eq!(gaps(&world), due);
}

#[test]
fn a_session_that_goes_on_without_having_ended_is_told() {
    let world = World::new();
    event(&world, "SessionStart", json!({"source": "startup"}));
    event(&world, "UserPromptSubmit", json!({"prompt": "go"}));
    world.receipt(&["service", "stop"]);
    event(&world, "SessionStart", json!({"source": "resume"}));
    assert_eq!(gaps(&world), [told("no-end", &[])]);
}

#[test]
fn a_service_that_never_said_that_it_ended_is_told() {
    let world = World::new();
    let services = |world: &World| {
        let records = world.records();
        let of = |kind: &str| records.iter().filter(|r| r["kind"] == kind).count();
        (of("service"), of("gap"))
    };
    event(&world, "SessionStart", json!({"source": "startup"}));
    world.receipt(&["service", "stop"]);
    assert_eq!(services(&world), (2, 0), "began and ended");
    event(&world, "UserPromptSubmit", json!({"prompt": "go"}));
    world.kill_service();
    event(&world, "Notification", json!({"message": "still there"}));
    assert_eq!(services(&world), (4, 1));
    world.audit();
}
