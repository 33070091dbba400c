//! `init` and `uninstall` over settings files of many shapes.

use crate::world::World;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

/// Settings that someone else wrote, in shapes that people write.
const SHAPES: [(&str, &str); 9] = [
    ("empty", ""),
    ("empty object", "{}"),
    (
        "one line",
        r#"{"model":"opus","permissions":{"allow":["Bash(ls:*)"]}}"#,
    ),
    (
        "other hooks",
        r#"{
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "/usr/bin/say", "args": ["done"] }] }
    ],
    "WorktreeCreate": []
  },
  "model": "opus"
}
"#,
    ),
    (
        "tabs",
        "{\n\t\"hooks\" : {\n\t\t\"PreToolUse\":[ {\"matcher\":\"Bash\",\"hooks\":[]} ]\n\t},\n\t\"x\" : [1,2]\n}\n",
    ),
    (
        "CRLF",
        "{\r\n  \"model\": \"opus\",\r\n  \"env\": { \"A\": \"}\\\"{\" }\r\n}\r\n",
    ),
    ("byte-order mark", "\u{feff}{\n  \"model\": \"opus\"\n}\n"),
    ("empty hooks", "{ \"hooks\": {}, \"a\": \"\\\\\" }"),
    (
        "no final newline",
        "{\n  \"unknown\": { \"deep\": [ { \"hooks\": 1 } ] }\n}",
    ),
];

fn settings(world: &World) -> PathBuf {
    world.path("user/.claude/settings.json")
}

fn put(world: &World, text: &str) {
    let path = settings(world);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn parsed(world: &World) -> Value {
    let text = fs::read_to_string(settings(world)).unwrap();
    serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap()
}

/// Our hook lines for an event.
fn ours(settings: &Value, event: &str) -> usize {
    let groups = settings["hooks"][event].as_array();
    let lines = groups
        .into_iter()
        .flatten()
        .flat_map(|g| g["hooks"].as_array().into_iter().flatten());
    lines
        .filter(|l| l["args"][0] == "hook" && l["args"][1] == "claude-code")
        .count()
}

#[test]
fn every_shape_is_wired_and_comes_back_byte_for_byte() {
    for (name, before) in SHAPES {
        let world = World::bare();
        put(&world, before);
        let ran = world.receipt(&["init"]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
        let wired = parsed(&world);
        for event in [
            "SessionStart",
            "PreToolUse",
            "PostToolUseFailure",
            "Stop",
            "SessionEnd",
        ] {
            assert_eq!(ours(&wired, event), 1, "{name}: {event}");
        }
        for event in [
            "WorktreeCreate",
            "PermissionRequest",
            "MessageDisplay",
            "FileChanged",
        ] {
            assert_eq!(ours(&wired, event), 0, "{name}: {event} must not be wired");
        }
        let once = fs::read(settings(&world)).unwrap();
        assert_eq!(world.receipt(&["init"]).code, 0);
        assert_eq!(
            fs::read(settings(&world)).unwrap(),
            once,
            "{name}: init twice"
        );
        assert_eq!(world.receipt(&["uninstall"]).code, 0);
        let after = fs::read_to_string(settings(&world)).unwrap();
        assert_eq!(after, before, "{name}");
    }
}

#[test]
fn what_others_changed_meanwhile_stays() {
    let world = World::bare();
    put(&world, SHAPES[3].1);
    world.receipt(&["init"]);
    let text = fs::read_to_string(settings(&world)).unwrap();
    put(
        &world,
        &text.replace(
            "\"model\": \"opus\"",
            "\"model\": \"haiku\",\n  \"added\": true",
        ),
    );
    assert_eq!(world.receipt(&["uninstall"]).code, 0);
    let after = parsed(&world);
    assert_eq!(
        (&after["model"], &after["added"]),
        (&Value::from("haiku"), &Value::from(true))
    );
    assert_eq!(
        after["hooks"]["Stop"][0]["hooks"][0]["command"],
        "/usr/bin/say"
    );
    assert_eq!(ours(&after, "Stop"), 0);
}

#[test]
fn without_a_file_one_is_made_and_its_wiring_taken_out_again() {
    let world = World::bare();
    assert_eq!(world.receipt(&["init"]).code, 0);
    assert_eq!(ours(&parsed(&world), "Stop"), 1);
    assert_eq!(world.receipt(&["uninstall"]).code, 0);
    assert_eq!(parsed(&world), serde_json::json!({}));
}

#[test]
fn a_symbolic_link_stays_one() {
    let world = World::bare();
    put(&world, "{}");
    let target = world.path("dotfiles.json");
    fs::rename(settings(&world), &target).unwrap();
    symlink(&target, settings(&world)).unwrap();
    assert_eq!(world.receipt(&["init"]).code, 0);
    assert!(fs::symlink_metadata(settings(&world)).unwrap().is_symlink());
    assert_eq!(
        ours(
            &serde_json::from_slice(&fs::read(&target).unwrap()).unwrap(),
            "Stop"
        ),
        1
    );
}

#[test]
fn what_is_no_settings_file_is_left_alone_and_named() {
    let bad = [
        "{ not json",
        "[]",
        "{\"hooks\": []}",
        "{\"hooks\": {\"Stop\": 3}}",
        "{} {}",
    ];
    for text in bad {
        let world = World::bare();
        put(&world, text);
        let ran = world.receipt(&["init"]);
        assert_eq!(ran.code, 3, "{text}: {}", ran.out);
        assert!(
            ran.err.contains("settings.json") && ran.err.contains("hint: "),
            "{}",
            ran.err
        );
        assert_eq!(fs::read_to_string(settings(&world)).unwrap(), text);
    }
}

#[test]
fn a_dry_run_shows_and_changes_nothing() {
    let world = World::bare();
    put(&world, "{}");
    let ran = world.receipt(&["init", "--dry-run"]);
    assert!(ran.out.contains("\"Stop\""), "{}", ran.out);
    assert_eq!(fs::read_to_string(settings(&world)).unwrap(), "{}");
    assert!(!world.home().join("ledger").exists());
}

#[test]
fn a_second_init_keeps_the_identity() {
    let world = World::new();
    let identity = world.receipt(&["key", "show"]).out;
    let again = world.receipt(&["init", "--no-hooks"]);
    assert!(again.out.contains(identity.trim()), "{}", again.out);
}

#[test]
fn half_a_home_is_refused_with_the_remedy() {
    let world = World::new();
    world.receipt(&["service", "stop"]);
    fs::rename(world.home().join("ledger"), world.path("ledger")).unwrap();
    fs::create_dir_all(world.home().join("ledger/intake")).unwrap();
    let ran = world.receipt(&["init", "--no-hooks"]);
    assert_eq!(ran.code, 3, "{}", ran.out);
    assert!(ran.err.contains("put the ledger back"), "{}", ran.err);
    fs::remove_dir_all(world.home().join("ledger")).unwrap();
    fs::rename(world.path("ledger"), world.home().join("ledger")).unwrap();
    fs::rename(world.home().join("keys"), world.path("keys")).unwrap();
    let ran = world.receipt(&["init", "--no-hooks"]);
    assert_eq!(ran.code, 3, "{}", ran.out);
    assert!(ran.err.contains("put the keys folder back"), "{}", ran.err);
}

#[test]
fn a_key_that_others_may_read_is_refused_with_the_remedy() {
    use std::os::unix::fs::PermissionsExt;
    // `key show` reads the identity alone, whatever reads the ledger all of them.
    for (key, command) in [
        ("identity", "key show"),
        ("record", "audit"),
        ("verdict", "log"),
    ] {
        let world = World::new();
        let key = world.home().join(format!("keys/{key}.pem"));
        fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
        let ran = world.receipt(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, 3, "{command}: {}", ran.out);
        assert!(ran.err.contains("chmod 600"), "{command}: {}", ran.err);
    }
}
