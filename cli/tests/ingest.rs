//! Every captured payload becomes one record, unknown fields and all.
//!
//! `fixtures/sessions` and `fixtures/hooks` are always read, the folder that
//! `RECEIPT_CAPTURED_PAYLOADS` names where it is set.

use crate::world::World;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Hook processes at once, each over files of its own.
const THREADS: usize = 4;

fn fixtures(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures")
        .join(name)
}

/// Files of a folder and of the folders in it, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What the service has recorded of hooks, by the payload in its evidence.
fn recorded(world: &World) -> Vec<String> {
    let records = world.records();
    let duplicates = records.iter().filter(|r| r["kind"] == "duplicate");
    assert_eq!(duplicates.count(), 0, "no payload is taken for another");
    let events: Vec<u64> = records
        .iter()
        .filter(|r| r["client_us"] != 0)
        .map(|r| r["seq"].as_u64().unwrap())
        .collect();
    let shown = |seq: &u64| {
        let ran = world.receipt(&["show", &seq.to_string(), "--evidence"]);
        let record: Value = serde_json::from_str(&ran.out).unwrap();
        record["evidence"][0].as_str().unwrap().to_owned()
    };
    let mut found: Vec<String> = parallel(&events, |seq| shown(seq));
    found.sort();
    found
}

/// Applies a function to every item, some at a time.
fn parallel<T: Sync, R: Send>(items: &[T], each: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let size = items.len().div_ceil(THREADS).max(1);
    std::thread::scope(|scope| {
        let running: Vec<_> = items
            .chunks(size)
            .map(|chunk| scope.spawn(|| chunk.iter().map(&each).collect::<Vec<R>>()))
            .collect();
        running
            .into_iter()
            .flat_map(|t| t.join().unwrap())
            .collect()
    })
}

/// Hands every payload to a hook of its own; each is recorded as it came.
fn ingest(mut payloads: Vec<String>) {
    assert!(!payloads.is_empty());
    let world = World::new();
    parallel(&payloads, |payload| world.hook(payload.as_bytes()));
    payloads.sort();
    let recorded = recorded(&world);
    assert_eq!(
        recorded.len(),
        payloads.len(),
        "one record for each payload"
    );
    for (payload, recorded) in payloads.iter().zip(&recorded) {
        assert_eq!(payload, recorded);
    }
    let late = world
        .records()
        .into_iter()
        .filter(|r| r["flags"][0] == "late");
    assert_eq!(late.count(), 0);
    world.audit();
}

#[test]
fn the_sessions_are_recorded_without_loss() {
    let lines = files(&fixtures("sessions"))
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .flat_map(|path| {
            let text = fs::read_to_string(path).unwrap();
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        });
    let payload = |line: String| {
        let step: Value = serde_json::from_str(&line).unwrap();
        step.get("payload").map(Value::to_string)
    };
    ingest(lines.filter_map(payload).collect());
}

#[test]
fn the_adapters_cases_are_recorded_without_loss() {
    let payloads = files(&fixtures("hooks"))
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .filter_map(|path| {
            let mut case: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            // The cases share their call ids; one call is one event of a session.
            if case["payload"]["session_id"].is_string() {
                case["payload"]["session_id"] = path.to_str().into();
            }
            let raw = case.get("raw").and_then(Value::as_str).map(str::to_owned);
            raw.or_else(|| case.get("payload").map(Value::to_string))
        });
    ingest(payloads.collect());
}

#[test]
fn every_captured_payload_is_recorded_without_loss() {
    let Some(folder) = std::env::var_os("RECEIPT_CAPTURED_PAYLOADS") else {
        eprintln!("skipped: RECEIPT_CAPTURED_PAYLOADS is not set");
        return;
    };
    let is_payload = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.ends_with(".json") && name.starts_with(|c: char| c.is_ascii_digit())
    };
    let payloads = files(Path::new(&folder)).into_iter().filter(is_payload);
    ingest(
        payloads
            .map(|path| fs::read_to_string(path).unwrap())
            .collect(),
    );
}
