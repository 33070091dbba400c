//! Captured sessions, one hook process per event, with the captured overlap.

use crate::world::{World, answer, finish, start};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Child;

/// A session file: what is expected, and the events.
struct Session {
    name: String,
    head: Value,
    steps: Vec<Value>,
}

fn sessions() -> Vec<Session> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/sessions");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "jsonl"));
    paths.sort();
    assert!(paths.len() >= 10, "the folder of sessions is empty");
    paths.iter().map(read).collect()
}

fn read(path: &PathBuf) -> Session {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    Session {
        name: path.file_stem().unwrap().to_string_lossy().into_owned(),
        head: lines.next().unwrap(),
        steps: lines.collect(),
    }
}

/// The payload as the hook gets it in this world.
fn payload(world: &World, step: &Value) -> Vec<u8> {
    let text = step["payload"].to_string();
    let text = text.replace("${PROJECT}", world.project().to_str().unwrap());
    text.replace("${HOME}", world.path("user").to_str().unwrap())
        .into_bytes()
}

/// Plays a session; returns what each stop was answered, and checks that no
/// other event printed anything.
fn play(world: &World, session: &Session) -> Vec<String> {
    for (name, text) in session.head["files"].as_object().unwrap() {
        world.write(name, text.as_str().unwrap());
    }
    world.git(&["add", "-A"]);
    world.git(&["commit", "-q", "--allow-empty", "-m", "before"]);
    let mut running: Vec<(bool, Child)> = Vec::new();
    let mut stops = Vec::new();
    for step in &session.steps {
        if step["overlaps"] == false {
            collect(&mut running, &mut stops, &session.name);
        }
        for write in step["write"].as_array().into_iter().flatten() {
            world.write(
                write["path"].as_str().unwrap(),
                write["text"].as_str().unwrap(),
            );
        }
        let is_stop = step["payload"]["hook_event_name"] == "Stop";
        running.push((is_stop, world.start_hook(&payload(world, step))));
    }
    collect(&mut running, &mut stops, &session.name);
    stops
}

fn collect(running: &mut Vec<(bool, Child)>, stops: &mut Vec<String>, name: &str) {
    for (is_stop, child) in running.drain(..) {
        let out = answer(child);
        if is_stop {
            stops.push(out);
        } else {
            assert_eq!(out, "", "{name}: only a stop is answered");
        }
    }
}

/// One record for each payload, with the payload unchanged in its evidence.
fn assert_nothing_is_lost(world: &World, session: &Session) {
    let mut expected: Vec<String> = session
        .steps
        .iter()
        .map(|step| String::from_utf8(payload(world, step)).unwrap())
        .collect();
    let mut found = Vec::new();
    for record in world.records() {
        if record["client_us"].as_u64() == Some(0) {
            continue;
        }
        let number = record["seq"].to_string();
        let ran = world.receipt(&["show", &number, "--evidence"]);
        let shown: Value = serde_json::from_str(&ran.out).unwrap();
        found.push(shown["evidence"][0].as_str().unwrap().to_owned());
    }
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "{}", session.name);
}

/// What is told to be missing, null if nothing is.
fn gaps(world: &World) -> Value {
    let records = world.records();
    let gaps = records.iter().filter(|r| r["kind"] == "gap");
    let reasons: Vec<Value> = gaps
        .map(|r| r["body"]["facts"]["obs"][0]["gap"].clone())
        .collect();
    if reasons.is_empty() {
        Value::Null
    } else {
        Value::from(reasons)
    }
}

fn check(session: &Session) {
    let world = World::new();
    let stops = play(&world, session);
    if let Some(expected) = session.head["stops"].as_array() {
        let brief = |answer: &String| match answer.contains("\"decision\":\"block\"") {
            true => "block".to_owned(),
            false => answer.clone(),
        };
        let got: Vec<String> = stops.iter().map(brief).collect();
        assert_eq!(
            Value::from(got),
            Value::from(expected.clone()),
            "{}",
            session.name
        );
    }
    for stop in stops.iter().filter(|s| s.contains("block")) {
        assert!(stop.contains('#'), "{stop}");
    }
    assert_nothing_is_lost(&world, session);
    assert_eq!(gaps(&world), session.head["gaps"], "{}", session.name);
    world.audit();
    if let Some(code) = session.head["verify"].as_i64() {
        let ran = world.export_and_verify();
        assert_eq!(i64::from(ran.code), code, "{}: {}", session.name, ran.out);
        assert_eq!(ran.out.contains("VERIFIED"), code == 0, "{}", ran.out);
    }
}

#[test]
fn captured_sessions_are_answered_recorded_and_verified() {
    // Two at once: each world has processes of its own.
    let sessions = sessions();
    std::thread::scope(|scope| {
        for half in [0, 1] {
            let mine = sessions.iter().skip(half).step_by(2);
            scope.spawn(move || mine.for_each(check));
        }
    });
}

#[test]
fn a_flipped_byte_of_an_exported_receipt_is_refused() {
    let world = World::new();
    let sessions = sessions();
    play(&world, sessions.iter().find(|s| s.name == "pass").unwrap());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("receipt.json");
    world.receipt(&["export", "-o", file.to_str().unwrap()]);
    let signers = world.receipt(&["key", "show", "--format", "allowed-signers"]);
    fs::write(folder.path().join("allowed_signers"), signers.out).unwrap();
    let good = fs::read(&file).unwrap();
    for position in (0..good.len()).step_by(good.len() / 200) {
        let mut bad = good.clone();
        bad[position] ^= 1;
        fs::write(&file, bad).unwrap();
        let ran = crate::world::verify(folder.path());
        assert_ne!(ran.code, 0, "byte {position}");
        assert!(
            !ran.out.contains("VERIFIED"),
            "byte {position}: {}",
            ran.out
        );
    }
}

#[test]
fn a_receipt_can_be_read_from_stdin() {
    let world = World::new();
    let sessions = sessions();
    play(&world, sessions.iter().find(|s| s.name == "pass").unwrap());
    let receipt = world.receipt(&["export"]).out;
    let trust = world.path("allowed_signers");
    fs::write(
        &trust,
        world
            .receipt(&["key", "show", "--format", "allowed-signers"])
            .out,
    )
    .unwrap();
    let mut command = world.command();
    command.args([
        "verify",
        "-",
        "--format",
        "json",
        "--trust",
        trust.to_str().unwrap(),
    ]);
    let ran = finish(start(command, receipt.as_bytes()));
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (ran.code, report["version"].as_u64()),
        (0, Some(1)),
        "{}",
        ran.out
    );
}
