//! A machine with several users.

use super::verified;
use crate::world::{Ran, World, answer, finish, start};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

pub(super) const SERVICE: u32 = 60_001;
pub(super) const AGENT: u32 = 60_002;
pub(super) const OTHER: u32 = 60_003;

/// A machine with a service of its own and users whose agents report to it.
pub(super) struct Machine {
    pub(super) world: World,
    pub(super) service: Option<Child>,
}

impl Machine {
    /// `None` where this cannot be had.
    pub(super) fn new() -> Option<Self> {
        if !is_root() {
            eprintln!("SKIPPED: processes of several users need root");
            return None;
        }
        let world = World::bare();
        let folders = [
            ("", 0, 0o755),
            ("service", SERVICE, 0o700),
            ("run", SERVICE, 0o755),
            ("agent", AGENT, 0o700),
            ("other", OTHER, 0o700),
            ("project", AGENT, 0o755),
        ];
        for (name, user, mode) in folders {
            let path = world.path(name);
            fs::create_dir_all(&path).unwrap();
            own(&path, user);
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        let mut machine = Self {
            world,
            service: None,
        };
        machine.name_service(&machine.file());
        let ran = machine.run(SERVICE, &["init", "--no-hooks"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        machine.serve();
        Some(machine)
    }

    pub(super) fn file(&self) -> PathBuf {
        self.world.path("system")
    }

    pub(super) fn name_service(&self, file: &Path) {
        let text = format!(
            "user = {SERVICE}\nhome = {:?}\nsocket = {:?}\n",
            self.world.path("service"),
            self.world.path("run/receipt.sock")
        );
        fs::write(file, text).unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(0o644)).unwrap();
    }

    /// Starts the service, and waits for it.
    pub(super) fn serve(&mut self) {
        let mut command = self.command(SERVICE);
        command.args(["serve", "--system"]).stderr(Stdio::inherit());
        let child = start(command, b"");
        let pid = u64::from(child.id());
        self.service = Some(child);
        while self.status()["pid"] != pid {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    pub(super) fn stop(&mut self) {
        assert_eq!(self.run(SERVICE, &["service", "stop"]).out, "stopped\n");
        let ran = finish(self.service.take().unwrap());
        assert_eq!(ran.code, 0);
    }

    pub(super) fn status(&self) -> Value {
        let ran = self.run(AGENT, &["service", "status", "--format", "json"]);
        serde_json::from_str(&ran.out).unwrap_or_default()
    }

    /// The program as a user, in the project.
    pub(super) fn command(&self, user: u32) -> Command {
        let home = match user {
            AGENT => "agent",
            OTHER => "other",
            _ => "service",
        };
        let mut command = self.world.command_as(user);
        command
            .env_remove("RECEIPT_HOME")
            .env("HOME", self.world.path(home))
            .env("RECEIPT_SYSTEM", self.file());
        command
    }

    pub(super) fn run(&self, user: u32, arguments: &[&str]) -> Ran {
        let mut command = self.command(user);
        command.args(arguments);
        finish(start(command, b""))
    }

    /// A hook, with the file in its line and not in its environment.
    pub(super) fn hook(&self, user: u32, event: &Value) -> String {
        let mut command = self.command(user);
        command
            .env_remove("RECEIPT_SYSTEM")
            .args(["hook", "claude-code", "--system"])
            .arg(self.file());
        answer(start(command, event.to_string().as_bytes()))
    }

    /// Whether a shell command succeeds as a user.
    pub(super) fn can(&self, user: u32, script: &str) -> bool {
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).current_dir(self.world.path(""));
        shell.uid(user).gid(user);
        shell.stdout(Stdio::null()).stderr(Stdio::null());
        shell.status().unwrap().success()
    }

    /// All records with their evidence, as the service's user reads them.
    pub(super) fn records(&self) -> Vec<Value> {
        let ran = self.run(SERVICE, &["log", "--format", "json"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let record = |line: &str| serde_json::from_str(line).unwrap();
        ran.out.lines().map(record).collect()
    }

    /// Where an event's record says that it came from.
    pub(super) fn origin(&self, record: &Value) -> Value {
        let seq = record["seq"].to_string();
        let ran = self.run(SERVICE, &["show", &seq, "--evidence"]);
        let shown: Value = serde_json::from_str(&ran.out).unwrap();
        let items = shown["evidence"].as_array().unwrap();
        match &items[1] {
            Value::String(text) => serde_json::from_str(text).unwrap(),
            other => other.clone(),
        }
    }

    /// A turn of the agent whose tests end so; returns what its stop is answered.
    pub(super) fn turn(&self, session: &str, passes: bool) -> String {
        let path = self.world.project().join("a.py");
        let said = |name: &str, more: Value| {
            let mut event = json!({"session_id": session, "hook_event_name": name,
                "cwd": self.world.project()});
            let members = more.as_object().unwrap().clone();
            event.as_object_mut().unwrap().extend(members);
            self.hook(AGENT, &event)
        };
        said("UserPromptSubmit", json!({"prompt": "go"}));
        let edit = json!({"tool_name": "Write", "tool_use_id": "w",
            "tool_input": {"file_path": path, "content": "x = 1\n"},
            "tool_response": {"type": "create", "filePath": path, "content": "x = 1\n",
                "originalFile": null, "structuredPatch": []}});
        said("PreToolUse", edit.clone());
        fs::write(&path, "x = 1\n").unwrap();
        said("PostToolUse", edit);
        let mut check = json!({"tool_name": "Bash", "tool_use_id": "t",
            "tool_input": {"command": "pytest -q"}});
        said("PreToolUse", check.clone());
        if passes {
            check["tool_response"] =
                json!({"stdout": "3 passed in 0.01s\n", "stderr": "", "interrupted": false});
            said("PostToolUse", check);
        } else {
            check["error"] = json!("Exit code 1\n1 failed in 0.01s");
            said("PostToolUseFailure", check);
        }
        said("Stop", json!({}))
    }

    /// Exports as a user and verifies with that user's word for the key: the exit
    /// code, the tier that is shown, and why the receipt is not accepted.
    pub(super) fn export_and_verify(&self, user: u32, arguments: &[&str]) -> (i32, String, String) {
        let exported = self.run(user, &[&["export"], arguments].concat());
        assert_eq!(exported.code, 0, "{}", exported.err);
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("receipt.json"), exported.out).unwrap();
        let signers = self.run(user, &["key", "show", "--format", "allowed-signers"]);
        assert_eq!(signers.code, 0, "{}", signers.err);
        fs::write(folder.path().join("allowed_signers"), signers.out).unwrap();
        verified(folder.path())
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if let Some(mut service) = self.service.take() {
            let _ = service.kill();
            let _ = service.wait();
        }
    }
}

pub(super) fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

/// Gives a folder and all that is in it to a user.
pub(super) fn own(path: &Path, user: u32) {
    chown(path, Some(user), Some(user)).unwrap();
    let entries = fs::read_dir(path).into_iter().flatten();
    for entry in entries.filter(|_| user != 0) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            own(&path, user);
        } else {
            chown(&path, Some(user), Some(user)).unwrap();
        }
    }
}
