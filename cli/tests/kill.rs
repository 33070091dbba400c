//! The service is killed at random, a third of the times while it opens the
//! ledger, under sixteen writers that always have events on their way.
//! `RECEIPT_KILLS` sets how often.

use crate::client::{acknowledged, event_of, socket};
use crate::world::{World, is_alive};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often without `RECEIPT_KILLS`.
const KILLS: u64 = 200;

/// Writers that are hooks: they start the next service.
const HOOKS: u64 = 4;

/// Writers that hold the service's own language: they send all the time.
const CLIENTS: u64 = 12;

/// Most events that a service acknowledges before it is killed.
const BEFORE: u64 = 30;

/// A service that acknowledges less in this time, on whatever machine, is killed
/// all the same; what comes after it shows why.
const LIFE: Duration = Duration::from_secs(30);

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

/// What the writers and whoever kills share.
struct Load {
    world: World,
    ends: AtomicBool,
    acked: AtomicU64,
    in_flight: AtomicU64,
}

/// What was sent: every event has a number; some were never acknowledged.
#[derive(Default)]
struct Sent {
    events: u64,
    open: Vec<u64>,
}

fn payload(writer: u64, n: u64) -> Value {
    let filler = "x".repeat(if n % 50 == 49 { 200_000 } else { 600 });
    json!({
        // A turn of its own now and then: a service folds a turn from its beginning.
        "session_id": format!("w{writer}-{}", n / 20), "cwd": "/nowhere",
        "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_use_id": format!("{writer}-{n}"),
        "tool_input": {"command": format!("echo {writer}-{n} {filler}")},
    })
}

impl Load {
    /// Hooks until the end. Each exits 0 and says nothing, or the test fails.
    fn hooks(&self, writer: u64) -> Sent {
        let mut sent = Sent::default();
        while !self.ends.load(Ordering::Relaxed) {
            assert_eq!(self.world.event(&payload(writer, sent.events)), "");
            self.acked.fetch_add(1, Ordering::Relaxed);
            sent.events += 1;
        }
        sent
    }

    /// Events to whatever service listens, each once the one before is answered.
    fn client(&self, writer: u64, socket: &Path) -> Sent {
        let mut sent = Sent::default();
        while !self.ends.load(Ordering::Relaxed) {
            let id = u128::from(writer) << 64 | u128::from(sent.events);
            let text = payload(writer, sent.events).to_string();
            match acknowledged(socket, &event_of(id, text.as_bytes())) {
                Ok(true) => {
                    self.acked.fetch_add(1, Ordering::Relaxed);
                }
                // Nobody listens: nothing was sent.
                Ok(false) => {
                    std::thread::sleep(Duration::from_micros(500));
                    continue;
                }
                Err(_) => {
                    self.in_flight.fetch_add(1, Ordering::Relaxed);
                    sent.open.push(sent.events);
                }
            }
            sent.events += 1;
        }
        sent
    }

    /// Kills services; of three one as soon as it is there. Returns how many of
    /// them did not listen yet.
    fn kill(&self, kills: u64, socket: &Path) -> u64 {
        let mut chance = Chance(kills);
        let (mut done, mut opening) = (0, 0);
        while done < kills {
            let pid = if done % 3 == 0 {
                let begun = self.world.services().first().copied();
                std::thread::sleep(Duration::from_micros(chance.below(8_000)));
                begun
            } else {
                let serving = serving(socket);
                if serving.is_some() {
                    self.wait_for(chance.below(BEFORE));
                }
                serving
            };
            let Some(pid) = pid else {
                std::thread::sleep(Duration::from_millis(1));
                continue;
            };
            let listens = serving(socket) == Some(pid);
            let killed = Command::new("kill").args(["-9", &pid.to_string()]).output();
            if killed.unwrap().status.success() {
                done += 1;
                opening += u64::from(!listens);
            }
            while is_alive(pid) {
                std::thread::sleep(Duration::from_micros(200));
            }
        }
        opening
    }

    /// Waits until so many more events are acknowledged.
    fn wait_for(&self, events: u64) {
        let due = self.acked.load(Ordering::Relaxed) + events;
        let begun = Instant::now();
        while self.acked.load(Ordering::Relaxed) < due && begun.elapsed() < LIFE {
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

/// The service that listens. The socket of the one before may be there still,
/// but nobody behind it.
fn serving(socket: &Path) -> Option<u64> {
    let stream = UnixStream::connect(socket).ok()?;
    let peer = rustix::net::sockopt::socket_peercred(&stream).ok()?;
    u64::try_from(peer.pid.as_raw_pid()).ok()
}

/// How often each event stands in the ledger, and how often it was mended.
fn found(world: &World) -> (BTreeMap<String, u64>, u64) {
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    let mut repairs = 0;
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
    (found, repairs)
}

#[test]
fn a_service_that_is_killed_at_any_time_loses_no_event() {
    let kills = std::env::var("RECEIPT_KILLS").ok();
    let kills = kills.map_or(KILLS, |text| text.parse().unwrap());
    let load = Load {
        world: World::new(),
        ends: AtomicBool::new(false),
        acked: AtomicU64::new(0),
        in_flight: AtomicU64::new(0),
    };
    load.world
        .event(&json!({"session_id": "first", "hook_event_name": "Notification"}));
    let socket = socket(&load.world);
    let mut opening = 0;
    let sent: Vec<Sent> = std::thread::scope(|scope| {
        let (load, socket) = (&load, &*socket);
        let writers: Vec<_> = (0..HOOKS + CLIENTS)
            .map(|writer| {
                scope.spawn(move || match writer {
                    0..HOOKS => load.hooks(writer),
                    _ => load.client(writer, socket),
                })
            })
            .collect();
        opening = load.kill(kills, socket);
        load.ends.store(true, Ordering::Relaxed);
        writers.into_iter().map(|w| w.join().unwrap()).collect()
    });
    load.world.audit();
    let (found, repairs) = found(&load.world);
    for (writer, sent) in (0..).zip(&sent) {
        for n in 0..sent.events {
            let count = found.get(&format!("{writer}-{n}")).copied().unwrap_or(0);
            let open = sent.open.contains(&n);
            assert!(
                count == 1 || open && count == 0,
                "event {n} of writer {writer}: {count} times, open: {open}"
            );
        }
    }
    let (acked, open) = (load.acked.into_inner(), load.in_flight.into_inner());
    println!(
        "{kills} kills, {opening} of them before it listened; {acked} events acknowledged, \
         none lost; {open} on their way when it was killed; {repairs} repairs"
    );
    assert!(opening * 4 >= kills, "{opening} of {kills} while it opened");
    assert!(acked > kills * 5, "{acked} events acknowledged");
    assert!(open > kills / 4, "{open} events on their way");
}
