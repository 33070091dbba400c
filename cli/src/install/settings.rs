//! A settings file: read, changed, backed up, written whole.

use crate::error::Error;
use std::fs::{OpenOptions, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// A settings file as it was found.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// Where it is; a symbolic link is followed.
    pub(crate) path: PathBuf,
    /// Its text; `None` where there is no file.
    pub(crate) text: Option<String>,
}

/// What was done to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// Nothing: it was so already.
    None,
    /// Written; the text before is in this file, if there was one.
    Written {
        /// The backup.
        backup: Option<PathBuf>,
    },
}

impl Settings {
    /// Reads a settings file.
    ///
    /// # Errors
    /// Where it cannot be read or is no JSON object.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
            Err(e) => return Err(Error::input(format!("cannot read {}: {e}", path.display()))),
        };
        let settings = Self { path, text };
        settings.check()?;
        Ok(settings)
    }

    fn check(&self) -> Result<(), Error> {
        let Some(text) = self.text.as_deref().filter(|t| !t.trim().is_empty()) else {
            return Ok(());
        };
        let place = self.path.display();
        let plain = text.strip_prefix('\u{feff}').unwrap_or(text);
        let value: serde_json::Value = serde_json::from_str(plain).map_err(|e| {
            Error::input(format!("{place} is no valid JSON: {e}"))
                .hint("mend it by hand, then try again; nothing was changed")
        })?;
        let shape = |what: &str| {
            Error::input(format!("{place}: {what}"))
                .hint("mend it by hand, then try again; nothing was changed")
        };
        if !value.is_object() {
            return Err(shape("the settings are no JSON object"));
        }
        let hooks = value.get("hooks").map(serde_json::Value::as_object);
        match hooks {
            Some(None) => Err(shape("`hooks` is no object")),
            Some(Some(hooks)) if hooks.values().any(|v| !v.is_array()) => {
                Err(shape("a member of `hooks` is no array"))
            }
            _ => Ok(()),
        }
    }

    /// The text to edit: an empty object where there is none.
    pub(crate) fn editable(&self) -> String {
        match self.text.as_deref() {
            Some(text) if !text.trim().is_empty() => text.to_owned(),
            _ => "{}\n".to_owned(),
        }
    }

    /// Writes a new text; the old one is kept beside it under a name that is new.
    ///
    /// # Errors
    /// Where the folder or file cannot be written; the old text then stands.
    pub(crate) fn write(&self, text: &str, stamp: u64) -> Result<Change, Error> {
        if self.text.as_deref() == Some(text) {
            return Ok(Change::None);
        }
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|e| Error::fault(format!("cannot make {}: {e}", folder.display())))?;
        }
        let permissions = std::fs::metadata(&self.path).ok().map(|m| m.permissions());
        let backup = match &self.text {
            None => None,
            Some(old) => {
                let backup = self.free_name(&format!(".receipt-backup-{stamp}"));
                self.put(&backup, old, permissions.clone())?;
                Some(backup)
            }
        };
        let new = self.named(".receipt-new");
        // Left by a run that was cut short.
        let _ = std::fs::remove_file(&new);
        self.put(&new, text, permissions)?;
        std::fs::rename(&new, &self.path)
            .map_err(|e| Error::fault(format!("cannot replace {}: {e}", self.path.display())))?;
        Ok(Change::Written { backup })
    }

    /// A file beside the settings.
    fn named(&self, suffix: &str) -> PathBuf {
        let mut name = self.path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    }

    /// A file beside the settings that is not there yet.
    fn free_name(&self, suffix: &str) -> PathBuf {
        let numbered = (1..).map(|n: u32| self.named(&format!("{suffix}-{n}")));
        std::iter::once(self.named(suffix))
            .chain(numbered)
            .find(|path| path.symlink_metadata().is_err())
            .unwrap_or_else(|| self.named(suffix))
    }

    /// Writes a new file that nobody may read who may not read the settings.
    fn put(&self, path: &Path, text: &str, like: Option<Permissions>) -> Result<(), Error> {
        let mode = if like.is_some() { 0o600 } else { 0o644 };
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(mode)
            .open(path)
            .and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                like.map_or(Ok(()), |like| file.set_permissions(like))?;
                file.sync_all()
            });
        written.map_err(|e| {
            if e.kind() != ErrorKind::AlreadyExists {
                let _ = std::fs::remove_file(path);
            }
            Error::fault(format!("cannot write {}: {e}", path.display()))
                .hint(format!("{} was not changed", self.path.display()))
        })
    }
}
