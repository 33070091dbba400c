//! The service's life: found from any environment, stopped under load, and not
//! needed by any command.

use crate::world::{World, answer, finish, start};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

fn request(call: &str) -> Value {
    json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_use_id": call, "tool_input": {"command": format!("ls {call}")}})
}

/// A turn whose tests fail, up to its stop; returns what the stop was answered.
fn failing_turn(world: &World) -> String {
    let path = world.project().join("a.py");
    let said = |name: &str, more: Value| {
        let mut event = json!({"session_id": "s", "hook_event_name": name, "cwd": world.project()});
        let members = more.as_object().unwrap().clone();
        event.as_object_mut().unwrap().extend(members);
        world.event(&event)
    };
    said("UserPromptSubmit", json!({"prompt": "go"}));
    world.write("a.py", "x = 1\n");
    said(
        "PostToolUse",
        json!({"tool_name": "Write", "tool_use_id": "w",
            "tool_input": {"file_path": path, "content": "x = 1\n"},
            "tool_response": {"type": "create", "filePath": path, "content": "x = 1\n",
                "originalFile": null, "structuredPatch": []}}),
    );
    said(
        "PostToolUseFailure",
        json!({"tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": "pytest -q"},
            "error": "Exit code 1\n1 failed in 0.01s"}),
    );
    said("Stop", json!({}))
}

fn verdict(world: &World) -> Value {
    let records = world.records();
    let found = records.iter().rfind(|r| r["kind"] == "verdict-stop");
    found.unwrap()["body"]["facts"]["verdict"].clone()
}

fn profile(world: &World, text: &str) {
    fs::write(world.home().join("receipt.toml"), text).unwrap();
}

#[test]
fn commands_say_the_same_with_the_service_and_without() {
    let world = World::new();
    assert!(failing_turn(&world).contains("\"decision\":\"block\""));
    let commands: [&[&str]; 6] = [
        &["log"],
        &["log", "--format", "json", "--session", "s"],
        &["log", "--kind", "verdict-stop,stop-requested"],
        &["show", "3"],
        &["show", "3", "--evidence"],
        &["audit"],
    ];
    let all = |world: &World| -> Vec<(i32, String, String)> {
        let ran = commands.iter().map(|c| world.receipt(c));
        ran.map(|r| (r.code, r.out, r.err)).collect()
    };
    assert!(world.service().is_some());
    let with = all(&world);
    let exported = world.receipt(&["export"]).out;
    let stopped = world.receipt(&["service", "stop"]);
    assert_eq!(stopped.code, 0, "{}", stopped.err);
    assert_eq!(world.service(), None);
    // The last checkpoint of the service is one more record.
    let without = all(&world);
    for ((command, with), without) in commands.iter().zip(&with).zip(&without) {
        assert_eq!(with.0, 0, "{command:?}: {}", with.2);
        let same = without.1.starts_with(with.1.trim_end()) || *command == ["audit"];
        assert!(
            same && without.0 == 0,
            "{command:?}: {} / {}",
            with.1,
            without.1
        );
    }
    assert!(exported.contains("payload"));
    assert_eq!(world.export_and_verify().code, 10);
    assert_eq!(world.service(), None, "a command starts no service");
}

#[test]
fn what_is_not_there_is_said_with_and_without_the_service() {
    let world = World::new();
    world.event(&request("t"));
    for round in 0..2 {
        let nothing = world.receipt(&["export"]);
        assert_eq!(nothing.code, 3, "{}", nothing.err);
        assert!(nothing.err.contains("no turn has ended"), "{}", nothing.err);
        let missing = world.receipt(&["show", "4711"]);
        assert_eq!(
            (missing.code, missing.out.as_str()),
            (3, ""),
            "{}",
            missing.err
        );
        assert!(missing.err.contains("4711"), "{}", missing.err);
        if round == 0 {
            world.receipt(&["service", "stop"]);
        }
    }
}

/// A terminal, a cron job and a hook have different environments.
#[test]
fn the_service_is_found_from_any_environment() {
    let world = World::new();
    let elsewhere = world.path("runtime");
    fs::create_dir(&elsewhere).unwrap();
    let mut hook = world.command();
    hook.args(["hook", "claude-code"])
        .env("XDG_RUNTIME_DIR", &elsewhere);
    answer(start(hook, request("first").to_string().as_bytes()));
    let pid = world.service();
    assert!(
        pid.is_some(),
        "the service that a hook started is not found"
    );
    let mut other = world.command();
    other
        .args(["hook", "claude-code", "--home"])
        .arg(world.home())
        .env_remove("RECEIPT_HOME")
        .env("XDG_RUNTIME_DIR", world.path("another"));
    answer(start(other, request("second").to_string().as_bytes()));
    assert_eq!(world.service(), pid);
    let late = world
        .records()
        .into_iter()
        .filter(|r| r["flags"][0] == "late");
    assert_eq!(late.count(), 0);
}

#[test]
fn stopping_the_service_under_load_loses_nothing() {
    let world = World::new();
    let mut expected = BTreeSet::new();
    for round in 0..4 {
        let mut running = Vec::new();
        for n in 0..12 {
            let call = format!("t{round}-{n}");
            running.push(world.start_hook(request(&call).to_string().as_bytes()));
            expected.insert(format!("ls {call}"));
            if n == 6 {
                let stopped = world.receipt(&["service", "stop"]);
                assert_eq!(stopped.code, 0, "{}", stopped.err);
            }
        }
        for hook in running {
            assert_eq!(answer(hook), "");
        }
    }
    let records = world.records();
    let commands = records
        .iter()
        .filter(|r| r["kind"] == "tool-requested")
        .map(|r| {
            r["body"]["commands"]["command"]
                .as_str()
                .unwrap()
                .to_owned()
        });
    let commands: Vec<String> = commands.collect();
    assert_eq!(commands.len(), expected.len(), "once each");
    assert_eq!(commands.into_iter().collect::<BTreeSet<_>>(), expected);
    world.audit();
}

#[test]
fn status_and_stop_say_whether_it_runs() {
    let world = World::new();
    assert_eq!(world.receipt(&["service", "status"]).out, "not running\n");
    assert_eq!(world.receipt(&["service", "stop"]).out, "not running\n");
    world.event(&request("t"));
    let pid = world.service().unwrap();
    let status = world.receipt(&["service", "status"]).out;
    assert!(status.contains(&format!("pid {pid}")), "{status}");
    assert_eq!(world.receipt(&["service", "stop"]).out, "stopped\n");
    assert!(!fs::exists(format!("/proc/{pid}")).unwrap() || world.service().is_none());
    let log = fs::read_to_string(world.home().join("service.log")).unwrap_or_default();
    assert_eq!(log, "", "a service's ordinary life is no fault");
}

#[test]
fn the_service_has_nothing_of_the_hooks_environment() {
    let world = World::new();
    let mut hook = world.command();
    hook.args(["hook", "claude-code"])
        .env("ANTHROPIC_API_KEY", "of-the-agent")
        .env("CLAUDE_CODE_MESSAGING_TOKEN", "of-the-agent");
    answer(start(hook, request("t").to_string().as_bytes()));
    let pid = world.service().unwrap();
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap();
    let environment = String::from_utf8_lossy(&environment).into_owned();
    assert!(environment.contains("RECEIPT_HOME"), "{environment}");
    assert!(!environment.contains("of-the-agent"), "{environment}");
    let folder = fs::read_link(format!("/proc/{pid}/cwd")).unwrap();
    assert_eq!(folder.to_str(), Some("/"));
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let session = stat.rsplit(") ").next().unwrap().split(' ').nth(3).unwrap();
    assert_eq!(session, pid.to_string(), "it leads a session of its own");
}

#[test]
fn a_gate_in_mode_warn_allows_and_says_so() {
    let world = World::new();
    profile(&world, "[gates]\ncheck-failed = \"warn\"\n");
    let answer = failing_turn(&world);
    assert!(!answer.contains("decision"), "{answer}");
    assert!(answer.contains("systemMessage"), "{answer}");
    assert!(answer.contains("pytest"), "{answer}");
    let verdict = verdict(&world);
    assert_eq!(
        (&verdict["verdict"], &verdict["action"]),
        (&json!("block"), &json!("warned"))
    );
    assert_eq!(world.export_and_verify().code, 10);
}

#[test]
fn a_gate_in_mode_off_is_silent_and_its_receipt_is_not_green() {
    let world = World::new();
    profile(&world, "[gates]\ncheck-failed = \"off\"\n");
    assert_eq!(failing_turn(&world), "");
    let verdict = verdict(&world);
    assert_ne!(verdict["action"], "blocked");
    let ran = world.export_and_verify();
    assert_ne!(ran.code, 0, "{}", ran.out);
    assert!(!ran.out.contains("VERIFIED"), "{}", ran.out);
}

/// A profile that says something unknown must not open any gate.
#[test]
fn a_faulty_profile_is_named_and_the_default_is_in_force() {
    for text in [
        "[gates]\ncheck-failed = \"off\"\nno-such-gate = \"off\"\n",
        "[gates]\ncheck-failed = \"of\"\n",
        "[gates\ncheck-failed = \"off\"\n",
        "[gates]\ncheck-failed = \"off\"\n[judge]\nurls = \"x\"\n",
    ] {
        let world = World::new();
        profile(&world, text);
        let answer = failing_turn(&world);
        assert!(
            answer.contains("\"decision\":\"block\""),
            "{text}: {answer}"
        );
        let log = fs::read_to_string(world.home().join("service.log")).unwrap();
        assert!(log.contains("receipt.toml"), "{text}: {log}");
    }
}

/// The two ends speak the same language even where a stranger listens.
#[test]
fn a_stranger_at_the_socket_gets_no_answer_out_of_the_service() {
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;
    let world = World::new();
    world.event(&request("t"));
    let run = world.home().join("run");
    let socket = fs::read_dir(&run).unwrap().next().unwrap().unwrap().path();
    for nonsense in [
        &b"\xff\xff\xff\xff"[..],
        b"\x04\x00\x00\x00abcd",
        b"GET / HTTP/1.1\r\n\r\n",
    ] {
        let mut stream = UnixStream::connect(&socket).unwrap();
        stream.write_all(nonsense).unwrap();
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut said = Vec::new();
        let _ = stream.read_to_end(&mut said);
        assert_eq!(said, b"", "{nonsense:?}");
    }
    let mut command = world.command();
    command.args(["service", "status"]);
    assert_eq!(finish(start(command, b"")).code, 0);
    assert!(world.service().is_some(), "nonsense ends no service");
}

/// A socket path ends at 108 bytes; the place then is a private folder.
#[test]
fn a_home_with_a_long_path_works() {
    let world = World::new();
    let long = world.path(&"long-".repeat(30));
    let mut runs = Vec::new();
    for arguments in [
        &["init", "--no-hooks"][..],
        &["hook", "claude-code"],
        &["service", "status"],
        &["log", "--kind", "tool-requested"],
        &["service", "stop"],
    ] {
        let mut command = world.command();
        command.args(arguments).env("RECEIPT_HOME", &long);
        let ran = finish(start(command, request("t").to_string().as_bytes()));
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.err);
        runs.push(ran.out);
    }
    assert_eq!(runs[1], "");
    assert!(runs[2].starts_with("running"), "{}", runs[2]);
    assert!(
        runs[3].contains("ls t") && !runs[3].contains("late"),
        "{}",
        runs[3]
    );
    assert_eq!(runs[4], "stopped\n");
}

/// Whoever may write where the socket lies must not be sent the payloads.
#[test]
fn a_listener_of_another_user_is_sent_nothing() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    const LISTEN: &str = "import socket, sys\ns = socket.socket(socket.AF_UNIX)\n\
        s.bind(sys.argv[1])\ns.listen()\nprint('ready', flush=True)\n\
        c, _ = s.accept()\nprint(len(c.recv(1)), flush=True)";
    let world = World::new();
    world.event(&request("one"));
    let run = world.home().join("run");
    let socket = fs::read_dir(&run).unwrap().next().unwrap().unwrap().path();
    world.receipt(&["service", "stop"]);
    for folder in [world.path(""), world.home()] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    }
    fs::set_permissions(&run, fs::Permissions::from_mode(0o777)).unwrap();
    let mut stranger = std::process::Command::new("/usr/bin/python3");
    stranger
        .args(["-c", LISTEN])
        .arg(&socket)
        .uid(65_534)
        .gid(65_534);
    stranger.stdin(std::process::Stdio::piped());
    stranger.stdout(std::process::Stdio::piped());
    let Ok(mut stranger) = stranger.spawn() else {
        eprintln!("skipped: it needs root and /usr/bin/python3");
        return;
    };
    let mut said = std::io::BufReader::new(stranger.stdout.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut said, &mut line).unwrap();
    assert_eq!(line, "ready\n");
    world.event(&request("two"));
    line.clear();
    std::io::BufRead::read_line(&mut said, &mut line).unwrap();
    assert_eq!(line, "0\n", "it was sent something");
    stranger.wait().unwrap();
    fs::set_permissions(&run, fs::Permissions::from_mode(0o700)).unwrap();
    fs::remove_file(&socket).unwrap();
    let late = world
        .records()
        .into_iter()
        .filter(|r| r["flags"][0] == "late");
    assert_eq!(late.count(), 1, "the event waited in the spool");
}

/// One typing error must not take away what the user required.
#[test]
fn a_profile_that_becomes_faulty_leaves_the_last_one_in_force() {
    let world = World::new();
    profile(&world, "churn = 3\n");
    world
        .event(&json!({"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"}));
    world.receipt(&["service", "stop"]);
    profile(&world, "churn = 3\n[gates]\ncheck-faild = \"off\"\n");
    world
        .event(&json!({"hook_event_name": "SessionStart", "session_id": "t", "source": "startup"}));
    let records = world.records();
    let newest = records
        .iter()
        .rev()
        .find(|r| r["kind"] == "profile")
        .unwrap();
    let newest = newest["body"]["facts"]["profile"]["text"].clone();
    assert!(newest.as_str().unwrap().contains("\"churn\":3"), "{newest}");
}
