//! What a receipt discloses, to whom, and how it is looked at.

use crate::world::{Ran, World, finish, start};
use serde_json::{Value, json};
use std::fs;

/// A world with one turn: an edit and a red test, both named.
fn turn() -> World {
    let world = World::new();
    let event = |mut payload: Value| {
        payload["session_id"] = "s".into();
        payload["cwd"] = json!(world.project());
        world.event(&payload);
    };
    event(json!({"hook_event_name": "UserPromptSubmit", "prompt": "Make it add"}));
    let path = world.project().join("adder.py");
    let mut call = json!({"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_use_id": "w",
        "tool_input": {"file_path": path, "content": "x = 1\n"}});
    event(call.clone());
    world.write("adder.py", "x = 1\n");
    call["hook_event_name"] = "PostToolUse".into();
    call["tool_response"] = json!({"type": "create", "filePath": path, "content": "x = 1\n",
        "originalFile": null, "structuredPatch": []});
    event(call);
    let mut call = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t",
        "tool_input": {"command": "pytest -q | tail -3"}});
    event(call.clone());
    call["hook_event_name"] = "PostToolUse".into();
    call["tool_response"] = json!({"stdout": "1 failed, 2 passed in 0.1s", "stderr": ""});
    event(call);
    event(json!({"hook_event_name": "Stop", "stop_hook_active": false,
        "last_assistant_message": "It adds."}));
    world
}

/// Exports, and pins the key beside it.
fn export(world: &World, arguments: &[&str]) -> Ran {
    let signers = world.receipt(&["key", "show", "--format", "allowed-signers"]);
    fs::write(world.project().join("allowed_signers"), signers.out).unwrap();
    let ran = world.receipt(&[&["export"], arguments].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran
}

const NAMED: [&str; 4] = ["adder.py", "pytest -q", "Make it add", "1 failed, 2 passed"];

/// Which of the names occur.
fn named(text: &str) -> [bool; 4] {
    NAMED.map(|name| text.contains(name))
}

#[test]
fn what_is_not_asked_for_is_withheld() {
    let world = turn();
    assert_eq!(named(&export(&world, &[]).out), [false; 4]);
    let all = ["--paths", "--commands", "--texts", "--with-evidence"];
    for (at, part) in all.iter().enumerate().take(3) {
        let mut wanted = [false; 4];
        wanted[at] = true;
        assert_eq!(named(&export(&world, &[part]).out), wanted, "{part}");
    }
}

#[test]
fn a_review_lists_what_would_be_disclosed_and_writes_nothing() {
    let world = turn();
    let plain = export(&world, &["--review"]).out;
    assert_eq!(named(&plain), [false; 4]);
    assert!(plain.contains("are withheld"), "{plain}");
    let some = export(&world, &["--review", "--paths", "--texts"]).out;
    assert_eq!(named(&some), [true, false, true, false], "{some}");
    let ran = world.receipt(&["export", "--review", "-o", "x"]);
    assert_eq!(ran.code, 2);
    assert!(!world.project().join("x").exists());
}

#[test]
fn a_receipt_is_redacted_without_ledger_and_verifies_alike() {
    let world = turn();
    let all = [
        "--paths",
        "--commands",
        "--texts",
        "--with-evidence",
        "-o",
        "full.json",
    ];
    export(&world, &all);
    // Far from the ledger.
    let stranger = World::bare();
    for name in ["full.json", "allowed_signers"] {
        fs::copy(world.project().join(name), stranger.project().join(name)).unwrap();
    }
    let verify = |name: &str| stranger.receipt(&["verify", name, "--trust", "allowed_signers"]);
    let full = verify("full.json");
    assert_eq!(full.code, 10, "{}{}", full.out, full.err);
    for (keep, wanted) in [
        ("", [false; 4]),
        ("commands", [false, true, false, false]),
        ("texts,paths", [true, false, true, false]),
        ("evidence,paths,commands,texts", [true; 4]),
    ] {
        let mut arguments = vec!["redact", "full.json", "-o", "less.json"];
        if !keep.is_empty() {
            arguments.extend(["--keep", keep]);
        }
        let ran = stranger.receipt(&arguments);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let shown = stranger.receipt(&["show", "less.json"]);
        assert_eq!(named(&shown.out), wanted, "{keep}");
        let less = verify("less.json");
        let said = |ran: &Ran| ran.out.split("\nSteps\n").next().map(str::to_owned);
        assert_eq!((less.code, said(&less)), (full.code, said(&full)), "{keep}");
    }
    let ran = stranger.receipt(&["redact", "allowed_signers"]);
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    assert!(ran.err.contains("allowed_signers: "), "{}", ran.err);
    assert_eq!(
        stranger
            .receipt(&["redact", "full.json", "--keep", "facts"])
            .code,
        2
    );
}

#[test]
fn markdown_tells_a_reviewer_at_a_glance() {
    let world = turn();
    let text = export(&world, &["--format", "markdown", "--paths", "--commands"]).out;
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with("### receipt: block, blocked; records #"),
        "{first}"
    );
    assert!(
        text.contains("**Open**\n\n- `pytest -q | tail -3` reported failures at #"),
        "{text}"
    );
    assert!(
        text.contains("| `pytest -q \\| tail -3` | failed |"),
        "{text}"
    );
    assert!(text.contains("| `adder.py` | +1 | −0 |"), "{text}");
    assert!(!text.contains("VERIFIED"));
    let without = export(&world, &["--format", "markdown"]).out;
    assert_eq!(named(&without), [false; 4], "{without}");
    assert!(
        without.contains("| pytest \\[test\\] | failed |"),
        "{without}"
    );
    // The same of a file.
    export(&world, &["--paths", "--commands", "-o", "r.json"]);
    let ran = world.receipt(&["show", "r.json", "--format", "markdown"]);
    assert_eq!((ran.code, ran.out), (0, text));
}

#[test]
fn several_receipts_are_verified_at_once_and_the_gravest_counts() {
    let world = turn();
    export(&world, &["-o", "a.json"]);
    fs::copy(
        world.project().join("a.json"),
        world.project().join("b.json"),
    )
    .unwrap();
    fs::write(world.project().join("c.json"), "{}").unwrap();
    let run = |files: &[&str]| {
        let trust = ["--trust", "allowed_signers"];
        world.receipt(&[&["verify"], files, &trust].concat())
    };
    let ran = run(&["a.json", "b.json"]);
    assert_eq!(ran.code, 10, "{}{}", ran.out, ran.err);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[1].starts_with("b.json: BLOCKED "), "{}", ran.out);
    let ran = run(&["a.json", "c.json", "b.json", "--format", "json"]);
    assert_eq!(ran.code, 40);
    let lines: Vec<Value> = ran
        .out
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(
        (&lines[1]["file"], &lines[1]["exit"]),
        (&json!("c.json"), &json!(40))
    );
    let ran = run(&["a.json", "none.json"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("none.json"), "{}", ran.err);
    assert_eq!(ran.out.lines().count(), 1);
    assert_eq!(run(&[]).code, 2);
    // One from stdin.
    let mut command = world.command();
    command.args(["verify", "-", "--trust", "allowed_signers"]);
    let file = fs::read(world.project().join("a.json")).unwrap();
    assert_eq!(finish(start(command, &file)).code, 10);
}

#[test]
fn explain_tells_the_fold_record_by_record() {
    let world = turn();
    let ran = world.receipt(&["explain"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = &ran.out;
    for wanted in [
        "prompt-human        opens the turn\n",
        "tool-succeeded      edits `adder.py`: +1 -0, 1 line of code\n",
        "  check pytest [test] by `pytest -q | tail -3`: failed (its own summary tells",
        "+ `pytest -q | tail -3` reported failures at #",
        "\nverdict block, blocked\n  hard: `pytest -q | tail -3` reported failures at #",
    ] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
    // The same of a file, whose names are withheld or not, and of a record of the turn.
    export(
        &world,
        &["--paths", "--commands", "--texts", "-o", "full.json"],
    );
    assert_eq!(world.receipt(&["explain", "full.json"]).out, *text);
    let records = world.records();
    let edit = records
        .iter()
        .find(|r| r["kind"] == "tool-succeeded")
        .unwrap();
    let seq = edit["seq"].to_string();
    assert_eq!(world.receipt(&["explain", "--turn", &seq]).out, *text);
    export(&world, &["-o", "facts.json"]);
    let facts = world.receipt(&["explain", "facts.json"]).out;
    assert_eq!(named(&facts), [false; 4], "{facts}");
    assert!(facts.contains("check pytest [test]: failed"), "{facts}");
    let json = world.receipt(&["explain", "--format", "json"]).out;
    let story: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&story["version"], &story["differs"]),
        (&json!(1), &json!(false))
    );
    assert_eq!(story["verdict"]["action"], "blocked");
    let ran = world.receipt(&["explain", "--turn", "0"]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.err.contains("no verdict follows record #0"),
        "{}",
        ran.err
    );
}
