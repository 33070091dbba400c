//! What it costs to observe and fold an event, and how that grows with its size:
//! `cargo bench -p receipt-gates`.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measuring program stops at the first surprise, reads clocks and prints"
)]

use receipt_core::agent;
use receipt_core::event::Agent;
use receipt_core::record::{Flags, Kind};
use receipt_gates::facts::Opening;
use receipt_gates::fold::{OBSERVER, Stream};
use receipt_gates::gate::in_force;
use receipt_gates::guard::Protected;
use receipt_gates::keyed::Keyer;
use receipt_gates::observe::{Context, observe};
use receipt_gates::profile::Profile;
use receipt_gates::record::RecordView;
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A session that is folded as events come.
struct Session {
    keyer: Keyer,
    stream: Stream,
    seq: u64,
}

impl Session {
    fn new() -> Self {
        let mut session = Self {
            keyer: Keyer::new(&[0; 32], &[1; 32]),
            stream: Stream::default(),
            seq: 0,
        };
        session.take(&payload(&prompt()));
        session
    }

    /// Parses, observes and folds one payload.
    fn take(&mut self, payload: &[u8]) {
        let wired = [];
        let event = agent::event(Agent::ClaudeCode, payload);
        let context = Context {
            keyer: &self.keyer,
            root: Some("/work/project"),
            scheduled: self.stream.scheduled(),
            protected: Protected {
                home: Some("/home/dev/.local/share/receipt"),
                user: Some("/home/dev"),
                wired: &wired,
            },
        };
        let mut observed = observe(&event, &context);
        self.seq += 1;
        let mut flags = observed.flags;
        if self.stream.opens(observed.kind) {
            flags |= Flags::OPENS_TURN;
            observed.facts.open = Some(Opening {
                profile: String::new(),
                observer: OBSERVER,
                gates: in_force(),
                repository: None,
                carry: None,
                ran: false,
                scheduled: self.stream.scheduled().clone(),
            });
        }
        self.stream.apply(&RecordView {
            seq: self.seq,
            kind: Some(observed.kind),
            flags,
            wall_us: self.seq,
            facts: Some(&observed.facts),
        });
        black_box(Kind::Other);
    }

    fn decide(&self) {
        let profile = Profile::default();
        black_box(self.stream.fold().map(|fold| fold.verdict(&profile, b"{}")));
    }
}

fn payload(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

fn prompt() -> Value {
    json!({"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": "/work/project",
        "prompt": "Make the parser read the new form, and test it."})
}

fn bash(command: &str, output: &str) -> Value {
    json!({"hook_event_name": "PostToolUse", "session_id": "s", "cwd": "/work/project",
        "tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": command},
        "tool_response": {"stdout": output, "stderr": "", "interrupted": false}})
}

fn write(text: &str) -> Value {
    json!({"hook_event_name": "PostToolUse", "session_id": "s", "cwd": "/work/project",
        "tool_name": "Write", "tool_use_id": "w",
        "tool_input": {"file_path": "/work/project/src/parse.py", "content": text},
        "tool_response": {"type": "create", "filePath": "/work/project/src/parse.py",
            "content": text, "originalFile": null, "structuredPatch": []}})
}

fn stop(message: &str) -> Value {
    json!({"hook_event_name": "Stop", "session_id": "s", "cwd": "/work/project",
        "stop_hook_active": false, "last_assistant_message": message})
}

/// The median time of a payload, in microseconds.
fn cost(value: &Value) -> f64 {
    let payload = payload(value);
    let mut session = Session::new();
    let mut times = Vec::new();
    let until = Instant::now() + Duration::from_millis(400);
    while times.len() < 5 || (Instant::now() < until && times.len() < 2_000) {
        let begun = Instant::now();
        session.take(&payload);
        times.push(begun.elapsed().as_secs_f64() * 1e6);
        if times.len() % 200 == 0 {
            session = Session::new();
        }
    }
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap()
}

fn lines(count: usize) -> String {
    let line = |n: usize| format!("    value_{n} = read(source, {n})  # step {n}\n");
    (0..count).map(line).collect()
}

fn typical() {
    println!("a typical event, parsed, observed and folded       µs");
    let output = "tests/test_parse.py::test_form PASSED\n".repeat(260) + "260 passed in 1.92s\n";
    let message = "I changed how the parser reads the new form and ran the tests. ".repeat(30);
    let read = json!({"hook_event_name": "PostToolUse", "session_id": "s", "cwd": "/work/project",
        "tool_name": "Read", "tool_use_id": "r", "tool_input": {"file_path": "/work/project/a.py"},
        "tool_response": {"type": "text", "file": {"filePath": "/work/project/a.py",
            "content": lines(200)}}});
    let before = json!({"hook_event_name": "PreToolUse", "session_id": "s",
        "cwd": "/work/project", "tool_name": "Bash", "tool_use_id": "t",
        "tool_input": {"command": "cd api && uv run pytest -q tests | tail -20"}});
    for (name, value) in [
        ("a prompt", prompt()),
        ("a shell call, before it runs", before),
        (
            "its result, 10 KB",
            bash("cd api && uv run pytest -q tests | tail -20", &output),
        ),
        ("a file of 200 lines that was read", read),
        ("an edit of 40 lines", write(&lines(40))),
        ("a stop, 2 KB of message", stop(&message)),
    ] {
        println!("  {name:<46} {:>7.0}", cost(&value));
    }
}

fn growth() {
    println!("\nhow it grows                              size        µs   when doubled");
    let row = |name: &str, size: usize, make: &dyn Fn(usize) -> Value| {
        let (one, two) = (cost(&make(size / 2)), cost(&make(size)));
        println!("  {name:<34} {size:>10} {two:>9.0}   {:>6.2}", two / one);
    };
    row("output, bytes", 30 << 20, &|n| {
        bash("pytest -v | cat", &"a test PASSED\n".repeat(n / 14))
    });
    row("a file of one line, bytes", 5 << 20, &|n| {
        write(&"x=1;".repeat(n / 4))
    });
    row("a file of many lines, bytes", 5 << 20, &|n| {
        write(&lines(n / 44))
    });
    row("commands in a line", 10_000, &|n| {
        bash(&"pytest -q; ".repeat(n), "1 passed in 0.1s")
    });
    row("pipes", 10_000, &|n| bash(&"cat a | ".repeat(n), ""));
    for (name, piece) in [
        ("`(`", "("),
        ("`$(`", "$("),
        ("quotes", "'\""),
        ("here-documents", "cat <<E\n"),
        ("backslashes", "\\"),
        ("redirections", "> a "),
        ("`bash -c '`", "bash -c '"),
    ] {
        row(name, 100_000, &|n| bash(&piece.repeat(n / piece.len()), ""));
    }
    row("a message, bytes", 1 << 20, &|n| {
        stop(&"All tests pass, not run. ".repeat(n / 25))
    });
}

/// Events in one turn, and the verdict on them.
fn turns() {
    println!("\na turn of so many events                            µs each   the verdict, µs");
    for events in [1_000, 10_000, 100_000] {
        let mut session = Session::new();
        let payloads = [
            payload(&write(&lines(5))),
            payload(&bash("pytest -q", "3 passed in 0.1s")),
        ];
        let begun = Instant::now();
        for at in 0..events {
            session.take(payloads.get(at % 2).unwrap());
        }
        session.take(&payload(&stop("Done.")));
        let each = begun.elapsed().as_secs_f64() * 1e6 / events as f64;
        let begun = Instant::now();
        session.decide();
        let decided = begun.elapsed().as_secs_f64() * 1e6;
        println!("  {events:<46} {each:>10.1} {decided:>16.0}");
    }
}

fn main() {
    typical();
    growth();
    turns();
}
