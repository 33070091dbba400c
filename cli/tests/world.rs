//! A ledger home and a project of a test's own; the service ends with it.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// How a run of the program ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A throwaway place with a ledger, a project under git, and nothing else.
#[derive(Debug)]
pub(crate) struct World {
    folder: TempDir,
}

impl World {
    /// A home without a ledger.
    pub(crate) fn bare() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let world = Self { folder };
        fs::create_dir_all(world.project()).unwrap();
        for arguments in [
            &["init", "-q"][..],
            &["commit", "-q", "--allow-empty", "-m", "first"],
        ] {
            world.git(arguments);
        }
        world
    }

    /// A home with keys and a ledger.
    pub(crate) fn new() -> Self {
        let world = Self::bare();
        let ran = world.receipt(&["init", "--no-hooks"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        world
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.path("home")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.path("project")
    }

    /// Runs git in the project with a fixed identity and no other configuration.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=test", "-c", "user.email=test@localhost"])
            .args(arguments)
            .current_dir(self.project())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "git {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    /// Writes a file of the project.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.project().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The program, in the project, with this world's home and little else.
    pub(crate) fn command(&self) -> Command {
        self.command_of(Path::new(env!("CARGO_BIN_EXE_receipt")))
    }

    /// The same as another user, who may not reach the folder it was built in:
    /// a copy of it lies in this world. Only root can do this.
    pub(crate) fn command_as(&self, user: u32) -> Command {
        let program = self.path("program");
        if !program.exists() {
            copy_program(Path::new(env!("CARGO_BIN_EXE_receipt")), &program);
        }
        let mut command = self.command_of(&program);
        command.uid(user).gid(user);
        command
    }

    /// The same with another build of the program.
    pub(crate) fn command_of(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.project())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.path("user"))
            .env("RECEIPT_HOME", self.home())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs a command.
    pub(crate) fn receipt(&self, arguments: &[&str]) -> Ran {
        let mut command = self.command();
        command.args(arguments);
        finish(start(command, b""))
    }

    /// Starts a hook with a payload.
    pub(crate) fn start_hook(&self, payload: &[u8]) -> Child {
        let mut command = self.command();
        command.args(["hook", "claude-code"]);
        start(command, payload)
    }

    /// Runs a hook; it must exit 0 and say nothing on stderr.
    pub(crate) fn hook(&self, payload: &[u8]) -> String {
        answer(self.start_hook(payload))
    }

    /// Runs a hook with a JSON payload.
    pub(crate) fn event(&self, payload: &Value) -> String {
        self.hook(payload.to_string().as_bytes())
    }

    /// Every record, as `receipt log --format json` gives it.
    pub(crate) fn records(&self) -> Vec<Value> {
        let ran = self.receipt(&["log", "--format", "json"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// The kinds of all records, in order.
    pub(crate) fn kinds(&self) -> Vec<String> {
        self.records()
            .iter()
            .map(|r| r["kind"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The service's process id, if it runs.
    pub(crate) fn service(&self) -> Option<u64> {
        let ran = self.receipt(&["service", "status", "--format", "json"]);
        // A service that dies while it is asked answers nothing.
        let status: Value = serde_json::from_str(&ran.out).unwrap_or_default();
        status["pid"].as_u64()
    }

    /// Kills the service at once, and waits until it is gone.
    pub(crate) fn kill_service(&self) {
        let Some(pid) = self.service() else { return };
        // It may have ended by itself in between; hooks may have started another.
        let _ = Command::new("kill")
            .args(["-9", &pid.to_string()])
            .status()
            .unwrap();
        while is_alive(pid) {
            std::thread::yield_now();
        }
    }

    /// The ledger must be sound.
    pub(crate) fn audit(&self) {
        let ran = self.receipt(&["audit"]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    }

    /// Exports the newest receipt and verifies it in an empty folder, with the
    /// file and the public key alone.
    pub(crate) fn export_and_verify(&self) -> Ran {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("receipt.json");
        let ran = self.receipt(&["export", "-o", file.to_str().unwrap()]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let signers = self.receipt(&["key", "show", "--format", "allowed-signers"]);
        fs::write(folder.path().join("allowed_signers"), signers.out).unwrap();
        verify(folder.path())
    }
}

/// Whether a process is there and no zombie.
pub(crate) fn is_alive(pid: u64) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

impl World {
    /// Services of this home alone: the environment of each names it.
    pub(crate) fn services(&self) -> Vec<u64> {
        let mark = format!("RECEIPT_HOME={}", self.home().display()).into_bytes();
        let of_this_home = |pid: &u64| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            environment.split(|b| *b == 0).any(|v| v == mark)
                && command.ends_with(b"\0service\0run\0")
        };
        let entries = fs::read_dir("/proc").unwrap();
        entries
            .filter_map(|e| e.ok()?.file_name().to_str()?.parse().ok())
            .filter(of_this_home)
            .collect()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.receipt(&["service", "stop"]);
        // One that a hook had just started, or that is stuck.
        for pid in self.services() {
            let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
            while is_alive(pid) {
                std::thread::yield_now();
            }
        }
    }
}

/// Copies a program in a process of its own: a descriptor of ours that is open for
/// writing would be inherited by whatever another test starts just now, and no
/// file can be run while it is being written.
pub(crate) fn copy_program(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg(from).arg(to).status();
    assert!(copied.unwrap().success());
    fs::set_permissions(to, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Verifies `receipt.json` with `allowed_signers`, in a folder that has no more.
pub(crate) fn verify(folder: &Path) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_receipt"));
    command
        .args(["verify", "receipt.json", "--trust", "allowed_signers"])
        .current_dir(folder)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    finish(start(command, b""))
}

/// Starts a command and hands it its input from a thread, whatever it reads.
pub(crate) fn start(mut command: Command, input: &[u8]) -> Child {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    std::thread::spawn(move || stdin.write_all(&input));
    child
}

/// Waits for a command's end.
pub(crate) fn finish(child: Child) -> Ran {
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Waits for a hook's end: it exits 0, says nothing on stderr, and this on stdout.
pub(crate) fn answer(child: Child) -> String {
    let ran = finish(child);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out
}
