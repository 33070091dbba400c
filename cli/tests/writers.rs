//! Many sessions at once on one service, each a writer that waits for its answers.

use crate::client::{Client, event_of};
use crate::world::World;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const WRITERS: u16 = 64;
const EVENTS: u16 = 200;

/// On two busy cores it takes a tenth of this.
const BOUND: Duration = Duration::from_secs(240);

fn request(writer: u16, n: u16) -> Value {
    json!({"session_id": format!("w{writer}"), "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_use_id": format!("t{writer}-{n}"),
        "tool_input": {"command": format!("ls {writer} {n}")}})
}

/// Sends a writer's events, each once the one before is acknowledged.
fn write(world: &World, writer: u16, events: u16) {
    for n in 0..events {
        let id = u128::from(writer) << 16 | u128::from(n);
        let mut client = Client::new(world);
        client.send(&event_of(id, request(writer, n).to_string().as_bytes()));
        assert_eq!(client.answer(), 0, "done: writer {writer}, event {n}");
    }
}

#[test]
fn sixty_four_writers_lose_nothing_and_keep_their_order() {
    let world = World::new();
    world.event(&json!({"session_id": "first", "hook_event_name": "Notification"}));
    let service = world.service();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let world = &world;
            scope.spawn(move || write(world, writer, EVENTS));
        }
    });
    let took = begun.elapsed();
    eprintln!(
        "{} events in {took:?}",
        u32::from(WRITERS) * u32::from(EVENTS)
    );
    assert!(took < BOUND, "{took:?}");
    assert_eq!(world.service(), service, "one service took them all");
    let mut commands: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for record in world.records() {
        if record["kind"] == "tool-requested" {
            let command = record["body"]["commands"]["command"].as_str().unwrap();
            let of = commands.entry(record["stream"].to_string()).or_default();
            of.push(command.to_owned());
            assert_eq!(record["stream_seq"].as_u64().unwrap() + 1, of.len() as u64);
        }
    }
    let mut found: Vec<_> = commands.into_values().collect();
    let sent = |writer| {
        (0..EVENTS)
            .map(move |n| format!("ls {writer} {n}"))
            .collect()
    };
    let mut expected: Vec<Vec<String>> = (0..WRITERS).map(sent).collect();
    found.sort();
    expected.sort();
    assert!(
        found == expected,
        "an event is missing, twice or out of order"
    );
    world.audit();
}

/// `ToClient::Progress`.
const PROGRESS: u32 = 6;

/// `ToService::Query`, `Query::Audit`.
const AUDIT: [u8; 8] = [3, 0, 0, 0, 4, 0, 0, 0];

/// The report, and how often there was word of its progress.
fn audit(world: &World) -> (Value, u32) {
    let mut client = Client::new(world);
    client.send(&AUDIT);
    let mut told = 0;
    while client.answer() == PROGRESS {
        told += 1;
    }
    // `Reply::Audit`, the report's length, the report, whether it is sound.
    let report = &client.said[12..client.said.len() - 1];
    (serde_json::from_slice(report).unwrap(), told)
}

#[test]
fn hooks_are_answered_while_the_ledger_is_audited() {
    let world = World::new();
    world.event(&json!({"session_id": "first", "hook_event_name": "Notification"}));
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let world = &world;
            scope.spawn(move || write(world, writer, 150));
        }
    });
    let before = u64::from(WRITERS) * 150;
    let begun = Instant::now();
    let (sound, longest) = std::thread::scope(|scope| {
        let audit = scope.spawn(|| audit(&world));
        let (mut answered, mut longest) = (0u16, Duration::ZERO);
        while !audit.is_finished() {
            let one = Instant::now();
            let mut client = Client::new(&world);
            let id = u128::from(answered) | 1 << 64;
            client.send(&event_of(
                id,
                request(1_000, answered).to_string().as_bytes(),
            ));
            assert_eq!(client.answer(), 0);
            answered += 1;
            longest = longest.max(one.elapsed());
            std::thread::sleep(Duration::from_millis(2));
        }
        let (report, told) = audit.join().unwrap();
        eprintln!("{answered} answered, {told} times told, {report}");
        assert!(
            answered > 5 && told > 0,
            "{answered} answered, {told} times told"
        );
        assert!(report["records"].as_u64().unwrap() > before, "{report}");
        (report["sound"].clone(), longest)
    });
    let took = begun.elapsed();
    eprintln!("audited in {took:?}, the longest answer {longest:?}");
    assert_eq!(sound, true);
    assert!(longest < took / 2, "{longest:?} of {took:?}");
    // Whoever leaves takes the audit along: there is one at a time.
    let mut client = Client::new(&world);
    client.send(&AUDIT);
    assert_eq!(client.answer(), PROGRESS);
    let ran = world.receipt(&["audit"]);
    assert!(
        ran.code != 0 && ran.err.contains("too many questions"),
        "{}",
        ran.err
    );
    drop(client);
    let until = Instant::now() + Duration::from_secs(20);
    while world.receipt(&["audit"]).code != 0 {
        assert!(Instant::now() < until, "the audit is not given up");
        std::thread::sleep(Duration::from_millis(100));
    }
}
