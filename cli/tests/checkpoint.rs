//! Checkpoints: shown, checked, and proved to continue each other, with the
//! ledger and without.

use crate::world::{Ran, World};
use serde_json::{Value, json};
use std::fs;

fn grow(world: &World, session: &str) {
    for event in ["UserPromptSubmit", "Stop"] {
        world.event(&json!({"session_id": session, "hook_event_name": event, "prompt": "look"}));
    }
}

/// Saves the newest note and returns its path.
fn note(world: &World, name: &str) -> String {
    let path = world.path(name).to_str().unwrap().to_owned();
    let ran = world.receipt(&["checkpoint", "show"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    fs::write(&path, ran.out).unwrap();
    path
}

fn verifier_key(world: &World) -> String {
    let ran = world.receipt(&["checkpoint", "show", "--format", "json"]);
    let shown: Value = serde_json::from_str(&ran.out).unwrap();
    shown["verifier_key"].as_str().unwrap().to_owned()
}

#[test]
fn a_checkpoint_continues_an_older_one_and_a_stranger_can_check() {
    let world = World::new();
    grow(&world, "a");
    let old = note(&world, "old");
    grow(&world, "b");
    grow(&world, "c");
    let new = note(&world, "new");
    assert_eq!(world.receipt(&["checkpoint", "verify", &old]).code, 0);
    for wish in [
        &["checkpoint", "consistency", &old][..],
        &["checkpoint", "consistency", &old, &new],
    ] {
        let ran = world.receipt(wish);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("continues"), "{}", ran.out);
    }
    let proof = world.path("proof").to_str().unwrap().to_owned();
    let made = world.receipt(&["checkpoint", "consistency", &old, &new, "--format", "json"]);
    fs::write(&proof, made.out).unwrap();
    let key = verifier_key(&world);
    // Somebody without a ledger.
    let stranger = World::bare();
    let checked = |old: &str, new: &str| {
        let wish = [
            "checkpoint",
            "consistency",
            old,
            new,
            "--proof",
            &proof,
            "--key",
            &key,
        ];
        stranger.receipt(&wish)
    };
    assert_eq!(checked(&old, &new).code, 0);
    assert_eq!(checked(&old, &old).code, 30, "a proof of something else");
    let verify = stranger.receipt(&["checkpoint", "verify", &new, "--key", &key]);
    assert_eq!(verify.code, 0, "{}", verify.err);
    // The one of some size, and one that is not there yet.
    assert_eq!(
        world.receipt(&["checkpoint", "show", "--size", "1"]).code,
        0
    );
    assert_eq!(
        world
            .receipt(&["checkpoint", "show", "--size", "100000"])
            .code,
        3
    );
}

#[test]
fn what_is_not_signed_by_that_key_is_refused() {
    let world = World::new();
    grow(&world, "a");
    let path = note(&world, "note");
    let text = fs::read_to_string(&path).unwrap();
    let other = World::new();
    grow(&other, "o");
    let wish = [
        "checkpoint",
        "verify",
        &path,
        "--key",
        &verifier_key(&world),
    ];
    assert_eq!(other.receipt(&wish).code, 0);
    assert_eq!(other.receipt(&["checkpoint", "verify", &path]).code, 40);
    assert_eq!(other.receipt(&["checkpoint", "consistency", &path]).code, 3);
    for (at, _) in text
        .char_indices()
        .filter(|(_, c)| c.is_ascii_alphanumeric())
    {
        if at % 7 != 0 {
            continue;
        }
        let mut bytes = text.clone().into_bytes();
        bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
        fs::write(&path, bytes).unwrap();
        let ran = world.receipt(&wish);
        assert_ne!(ran.code, 0, "byte {at}: {}", ran.out);
    }
    assert_eq!(
        world
            .receipt(&["checkpoint", "verify", &path, "--key", "x"])
            .code,
        2
    );
}

#[test]
fn another_history_contradicts() {
    let world = World::new();
    grow(&world, "a");
    world.receipt(&["service", "stop"]);
    let copy = World::bare();
    let kept = std::process::Command::new("cp")
        .args([
            "-a",
            world.home().to_str().unwrap(),
            copy.home().to_str().unwrap(),
        ])
        .status();
    assert!(kept.unwrap().success());
    grow(&world, "b");
    grow(&copy, "z");
    grow(&copy, "y");
    let theirs = note(&copy, "theirs");
    let ran = world.receipt(&["checkpoint", "consistency", &theirs]);
    assert!([3, 30].contains(&ran.code), "{}{}", ran.out, ran.err);
    grow(&world, "c");
    grow(&world, "d");
    let ran = world.receipt(&["checkpoint", "consistency", &theirs]);
    assert_eq!(ran.code, 30, "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("CONTRADICTED"), "{}", ran.out);
}

#[test]
fn notes_from_before_a_change_of_keys_still_count() {
    let world = World::new();
    grow(&world, "a");
    let old = note(&world, "old");
    assert_eq!(world.receipt(&["key", "rotate"]).code, 0);
    grow(&world, "b");
    let ran = world.receipt(&["checkpoint", "consistency", &old]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

/// Exports the newest turn and verifies it beside a checkpoint that was kept.
fn beside(world: &World, more: &[&str]) -> Ran {
    let file = world.path("turn.json");
    let trust = world.path("trust");
    let (file, trust) = (file.to_str().unwrap(), trust.to_str().unwrap());
    if !more.contains(&"--checkpoint") || !std::path::Path::new(file).exists() {
        assert_eq!(world.receipt(&["export", "-o", file]).code, 0);
        let key = world.receipt(&["key", "show", "--format", "allowed-signers"]);
        std::fs::write(trust, key.out).unwrap();
    }
    let fixed = ["verify", file, "--trust", trust, "--accept", "no-code"];
    world.receipt(&[&fixed[..], more].concat())
}

#[test]
fn a_receipt_is_compared_with_a_checkpoint_that_was_kept() {
    let world = World::new();
    grow(&world, "a");
    let first = note(&world, "first");
    grow(&world, "b");
    assert_eq!(beside(&world, &[]).code, 0);
    // Its own checkpoint, and an older one with and without its proof.
    let own = note(&world, "own");
    let ran = beside(&world, &["--checkpoint", &own]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let ran = beside(&world, &["--checkpoint", &first]);
    assert_eq!(ran.code, 13, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("not shown to be one tree"), "{}", ran.out);
    let proof = world.receipt(&["checkpoint", "consistency", &first, "--format", "json"]);
    let path = world.path("proof");
    std::fs::write(&path, proof.out).unwrap();
    let with_proof = [
        "--checkpoint",
        &first,
        "--consistency",
        path.to_str().unwrap(),
    ];
    let ran = beside(&world, &with_proof);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    // A proof is not of another pair, and no other ledger's note is compared.
    let ran = beside(&world, &["--checkpoint", &own, "--consistency", &first]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    let other = World::new();
    grow(&other, "a");
    let ran = beside(&world, &["--checkpoint", &note(&other, "other")]);
    assert_eq!(ran.code, 13, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("not signed by a key"), "{}", ran.out);
}

/// The same keys, the same size, another history.
#[test]
fn a_receipt_of_another_history_is_contradicted() {
    let world = World::new();
    grow(&world, "a");
    world.receipt(&["service", "stop"]);
    let copy = World::bare();
    let kept = std::process::Command::new("cp")
        .args([
            "-a",
            world.home().to_str().unwrap(),
            copy.home().to_str().unwrap(),
        ])
        .status();
    assert!(kept.unwrap().success());
    grow(&world, "b");
    grow(&copy, "z");
    let (ours, theirs) = (note(&world, "ours"), note(&copy, "theirs"));
    let size = |path: &str| {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().nth(1).unwrap().to_owned()
    };
    assert_eq!(size(&ours), size(&theirs));
    assert_eq!(beside(&world, &["--checkpoint", &ours]).code, 0);
    let ran = beside(&world, &["--checkpoint", &theirs]);
    assert_eq!(ran.code, 30, "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("CONTRADICTED"), "{}", ran.out);
}
