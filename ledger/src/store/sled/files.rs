//! The directories of sled databases, and what is done to their files behind
//! sled's back. This is the one place besides [`crate::disk`] that touches
//! files: sled itself wants a path.

use super::SledKv;
use crate::store::kv::KvStore;
use crate::store::{Store, StoreError, Stores};
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// What a database's directory is called, before its number.
const PREFIX: &str = "db-";

/// What is appended to the name of a database that was set aside.
const ASIDE: &str = ".aside";

/// The databases under a ledger directory: `db-<n>` is in force for the highest
/// n, `db-<n>.aside` was set aside. A number is never used twice, so a thread
/// that hangs in an old database cannot reach the new one's files.
#[derive(Debug)]
pub struct SledStores {
    root: PathBuf,
}

fn environment(error: &io::Error) -> StoreError {
    StoreError::Environment(error.to_string())
}

/// `(number, set aside)` of a database's directory.
fn parse(name: &str) -> Option<(u64, bool)> {
    let rest = name.strip_prefix(PREFIX)?;
    let (number, aside) = match rest.strip_suffix(ASIDE) {
        Some(number) => (number, true),
        None => (rest, false),
    };
    Some((number.parse().ok()?, aside))
}

impl SledStores {
    /// The databases of a ledger directory. Nothing is touched yet.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The directory of the database in force, if there is one.
    ///
    /// # Errors
    /// [`StoreError::Environment`].
    pub fn current(&self) -> Result<Option<PathBuf>, StoreError> {
        let numbers = self.numbers()?;
        let current = numbers.iter().filter(|(_, aside)| !aside).max();
        Ok(current.map(|(n, _)| self.folder(*n, false)))
    }

    fn folder(&self, number: u64, aside: bool) -> PathBuf {
        let suffix = if aside { ASIDE } else { "" };
        self.root.join(format!("{PREFIX}{number}{suffix}"))
    }

    fn numbers(&self) -> Result<Vec<(u64, bool)>, StoreError> {
        let entries = match fs::read_dir(&self.root) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other.map_err(|e| environment(&e))?,
        };
        let mut numbers = Vec::new();
        for entry in entries {
            let name = entry.map_err(|e| environment(&e))?.file_name();
            numbers.extend(name.to_str().and_then(parse));
        }
        Ok(numbers)
    }

    fn fresh(&self) -> Result<PathBuf, StoreError> {
        let highest = self.numbers()?.iter().map(|(n, _)| *n).max().unwrap_or(0);
        let path = self.folder(highest.saturating_add(1), false);
        private_folder(&path)?;
        sync_directory(&self.root)?;
        Ok(path)
    }
}

impl Stores for SledStores {
    fn open(&mut self) -> Result<Box<dyn Store>, StoreError> {
        let path = match self.current()? {
            Some(path) if !path.is_dir() => {
                return Err(StoreError::Corrupt("it is no folder".to_owned()));
            }
            Some(path) => path,
            None => self.fresh()?,
        };
        Ok(Box::new(KvStore::new(SledKv::open(&path)?)?))
    }

    fn set_aside(&mut self) -> Result<Option<String>, StoreError> {
        let Some(path) = self.current()? else {
            return Ok(None);
        };
        let name = path
            .file_name()
            .and_then(|n| n.to_str())
            .unwrap_or_default();
        let aside = format!("{name}{ASIDE}");
        fs::rename(&path, self.root.join(&aside)).map_err(|e| environment(&e))?;
        sync_directory(&self.root)?;
        Ok(Some(aside))
    }

    fn erase(&mut self) -> Result<(), StoreError> {
        let old = self.numbers()?;
        // A number is not used again: an empty folder stands for those that go.
        let highest = old.iter().map(|(n, _)| *n).max().unwrap_or(0);
        private_folder(&self.folder(highest.saturating_add(1), true))?;
        for (number, aside) in old {
            let path = self.folder(number, aside);
            // What was set aside need not have been a folder.
            let gone = match fs::symlink_metadata(&path) {
                Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
                _ => fs::remove_file(path),
            };
            gone.map_err(|e| environment(&e))?;
        }
        sync_directory(&self.root)
    }

    fn exists(&self) -> Result<bool, StoreError> {
        Ok(self.current()?.is_some())
    }
}

fn private_folder(path: &Path) -> Result<(), StoreError> {
    DirBuilder::new()
        .mode(0o700)
        .create(path)
        .map_err(|e| environment(&e))
}

/// Refuses a directory in which something else stands in a file's place: sled
/// would wait for a pipe for ever.
pub(super) fn check_regular(directory: &Path) -> Result<(), StoreError> {
    for entry in fs::read_dir(directory).map_err(|e| environment(&e))? {
        let entry = entry.map_err(|e| environment(&e))?;
        let name = entry.file_name();
        let sound = fs::metadata(entry.path()).is_ok_and(|metadata| match name.to_str() {
            Some("blobs") => metadata.is_dir(),
            _ => metadata.is_file(),
        });
        if !sound {
            let name = name.to_string_lossy();
            return Err(StoreError::Corrupt(format!("`{name}` is no regular file")));
        }
    }
    Ok(())
}

/// Removes snapshots that a kill left half-written: sled would take one for
/// *the* snapshot and refuse at every later open.
pub(super) fn remove_leftovers(directory: &Path) -> Result<(), StoreError> {
    remove_files(directory, |name| {
        name.starts_with("snap.") && name.ends_with(".generating")
    })
}

/// Removes all snapshots; sled makes a new one from its log.
pub(super) fn remove_snapshots(directory: &Path) -> Result<(), StoreError> {
    remove_files(directory, |name| name.starts_with("snap."))
}

fn remove_files(directory: &Path, which: impl Fn(&str) -> bool) -> Result<(), StoreError> {
    for entry in fs::read_dir(directory).map_err(|e| environment(&e))? {
        let entry = entry.map_err(|e| environment(&e))?;
        if entry.file_name().to_str().is_some_and(&which) {
            fs::remove_file(entry.path()).map_err(|e| environment(&e))?;
        }
    }
    Ok(())
}

/// A second descriptor on sled's log, to sync what `flush` only hands over.
pub(super) fn open_log(directory: &Path) -> Result<File, StoreError> {
    let log = File::open(directory.join("db")).map_err(|e| environment(&e))?;
    for name in ["conf", "db"] {
        if let Ok(file) = File::open(directory.join(name)) {
            file.sync_all().map_err(|e| environment(&e))?;
        }
    }
    sync_directory(directory)?;
    Ok(log)
}

fn sync_directory(path: &Path) -> Result<(), StoreError> {
    File::open(path)
        .and_then(|directory| directory.sync_all())
        .map_err(|e| environment(&e))
}
