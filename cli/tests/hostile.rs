//! Repositories inside the repository, and secrets wherever a payload has room
//! for them.

use crate::world::World;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            found.extend(files(&path));
        } else if path.is_file() {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

fn event(world: &World, name: &str, more: &Value) -> String {
    let mut event = json!({"session_id": "s", "hook_event_name": name, "cwd": world.project()});
    let members = more.as_object().unwrap().clone();
    event.as_object_mut().unwrap().extend(members);
    world.event(&event)
}

/// A turn with a change, a check and a stop: three snapshots.
fn turn(world: &World) {
    let test =
        json!({"tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": "pytest -q"}});
    let write =
        json!({"tool_name": "Bash", "tool_use_id": "w", "tool_input": {"command": "./generate"}});
    event(world, "UserPromptSubmit", &json!({"prompt": "go"}));
    event(world, "PreToolUse", &write);
    world.write("made.py", "x = 1\n");
    event(world, "PostToolUse", &write);
    event(world, "PreToolUse", &test);
    event(world, "PostToolUse", &test);
    event(world, "Stop", &json!({}));
}

fn snapshots(world: &World) -> Vec<Value> {
    let records = world.records().into_iter();
    let snapshots = records.filter(|r| r["kind"] == "snapshot");
    snapshots
        .map(|r| r["body"]["facts"]["obs"][0]["snapshot"].clone())
        .collect()
}

/// A program that leaves a mark where it runs.
fn marking_program(world: &World) -> (String, PathBuf) {
    let (program, marker) = (world.path("program"), world.path("ran"));
    let text = format!("#!/bin/sh\necho \"$0 $@\" >> '{}'\ncat\n", marker.display());
    fs::write(&program, text).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (program.to_str().unwrap().to_owned(), marker)
}

/// Git asks a repository inside the worktree for its state, with that one's own
/// configuration in force.
#[test]
fn a_repository_inside_the_worktree_runs_nothing() {
    let world = World::new();
    let (program, marker) = marking_program(&world);
    world.write("inner/a.py", "x = 1\n");
    world.git(&["init", "-q", "inner"]);
    world.git(&["-C", "inner", "add", "a.py"]);
    world.git(&["-C", "inner", "commit", "-q", "-m", "inner"]);
    world.git(&["add", "inner"]);
    world.git(&["commit", "-q", "-m", "with an inner repository"]);
    for name in [
        "core.fsmonitor",
        "filter.evil.clean",
        "diff.external",
        "core.pager",
    ] {
        world.git(&["-C", "inner", "config", name, &program]);
    }
    for hook in ["post-index-change", "reference-transaction"] {
        fs::copy(
            &program,
            world.project().join("inner/.git/hooks").join(hook),
        )
        .unwrap();
    }
    world.write("inner/.gitattributes", "* filter=evil\n");
    world.write("inner/a.py", "x = 2\n");
    let before = files(&world.project().join("inner/.git"));
    let outer = files(&world.project().join(".git"));
    turn(&world);
    let taken = snapshots(&world);
    assert!(taken.len() >= 2, "{taken:?}");
    let ran = fs::read_to_string(&marker).unwrap_or_default();
    assert_eq!(ran, "", "something of the inner repository ran");
    assert!(before == files(&world.project().join("inner/.git")));
    assert!(outer == files(&world.project().join(".git")));
}

/// `.git` may be a file or a link that leads to a folder of anybody's making.
#[test]
fn a_git_folder_elsewhere_runs_nothing() {
    for link in [false, true] {
        let world = World::new();
        let (program, marker) = marking_program(&world);
        for name in ["core.fsmonitor", "filter.evil.clean", "core.hooksPath"] {
            world.git(&["config", name, &program]);
        }
        world.git(&["config", "core.worktree", "/"]);
        let (dot_git, away) = (world.project().join(".git"), world.path("away"));
        fs::rename(&dot_git, &away).unwrap();
        if link {
            std::os::unix::fs::symlink(&away, &dot_git).unwrap();
        } else {
            fs::write(&dot_git, format!("gitdir: {}\n", away.display())).unwrap();
        }
        world.write(".gitattributes", "* filter=evil\n");
        let before = files(&away);
        turn(&world);
        let taken = snapshots(&world);
        assert!(taken.iter().all(|s| s["tree"].is_string()), "{taken:?}");
        assert!(!marker.exists(), "something of the repository's ran");
        assert!(before == files(&away), "the repository was changed");
    }
}

/// Made up at run time: no scanner shall find a secret in this file.
fn secrets() -> Vec<(&'static str, String)> {
    let body = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2";
    let cut = |n: usize| body[..n].to_owned();
    vec![
        ("github", format!("gh{}_{}", "p", cut(36))),
        (
            "github-fine",
            format!(
                "github{}_{}",
                "_pat",
                "11ABCDEFG0".to_owned() + &"a1B2".repeat(18)
            ),
        ),
        ("aws", format!("AK{}{}", "IA", "Z7Q2W4E3R4T5Y6U7")),
        ("anthropic", format!("sk-{}-api03-{}", "ant", cut(40))),
        (
            "slack",
            format!("xox{}-123456789012-123456789012-{}", "b", cut(24)),
        ),
        ("stripe", format!("sk_{}_{}", "live", cut(24))),
        ("google", format!("AI{}{}", "za", cut(35))),
        ("password", "correct7horse8battery9".to_owned()),
    ]
}

/// A text that has every secret in it, in the ways that people and tools write them.
fn text(canary: &str) -> String {
    let mut text = format!("{canary}\n");
    for (name, secret) in secrets() {
        if name == "password" {
            text.push_str(&format!("DATABASE_PASSWORD={secret}\n"));
        } else {
            text.push_str(&format!("export TOKEN={secret}\nuse {secret} there\n"));
        }
    }
    text
}

/// Every payload field that takes free text, each with a canary of its own.
fn payloads(world: &World) -> Vec<(String, Value)> {
    let path = world.project().join("notes.txt");
    let shapes: Vec<(&str, Value)> = vec![
        (
            "prompt",
            json!({"hook_event_name": "UserPromptSubmit", "prompt": "TEXT"}),
        ),
        (
            "command",
            json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_use_id": "a", "tool_input": {"command": "TEXT"}}),
        ),
        (
            "stdout",
            json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "a",
            "tool_input": {"command": "env"}, "tool_response": {"stdout": "TEXT", "stderr": "TEXT"}}),
        ),
        (
            "error",
            json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
            "tool_use_id": "b", "tool_input": {"command": "env"}, "error": "Exit code 1\nTEXT"}),
        ),
        (
            "write",
            json!({"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_use_id": "c",
            "tool_input": {"file_path": path, "content": "TEXT"},
            "tool_response": {"type": "create", "filePath": path, "content": "TEXT",
                "originalFile": "TEXT", "structuredPatch": []}}),
        ),
        (
            "unknown",
            json!({"hook_event_name": "NeverHeardOf", "new": [{"deep": "TEXT"}]}),
        ),
        (
            "message",
            json!({"hook_event_name": "Stop", "last_assistant_message": "TEXT"}),
        ),
    ];
    let fill = |(name, shape): (&str, Value)| {
        let canary = format!("canary-{name}-5150");
        let quoted = json!(text(&canary)).to_string();
        let filled = shape.to_string().replace("TEXT", quoted.trim_matches('"'));
        let mut payload: Value = serde_json::from_str(&filled).unwrap();
        payload["session_id"] = "s".into();
        (canary, payload)
    };
    shapes.into_iter().map(fill).collect()
}

/// Where a text occurs: the files of a home, and all that is shown of it.
struct Searched(Vec<(String, Vec<u8>)>);

impl Searched {
    fn all(world: &World) -> Self {
        let mut places: Vec<(String, Vec<u8>)> = files(&world.home())
            .into_iter()
            .map(|(path, bytes)| (path.display().to_string(), bytes))
            .collect();
        for seq in 0..world.records().len() {
            let shown = world.receipt(&["show", &seq.to_string(), "--evidence"]).out;
            places.push((format!("record #{seq}"), shown.into_bytes()));
        }
        places.push(("log".to_owned(), world.receipt(&["log"]).out.into_bytes()));
        Self(places)
    }

    fn places(&self, text: &str) -> Vec<&str> {
        let holds = |bytes: &[u8]| bytes.windows(text.len()).any(|w| w == text.as_bytes());
        let found = self.0.iter().filter(|(_, bytes)| holds(bytes));
        found.map(|(place, _)| place.as_str()).collect()
    }
}

#[test]
fn secrets_in_any_field_never_reach_the_disk_nor_a_receipt() {
    let world = World::new();
    let payloads = payloads(&world);
    let (spooled, live) = payloads.split_at(3);
    // The first ones wait in the spool: a key that others may read stops the service.
    let key = world.home().join("keys/record.pem");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    for (_, payload) in spooled {
        world.event(payload);
    }
    let waiting = Searched(
        files(&world.home())
            .into_iter()
            .map(|(path, bytes)| (path.display().to_string(), bytes))
            .collect(),
    );
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    for (_, payload) in live {
        world.event(payload);
    }
    assert!(world.service().is_some());
    let running = Searched::all(&world);
    let disclosing = [
        "export",
        "--paths",
        "--commands",
        "--texts",
        "--with-evidence",
    ];
    let receipt = world.receipt(&disclosing);
    assert_eq!(receipt.code, 0, "{}", receipt.err);
    world.receipt(&["service", "stop"]);
    let after = Searched::all(&world);
    let exported = Searched(vec![("receipt".to_owned(), receipt.out.into_bytes())]);
    for (canary, _) in &payloads {
        assert!(!running.places(canary).is_empty(), "{canary} is not found");
        assert!(!after.places(canary).is_empty(), "{canary} is not found");
    }
    for searched in [waiting, running, after, exported] {
        for (name, secret) in secrets() {
            let found = searched.places(&secret);
            assert!(found.is_empty(), "{name} is in {found:?}");
        }
    }
}
