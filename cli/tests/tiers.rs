//! The service of another user: what the agent's user can do, and what not.
//!
//! These run as root, since they need processes of several users.

mod machine;

use crate::versions::build;
use crate::world::{World, answer, finish, start};
use machine::{AGENT, Machine, OTHER, SERVICE};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a verifier says who asks for the tier separate-user.
fn verified(folder: &Path) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_receipt"));
    command
        .args(["verify", "receipt.json", "--trust", "allowed_signers"])
        .args([
            "--tier",
            "separate-user",
            "--accept",
            "no-code",
            "--format",
            "json",
        ])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let ran = finish(start(command, b""));
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let tier = report["receipt"]["tier_shown"].as_str().unwrap().to_owned();
    (ran.code, tier, report["reasons"].to_string())
}

fn request(session: &str, call: &str) -> Value {
    json!({"session_id": session, "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_use_id": call, "tool_input": {"command": format!("ls {call}")}})
}

#[test]
fn the_agents_user_is_recorded_and_judged_and_can_change_nothing() {
    let Some(machine) = Machine::new() else {
        return;
    };
    let service = machine.status();
    let blocked = machine.turn("s", false);
    assert!(blocked.contains("\"decision\":\"block\""), "{blocked}");
    let pid = &service["pid"];
    for script in [
        "cat service/keys/record.pem",
        "ls service",
        "ls service/keys",
        "cat service/ledger/intake/00000000000000000000.seg",
        "truncate -s 100 service/ledger/intake/00000000000000000000.seg",
        "echo x >> service/ledger/head",
        "rm -rf service/ledger",
        "mv service elsewhere",
        "rm -f run/receipt.sock",
        "touch run/other.sock",
        "echo user = 1 > system",
        "mv system elsewhere",
        &format!("kill -9 {pid}"),
        &format!("kill -STOP {pid}"),
    ] {
        assert!(!machine.can(AGENT, script), "{script}");
    }
    // The user whose it is can do such things.
    for script in [
        "cat service/keys/record.pem",
        "cat service/ledger/intake/00000000000000000000.seg",
        "touch run/other.sock && rm run/other.sock",
        &format!("kill -0 {pid}"),
    ] {
        assert!(machine.can(SERVICE, script), "{script}");
    }
    for command in [
        &["service", "stop"][..],
        &["log"],
        &["show", "3"],
        &["audit"],
        &["prune", "--session", "s"],
    ] {
        let ran = machine.run(AGENT, command);
        assert_ne!(ran.code, 0, "{command:?}: {}", ran.out);
        assert_eq!(ran.out, "", "{command:?}");
        assert!(
            ran.err.contains("another user's"),
            "{command:?}: {}",
            ran.err
        );
    }
    assert_eq!(machine.status()["pid"], service["pid"]);
    let audit = machine.run(SERVICE, &["audit"]);
    assert_eq!(audit.code, 0, "{}", audit.err);
    let records = machine.records();
    let events: Vec<&Value> = records
        .iter()
        .filter(|r| r["client_us"] != 0 && r["kind"] != "snapshot")
        .collect();
    assert_eq!(events.len(), 6, "{events:#?}");
    for event in events {
        let origin = machine.origin(event);
        assert_eq!(origin["peer"]["uid"], AGENT, "{origin}");
        assert_eq!(origin["service"]["uid"], SERVICE, "{origin}");
        assert!(!event["flags"].to_string().contains("late"), "{event}");
    }
}

#[test]
fn receipts_say_separate_user_and_are_the_users_own() {
    let Some(machine) = Machine::new() else {
        return;
    };
    assert!(machine.turn("s", false).contains("block"));
    let (code, tier, why) = machine.export_and_verify(AGENT, &[]);
    assert_eq!((code, tier.as_str()), (10, "separate-user"), "{why}");
    assert!(!why.contains("tier"), "{why}");
    let named = machine.export_and_verify(AGENT, &["--session", "s"]);
    assert_eq!(named.0, 10);
    // Nobody else has them but the keeper.
    let verdict = machine
        .records()
        .iter()
        .rfind(|r| r["kind"] == "verdict-stop")
        .unwrap()["seq"]
        .to_string();
    for wish in [&[][..], &["--session", "s"], &["--verdict", &verdict]] {
        let ran = machine.run(OTHER, &[&["export"], wish].concat());
        assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{wish:?}");
        assert_eq!(machine.export_and_verify(SERVICE, wish).0, 10);
    }
    // Nor does anyone else report to a session; its events stay with that user.
    assert_eq!(machine.hook(OTHER, &request("s", "foreign")), "");
    let spool = machine
        .world
        .path("other/.local/share/receipt/system/spool");
    assert_eq!(fs::read_dir(&spool).unwrap().count(), 1);
    assert_eq!(machine.hook(OTHER, &request("own", "b")), "");
    assert_eq!(fs::read_dir(spool.join("quarantine")).unwrap().count(), 1);
    let log = machine.run(SERVICE, &["log"]).out;
    assert!(!log.contains("ls foreign") && log.contains("ls b"), "{log}");
    // A service that runs as the agent's own user claims no more than it is.
    let world = World::new();
    world.event(&json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "go"}));
    world.event(&json!({"session_id": "s", "hook_event_name": "Stop"}));
    let folder = tempfile::tempdir().unwrap();
    let signers = world.receipt(&["key", "show", "--format", "allowed-signers"]);
    fs::write(folder.path().join("allowed_signers"), signers.out).unwrap();
    fs::write(
        folder.path().join("receipt.json"),
        world.receipt(&["export"]).out,
    )
    .unwrap();
    let (code, tier, why) = verified(folder.path());
    assert_eq!((code, tier.as_str()), (13, "same-user"), "{why}");
    assert!(why.contains("tier"), "{why}");
}

#[test]
fn what_root_reports_is_no_separate_user() {
    let Some(machine) = Machine::new() else {
        return;
    };
    for event in [
        json!({"session_id": "r", "hook_event_name": "UserPromptSubmit", "prompt": "go"}),
        json!({"session_id": "r", "hook_event_name": "Stop"}),
    ] {
        assert_eq!(machine.hook(0, &event), "");
    }
    let (code, tier, why) = machine.export_and_verify(SERVICE, &["--session", "r"]);
    assert_eq!((code, tier.as_str()), (13, "same-user"), "{why}");
}

#[test]
fn without_the_service_events_wait_in_the_users_own_spool() {
    let Some(mut machine) = Machine::new() else {
        return;
    };
    machine.hook(AGENT, &request("s", "a"));
    machine.stop();
    let spool = machine
        .world
        .path("agent/.local/share/receipt/system/spool");
    for call in ["b", "c"] {
        assert_eq!(machine.hook(AGENT, &request("s", call)), "");
    }
    assert_eq!(fs::read_dir(&spool).unwrap().count(), 2);
    assert!(
        !machine
            .world
            .path("agent/.local/share/receipt/ledger")
            .exists()
    );
    let doctor = machine.run(AGENT, &["doctor"]);
    assert_eq!(doctor.code, 1);
    assert!(doctor.out.contains("2 events wait"), "{}", doctor.out);
    let ran = machine.run(AGENT, &["export"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("does not answer"), "{}", ran.err);
    // Its own user works on the ledger without it.
    assert_eq!(machine.run(SERVICE, &["audit"]).code, 0);
    machine.serve();
    machine.hook(AGENT, &request("s", "d"));
    assert_eq!(fs::read_dir(&spool).unwrap().count(), 0);
    let records = machine.records();
    let calls: Vec<(String, bool)> = records
        .iter()
        .filter(|r| r["kind"] == "tool-requested")
        .map(|r| {
            let command = r["body"]["commands"]["command"].as_str().unwrap();
            (command.to_owned(), r["flags"].to_string().contains("late"))
        })
        .collect();
    let said: Vec<(&str, bool)> = calls.iter().map(|(c, l)| (c.as_str(), *l)).collect();
    assert_eq!(
        said,
        [
            ("ls a", false),
            ("ls b", true),
            ("ls c", true),
            ("ls d", false)
        ]
    );
    assert!(records.iter().any(|r| r["kind"] == "gap"));
    let doctor = machine.run(AGENT, &["doctor"]);
    assert_eq!(doctor.code, 0, "{}", doctor.out);
    assert!(doctor.out.contains("separate-user"), "{}", doctor.out);
}

/// What the user writes, sets or installs does not lead a hook elsewhere.
#[test]
fn no_configuration_of_the_agents_user_leads_a_hook_elsewhere() {
    let Some(machine) = Machine::new() else {
        return;
    };
    let own = machine.world.path("agent/own");
    let mut command = machine.command(AGENT);
    command
        .env_remove("RECEIPT_SYSTEM")
        .env("RECEIPT_HOME", &own);
    command.args(["init", "--no-hooks"]);
    assert_eq!(finish(start(command, b"")).code, 0);
    let hook = |file: &Path, call: &str| {
        let mut command = machine.command(AGENT);
        command
            .env("RECEIPT_HOME", &own)
            .args(["hook", "claude-code", "--system"])
            .arg(file);
        assert_eq!(
            answer(start(command, request("s", call).to_string().as_bytes())),
            ""
        );
    };
    hook(&machine.file(), "a");
    assert!(machine.run(SERVICE, &["log"]).out.contains("ls a"));
    // A file that the user could have written names no service, and none is
    // started in its place.
    let forged = machine.world.path("agent/system");
    machine.name_service(&forged);
    hook(&forged, "b");
    for (change, back) in [
        ("chown 60002 system", "chown 0 system"),
        ("chmod 666 system", "chmod 644 system"),
    ] {
        let shell = |script: &str| {
            let mut shell = Command::new("sh");
            shell
                .args(["-c", script])
                .current_dir(machine.world.path(""));
            assert!(shell.status().unwrap().success());
        };
        shell(change);
        hook(&machine.file(), "b");
        let ran = machine.run(AGENT, &["service", "status"]);
        assert_eq!(ran.code, 3);
        assert!(ran.err.contains("others than root"), "{}", ran.err);
        let doctor = machine.run(AGENT, &["doctor"]);
        assert_eq!(doctor.code, 1);
        assert!(doctor.out.contains("remedy: chown root"), "{}", doctor.out);
        shell(back);
    }
    assert!(!machine.run(SERVICE, &["log"]).out.contains("ls b"));
    assert_eq!(fs::read_dir(own.join("system/spool")).unwrap().count(), 3);
    assert!(!own.join("run").exists(), "no other service was started");
}

/// A newer hook replaces its user's service, never the machine's.
#[test]
fn no_hook_ends_the_service_of_the_machine() {
    let Some(machine) = Machine::new() else {
        return;
    };
    let before = machine.status();
    for (protocol, minor) in [(1, 9), (2, 1)] {
        let newer = build(&machine.world, protocol, minor);
        for user in [AGENT, 0] {
            let mut command = machine.world.command_of(&newer);
            command
                .env("HOME", machine.world.path("agent"))
                .env_remove("RECEIPT_HOME")
                .args(["hook", "claude-code", "--system"])
                .arg(machine.file());
            command.uid(user).gid(user);
            let event = request(&format!("s{user}"), &format!("{protocol}"));
            assert_eq!(answer(start(command, event.to_string().as_bytes())), "");
        }
    }
    assert_eq!(machine.status()["pid"], before["pid"]);
    let log = machine
        .run(SERVICE, &["log", "--kind", "tool-requested"])
        .out;
    assert_eq!(log.lines().count(), 2, "{log}");
}

#[test]
fn the_system_service_runs_as_the_user_that_is_named() {
    let Some(machine) = Machine::new() else {
        return;
    };
    let ran = machine.run(AGENT, &["serve", "--system"]);
    assert_eq!(ran.code, 3, "{}", ran.out);
    assert!(ran.err.contains("names user 60001"), "{}", ran.err);
    let second = machine.run(SERVICE, &["serve", "--system"]);
    assert_eq!(second.code, 1, "{}", second.out);
    assert!(second.err.contains("another process has"), "{}", second.err);
    fs::write(machine.file(), "user = 0\nhome = \"/a\"\nsocket = \"/b\"\n").unwrap();
    let ran = machine.run(0, &["serve", "--system"]);
    assert!(ran.err.contains("is root"), "{}", ran.err);
    // For an agent's user there are hooks to wire, and no ledger to make.
    machine.name_service(&machine.file());
    let ran = machine.run(AGENT, &["init"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("kept by user 60001"), "{}", ran.out);
    let settings = machine.world.path("agent/.claude/settings.json");
    assert!(fs::read_to_string(settings).unwrap().contains("--system"));
    assert!(
        !machine
            .world
            .path("agent/.local/share/receipt/keys")
            .exists()
    );
}

#[test]
fn the_unit_is_printed_for_this_program() {
    let world = World::bare();
    let unit = world.receipt(&["serve", "--print-unit"]).out;
    for line in [
        format!("ExecStart={} serve --system", env!("CARGO_BIN_EXE_receipt")),
        "User=receipt".to_owned(),
        "NoNewPrivileges=yes".to_owned(),
        "ProtectSystem=strict".to_owned(),
        "RestrictAddressFamilies=AF_UNIX".to_owned(),
    ] {
        assert!(unit.lines().any(|l| l == line), "{line}\n{unit}");
    }
    assert_eq!(world.receipt(&["serve"]).code, 2);
}
