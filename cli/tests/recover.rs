//! `receipt recover`: names what is wrong, changes nothing unasked, and tells in
//! a record what was lost.

use crate::world::World;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

fn events(world: &World, from: u32, to: u32) {
    for n in from..to {
        world.event(&json!({"session_id": "s", "hook_event_name": "PreToolUse",
            "tool_name": "Bash", "tool_use_id": format!("t{n}"), "tool_input": {"command": "ls"}}));
    }
    assert_eq!(world.receipt(&["service", "stop"]).code, 0);
}

fn segment(world: &World) -> PathBuf {
    world.home().join("ledger/intake/00000000000000000000.seg")
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_sound_ledger_has_nothing_to_recover() {
    let world = World::new();
    events(&world, 0, 5);
    let before = world.records().len();
    let ran = world.receipt(&["recover", "--accept-loss"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("nothing to recover: "), "{}", ran.out);
    assert_eq!(world.records().len(), before);
    // Also with a service that has the ledger.
    world.event(&json!({"session_id": "s", "hook_event_name": "Stop"}));
    assert_eq!(world.receipt(&["recover"]).code, 0);
}

#[test]
fn a_ledger_that_was_cut_is_named_and_recovered_when_asked() {
    let world = World::new();
    events(&world, 0, 20);
    let bytes = fs::read(segment(&world)).unwrap();
    fs::write(segment(&world), &bytes[..bytes.len() / 2]).unwrap();
    for entry in fs::read_dir(world.home().join("ledger")).unwrap() {
        let path = entry.unwrap().path();
        if path
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .starts_with("db-")
        {
            fs::remove_dir_all(path).unwrap();
        }
    }
    let refused = world.receipt(&["audit"]);
    assert_ne!(refused.code, 0);
    assert!(refused.err.contains("receipt recover"), "{}", refused.err);

    let looked = world.receipt(&["recover", "--format", "json"]);
    assert_eq!(looked.code, 40, "{}", looked.err);
    let found = json_of(&looked.out);
    assert_eq!(found["recovered"], false);
    assert!(found["lost"].as_u64().unwrap() > 5, "{found}");
    let human = world.receipt(&["recover"]);
    assert!(
        human.out.contains("the head register") || human.out.contains("are gone"),
        "{}",
        human.out
    );
    assert!(human.out.contains("--accept-loss"), "{}", human.out);
    assert_ne!(world.receipt(&["audit"]).code, 0, "nothing was done");

    let done = world.receipt(&["recover", "--accept-loss", "--format", "json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let told = json_of(&done.out);
    assert_eq!(
        (&told["recovered"], &told["lost"]),
        (&json!(true), &found["lost"])
    );
    assert_eq!(told["audit"]["sound"], true);
    let aside = world
        .home()
        .join("ledger")
        .join(told["aside"].as_str().unwrap());
    assert_eq!(
        fs::read(aside.join("00000000000000000000.seg")).unwrap(),
        &bytes[..bytes.len() / 2]
    );
    // The record says it, and the ledger goes on.
    events(&world, 20, 25);
    world.audit();
    let records = world.records();
    let record = records.iter().find(|r| r["kind"] == "recovery").unwrap();
    assert_eq!(record["body"]["facts"]["recovery"]["lost"], found["lost"]);
    assert_eq!(world.receipt(&["recover"]).code, 0);
}

#[test]
fn a_missing_register_is_no_new_beginning() {
    let world = World::new();
    events(&world, 0, 5);
    fs::remove_file(world.home().join("ledger/head")).unwrap();
    assert_eq!(
        world.event(&json!({"session_id": "s", "hook_event_name": "Stop"})),
        ""
    );
    let looked = world.receipt(&["recover"]);
    assert_eq!(looked.code, 40);
    assert!(looked.out.contains("`head` is missing"), "{}", looked.out);
    assert_eq!(world.receipt(&["recover", "--accept-loss"]).code, 0);
    world.audit();
    let kinds = world.kinds();
    assert!(
        kinds.contains(&"stop-requested".to_owned()),
        "the spool was kept"
    );
}

#[test]
fn what_cannot_be_recovered_is_said_plainly() {
    let world = World::bare();
    let ran = world.receipt(&["recover"]);
    assert_ne!(ran.code, 0);
    assert!(ran.err.contains("receipt init"), "{}", ran.err);
    let world = World::new();
    events(&world, 0, 2);
    fs::write(segment(&world), "").unwrap();
    let stores = fs::read_dir(world.home().join("ledger")).unwrap();
    for path in stores.map(|e| e.unwrap().path()) {
        if path.is_dir()
            && path
                .file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .starts_with("db-")
        {
            fs::remove_dir_all(path).unwrap();
        }
    }
    let ran = world.receipt(&["recover", "--accept-loss"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("restore a copy"), "{}", ran.err);
}
