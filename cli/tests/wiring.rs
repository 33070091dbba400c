//! `init` and `uninstall` where others wrote, where nothing may be written, and
//! where an earlier `init` was cut short.

use crate::world::{Ran, World, finish, start};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

fn settings(world: &World) -> PathBuf {
    world.path("user/.claude/settings.json")
}

fn put(world: &World, text: &str) {
    let path = settings(world);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn text(world: &World) -> String {
    fs::read_to_string(settings(world)).unwrap()
}

fn parsed(world: &World) -> Value {
    serde_json::from_str(&text(world)).unwrap()
}

/// The files beside the settings, with their texts.
fn beside(world: &World) -> Vec<(String, String)> {
    let entries = fs::read_dir(settings(world).parent().unwrap()).unwrap();
    let mut found: Vec<(String, String)> = entries
        .map(|e| e.unwrap())
        .filter(|e| e.file_name() != "settings.json")
        .map(|e| {
            let name = e.file_name().to_string_lossy().into_owned();
            (name, fs::read_to_string(e.path()).unwrap())
        })
        .collect();
    found.sort();
    found
}

fn good(ran: &Ran) {
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

/// Runs a command under a limit on the size of files, as on a full disk.
fn limited(world: &World, blocks: u32, arguments: &str) -> Ran {
    let program = env!("CARGO_BIN_EXE_receipt");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec '{program}' {arguments}");
    let mut shell = Command::new("bash");
    shell
        .args(["-c", &script])
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", world.path("user"))
        .env("RECEIPT_HOME", world.home())
        .current_dir(world.project())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    finish(start(shell, b""))
}

/// Somebody put a handler of their own beside ours, in the same matcher group.
#[test]
fn a_handler_beside_ours_in_one_group_stays() {
    let world = World::bare();
    put(&world, "{}");
    good(&world.receipt(&["init"]));
    let mut with = parsed(&world);
    let theirs = json!({"type": "command", "command": "/usr/bin/say", "args": ["hook"]});
    for event in ["Stop", "PreToolUse"] {
        let group = with["hooks"][event][0]["hooks"].as_array_mut().unwrap();
        group.push(theirs.clone());
    }
    let group = with["hooks"]["SessionEnd"][0]["hooks"].as_array_mut();
    group.unwrap().insert(0, theirs.clone());
    put(&world, &serde_json::to_string_pretty(&with).unwrap());
    good(&world.receipt(&["init"]));
    let wired = parsed(&world).to_string();
    assert_eq!(wired.matches("/usr/bin/say").count(), 3, "{wired}");
    good(&world.receipt(&["uninstall"]));
    let only = json!([{"hooks": [theirs]}]);
    let expected = json!({"hooks": {"Stop": only, "PreToolUse": only, "SessionEnd": only}});
    assert_eq!(parsed(&world), expected);
}

/// White space that was changed inside a text is a change.
#[test]
fn what_changed_inside_a_text_is_not_put_back() {
    let world = World::bare();
    put(&world, r#"{"greeting": "a b", "other": "c"}"#);
    good(&world.receipt(&["init"]));
    put(&world, &text(&world).replace("a b", "ab"));
    good(&world.receipt(&["uninstall"]));
    assert_eq!(parsed(&world), json!({"greeting": "ab", "other": "c"}));
}

#[test]
fn every_backup_is_kept_under_a_name_of_its_own() {
    let world = World::bare();
    let before = "{ \"model\": \"opus\" }\n";
    put(&world, before);
    for _ in 0..3 {
        good(&world.receipt(&["init"]));
        good(&world.receipt(&["uninstall"]));
        assert_eq!(text(&world), before);
    }
    let backups = beside(&world);
    assert_eq!(backups.len(), 6, "{backups:?}");
    assert_eq!(backups.iter().filter(|b| b.1 == before).count(), 3);
}

/// Settings may hold keys in `env`: nobody else gets to read a copy.
#[test]
fn a_backup_is_as_private_as_the_settings() {
    let world = World::bare();
    put(&world, r#"{"env": {"API_KEY": "x"}}"#);
    fs::set_permissions(settings(&world), fs::Permissions::from_mode(0o600)).unwrap();
    good(&world.receipt(&["init"]));
    let folder = settings(&world).parent().unwrap().to_owned();
    let files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    assert_eq!(files.len(), 2, "{files:?}");
    for file in files {
        let mode = fs::metadata(&file).unwrap().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", file.display());
    }
}

#[test]
fn a_dry_run_makes_nothing_at_all() {
    for arguments in [
        &["init", "--dry-run"][..],
        &["init", "--dry-run", "--no-hooks"],
        &["init", "--dry-run", "--project"],
    ] {
        let world = World::bare();
        good(&world.receipt(arguments));
        assert!(!world.home().exists(), "{arguments:?}");
        assert!(!world.path("user").exists(), "{arguments:?}");
        assert!(!world.project().join(".claude").exists(), "{arguments:?}");
    }
}

#[test]
fn the_projects_settings_are_wired_where_asked() {
    let world = World::bare();
    for (flag, name) in [
        ("--project", "settings.json"),
        ("--local", "settings.local.json"),
    ] {
        good(&world.receipt(&["init", flag]));
        let file = world.project().join(".claude").join(name);
        assert!(fs::read_to_string(&file).unwrap().contains("claude-code"));
        good(&world.receipt(&["uninstall", flag]));
        assert!(!fs::read_to_string(&file).unwrap().contains("claude-code"));
    }
    assert!(!world.path("user").exists());
}

/// A user that owns nothing here; root may write anywhere.
const NOBODY: u32 = 65_534;

fn open_to(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn settings_that_cannot_be_written_are_named_and_stand() {
    let world = World::bare();
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        eprintln!("skipped: only root can run a command as another user");
        return;
    }
    put(&world, "{ }");
    open_to(&world.path(""), 0o755);
    fs::create_dir(world.home()).unwrap();
    open_to(&world.home(), 0o777);
    let mut command = world.command_as(NOBODY);
    command.arg("init");
    let ran = finish(start(command, b""));
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.err.contains("settings.json"), "{}", ran.err);
    assert!(ran.err.contains("was not changed"), "{}", ran.err);
    assert_eq!(text(&world), "{ }");
    assert_eq!(beside(&world), []);
}

/// A full disk at any moment of the first `init`: it can be run again.
#[test]
fn an_init_that_was_cut_short_can_be_run_again() {
    for blocks in [0, 1, 2, 4] {
        let world = World::bare();
        let cut = limited(&world, blocks, "init --no-hooks");
        assert!(
            cut.code == 1 || blocks > 1,
            "{blocks}: {}{}",
            cut.out,
            cut.err
        );
        good(&world.receipt(&["init", "--no-hooks"]));
        let identity = world.receipt(&["key", "show"]).out;
        let again = world.receipt(&["init", "--no-hooks"]);
        assert!(
            again.out.contains(identity.trim()),
            "{}{}",
            again.out,
            again.err
        );
        world.event(&json!({"session_id": "s", "hook_event_name": "Notification"}));
        assert_eq!(world.kinds()[0], "genesis");
        world.audit();
    }
}

/// Its last step: the ledger is made, and its keys are not in their place yet.
#[test]
fn an_init_that_was_cut_short_at_its_end_is_finished() {
    let world = World::new();
    let identity = world.receipt(&["key", "show"]).out;
    fs::rename(world.home().join("keys"), world.home().join("keys.new")).unwrap();
    good(&world.receipt(&["init", "--no-hooks"]));
    assert_eq!(world.receipt(&["key", "show"]).out, identity);
    world.audit();
}

/// A ledger that is gone is not replaced by a new one under the same keys.
#[test]
fn a_ledger_that_was_removed_is_missed() {
    let world = World::new();
    fs::remove_dir_all(world.home().join("ledger")).unwrap();
    for arguments in [
        &["init", "--no-hooks"][..],
        &["init"],
        &["log"],
        &["export"],
    ] {
        let ran = world.receipt(arguments);
        assert_eq!(ran.code, 3, "{arguments:?}: {}", ran.out);
        assert!(ran.err.contains("ledger"), "{}", ran.err);
    }
    assert_eq!(world.hook(b"{}"), "");
    assert_eq!(world.receipt(&["init", "--no-hooks"]).code, 3);
    assert!(!settings(&world).exists());
    assert!(!world.home().join("ledger/genesis").exists());
}

#[test]
fn settings_on_a_full_disk_stand() {
    let world = World::new();
    put(&world, "{\"model\": \"opus\"}");
    let ran = limited(&world, 0, "init");
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert_eq!(text(&world), "{\"model\": \"opus\"}");
    assert_eq!(beside(&world), [], "no half file is left");
    good(&world.receipt(&["init"]));
    good(&world.receipt(&["uninstall"]));
    assert_eq!(text(&world), "{\"model\": \"opus\"}");
}
