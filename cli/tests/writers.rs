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
fn write(world: &World, writer: u16) {
    for n in 0..EVENTS {
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
            scope.spawn(move || write(world, writer));
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
