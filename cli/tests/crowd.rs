//! The service among many clients: bounded, polite, and never losing an event.

use crate::client::{Client, event};
use crate::world::{World, answer, finish, start};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Numbers of variants: `ToService::Query`, `ToClient::Reply`, `ToClient::Refused`.
const QUERY: u8 = 3;
const REPLY: u32 = 3;
const REFUSED: u32 = 4;

/// What the service may hold whatever its clients do: 64 MiB of messages, as
/// they came and as they were read, 64 MiB of answers, 256 stacks, and itself.
const BOUND_KIB: u64 = 256 << 10;

fn request(call: &str) -> Value {
    json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_use_id": call, "tool_input": {"command": format!("ls {call}")}})
}

/// The most memory that a process ever held, in KiB.
fn peak(pid: u64) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_thousand_clients_of_every_kind_take_bounded_memory() {
    let world = World::new();
    world.event(&request("first"));
    let pid = world.service().unwrap();
    let large = event(7, &vec![b'x'; 16 << 20]);
    let length = u32::try_from(large.len()).unwrap().to_le_bytes();
    let mut crowd = Vec::new();
    for n in 0..1_000 {
        let mut client = match n % 5 {
            // Silence, before the greeting and after it.
            0 => Client::silent(&world),
            _ => Client::new(&world),
        };
        let stream = &mut client.stream;
        stream
            .set_write_timeout(Some(Duration::from_millis(20)))
            .unwrap();
        // Whoever is sent away, or has to wait, does not hear all of it.
        let _ = match n % 5 {
            // Half a length; half a frame; a huge frame but for its last byte.
            2 => stream.write_all(&[200, 0]),
            3 => stream.write_all(&[0, 1, 0, 0, 9, 9]),
            4 if n % 50 == 4 => stream
                .write_all(&length)
                .and_then(|()| stream.write_all(&large[..large.len() - 1])),
            _ => Ok(()),
        };
        crowd.push(client);
    }
    let begun = Instant::now();
    world.event(&request("last"));
    assert!(begun.elapsed() < Duration::from_secs(4));
    let held = peak(pid);
    eprintln!("peak of the service: {} MiB", held >> 10);
    assert!(held < BOUND_KIB, "{held} KiB");
    assert_eq!(world.service(), Some(pid), "it lives on");
    drop(crowd);
    let records = world.records();
    let calls = records.iter().filter(|r| r["kind"] == "tool-requested");
    for call in calls.clone() {
        assert!(!call["flags"].to_string().contains("late"), "{call}");
    }
    assert_eq!(calls.count(), 2);
}

/// Questions with large answers that nobody reads.
#[test]
fn answers_that_nobody_reads_take_bounded_memory() {
    let world = World::new();
    world.event(&request("first"));
    let mut long = br#"{"hook_event_name":"Notification","message":""#.to_vec();
    // Letters in no order, which no compression makes small.
    let mut state = 1u32;
    long.resize_with(5 << 20, || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b'a' + u8::try_from((state >> 24) % 26).unwrap()
    });
    for n in 0..3 {
        let mut client = Client::new(&world);
        long[60] = b'a' + n;
        client.send(&event(n, &long));
        assert_eq!(client.answer(), 0);
    }
    let pid = world.service().unwrap();
    // Query::Records { from: 0, limit: 256 }.
    let before = peak(pid);
    let mut all = vec![QUERY, 0, 0, 0, 2, 0, 0, 0];
    all.extend(0u64.to_le_bytes());
    all.extend(256u32.to_le_bytes());
    let mut crowd: Vec<Client> = (0..64).map(|_| Client::new(&world)).collect();
    for client in &mut crowd {
        client.send(&all);
    }
    std::thread::sleep(Duration::from_secs(1));
    world.event(&request("meanwhile"));
    let held = peak(pid);
    eprintln!(
        "peak of the service: {} MiB, before {} MiB",
        held >> 10,
        before >> 10
    );
    assert!(held < BOUND_KIB, "{held} KiB");
    drop(crowd);
    assert_eq!(world.service(), Some(pid), "it lives on");
}

#[test]
fn a_message_that_is_not_known_is_refused_in_words_of_the_protocol() {
    let world = World::new();
    world.event(&request("first"));
    let unknown: [&[u8]; 5] = [
        &[99, 0, 0, 0],
        &[QUERY, 0, 0, 0, 99, 0, 0, 0],
        &[],
        b"GET / HTTP/1.1",
        // Status, and something after it.
        &[QUERY, 0, 0, 0, 0, 0, 0, 0, 1],
    ];
    for message in unknown {
        let mut client = Client::new(&world);
        client.send(message);
        // ToClient::Refused, Refusal::NotUnderstood, and the end.
        assert_eq!(client.answer(), REFUSED, "{message:?}");
        assert_eq!(client.said, [0, 0, 0, 0], "{message:?}");
        assert_eq!(client.stream.read(&mut [0]).unwrap(), 0, "{message:?}");
    }
    let mut huge = Client::new(&world);
    huge.stream.write_all(&u32::MAX.to_le_bytes()).unwrap();
    assert_eq!(huge.answer(), REFUSED);
    // A snapshot that nobody asked for is understood, and refused.
    let mut client = Client::new(&world);
    client.send(&crate::client::snapshot(&"a".repeat(40), 0));
    assert_eq!(client.answer(), REFUSED);
    assert_eq!(client.said, [1, 0, 0, 0]);
    assert!(world.service().is_some());
}

#[test]
fn an_idle_service_ends_and_the_next_hook_starts_another() {
    let world = World::new();
    let mut command = world.command();
    command.args(["service", "run", "--idle", "1"]);
    let first = start(command, b"");
    let pid = u64::from(first.id());
    while world.service().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    world.event(&request("a"));
    assert_eq!(world.service(), Some(pid));
    // Whoever is connected and says nothing keeps it from nothing.
    let _silent = Client::new(&world);
    let ran = finish(first);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(world.service(), None);
    world.event(&request("b"));
    assert!(world.service().is_some_and(|next| next != pid));
    assert_eq!(
        world
            .kinds()
            .iter()
            .filter(|k| *k == "tool-requested")
            .count(),
        2
    );
    world.audit();
}

/// The service is stopped over and over while sixteen hooks send.
#[test]
fn each_event_is_in_ledger_or_spool_once_however_often_the_service_is_stopped() {
    let world = World::new();
    world.event(&request("first"));
    let stopping = AtomicBool::new(true);
    let (world, going) = (&world, &stopping);
    let mut expected: Vec<String> = std::thread::scope(|scope| {
        let send = |sender: u32| {
            move || {
                let mut sent = Vec::new();
                while sent.len() < 3 || going.load(Ordering::Acquire) {
                    let call = format!("t{sender}-{}", sent.len());
                    let hook = world.start_hook(request(&call).to_string().as_bytes());
                    assert_eq!(answer(hook), "");
                    sent.push(format!("ls {call}"));
                }
                sent
            }
        };
        let senders: Vec<_> = (0..16).map(|sender| scope.spawn(send(sender))).collect();
        let mut stops = 0;
        while stops < 4 {
            let ran = world.receipt(&["service", "stop"]);
            if ran.code != 0 {
                going.store(false, Ordering::Release);
            }
            assert_eq!(ran.code, 0, "{}", ran.err);
            stops += u32::from(ran.out == "stopped\n");
        }
        going.store(false, Ordering::Release);
        let sent = senders.into_iter().map(|sender| sender.join().unwrap());
        sent.flatten().collect()
    });
    eprintln!("{} events during four stops", expected.len());
    expected.push("ls first".to_owned());
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for record in world.records() {
        if record["kind"] == "tool-requested" {
            let command = record["body"]["commands"]["command"].as_str().unwrap();
            *counts.entry(command.to_owned()).or_default() += 1;
        }
    }
    expected.sort();
    assert_eq!(counts.keys().cloned().collect::<Vec<_>>(), expected);
    assert!(counts.values().all(|n| *n == 1), "{counts:?}");
    world.audit();
}

/// A stop whose hook takes its snapshot while the service is told to end still
/// gets its verdict.
#[test]
fn a_stop_that_is_being_judged_is_judged_to_its_end() {
    let world = World::new();
    let said = |name: &str, more: &Value| {
        let mut event = json!({"session_id": "s", "hook_event_name": name});
        event
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        event
    };
    world.event(&said("UserPromptSubmit", &json!({"prompt": "go"})));
    let path = world.project().join("a.py");
    let content = "x = 1\n".repeat(50);
    let edit = json!({"tool_name": "Write", "tool_use_id": "w", "cwd": world.project(),
        "tool_input": {"file_path": path, "content": content},
        "tool_response": {"type": "create", "filePath": path, "content": content,
            "originalFile": null, "structuredPatch": []}});
    world.event(&said("PreToolUse", &edit));
    world.write("a.py", &content);
    world.event(&said("PostToolUse", &edit));
    let mut client = Client::new(&world);
    client.send(&event(9, said("Stop", &json!({})).to_string().as_bytes()));
    assert_eq!(client.answer(), 1, "a snapshot is asked for");
    let mut stopping = Client::new(&world);
    stopping.send(&[QUERY, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(stopping.answer(), REPLY);
    client.send(&crate::client::snapshot(&"a".repeat(40), 0));
    assert_eq!(client.answer(), 0, "done");
    let said = String::from_utf8_lossy(&client.said).into_owned();
    assert!(said.contains("not verified"), "{said}");
    let kinds = world.kinds();
    assert!(kinds.contains(&"verdict-stop".to_owned()), "{kinds:?}");
    assert!(!kinds.contains(&"stop-unanswered".to_owned()), "{kinds:?}");
}

/// More sessions than are kept warm, in the middle of a turn that fails.
#[test]
fn a_turn_is_judged_after_a_thousand_other_sessions() {
    let world = World::new();
    let path = world.project().join("a.py");
    let said = |name: &str, more: Value| {
        let mut event = json!({"session_id": "s", "hook_event_name": name, "cwd": world.project()});
        let members = more.as_object().unwrap().clone();
        event.as_object_mut().unwrap().extend(members);
        world.event(&event)
    };
    said("UserPromptSubmit", json!({"prompt": "go"}));
    let edit = json!({"tool_name": "Write", "tool_use_id": "w",
        "tool_input": {"file_path": path, "content": "x = 1\n"},
        "tool_response": {"type": "create", "filePath": path, "content": "x = 1\n",
            "originalFile": null, "structuredPatch": []}});
    said("PreToolUse", edit.clone());
    world.write("a.py", "x = 1\n");
    said("PostToolUse", edit);
    std::thread::scope(|scope| {
        for part in 0..8 {
            let world = &world;
            scope.spawn(move || {
                for n in 0..150u32 {
                    let other = json!({"session_id": format!("{part}-{n}"),
                        "hook_event_name": "Notification", "message": "m"});
                    let mut id = event(part, other.to_string().as_bytes());
                    // The event's own id, after the agent's name.
                    id[25..29].copy_from_slice(&n.to_le_bytes());
                    let mut client = Client::new(world);
                    client.send(&id);
                    assert_eq!(client.answer(), 0);
                }
            });
        }
    });
    said(
        "PostToolUseFailure",
        json!({"tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": "pytest -q"},
            "error": "Exit code 1\n1 failed in 0.01s"}),
    );
    let answer = said("Stop", json!({}));
    assert!(answer.contains("\"decision\":\"block\""), "{answer}");
    let kinds = world.kinds();
    let others = kinds.iter().filter(|kind| *kind == "notified").count();
    assert_eq!(others, 1_200, "none is taken for another");
}
