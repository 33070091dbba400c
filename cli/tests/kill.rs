//! The service is killed at random, a third of the times while it opens the
//! ledger, and sixteen writers go on. `RECEIPT_KILLS` sets how often.

use crate::world::World;
use serde_json::json;
use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often without `RECEIPT_KILLS`.
const KILLS: u64 = 200;

const WRITERS: u64 = 16;

/// A small generator: the same kills for the same number of them.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Sends events until it is told to end; returns how many were sent. Each hook
/// exits 0 and says nothing, or the test fails.
fn write(world: &World, writer: u64, ends: &AtomicBool) -> u64 {
    let mut sent = 0;
    while !ends.load(Ordering::Relaxed) {
        let filler = "x".repeat(if sent % 50 == 49 { 200_000 } else { 600 });
        let payload = json!({
            "session_id": format!("w{writer}"), "cwd": "/nowhere",
            "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_use_id": format!("{writer}-{sent}"),
            "tool_input": {"command": format!("echo {writer}-{sent} {filler}")},
        });
        assert_eq!(world.event(&payload), "");
        sent += 1;
    }
    sent
}

/// Kills services; of three one as soon as it is there, while it opens.
fn kill(world: &World, kills: u64) {
    let mut chance = Chance(kills);
    let mut done = 0;
    while done < kills {
        let Some(pid) = world.services().first().copied() else {
            std::thread::sleep(Duration::from_micros(200));
            continue;
        };
        let opening = done % 3 == 0;
        let wait = chance.below(if opening { 8_000 } else { 60_000 });
        std::thread::sleep(Duration::from_micros(wait));
        let killed = Command::new("kill").args(["-9", &pid.to_string()]).output();
        done += u64::from(killed.unwrap().status.success());
        while world.services().contains(&pid) {
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_service_that_is_killed_at_any_time_loses_no_event() {
    let kills = std::env::var("RECEIPT_KILLS").ok();
    let kills = kills.map_or(KILLS, |text| text.parse().unwrap());
    let world = World::new();
    let ends = AtomicBool::new(false);
    let sent: Vec<u64> = std::thread::scope(|scope| {
        let (world, ends) = (&world, &ends);
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| scope.spawn(move || write(world, writer, ends)))
            .collect();
        kill(world, kills);
        ends.store(true, Ordering::Relaxed);
        writers.into_iter().map(|w| w.join().unwrap()).collect()
    });
    world.audit();
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    let mut repairs = 0_u64;
    for record in world.records() {
        match record["kind"].as_str() {
            Some("tool-requested") => {
                let command = record["body"]["commands"]["command"].as_str().unwrap();
                let name = command.split(' ').nth(1).unwrap().to_owned();
                *found.entry(name).or_default() += 1;
            }
            Some("recovery") => repairs += 1,
            _ => {}
        }
    }
    for (writer, sent) in (0..WRITERS).zip(&sent) {
        for n in 0..*sent {
            let count = found.get(&format!("{writer}-{n}"));
            assert_eq!(count, Some(&1), "event {n} of writer {writer}");
        }
    }
    let events: u64 = sent.iter().sum();
    assert!(events > kills, "{events} events");
    println!("{kills} kills, {events} events, {repairs} repairs");
}
