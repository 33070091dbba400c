//! Repositories, payloads and clients that mean harm: what changed is still
//! seen, the agent is never held up, and the service lives on.

use crate::client::{Client, event, snapshot};
use crate::world::World;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;
use std::time::{Duration, Instant};

/// A session's events.
struct Session<'a> {
    world: &'a World,
    calls: std::cell::Cell<u32>,
}

impl<'a> Session<'a> {
    fn new(world: &'a World) -> Self {
        let session = Self {
            world,
            calls: std::cell::Cell::new(0),
        };
        session.event("UserPromptSubmit", json!({"prompt": "go"}));
        session
    }

    fn event(&self, name: &str, more: Value) -> String {
        let mut event =
            json!({"session_id": "s", "cwd": self.world.project(), "hook_event_name": name});
        let more = more.as_object().unwrap().clone();
        event.as_object_mut().unwrap().extend(more);
        self.world.event(&event)
    }

    /// A call around something that is done meanwhile.
    fn call(&self, mut call: Value, response: Value, act: impl FnOnce()) {
        self.calls.set(self.calls.get() + 1);
        call["tool_use_id"] = json!(format!("call-{}", self.calls.get()));
        self.event("PreToolUse", call.clone());
        act();
        call["tool_response"] = response;
        self.event("PostToolUse", call);
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.world.project().join(name);
        let call =
            json!({"tool_name": "Write", "tool_input": {"file_path": path, "content": text}});
        let response = json!({"type": "create", "filePath": path, "content": text,
            "originalFile": null, "structuredPatch": []});
        self.call(call, response, || self.world.write(name, text));
    }

    fn shell(&self, command: &str, stdout: &str, act: impl FnOnce()) {
        let call = json!({"tool_name": "Bash", "tool_input": {"command": command}});
        let response = json!({"stdout": stdout, "stderr": "", "interrupted": false});
        self.call(call, response, act);
    }

    fn test(&self) {
        self.shell("pytest -q", "5 passed in 0.01s", || {});
    }

    fn stop(&self) -> String {
        self.event("Stop", json!({"last_assistant_message": "Done."}))
    }
}

fn lines(count: usize) -> String {
    (0..count).map(|n| format!("x{n} = {n}\n")).collect()
}

/// The newest verdict's facts.
fn verdict(world: &World) -> Value {
    let records = world.records();
    let newest = records.iter().rev().find(|r| r["kind"] == "verdict-stop");
    newest.unwrap()["body"]["facts"]["verdict"].clone()
}

fn shell(world: &World, script: &str) {
    let status = Command::new("sh")
        .args(["-c", script])
        .current_dir(world.project())
        .status()
        .unwrap();
    assert!(status.success(), "{script}");
}

/// A tested change, then an untested one of 200 lines: refused, whatever was
/// prepared or written to hide it.
fn hidden_change_is_refused(prepare: &str, text: &str) {
    let world = World::new();
    world.write("app.py", "x = 1\n");
    world.git(&["add", "."]);
    world.git(&["commit", "-qm", "app"]);
    shell(&world, prepare);
    let session = Session::new(&world);
    session.write("app.py", &lines(5));
    session.test();
    session.write("app.py", text);
    let answer = session.stop();
    assert!(answer.contains("200 lines"), "{prepare}: {answer}");
}

#[test]
fn attributes_hide_no_lines() {
    for line in ["*.py -diff", "*.py binary", "* diff=none"] {
        let prepare = format!("echo '{line}' > .gitattributes");
        hidden_change_is_refused(&prepare, &lines(205));
    }
}

#[test]
fn a_nul_hides_no_lines() {
    hidden_change_is_refused("true", &format!("{}y = '\0'\n", lines(204)));
}

#[test]
fn marks_in_the_index_hide_no_lines() {
    for mark in ["--assume-unchanged", "--skip-worktree"] {
        hidden_change_is_refused(&format!("git update-index {mark} app.py"), &lines(205));
    }
}

#[test]
fn an_exclude_file_written_later_hides_no_lines() {
    let world = World::new();
    let session = Session::new(&world);
    session.write("a.py", &lines(5));
    session.test();
    world.write(".git/info/exclude", "b.py\n");
    session.write("b.py", &lines(200));
    assert!(session.stop().contains("200 lines"));
}

#[test]
fn names_that_are_no_text_are_told_apart() {
    let world = World::new();
    let session = Session::new(&world);
    session.write("a.py", &lines(5));
    session.test();
    session.shell("python gen.py", "", || {
        for name in [
            &b"a\xff.py"[..],
            b"a\xfe.py",
            b"n\nl.py",
            b"t\ta.py",
            b"q\".py",
            b":1.py",
        ] {
            fs::write(world.project().join(OsStr::from_bytes(name)), lines(3)).unwrap();
        }
    });
    session.stop();
    let numbers = &verdict(&world)["findings"][0]["numbers"];
    assert_eq!(
        (&numbers["lines"], &numbers["files"]),
        (&json!(18), &json!(6))
    );
}

#[test]
fn pipes_and_devices_in_a_repository_hold_no_hook_up() {
    for script in [
        "rm -r .git; mkfifo .git",
        "rm -r .git; ln -s /dev/zero .git",
        "rm -r .git; truncate -s 16G .git",
        "rm -r .git; echo 'gitdir: .' > .git",
        "mkfifo .git/commondir",
        "ln -s /dev/zero .git/commondir",
        "rm .git/HEAD; mkfifo .git/HEAD",
        "rm .git/HEAD; mkdir .git/HEAD",
        "rm -f .git/index; mkfifo .git/index",
        "rm -f .git/index; ln -s /dev/zero .git/index",
        "mkdir -p .git/info; rm -f .git/info/exclude; mkfifo .git/info/exclude",
        "git pack-refs --all; truncate -s 4G .git/packed-refs",
        "rm .git/config; mkfifo .git/config",
        "mkfifo .gitignore .gitattributes a.py",
    ] {
        let world = World::new();
        shell(&world, script);
        let begun = Instant::now();
        let session = Session::new(&world);
        session.write("b.py", &lines(50));
        let answer = session.stop();
        assert!(answer.contains("50 lines"), "{script}: {answer}");
        assert!(begun.elapsed() < Duration::from_secs(8), "{script}");
    }
}

#[test]
fn a_home_inside_the_worktree_is_in_no_tree() {
    let world = World::new();
    fs::rename(world.home(), world.project().join("home")).unwrap();
    std::os::unix::fs::symlink(world.project().join("home"), world.home()).unwrap();
    let session = Session::new(&world);
    session.write("a.py", &lines(50));
    for _ in 0..4 {
        session.test();
    }
    assert_eq!(session.stop(), "");
    let trees: Vec<Value> = world
        .records()
        .iter()
        .map(|r| r["body"]["facts"]["obs"][0]["snapshot"]["tree"].clone())
        .filter(|tree| !tree.is_null())
        .collect();
    // Before the write, before each test, at the stop.
    assert_eq!(trees.len(), 6);
    assert!(trees[1..].windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(verdict(&world)["basis"], "checked");
}

#[test]
fn a_payload_that_redaction_makes_too_long_is_cut() {
    let world = World::new();
    let session = Session::new(&world);
    let service = world.service();
    let mut message = "A_TOKEN=abcdefgh1 ".repeat((16 << 20) / 18);
    message.truncate((16 << 20) - 4096);
    session.event("Notification", json!({"message": message}));
    session.write("a.py", &lines(50));
    assert!(session.stop().contains("50 lines"));
    assert_eq!(world.service(), service, "the service lives on");
    let records = world.records();
    let cut = records
        .iter()
        .filter(|r| r["flags"] == json!(["cut"]))
        .count();
    assert_eq!(cut, 1, "it is recorded, and said to be cut");
}

#[test]
fn what_no_record_can_hold_does_not_end_the_service() {
    let world = World::new();
    let session = Session::new(&world);
    let service = world.service();
    let mut long = br#"{"hook_event_name":"Notification","message":""#.to_vec();
    long.resize((16 << 20) + (500 << 10), b'x');
    long.extend_from_slice(br#""}"#);
    let mut client = Client::new(&world);
    client.send(&event(1, &long));
    assert_eq!(client.answer(), 0, "recorded");
    let trees = [("a".repeat(40), 100_000), ("a".repeat(5 << 20), 0)];
    for (number, (tree, files)) in trees.iter().enumerate() {
        let call = json!({"hook_event_name": "PreToolUse", "session_id": format!("{number}"),
            "tool_name": "Bash", "tool_use_id": "a", "tool_input": {"command": "sed -i s/a/b/ c.py"}});
        let mut client = Client::new(&world);
        client.send(&event(number as u8 + 2, call.to_string().as_bytes()));
        assert_eq!(client.answer(), 1, "a snapshot is asked for");
        client.send(&snapshot(tree, *files));
        assert_eq!(client.answer(), 0, "done");
    }
    session.write("a.py", &lines(50));
    assert!(session.stop().contains("50 lines"));
    assert_eq!(world.service(), service, "the service lives on");
    assert_eq!(world.receipt(&["audit"]).code, 0);
}

#[test]
fn clients_that_say_nothing_keep_no_hook_waiting() {
    let world = World::new();
    let session = Session::new(&world);
    session.write("a.py", &lines(50));
    let mut silent: Vec<Client> = (0..400).map(|_| Client::new(&world)).collect();
    for client in silent.iter_mut().step_by(2) {
        // Those that were sent away do not hear it.
        let _ = client.stream.write_all(&[200, 0]);
    }
    let begun = Instant::now();
    assert!(session.stop().contains("50 lines"));
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(
        !world.kinds().contains(&"gap".to_owned()),
        "nothing went to the spool"
    );
}

#[test]
fn pipes_and_devices_in_the_home_are_no_files() {
    for script in ["ln -s /dev/zero receipt.toml", "mkfifo receipt.toml"] {
        let world = World::new();
        let status = Command::new("sh")
            .args(["-c", script])
            .current_dir(world.home())
            .status();
        assert!(status.unwrap().success());
        let session = Session::new(&world);
        session.write("a.py", &lines(50));
        // The default profile is in force, and the fault in the service's log.
        assert!(session.stop().contains("50 lines"), "{script}");
        let log = fs::read_to_string(world.home().join("service.log")).unwrap();
        assert!(log.contains("receipt.toml is no file"), "{log}");
    }
    let world = World::new();
    let key = world.home().join("keys/record.pem");
    fs::remove_file(&key).unwrap();
    let made = Command::new("mkfifo")
        .args(["-m", "600"])
        .arg(&key)
        .status();
    assert!(made.unwrap().success());
    let ran = world.receipt(&["audit"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("record.pem is no file"), "{}", ran.err);
}

/// A small tested change, then 40 untested lines where no tree sees them.
fn unseen_change(prepare: &str, place: &str, hide: &str) -> String {
    let world = World::new();
    world.write("app.py", "x = 1\n");
    shell(&world, prepare);
    world.git(&["add", "."]);
    world.git(&["commit", "-qm", "app"]);
    let session = Session::new(&world);
    session.write("app.py", &lines(5));
    session.test();
    if !hide.is_empty() {
        session.shell(hide, "", || shell(&world, hide));
    }
    session.write(place, &lines(40));
    session.stop()
}

#[test]
fn an_edit_that_the_tree_cannot_show_counts_as_reported() {
    let outside = tempfile::tempdir().unwrap();
    let link = format!("ln -s {} link", outside.path().display());
    let nested = "git init -q sub && git -C sub -c user.name=t -c user.email=t@localhost commit -q --allow-empty -m sub";
    let cases = [
        ("true", "hidden.py", "echo hidden.py >> .gitignore"),
        (
            "echo '*.log' > .gitignore",
            "gen/hidden.py",
            "echo 'gen/' >> .gitignore",
        ),
        (
            "true",
            "pkg/hidden.py",
            "mkdir -p pkg && echo '*' > pkg/.gitignore",
        ),
        // The rule was there; what excepted the file from it is gone.
        (
            "printf 'gen/*\\n!gen/hidden.py\\n' > .gitignore",
            "gen/hidden.py",
            "echo 'gen/*' > .gitignore",
        ),
        (
            "printf 'gen/*\\n!gen/hidden.py\\n' > .gitignore",
            "gen/hidden.py",
            "printf '!gen/hidden.py\\ngen/*\\n' > .gitignore",
        ),
        (
            "echo 'h*.py' > .gitignore; mkdir pkg; echo '!*.py' > pkg/.gitignore; git add -f pkg",
            "pkg/hidden.py",
            "rm pkg/.gitignore",
        ),
        (nested, "sub/hidden.py", ""),
        (link.as_str(), "link/hidden.py", ""),
    ];
    for (prepare, place, hide) in cases {
        let answer = unseen_change(prepare, place, hide);
        assert!(answer.contains("40 lines"), "{place}: {answer}");
    }
}

#[test]
fn an_edit_of_what_was_ignored_all_along_is_left_alone() {
    let cases = [
        ("echo 'out/' > .gitignore", "out/gen.py", ""),
        // The file of rules changes, the rule was there.
        (
            "echo 'out/' > .gitignore",
            "out/gen.py",
            "echo '*.log' >> .gitignore",
        ),
        (
            "printf 'out/\\n*.log\\n!keep.log\\n' > .gitignore",
            "out/gen.py",
            "printf 'out/\\n*.log\\n!keep.log\\n*.tmp\\n' > .gitignore",
        ),
        // Through a link to a folder of the same repository the tree sees it.
        (
            "mkdir real && touch real/a.py && ln -s real link",
            "link/app2.py",
            "",
        ),
    ];
    for (prepare, place, hide) in cases {
        let answer = unseen_change(prepare, place, hide);
        let seen = place.starts_with("link");
        assert_eq!(answer.contains("40 lines"), seen, "{place}: {answer}");
    }
}
