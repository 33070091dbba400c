//! Snapshots in repositories that are hostile or odd: nothing of theirs runs,
//! nothing of theirs changes. And secrets that never reach the disk.

use crate::world::World;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Every file below a folder with its bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.is_file() {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

/// A turn that edits and tests; returns what the stop was answered.
fn edit_and_test(world: &World) -> String {
    let at = |name: &str, more: Value| {
        let mut event = json!({"session_id": "s", "cwd": world.project(), "hook_event_name": name});
        event
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        world.event(&event)
    };
    let path = world.project().join("a.py");
    let edit = json!({"tool_name": "Write", "tool_use_id": "w",
        "tool_input": {"file_path": path, "content": "x = 1\n"}});
    let mut wrote = edit.clone();
    wrote["tool_response"] = json!({"type": "create", "filePath": path, "content": "x = 1\n",
        "originalFile": null, "structuredPatch": []});
    let test =
        json!({"tool_name": "Bash", "tool_use_id": "b", "tool_input": {"command": "pytest -q"}});
    let mut tested = test.clone();
    tested["tool_response"] =
        json!({"stdout": "1 passed in 0.01s", "stderr": "", "interrupted": false});
    at("UserPromptSubmit", json!({"prompt": "go"}));
    at("PreToolUse", edit);
    world.write("a.py", "x = 1\n");
    at("PostToolUse", wrote);
    at("PreToolUse", test);
    at("PostToolUse", tested);
    at("Stop", json!({}))
}

fn snapshots(world: &World) -> Vec<Value> {
    let seen = |r: Value| {
        (r["kind"] == "snapshot").then(|| r["body"]["facts"]["obs"][0]["snapshot"].clone())
    };
    world.records().into_iter().filter_map(seen).collect()
}

#[test]
fn nothing_that_a_repository_configures_runs_and_nothing_of_it_changes() {
    let world = World::new();
    let marker = world.path("ran");
    let program = world.path("program");
    fs::write(
        &program,
        format!("#!/bin/sh\ntouch '{}'\ncat\n", marker.display()),
    )
    .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let program = program.to_str().unwrap();
    for name in [
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "core.fsmonitor",
        "diff.evil.textconv",
        "diff.evil.command",
        "diff.external",
        "core.pager",
        "core.editor",
    ] {
        world.git(&["config", name, program]);
    }
    world.git(&["config", "filter.evil.required", "true"]);
    let hooks = world.project().join(".git/hooks");
    fs::create_dir_all(&hooks).unwrap();
    for name in ["post-index-change", "pre-commit", "fsmonitor-watchman"] {
        fs::copy(program, hooks.join(name)).unwrap();
    }
    world.write(".gitattributes", "* filter=evil diff=evil\n");
    fs::write(
        world.project().join(".git/info/attributes"),
        "* filter=evil\n",
    )
    .unwrap();
    let before = files(&world.project().join(".git"));
    assert_eq!(edit_and_test(&world), "");
    assert!(!marker.exists(), "something of the repository's ran");
    assert!(
        before == files(&world.project().join(".git")),
        "the repository was changed"
    );
    let taken = snapshots(&world);
    assert!(
        taken.len() >= 3 && taken.iter().all(|s| s["tree"].is_string()),
        "{taken:?}"
    );
}

#[test]
fn the_snapshot_is_the_tree_that_git_would_write() {
    let world = World::new();
    world.write("b.py", "y = 2\n");
    edit_and_test(&world);
    world.git(&["add", "-A"]);
    let tree = world.git(&["write-tree"]);
    let taken = snapshots(&world);
    assert_eq!(taken.last().unwrap()["tree"], tree.trim());
    let verdict = world
        .records()
        .into_iter()
        .find(|r| r["kind"] == "verdict-stop")
        .unwrap();
    assert_eq!(verdict["body"]["facts"]["verdict"]["basis"], "checked");
}

#[test]
fn comments_and_layout_count_nothing_and_code_does() {
    let world = World::new();
    world.write("a.go", "package a\n\nfunc A() int { return 1 }\n");
    world.write("b [x].py", "a = 1\n");
    world.write("moved.sh", "echo\n");
    world.git(&["add", "."]);
    edit_and_test(&world);
    let at = |name: &str| {
        json!({"session_id": "s", "cwd": world.project(), "hook_event_name": name,
            "tool_name": "Bash", "tool_use_id": "c", "tool_input": {"command": "make all"}})
    };
    world.event(&at("PreToolUse"));
    world.write(
        "a.go",
        "package a\n\n// A is one.\nfunc A() int {\n\treturn 1\n}\n",
    );
    world.write("b [x].py", "--a\n# b\n\"\"\"Doc.\"\"\"\n");
    world.write("moved.sh", "#!/bin/sh\necho\n# on\n");
    world.event(&at("PostToolUse"));
    world.event(&json!({"session_id": "s", "cwd": world.project(), "hook_event_name": "Stop"}));
    let stop = snapshots(&world).pop().unwrap();
    let sizes = |diff: &Value| -> Vec<(u64, u64, u64)> {
        let number = |file: &Value, name: &str| file[name].as_u64().unwrap();
        let files = diff["files"].as_array().unwrap().iter();
        files
            .map(|f| (number(f, "added"), number(f, "removed"), number(f, "lines")))
            .collect()
    };
    let diffs = stop["diffs"].as_array().unwrap();
    let expected = [(4, 1, 0), (3, 1, 1), (2, 0, 1)];
    assert!(diffs.iter().any(|d| sizes(d) == expected), "{diffs:#?}");
}

#[test]
fn sha256_repositories_and_linked_worktrees_are_seen() {
    let world = World::new();
    fs::remove_dir_all(world.project().join(".git")).unwrap();
    world.git(&["init", "-q", "--object-format=sha256"]);
    world.git(&["commit", "-q", "--allow-empty", "-m", "first"]);
    world.git(&["worktree", "add", "-q", "../linked"]);
    fs::rename(world.project(), world.path("main")).unwrap();
    fs::rename(world.path("linked"), world.project()).unwrap();
    fs::write(
        world.project().join(".git"),
        format!(
            "gitdir: {}\n",
            world.path("main/.git/worktrees/linked").display()
        ),
    )
    .unwrap();
    assert_eq!(edit_and_test(&world), "");
    let taken = snapshots(&world);
    let tree = taken.last().unwrap()["tree"].as_str().unwrap();
    assert_eq!(tree.len(), 64, "{tree}");
}

#[test]
fn without_a_repository_a_pass_is_unanchored() {
    let world = World::new();
    fs::remove_dir_all(world.project().join(".git")).unwrap();
    assert_eq!(edit_and_test(&world), "");
    let verdict = world
        .records()
        .into_iter()
        .find(|r| r["kind"] == "verdict-stop")
        .unwrap();
    assert_eq!(verdict["body"]["facts"]["verdict"]["basis"], "unanchored");
    assert!(snapshots(&world).is_empty());
}

#[test]
fn a_sessions_snapshots_go_with_it() {
    let world = World::new();
    edit_and_test(&world);
    let folder = world.home().join("snapshots");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    world.event(&json!({"session_id": "s", "hook_event_name": "SessionEnd", "reason": "other"}));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn secrets_never_reach_the_disk_and_a_canary_does() {
    let world = World::new();
    let secrets = [
        format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"),
        format!("AKIA{}", "Z7Q2W8E3R4T5Y6U1"),
        format!(
            "sk-ant-api03-{}",
            "x9Y8z7W6v5U4t3S2r1Q0p9O8n7M6l5K4j3I2h1G0"
        ),
        "hunter2hunter2hunter2".to_owned(),
    ];
    let canary = "harmless-canary-5150";
    let command = format!(
        "curl -H 'Authorization: Bearer {}' https://example.test; export AWS_ACCESS_KEY_ID={}; \
         ANTHROPIC_API_KEY={} DB_PASSWORD={} ./run {canary}",
        secrets[0], secrets[1], secrets[2], secrets[3]
    );
    world.event(
        &json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_use_id": "t", "cwd": world.project(), "tool_input": {"command": command}}),
    );
    let shown = world.records().len().checked_sub(1).unwrap().to_string();
    let evidence = world.receipt(&["show", &shown, "--evidence"]).out;
    world.receipt(&["service", "stop"]);
    let mut everything: Vec<u8> = evidence.into_bytes();
    for bytes in files(&world.home()).into_values() {
        everything.extend(bytes);
    }
    let contains = |text: &str| everything.windows(text.len()).any(|w| w == text.as_bytes());
    assert!(contains(canary), "the search finds what is there");
    for secret in &secrets {
        assert!(!contains(secret), "{secret} reached the disk");
    }
}
