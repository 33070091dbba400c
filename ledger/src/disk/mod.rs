//! The few file operations a ledger needs, as a trait.
//!
//! Names are relative to the ledger directory, with `/` between parts; the
//! empty name is the directory itself. Tests put a failing disk in place
//! ([`crate::testing::FaultDisk`]).

mod fs;
mod under;

pub use fs::FsDisk;
pub(crate) use under::Under;

use std::any::Any;
use std::io;

/// A held lock; dropping it lets go.
#[derive(Debug)]
pub struct LockGuard(#[expect(dead_code, reason = "held, never read")] Box<dyn Any + Send + Sync>);

impl LockGuard {
    /// Wraps whatever holds the lock while it lives.
    #[must_use]
    pub fn new(holder: impl Any + Send + Sync) -> Self {
        Self(Box::new(holder))
    }
}

/// The file operations of a ledger directory.
pub trait Disk: Send + Sync {
    /// Makes a folder and those above it, for the owner alone (0700).
    ///
    /// # Errors
    /// The system's.
    fn create_dir_all(&self, name: &str) -> io::Result<()>;

    /// The names in a folder, sorted; none if the folder is missing.
    ///
    /// # Errors
    /// The system's.
    fn list(&self, name: &str) -> io::Result<Vec<String>>;

    /// A file's length, `None` if it is missing.
    ///
    /// # Errors
    /// The system's.
    fn len(&self, name: &str) -> io::Result<Option<u64>>;

    /// A whole file of at most `limit` bytes.
    ///
    /// # Errors
    /// The system's; `InvalidData` for a larger file.
    fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>>;

    /// Adds bytes at a file's end in one write; makes the file (0600) if missing.
    ///
    /// # Errors
    /// The system's. Part of the bytes may have been written.
    fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Brings a file's data to stable storage (`fdatasync`).
    ///
    /// # Errors
    /// The system's. An error is final: the data may be lost.
    fn sync(&self, name: &str) -> io::Result<()>;

    /// Writes a file (0600) that must not exist.
    ///
    /// # Errors
    /// The system's; `AlreadyExists` if it does.
    fn write_new(&self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Renames within the ledger directory, replacing what is there.
    ///
    /// # Errors
    /// The system's.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// The system's.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Brings a folder's entries to stable storage.
    ///
    /// # Errors
    /// The system's.
    fn sync_dir(&self, name: &str) -> io::Result<()>;

    /// Cuts a file to a length.
    ///
    /// # Errors
    /// The system's.
    fn truncate(&self, name: &str, len: u64) -> io::Result<()>;

    /// Takes the lock of a file without waiting; `None` if it is held.
    ///
    /// # Errors
    /// The system's.
    fn lock(&self, name: &str) -> io::Result<Option<LockGuard>>;
}
