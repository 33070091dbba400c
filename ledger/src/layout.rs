//! The files of a ledger directory and the lock on it
//! (`spec/ledger.md`, "Files").

use crate::disk::{Disk, LockGuard};
use crate::error::{LedgerError, io};

/// Folder of the journal's segments.
pub const INTAKE: &str = "intake";

/// Folder of events that no service took.
pub const SPOOL: &str = "spool";

/// Folder of spooled files that could not be read.
pub const QUARANTINE: &str = "spool/quarantine";

/// The head register.
pub const HEAD: &str = "head";

/// Marker: the creation of the ledger was finished, and its id.
pub const GENESIS: &str = "genesis";

/// The marker while the creation is not finished.
pub const UNFINISHED: &str = "genesis.new";

/// Mark: the store failed while it was in use, and why. The next open fills
/// another one.
pub const SUSPECT: &str = "suspect";

/// Folder of a journal that is written anew.
pub const REWRITE: &str = "rewrite";

/// Mark: that journal is whole and takes the place of the old one.
pub const EXCHANGE: &str = "exchange";

/// File whose lock the one writer holds for life.
pub const LOCK: &str = "lock";

/// The ledger directory itself.
pub const ROOT: &str = "";

/// The lock on a ledger directory, released when dropped.
#[derive(Debug)]
pub struct Lock {
    _guard: Option<LockGuard>,
}

impl Lock {
    /// No lock: for a ledger that is being made in a folder of a locked one.
    pub(crate) const fn none() -> Self {
        Self { _guard: None }
    }

    /// Takes the lock without waiting. The directory is made if it is missing,
    /// which makes no ledger.
    ///
    /// # Errors
    /// [`LedgerError::Locked`] if another process has it.
    pub fn acquire(disk: &dyn Disk) -> Result<Self, LedgerError> {
        disk.create_dir_all(ROOT).map_err(io("create", ROOT))?;
        match disk.lock(LOCK).map_err(io("lock", LOCK))? {
            Some(guard) => Ok(Self {
                _guard: Some(guard),
            }),
            None => Err(LedgerError::Locked),
        }
    }
}

/// Whether a file of the ledger is there.
///
/// # Errors
/// [`LedgerError::Io`].
pub(crate) fn exists(disk: &dyn Disk, file: &str) -> Result<bool, LedgerError> {
    Ok(disk.len(file).map_err(io("look at", file))?.is_some())
}

/// Replaces a small file so that a crash leaves the old or the new one whole.
///
/// # Errors
/// [`LedgerError::Io`] naming the step that failed.
pub(crate) fn replace(disk: &dyn Disk, name: &str, bytes: &[u8]) -> Result<(), LedgerError> {
    let temporary = format!("{name}.tmp");
    if exists(disk, &temporary)? {
        disk.remove(&temporary).map_err(io("remove", &temporary))?;
    }
    disk.write_new(&temporary, bytes)
        .map_err(io("write", &temporary))?;
    disk.sync(&temporary).map_err(io("sync", &temporary))?;
    disk.rename(&temporary, name).map_err(io("rename", name))?;
    disk.sync_dir(ROOT).map_err(io("sync", ROOT))
}
