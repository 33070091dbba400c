//! What a person types: wrong places for files, commands before there is a
//! ledger, two at once. Each ends at once and says what to do.

use crate::world::{Ran, World, finish, start};
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// Runs it, with nothing on stdin; it may not take long.
fn soon(world: &World, arguments: &[&str]) -> Ran {
    let started = Instant::now();
    let mut command = Command::new("timeout");
    command
        .args(["20", env!("CARGO_BIN_EXE_receipt")])
        .args(arguments)
        .env("HOME", world.path("user"))
        .env("RECEIPT_HOME", world.home())
        .current_dir(world.project())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let ran = finish(start(command, b""));
    assert!(started.elapsed() < Duration::from_secs(15), "{arguments:?}");
    ran
}

fn refused(world: &World, arguments: &[&str], words: &str) {
    let ran = soon(world, arguments);
    assert_eq!(ran.code, 3, "{arguments:?} {}{}", ran.out, ran.err);
    assert!(ran.err.contains(words), "{arguments:?} {}", ran.err);
}

#[test]
fn a_pipe_device_or_folder_in_a_files_place_is_refused_at_once() {
    let world = World::bare();
    let made = Command::new("mkfifo")
        .arg(world.project().join("pipe"))
        .status();
    assert!(made.unwrap().success());
    world.write("trust", "");
    for place in ["pipe", "/dev/zero"] {
        let words = "it is a pipe or a device, not a regular file";
        refused(&world, &["verify", place, "--trust", "trust"], words);
        refused(&world, &["verify", "trust", "--trust", place], words);
        refused(&world, &["show", place], words);
        refused(&world, &["scan", place], words);
        refused(&world, &["scan", place, "--all-turns"], words);
        refused(&world, &["bench", place], place);
    }
    refused(&world, &["show", "."], "it is a folder");
    refused(
        &world,
        &["verify", ".", "--trust", "trust"],
        "it is a folder",
    );
    fs::create_dir(world.project().join("turns")).unwrap();
    fs::rename(
        world.project().join("pipe"),
        world.project().join("turns/a.json"),
    )
    .unwrap();
    refused(&world, &["bench", "turns"], "a pipe or a device");
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let world = World::bare();
    world.write("trust", "");
    let huge = fs::File::create(world.project().join("huge.json")).unwrap();
    huge.set_len(1 << 40).unwrap();
    refused(&world, &["scan", "huge.json"], "it is larger than");
    refused(&world, &["bench", "."], "it is larger than");
    refused(
        &world,
        &["show", "huge.json"],
        "larger than a receipt can be",
    );
    refused(
        &world,
        &["verify", "trust", "--trust", "huge.json"],
        "the file is larger than",
    );
    let ran = soon(&world, &["verify", "huge.json", "--trust", "trust"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(
        ran.out.contains("larger than a receipt can be"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("further steps were not reached"),
        "{}",
        ran.out
    );
    assert!(ran.out.lines().count() < 20, "{}", ran.out);
}

#[test]
fn before_there_is_a_ledger_every_command_names_init() {
    let world = World::bare();
    for arguments in [
        &["log"][..],
        &["show", "1"],
        &["audit"],
        &["export"],
        &["key", "show"],
    ] {
        refused(&world, arguments, "`receipt init` makes one");
    }
}

#[test]
fn several_inits_at_once_make_one_ledger_and_all_say_so() {
    let world = World::bare();
    let runs: Vec<_> = (0..6)
        .map(|_| {
            let mut command = world.command();
            command.args(["init", "--no-hooks"]);
            start(command, b"")
        })
        .collect();
    let told: Vec<Ran> = runs.into_iter().map(finish).collect();
    for ran in &told {
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(ran.out, told[0].out);
    }
    world.audit();
}

#[test]
fn an_init_that_does_not_get_its_turn_says_what_to_do() {
    let world = World::new();
    let folder = fs::File::open(world.home()).unwrap();
    folder.lock().unwrap();
    let ran = soon(&world, &["init", "--no-hooks"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("another `receipt init` is at work"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("run it again"), "{}", ran.err);
}

#[test]
fn init_says_that_the_profile_cannot_be_read() {
    let world = World::new();
    fs::write(world.home().join("receipt.toml"), "[gates").unwrap();
    let ran = soon(&world, &["init", "--no-hooks"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("receipt.toml"), "{}", ran.err);
    assert!(ran.err.contains("as strict as by default"), "{}", ran.err);
}

#[test]
fn export_names_the_session_and_the_folder_that_are_wrong() {
    let world = World::new();
    refused(
        &world,
        &["export", "--session", "zz"],
        "no turn of session `zz`",
    );
}

#[test]
fn a_hook_in_a_worktree_with_an_odd_name_answers_and_records() {
    use std::os::unix::ffi::OsStrExt;
    let world = World::new();
    for (name, shown) in [
        (&b"a\nb"[..], &b"a\\nb"[..]),
        (b"a\xff\xfeb", b"a\xff\xfeb"),
        (b"a\xff\xfec", b"a\\udcff\\udcfec"),
    ] {
        let folder = world.path("odd").join(std::ffi::OsStr::from_bytes(name));
        fs::create_dir_all(&folder).unwrap();
        let made = Command::new("git")
            .args(["init", "-q"])
            .current_dir(&folder)
            .status();
        assert!(made.unwrap().success());
        let before = world.records().len();
        for event in [
            r#""UserPromptSubmit","prompt":"x""#,
            r#""PreToolUse","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"ls"}"#,
            r#""Stop","stop_hook_active":false"#,
        ] {
            let parent = world.path("odd");
            let mut payload = br#"{"session_id":"odd","cwd":""#.to_vec();
            payload.extend(parent.as_os_str().as_bytes());
            payload.push(b'/');
            payload.extend(shown);
            payload.extend(format!(r#"","hook_event_name":{event}}}"#).bytes());
            let mut command = world.command();
            command.args(["hook", "claude-code"]).current_dir(&folder);
            let ran = finish(start(command, &payload));
            assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
        }
        assert!(world.records().len() >= before + 4, "{name:?}");
    }
    world.audit();
}
