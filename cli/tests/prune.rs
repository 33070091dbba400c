//! `receipt prune`: content goes, proofs stay, and what is folded goes on.

use crate::world::World;
use serde_json::{Value, json};
use std::fs;

/// One turn of a session: a prompt, a command, a stop.
fn turn(world: &World, session: &str, n: u32) {
    let event = |mut payload: Value| {
        payload["session_id"] = session.into();
        payload["cwd"] = json!(world.project());
        world.event(&payload)
    };
    let call = format!("{session}-{n}");
    let input = json!({"command": format!("echo canary-{call}-5150")});
    event(json!({"hook_event_name": "UserPromptSubmit", "prompt": format!("do {call}")}));
    event(
        json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": call, "tool_input": input}),
    );
    event(
        json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": call,
        "tool_input": input, "tool_response": {"stdout": "", "stderr": ""}}),
    );
    assert_eq!(event(json!({"hook_event_name": "Stop"})), "");
}

/// How many records of `receipt log` and `receipt show --evidence` hold a text.
fn shown(world: &World, text: &str) -> usize {
    let all = world.records().len();
    let holds = |seq: &usize| {
        let ran = world.receipt(&["show", &seq.to_string(), "--evidence"]);
        ran.out.contains(text)
    };
    (0..all).filter(holds).count()
}

#[test]
fn a_session_is_pruned_and_the_ledger_is_sound_and_goes_on() {
    let world = World::new();
    turn(&world, "a", 1);
    turn(&world, "b", 1);
    let receipt = world.path("a.receipt.json");
    let exported = world.receipt(&["export", "--session", "a", "-o", receipt.to_str().unwrap()]);
    assert_eq!(exported.code, 0, "{}", exported.err);
    assert!(shown(&world, "canary-a-1-5150") > 0);
    let records = world.records().len();

    let tried = world.receipt(&["prune", "--session", "a", "--dry-run"]);
    assert!(
        tried.out.starts_with("would erase the content of "),
        "{tried:?}"
    );
    assert!(shown(&world, "canary-a-1-5150") > 0, "nothing is changed");

    let ran = world.receipt(&["prune", "--session", "a", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(said["audit"]["sound"], true);
    assert_eq!(said["audit"]["pruned"], said["erased"]);
    assert!(said["erased"].as_u64().unwrap() >= 5);

    assert_eq!(shown(&world, "canary-a-1-5150"), 0);
    assert!(shown(&world, "canary-b-1-5150") > 0, "others stay");
    let after = world.records();
    assert!(after.len() > records, "the prune is a record");
    assert!(after.iter().any(|r| r["kind"] == "prune"));
    assert!(!after.iter().any(|r| r["kind"] == "recovery"));

    // What was pruned is no receipt any more, and says so.
    let gone = world.receipt(&["export", "--session", "a"]);
    assert_eq!(gone.code, 3, "{}", gone.err);
    assert!(gone.err.contains("was pruned"), "{}", gone.err);

    // Sessions go on, the pruned one too, and what was exported still verifies.
    turn(&world, "a", 2);
    let again = world.receipt(&["export", "--session", "a"]);
    assert_eq!(again.code, 0, "{}", again.err);
    turn(&world, "b", 2);
    let audit = world.receipt(&["audit"]);
    assert_eq!(audit.code, 0, "{}", audit.out);
    let trust = world.path("trust");
    let key = world.receipt(&["key", "show", "--format", "allowed-signers"]);
    fs::write(&trust, key.out).unwrap();
    let verified = world.receipt(&[
        "verify",
        receipt.to_str().unwrap(),
        "--trust",
        trust.to_str().unwrap(),
        "--accept",
        "no-code",
    ]);
    assert_eq!(verified.code, 0, "{}", verified.out);
}

#[test]
fn only_old_records_go_by_age() {
    let world = World::new();
    turn(&world, "a", 1);
    let ran = world.receipt(&["prune", "--older-than", "1d"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (0, "erased the content of 0 records\n")
    );
    let ran = world.receipt(&["prune", "--older-than", "0s"]);
    assert!(ran.out.contains("sound"), "{ran:?}");
    assert_eq!(shown(&world, "canary-a-1-5150"), 0);
}

#[test]
fn what_to_prune_must_be_said() {
    let world = World::new();
    assert_eq!(world.receipt(&["prune"]).code, 2);
    let ran = world.receipt(&["prune", "--session", "never"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("no session never"), "{}", ran.err);
}
