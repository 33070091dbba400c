//! The file that says which service keeps this machine's ledger, apart from
//! the users whose agents report to it (`spec/hook.md`, "System service").
//!
//! Who can write it decides where events go: it must be root's.

use crate::error::Error;
use serde::Deserialize;
use std::fs::{File, Metadata};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Where the machine's file is.
const PLACE: &str = "/etc/receipt/system";

/// Largest file.
const MAX_FILE: u64 = 16 << 10;

/// A service that runs as a user of its own.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct System {
    /// Its user.
    pub(crate) user: u32,
    /// Its home: ledger, keys and profile.
    pub(crate) home: PathBuf,
    /// Where it listens.
    pub(crate) socket: PathBuf,
    /// The file that says so.
    #[serde(skip)]
    pub(crate) file: PathBuf,
}

impl System {
    /// The machine's; `None` where there is no file.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn of_machine() -> Result<Option<Self>, Error> {
        let place = Path::new(PLACE);
        match place.symlink_metadata() {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            _ => Self::read(place).map(Some),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Where it cannot be read, is malformed, or others than root could change it.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let failed =
            |e: std::io::Error| Error::input(format!("cannot read {}: {e}", path.display()));
        let real = path.canonicalize().map_err(failed)?;
        for folder in real.ancestors().skip(1) {
            refuse_foreign(folder, &folder.metadata().map_err(failed)?)?;
        }
        if !real.metadata().map_err(failed)?.is_file() {
            return Err(Error::input(format!("{} is no file", path.display())));
        }
        let file = File::open(&real).map_err(failed)?;
        refuse_foreign(&real, &file.metadata().map_err(failed)?)?;
        let mut text = String::new();
        file.take(MAX_FILE)
            .read_to_string(&mut text)
            .map_err(failed)?;
        let mut system: Self = toml::from_str(&text).map_err(|e| {
            Error::input(format!("{}: {}", path.display(), e.to_string().trim_end()))
        })?;
        system.check(path)?;
        path.clone_into(&mut system.file);
        Ok(system)
    }

    fn check(&self, path: &Path) -> Result<(), Error> {
        let wrong = |what: &str| Error::input(format!("{}: {what}", path.display()));
        if self.user == 0 {
            return Err(wrong("`user` is root").hint("give the service a user of its own"));
        }
        if !self.home.is_absolute() || !self.socket.is_absolute() {
            return Err(wrong("`home` and `socket` must be absolute paths"));
        }
        Ok(())
    }
}

/// What others than root can change or put another in the place of decides nothing.
fn refuse_foreign(path: &Path, found: &Metadata) -> Result<(), Error> {
    let sticky = found.is_dir() && found.mode() & 0o1000 != 0;
    if found.uid() == 0 && (found.mode() & 0o022 == 0 || sticky) {
        return Ok(());
    }
    Err(Error::input(format!(
        "{} can be changed by others than root",
        path.display()
    ))
    .hint(format!("chown root {0} && chmod go-w {0}", path.display())))
}
