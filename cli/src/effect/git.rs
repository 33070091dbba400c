//! Git under a private repository folder.
//!
//! `GIT_DIR` is a folder of ours with a configuration of our own, so that
//! nothing the repository configures (filters, fsmonitor, hooks, pagers) ever
//! runs. Its objects are our own, with the repository's as alternates; the
//! user's index and objects are never touched.

use super::program;
use crate::world::clock::Deadline;
use crate::world::process;
use receipt_core::hash::{Context, hash, hex};
use std::fs::{File, TryLockError};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

/// Most bytes read from git in one answer.
const MAX_OUTPUT: u64 = 8 << 20;

/// Why git gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    /// Not inside a repository.
    NoRepository,
    /// It took too long.
    Time,
    /// Git is not there, or it failed.
    Git,
}

impl Missing {
    /// The word in the snapshot's facts.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::NoRepository => "no-repository",
            Self::Time => "time",
            Self::Git => "git",
        }
    }
}

/// The root of the worktree that a folder lies in, by looking for `.git`.
pub(crate) fn worktree_root(folder: &Path) -> Option<PathBuf> {
    folder
        .ancestors()
        .find(|dir| dir.join(".git").symlink_metadata().is_ok())
        .map(Path::to_path_buf)
}

/// A repository seen through a private folder.
#[derive(Debug)]
pub(crate) struct Repository {
    worktree: PathBuf,
    /// The repository's own folder (of the worktree, if linked).
    own: PathBuf,
    /// The folder that holds objects and configuration, for linked worktrees.
    common: PathBuf,
    /// Our private git folder.
    private: PathBuf,
    program: PathBuf,
    deadline: Deadline,
    /// Held while the private folder is in use: parallel hooks take turns.
    _turn: File,
}

impl Repository {
    /// Opens the repository of a worktree; creates the private folder below `scratch`.
    ///
    /// # Errors
    /// [`Missing`] where there is no repository or no git.
    pub(crate) fn open(
        worktree: &Path,
        scratch: &Path,
        deadline: Deadline,
    ) -> Result<Self, Missing> {
        let own = git_folder(&worktree.join(".git")).ok_or(Missing::NoRepository)?;
        let common = match std::fs::read_to_string(own.join("commondir")) {
            Ok(text) => own.join(text.trim_end()),
            Err(_) => own.clone(),
        };
        let name = hash(Context::ShortName, worktree.as_os_str().as_bytes());
        let private = scratch.join(hex(name.get(..8).unwrap_or_default()));
        std::fs::create_dir_all(&private).map_err(|_| Missing::Git)?;
        let repository = Self {
            _turn: take_turn(&private.join("turn"), deadline)?,
            worktree: worktree.to_path_buf(),
            own,
            common,
            private,
            program: program::find("git").ok_or(Missing::Git)?,
            deadline,
        };
        repository.prepare().map_err(|_| Missing::Git)?;
        Ok(repository)
    }

    /// Lays out the private folder: what git needs to accept it as a repository.
    fn prepare(&self) -> std::io::Result<()> {
        for folder in ["objects/info", "refs", "info"] {
            std::fs::create_dir_all(self.private.join(folder))?;
        }
        program::idle(&self.programs(), "git")?;
        let alternates = self.common.join("objects");
        let mut line = alternates.as_os_str().as_bytes().to_vec();
        line.push(b'\n');
        std::fs::write(self.private.join("objects/info/alternates"), line)?;
        std::fs::write(self.private.join("config"), self.configuration())?;
        std::fs::write(self.private.join("HEAD"), "ref: refs/heads/none\n")?;
        let exclude = std::fs::read(self.common.join("info/exclude")).unwrap_or_default();
        std::fs::write(self.private.join("info/exclude"), exclude)?;
        let index = self.private.join("index");
        // Left by a git that was killed at its deadline; no other runs now.
        let _ = std::fs::remove_file(self.private.join("index.lock"));
        if !index.exists() && self.own.join("index").exists() {
            std::fs::copy(self.own.join("index"), index)?;
        }
        Ok(())
    }

    /// Where git finds the programs that it starts: one of that name which does
    /// nothing, so that a repository inside this one counts as unchanged.
    fn programs(&self) -> PathBuf {
        self.private.join("programs")
    }

    fn configuration(&self) -> String {
        let format = if self.is_sha256() {
            "repositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n[core]\n"
        } else {
            "repositoryformatversion = 0\n"
        };
        format!(
            "[core]\n\t{format}\tbare = false\n\tautocrlf = false\n\tsafecrlf = false\n\
             \tfsmonitor = false\n\tuntrackedCache = false\n\tattributesFile = /dev/null\n\
             \thooksPath = /dev/null\n\tlogAllRefUpdates = false\n[gc]\n\tauto = 0\n\
             [feature]\n\tmanyFiles = false\n[index]\n\tthreads = 1\n"
        )
    }

    /// Whether the repository's objects are SHA-256; read as text, never by git.
    fn is_sha256(&self) -> bool {
        std::fs::read_to_string(self.common.join("config"))
            .unwrap_or_default()
            .to_ascii_lowercase()
            .lines()
            .map(|line| line.split_whitespace().collect::<String>())
            .any(|line| line == "objectformat=sha256")
    }

    /// The commit the worktree stands on, from `HEAD` and the refs as files.
    pub(crate) fn commit(&self) -> Option<String> {
        let head = std::fs::read_to_string(self.own.join("HEAD")).ok()?;
        let head = head.trim_end();
        let Some(name) = head.strip_prefix("ref: ") else {
            return object_id(head);
        };
        if let Ok(id) = std::fs::read_to_string(self.common.join(name)) {
            return object_id(id.trim_end());
        }
        let packed = std::fs::read_to_string(self.common.join("packed-refs")).ok()?;
        packed.lines().find_map(|line| {
            let (id, reference) = line.split_once(' ')?;
            (reference == name).then(|| object_id(id))?
        })
    }

    /// Writes the worktree as a tree and returns its id.
    ///
    /// # Errors
    /// [`Missing::Time`] past the deadline, [`Missing::Git`] where git fails.
    pub(crate) fn write_tree(&self) -> Result<String, Missing> {
        let add = ["add", "--all", "--ignore-errors", "--", ":/"];
        if self.git(&add) == Err(Missing::Git) {
            // A copied index may refer to files beside it; begin with none.
            let _ = std::fs::remove_file(self.private.join("index"));
            self.git(&add)?;
        }
        let out = self.git(&["write-tree"])?;
        let text = String::from_utf8(out).map_err(|_| Missing::Git)?;
        object_id(text.trim_end()).ok_or(Missing::Git)
    }

    /// Raw difference of two trees with line counts, NUL-separated.
    ///
    /// # Errors
    /// As [`Self::write_tree`].
    pub(crate) fn diff(&self, from: &str, to: &str) -> Result<Vec<u8>, Missing> {
        let (from, to) = (checked(from)?, checked(to)?);
        self.git(&[
            "diff-tree",
            "-r",
            "-z",
            "--raw",
            "--numstat",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--full-index",
            from,
            to,
        ])
    }

    fn git(&self, arguments: &[&str]) -> Result<Vec<u8>, Missing> {
        let mut command = process::command(&self.program);
        command
            .current_dir(&self.worktree)
            .env("GIT_DIR", &self.private)
            .env("GIT_WORK_TREE", &self.worktree)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_ATTR_NOSYSTEM", "1")
            // Git asks git about a repository inside this one, under that one's
            // own configuration; it finds our stand-in first.
            .env("GIT_EXEC_PATH", self.programs())
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("LC_ALL", "C")
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let child = command.spawn().map_err(|_| Missing::Git)?;
        finish(child, self.deadline)
    }
}

/// Waits for the exclusive use of a private folder.
fn take_turn(path: &Path, deadline: Deadline) -> Result<File, Missing> {
    let file = File::create(path).map_err(|_| Missing::Git)?;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if deadline.left().is_some() => {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(TryLockError::WouldBlock) => return Err(Missing::Time),
            Err(TryLockError::Error(_)) => return Err(Missing::Git),
        }
    }
}

/// Reads a child's output to its end, or kills it at the deadline.
fn finish(mut child: Child, deadline: Deadline) -> Result<Vec<u8>, Missing> {
    let Some(stdout) = child.stdout.take() else {
        return Err(Missing::Git);
    };
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout
            .take(MAX_OUTPUT)
            .read_to_end(&mut bytes)
            .map(|_| bytes)
    });
    let mut pause = Duration::from_micros(200);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if deadline.left().is_some() => std::thread::sleep(pause),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(Missing::Time);
            }
        }
        pause = (pause * 2).min(Duration::from_millis(2));
    };
    let bytes = reader
        .join()
        .map_err(|_| Missing::Git)?
        .map_err(|_| Missing::Git)?;
    if status.success() {
        Ok(bytes)
    } else {
        Err(Missing::Git)
    }
}

/// The repository's folder: `.git` itself, or what the file `.git` names.
fn git_folder(dot_git: &Path) -> Option<PathBuf> {
    if dot_git.is_dir() {
        return Some(dot_git.to_path_buf());
    }
    let text = std::fs::read_to_string(dot_git).ok()?;
    let named = text.trim_end().strip_prefix("gitdir: ")?;
    Some(dot_git.parent()?.join(named))
}

/// A full object id, or nothing.
fn object_id(text: &str) -> Option<String> {
    let fits = matches!(text.len(), 40 | 64);
    (fits && text.bytes().all(|b| b.is_ascii_hexdigit())).then(|| text.to_ascii_lowercase())
}

fn checked(tree: &str) -> Result<&str, Missing> {
    object_id(tree).map(|_| tree).ok_or(Missing::Git)
}
