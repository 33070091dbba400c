//! Plays a captured session through real hook processes, in a project of its own.
//!
//! `receipt demo` shows it to a person, `receipt selftest` judges it.

use crate::error::Error;
use crate::world::{process, random};
use receipt_core::agent;
use receipt_core::event::{Action, Agent, EventKind};
use receipt_core::hash::hex;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The captured session: a failing turn that is claimed done, then repaired.
/// One JSON object a line: the hook payload and the files written before it.
const SESSION: &str = include_str!("../../fixtures/demo/session.jsonl");

/// The project the session was captured in, as it was before.
const FILES: [(&str, &str); 2] = [
    ("calc.py", include_str!("../../fixtures/demo/calc.py")),
    (
        "test_calc.py",
        include_str!("../../fixtures/demo/test_calc.py"),
    ),
];

/// A throwaway folder with a project and a ledger home, removed when dropped.
#[derive(Debug)]
pub(crate) struct Stage {
    folder: PathBuf,
    program: PathBuf,
}

/// One step that was played.
#[derive(Debug)]
pub(crate) struct Played {
    /// The event's name.
    pub(crate) event: &'static str,
    /// The tool and what it did, in a few words.
    pub(crate) what: String,
    /// What the hook printed.
    pub(crate) answer: String,
}

impl Stage {
    /// Lays out the project, as a git repository where git is there.
    pub(crate) fn new() -> Result<Self, Error> {
        let program = std::env::current_exe()
            .map_err(|e| Error::fault(format!("cannot find this program: {e}")))?;
        let id = random::bytes32()?;
        let name = format!("receipt-demo-{}", hex(id.get(..6).unwrap_or_default()));
        let folder = std::env::temp_dir().join(name);
        let stage = Self { folder, program };
        std::fs::create_dir_all(stage.project()).map_err(failed(&stage.folder))?;
        for (name, text) in FILES {
            stage.write(name, text)?;
        }
        stage.commit_project();
        Ok(stage)
    }

    /// The project's folder.
    pub(crate) fn project(&self) -> PathBuf {
        self.folder.join("project")
    }

    /// The ledger's home.
    pub(crate) fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    /// A file beside the project.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.project().join(name);
        std::fs::write(&path, text).map_err(failed(&path))
    }

    /// Without git the demo goes on; the pass is then `unanchored`.
    fn commit_project(&self) {
        let identity = ["-c", "user.name=demo", "-c", "user.email=demo@localhost"];
        for arguments in [
            vec!["init", "-q"],
            vec!["add", "-A"],
            vec!["commit", "-qm", "before"],
        ] {
            let mut command = process::command(Path::new("git"));
            command
                .args(identity)
                .args(arguments)
                .current_dir(self.project());
            if let Some(path) = crate::world::environment::get("PATH") {
                command.env("PATH", path);
            }
            let _ = command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
        }
    }

    /// Runs this program with the stage's home; returns exit code, stdout and stderr.
    pub(crate) fn receipt(&self, arguments: &[&str], input: &[u8]) -> Result<Ran, Error> {
        let mut command = process::command(&self.program);
        command
            .args(arguments)
            .current_dir(self.project())
            .env("RECEIPT_HOME", self.home())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(path) = crate::world::environment::get("PATH") {
            command.env("PATH", path);
        }
        let mut run = || -> std::io::Result<std::process::Output> {
            let mut child = command.spawn()?;
            if let Some(mut stdin) = child.stdin.take() {
                stdin.write_all(input)?;
            }
            child.wait_with_output()
        };
        let output = run().map_err(failed(&self.program))?;
        Ok(Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// Plays every step; `each` sees it after it was played.
    pub(crate) fn play(&self, mut each: impl FnMut(&Played)) -> Result<Vec<Played>, Error> {
        let text = SESSION.replace("${PROJECT}", &self.project().to_string_lossy());
        let mut played = Vec::new();
        for line in text.lines() {
            let step: Value = serde_json::from_str(line).map_err(Error::fault)?;
            self.perform(&step)?;
            let payload = step.get("payload").cloned().unwrap_or_default().to_string();
            let ran = self.receipt(&["hook", "claude-code"], payload.as_bytes())?;
            let event = agent::event(Agent::ClaudeCode, payload.as_bytes()).kind;
            let step = Played {
                event: event.name(),
                what: what(event),
                answer: ran.out,
            };
            each(&step);
            played.push(step);
        }
        Ok(played)
    }

    /// Writes what the tool wrote, before its event is reported.
    fn perform(&self, step: &Value) -> Result<(), Error> {
        let writes = step.get("write").and_then(Value::as_array);
        for write in writes.into_iter().flatten() {
            let path = PathBuf::from(text_at(write, "path"));
            std::fs::write(&path, text_at(write, "text")).map_err(failed(&path))?;
        }
        Ok(())
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = self.receipt(&["service", "stop"], b"");
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// How a run of this program ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Exit code; -1 if a signal ended it.
    pub(crate) code: i32,
    /// Its stdout.
    pub(crate) out: String,
    /// Its stderr.
    pub(crate) err: String,
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> Error {
    let place = path.display().to_string();
    move |error| Error::fault(format!("{place}: {error}"))
}

fn text_at(value: &Value, key: &str) -> String {
    value
        .get(key)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// `Bash: python3 -m unittest -v`, `Edit: calc.py`, a prompt or a message.
fn what(event: EventKind) -> String {
    let call = match event {
        EventKind::PromptSubmitted { text, .. } => return text,
        EventKind::StopRequested { message, .. } => return message,
        EventKind::ToolRequested { call }
        | EventKind::ToolSucceeded { call, .. }
        | EventKind::ToolFailed { call, .. } => call,
        _ => return String::new(),
    };
    let detail = match call.action {
        Action::Shell { command, .. } => command,
        Action::Edit { path, .. } | Action::Write { path, .. } => {
            path.rsplit('/').next().unwrap_or_default().to_owned()
        }
        _ => String::new(),
    };
    format!("{}: {detail}", call.tool)
}
