//! Git under a private repository folder.
//!
//! `GIT_DIR` is a folder of ours with a configuration of our own, so that
//! nothing the repository configures (filters, fsmonitor, hooks, pagers) ever
//! runs. Its objects are our own, with the repository's as alternates; the
//! user's index and objects are never touched.

mod tree;

use super::file::{open_regular, read_bytes, read_text};
use super::program;
use crate::world::clock::Deadline;
use crate::world::process;
use receipt_core::hash::{Context, hash, hex};
use std::ffi::{OsStr, OsString};
use std::fs::{File, TryLockError};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

/// Most bytes read from git in one answer.
const MAX_OUTPUT: u64 = 8 << 20;

/// Largest index that is copied; a larger one is made anew.
const MAX_INDEX: u64 = 512 << 20;

/// Line counts of every file, whatever the repository's attributes or a NUL in
/// it say: a file that counts as binary would change without any lines.
const ATTRIBUTES: &str = "* diff\n";

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
    /// What is left out of every tree: our own home, should it lie inside.
    left_out: Vec<OsString>,
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
        let common = match read_text(&own.join("commondir")) {
            Some(text) => own.join(text.trim_end()),
            None => own.clone(),
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
            left_out: inside(worktree, scratch),
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
        std::fs::write(self.private.join("info/attributes"), ATTRIBUTES)?;
        let exclude = self.private.join("info/exclude");
        if !exclude.exists() {
            // Once: what is ignored later on is not hidden from this session.
            let theirs = read_bytes(&self.common.join("info/exclude")).unwrap_or_default();
            std::fs::write(exclude, theirs)?;
        }
        // Left by a git that was killed at its deadline; no other runs now.
        let _ = std::fs::remove_file(self.private.join("index.lock"));
        if !self.private.join("index").exists() && self.copy_index().is_none() {
            // Half a copy is worse than none.
            let _ = std::fs::remove_file(self.private.join("index"));
        }
        Ok(())
    }

    /// Where git finds the programs that it starts: one of that name which does
    /// nothing, so that a repository inside this one counts as unchanged.
    fn programs(&self) -> PathBuf {
        self.private.join("programs")
    }

    /// Begins with a copy of the repository's index, so that unchanged files
    /// need not be read. Marks that would hide changes are taken out.
    fn copy_index(&self) -> Option<()> {
        let theirs = open_regular(&self.own.join("index"), MAX_INDEX)?;
        let modified = theirs.metadata().and_then(|m| m.modified()).ok()?;
        let mut ours = File::create(self.private.join("index")).ok()?;
        std::io::copy(&mut theirs.take(MAX_INDEX), &mut ours).ok()?;
        // Git tells by this time which entries may have changed unnoticed.
        ours.set_modified(modified).ok()?;
        let listed = self.git(&["ls-files", "-v", "-z"]).ok()?;
        let hidden = assumed_unchanged(&listed);
        if hidden.is_empty() {
            return Some(());
        }
        let list = self.private.join("assumed");
        std::fs::write(&list, hidden).ok()?;
        let input = File::open(&list).ok()?.into();
        let clear = ["update-index", "-z", "--no-assume-unchanged", "--stdin"];
        self.run(clear.iter().map(OsStr::new), input).ok()?;
        Some(())
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
        read_text(&self.common.join("config"))
            .unwrap_or_default()
            .to_ascii_lowercase()
            .lines()
            .map(|line| line.split_whitespace().collect::<String>())
            .any(|line| line == "objectformat=sha256")
    }

    /// The commit the worktree stands on, from `HEAD` and the refs as files.
    pub(crate) fn commit(&self) -> Option<String> {
        let head = read_text(&self.own.join("HEAD"))?;
        let head = head.trim_end();
        let Some(name) = head.strip_prefix("ref: ") else {
            return object_id(head);
        };
        if let Some(id) = read_text(&self.common.join(name)) {
            return object_id(id.trim_end());
        }
        let packed = read_text(&self.common.join("packed-refs"))?;
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
        if self.add() == Err(Missing::Git) {
            // A copied index may refer to files beside it; begin with none.
            let _ = std::fs::remove_file(self.private.join("index"));
            self.add()?;
        }
        // Of objects that lie elsewhere (a partial clone) the ids will do.
        let out = self.git(&["write-tree", "--missing-ok"])?;
        let text = String::from_utf8(out).map_err(|_| Missing::Git)?;
        object_id(text.trim_end()).ok_or(Missing::Git)
    }

    fn add(&self) -> Result<Vec<u8>, Missing> {
        let add = ["add", "--all", "--ignore-errors", "--", ":/"];
        let left_out = self.left_out.iter().map(OsString::as_os_str);
        self.run(add.iter().map(OsStr::new).chain(left_out), Stdio::null())
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
        self.run(arguments.iter().map(OsStr::new), Stdio::null())
    }

    fn run<'a>(
        &self,
        arguments: impl Iterator<Item = &'a OsStr>,
        input: Stdio,
    ) -> Result<Vec<u8>, Missing> {
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
            .stdin(input)
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
    let text = read_text(dot_git)?;
    let named = text.trim_end().strip_prefix("gitdir: ")?;
    Some(dot_git.parent()?.join(named))
}

/// Paths that `git ls-files -v -z` marks as assumed unchanged, by a small letter.
fn assumed_unchanged(listed: &[u8]) -> Vec<u8> {
    let mut paths = Vec::new();
    for entry in listed.split_inclusive(|b| *b == 0) {
        if let Some((b'a'..=b'z', path)) = entry.split_first() {
            paths.extend_from_slice(path.strip_prefix(b" ").unwrap_or(path));
        }
    }
    paths
}

/// Pathspecs that leave our home out of a worktree it lies in: a tree that held
/// our own objects would grow with each snapshot.
fn inside(worktree: &Path, scratch: &Path) -> Vec<OsString> {
    let Some(home) = scratch.ancestors().nth(2) else {
        return Vec::new();
    };
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let Ok(below) = real(home)
        .strip_prefix(real(worktree))
        .map(Path::to_path_buf)
    else {
        return Vec::new();
    };
    let folders = if below.as_os_str().is_empty() {
        ["ledger", "keys", "snapshots", "run"]
            .map(PathBuf::from)
            .to_vec()
    } else {
        vec![below]
    };
    let spec = |folder: PathBuf| {
        let mut spec = OsString::from(":(top,exclude,literal)");
        spec.push(folder);
        spec
    };
    folders.into_iter().map(spec).collect()
}

/// A full object id, or nothing.
fn object_id(text: &str) -> Option<String> {
    let fits = matches!(text.len(), 40 | 64);
    (fits && text.bytes().all(|b| b.is_ascii_hexdigit())).then(|| text.to_ascii_lowercase())
}

fn checked(tree: &str) -> Result<&str, Missing> {
    object_id(tree).map(|_| tree).ok_or(Missing::Git)
}
