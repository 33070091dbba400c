//! Throwaway homes, repositories and files to measure with.

use crate::payload::Session;
use crate::process::Program;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The program under measurement.
pub const RECEIPT: &str = env!("CARGO_BIN_EXE_receipt");

/// A fresh ledger in a folder that goes away; its service ends first.
#[derive(Debug)]
pub struct World {
    folder: TempDir,
}

impl World {
    /// A fresh ledger.
    pub fn new() -> Self {
        let folder = TempDir::with_prefix("receipt-bench-").unwrap();
        let world = Self { folder };
        world.receipt(&["init", "--no-hooks"]);
        world
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The home of the ledger.
    pub fn home(&self) -> PathBuf {
        self.path("home")
    }

    /// Runs a command of the program.
    pub fn receipt(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(RECEIPT);
        command
            .args(arguments)
            .env_clear()
            .env("RECEIPT_HOME", self.home());
        command.stdin(Stdio::null()).output().unwrap()
    }

    /// The hook, run in a folder.
    pub fn hook(&self, folder: &Path) -> Program {
        let home = self.home();
        Program::new(
            RECEIPT,
            &["hook", "claude-code", "--home", home.to_str().unwrap()],
            folder,
        )
    }

    /// The service's process.
    pub fn service(&self) -> u32 {
        let said = self
            .receipt(&["service", "status", "--format", "json"])
            .stdout;
        let said: serde_json::Value = serde_json::from_slice(&said).unwrap();
        said["pid"].as_u64().unwrap().try_into().unwrap()
    }

    /// A session in a folder, its transcript of little.
    pub fn session(&self, id: &str, folder: &Path) -> Session {
        let transcript = self.path("transcript.jsonl");
        std::fs::write(&transcript, "{}\n").unwrap();
        self.session_with(id, folder, &transcript)
    }

    /// A session in a folder with that transcript.
    pub fn session_with(&self, id: &str, folder: &Path, transcript: &Path) -> Session {
        Session::new(id, folder, transcript, &self.path("payloads"))
    }

    /// A folder that is no repository.
    pub fn bare_folder(&self) -> PathBuf {
        let folder = self.path("folder");
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// A git repository of a thousand small files, committed.
    pub fn repository(&self) -> PathBuf {
        let root = self.path("repository");
        for folder in 0..20 {
            let folder = root.join(format!("src/part{folder}"));
            std::fs::create_dir_all(&folder).unwrap();
            for file in 0..50 {
                let text = format!("number = {file}\n").repeat(40);
                std::fs::write(folder.join(format!("file{file}.py")), text).unwrap();
            }
        }
        std::fs::write(root.join("src/file.py"), "x = 1\n").unwrap();
        git(&root, &["init", "-q", "-b", "main"]);
        git(&root, &["add", "-A"]);
        git(&root, &["commit", "-q", "-m", "start"]);
        root
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.receipt(&["service", "stop"]);
    }
}

fn git(root: &Path, arguments: &[&str]) {
    let who = ["-c", "user.name=Dev", "-c", "user.email=dev@example.com"];
    let status = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(who)
        .args(arguments)
        .status();
    assert!(status.unwrap().success());
}
