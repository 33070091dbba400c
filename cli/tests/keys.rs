//! Changes of keys: the ledger goes on, old receipts stay valid, revoked keys
//! are believed no more, and other programs read what is written.

use crate::world::{Ran, World};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A turn that changes nothing, and its receipt.
fn receipt(world: &World, name: &str) -> PathBuf {
    for event in ["UserPromptSubmit", "Stop"] {
        world.event(&json!({"session_id": name, "hook_event_name": event, "prompt": "look"}));
    }
    let path = world.path(&format!("{name}.json"));
    let ran = world.receipt(&["export", "--session", name, "-o", path.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    path
}

fn verify(world: &World, file: &Path, more: &[&str]) -> Ran {
    let trust = world.path("trust");
    let key = world.receipt(&["key", "show", "--format", "allowed-signers"]);
    fs::write(&trust, key.out).unwrap();
    let fixed = [
        "verify",
        file.to_str().unwrap(),
        "--trust",
        trust.to_str().unwrap(),
    ];
    let accept = ["--accept", "no-code"];
    world.receipt(&[&fixed[..], &accept, more].concat())
}

fn verified(world: &World, file: &Path) {
    let ran = verify(world, file, &[]);
    assert_eq!(ran.code, 0, "{}", ran.out);
}

#[test]
fn rotated_keys_sign_what_follows_and_old_receipts_stay() {
    let world = World::new();
    let before = receipt(&world, "before");
    let old = fs::read(world.home().join("keys/record.pem")).unwrap();
    let ran = world.receipt(&["key", "rotate", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(said["uses"], json!(["record", "verdict", "checkpoint"]));
    assert_ne!(fs::read(world.home().join("keys/record.pem")).unwrap(), old);
    assert!(!world.home().join("keys.next").exists());
    let after = receipt(&world, "after");
    verified(&world, &before);
    verified(&world, &after);
    // A verdict from before, exported now: the newest verdict key signs it.
    let again = world.path("again.json");
    let wish = [
        "export",
        "--session",
        "before",
        "-o",
        again.to_str().unwrap(),
    ];
    assert_eq!(world.receipt(&wish).code, 0);
    verified(&world, &again);
    world.audit();
    assert_eq!(
        world.receipt(&["key", "rotate", "--use", "verdict"]).code,
        0
    );
    world.audit();
    verified(&world, &receipt(&world, "third"));
    let kinds = world.kinds();
    assert_eq!(kinds.iter().filter(|k| *k == "key").count(), 2);
}

#[test]
fn a_receipt_without_its_key_record_is_refused() {
    let world = World::new();
    assert_eq!(world.receipt(&["key", "rotate"]).code, 0);
    let file = receipt(&world, "s");
    verified(&world, &file);
    let text = fs::read_to_string(&file).unwrap();
    let mut value: Value = serde_json::from_str(&text).unwrap();
    value["receipt"]["keys"] = json!([]);
    fs::write(&file, format!("{value}\n")).unwrap();
    let ran = verify(&world, &file, &[]);
    assert_eq!(ran.code, 40, "{}", ran.out);
}

#[test]
fn a_revoked_key_is_believed_no_more() {
    let world = World::new();
    let before = receipt(&world, "before");
    let ran = world.receipt(&["key", "revoke", "--use", "verdict"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("ssh-ed25519 "), "{}", ran.out);
    let list = world.path("revoked");
    fs::write(&list, format!("# lost\n{}", ran.out)).unwrap();
    let with_list = ["--revoked", list.to_str().unwrap()];
    let refused = verify(&world, &before, &with_list);
    assert_eq!(refused.code, 20, "{}", refused.out);
    assert!(refused.out.contains("revoked"), "{}", refused.out);
    let after = receipt(&world, "after");
    assert_eq!(verify(&world, &after, &with_list).code, 0);
    fs::write(&list, "not a key\n").unwrap();
    let unread = verify(&world, &after, &with_list);
    assert_eq!(unread.code, 3, "{}", unread.out);
    assert!(unread.err.contains("line 1"), "{}", unread.err);
}

#[test]
fn a_change_that_was_cut_short_is_settled_by_the_ledger() {
    let world = World::new();
    let keys = world.home().join("keys");
    let next = world.home().join("keys.next");
    // Made and never bound: the old ones stay in force.
    fs::create_dir(&next).unwrap();
    let other = World::new();
    for name in ["record.pem", "verdict.pem"] {
        fs::copy(other.home().join("keys").join(name), next.join(name)).unwrap();
    }
    verified(&world, &receipt(&world, "a"));
    assert!(!next.exists());
    // Bound, and not yet in their place: put them back where they waited.
    let old = fs::read(keys.join("record.pem")).unwrap();
    world.receipt(&["service", "stop"]);
    assert_eq!(world.receipt(&["key", "rotate", "--use", "record"]).code, 0);
    fs::create_dir(&next).unwrap();
    fs::rename(keys.join("record.pem"), next.join("record.pem")).unwrap();
    fs::write(keys.join("record.pem"), old).unwrap();
    fs::set_permissions(keys.join("record.pem"), fs::Permissions::from_mode(0o600)).unwrap();
    verified(&world, &receipt(&world, "b"));
    assert!(!next.exists());
    world.audit();
}

/// Damage to any key is named; the hook says nothing, and its event waits.
#[test]
fn a_key_file_that_was_flipped_cut_emptied_or_removed_is_named() {
    type Harm = fn(&Path);
    let harms: [(&str, Harm); 4] = [
        ("flipped", |file| {
            // Within the seed: it stays a key, of somebody else.
            let text = fs::read_to_string(file).unwrap();
            let (head, tail) = text.split_at(text.find('\n').unwrap() + 45);
            let other = if tail.starts_with('a') { "b" } else { "a" };
            fs::write(file, format!("{head}{other}{}", &tail[1..])).unwrap();
        }),
        ("cut", |file| {
            let bytes = fs::read(file).unwrap();
            fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
        }),
        ("emptied", |file| fs::write(file, b"").unwrap()),
        ("removed", |file| fs::remove_file(file).unwrap()),
    ];
    let world = World::new();
    for (n, name) in ["identity", "record", "verdict", "checkpoint"]
        .iter()
        .enumerate()
    {
        for (m, (what, harm)) in harms.iter().enumerate() {
            world.receipt(&["service", "stop"]);
            let file = world.home().join(format!("keys/{name}.pem"));
            let kept = fs::read(&file).unwrap();
            harm(&file);
            let ran = world.receipt(&["audit"]);
            assert_ne!(ran.code, 0, "{name} {what}: {}", ran.out);
            assert!(
                ran.err.contains(name) && ran.err.contains("keys/"),
                "{name} {what}: {}",
                ran.err
            );
            let prompt = json!({"session_id": "s", "hook_event_name": "UserPromptSubmit",
                "prompt": format!("{n} {m}")});
            assert_eq!(world.event(&prompt), "");
            fs::write(&file, kept).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
            world.audit();
        }
    }
    let kinds = world.kinds();
    assert_eq!(kinds.iter().filter(|k| *k == "prompt-human").count(), 16);
}

#[test]
fn a_change_that_was_cut_short_while_its_keys_were_written_hinders_nothing() {
    let world = World::new();
    let unfinished = world.home().join("keys.next.tmp");
    fs::create_dir(&unfinished).unwrap();
    fs::write(unfinished.join("record.pem"), "-----BEGIN PRIV").unwrap();
    verified(&world, &receipt(&world, "a"));
    assert_eq!(world.receipt(&["key", "rotate"]).code, 0);
    assert!(!unfinished.exists());
    verified(&world, &receipt(&world, "b"));
    world.audit();
}

/// Runs another program; `None` where it is not installed.
fn other(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{program} {arguments:?}: {err}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Where a program must be there, its absence fails.
fn skipped(program: &str) {
    println!("SKIPPED: {program} is not installed");
    assert!(
        std::env::var_os("CI").is_none(),
        "{program} is required in CI"
    );
}

#[test]
fn openssl_reads_every_private_key() {
    let world = World::new();
    for name in ["identity", "record", "verdict", "checkpoint"] {
        let path = world.home().join(format!("keys/{name}.pem"));
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let arguments = ["pkey", "-in", path.to_str().unwrap(), "-noout", "-text"];
        match other("openssl", &arguments) {
            Some(text) => assert!(text.contains("ED25519"), "{text}"),
            None => skipped("openssl"),
        }
    }
}

#[test]
fn openssh_reads_what_is_exported_for_it() {
    let world = World::new();
    let public = world.receipt(&["key", "export", "--openssh"]).out;
    let private = world
        .receipt(&["key", "export", "--openssh", "--private"])
        .out;
    let path = world.path("id");
    fs::write(&path, private).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    match other("ssh-keygen", &["-y", "-f", path.to_str().unwrap()]) {
        Some(text) => assert!(text.starts_with(public.trim_end()), "{text} {public}"),
        None => skipped("ssh-keygen"),
    }
    assert_eq!(world.receipt(&["key", "export"]).code, 2);
}

#[test]
fn a_key_file_that_will_not_do_is_named_with_the_remedy() {
    type Spoil = fn(&PathBuf);
    let cases: [(Spoil, &str); 3] = [
        (|p| fs::remove_file(p).unwrap(), "cannot read"),
        (|p| fs::write(p, "no key").unwrap(), "not a PEM file"),
        (
            |p| fs::set_permissions(p, fs::Permissions::from_mode(0o640)).unwrap(),
            "chmod 600",
        ),
    ];
    for (spoil, due) in cases {
        let world = World::new();
        let path = world.home().join("keys/record.pem");
        spoil(&path);
        let ran = world.receipt(&["audit"]);
        assert_eq!(ran.code, 3, "{}", ran.err);
        assert!(
            ran.err.contains(due) && ran.err.contains("record.pem"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn keys_are_read_by_whoever_has_the_ledger_alone() {
    let world = World::new();
    let lock = fs::File::options()
        .write(true)
        .open(world.home().join("ledger/lock"))
        .unwrap();
    lock.lock().unwrap();
    // As a change of keys leaves it while it goes on.
    let next = world.home().join("keys.next");
    fs::create_dir(&next).unwrap();
    fs::write(next.join("record.pem"), "half").unwrap();
    let ran = world.receipt(&["audit"]);
    assert!(
        ran.err.contains("another process has the ledger"),
        "{}",
        ran.err
    );
}
