//! Where everything lives (`spec/ledger.md`, "Places").

use crate::error::Error;
use crate::world::environment;
use receipt_core::hash::{Context, hash, hex};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The folders of one ledger.
#[derive(Debug, Clone)]
pub(crate) struct Home {
    /// Ledger, keys, socket and profile.
    pub(crate) root: PathBuf,
}

impl Home {
    /// `RECEIPT_HOME`, else `$XDG_DATA_HOME/receipt`, else `~/.local/share/receipt`.
    ///
    /// # Errors
    /// Where none of these is set.
    pub(crate) fn find() -> Result<Self, Error> {
        let root = if let Some(home) = environment::get("RECEIPT_HOME") {
            PathBuf::from(home)
        } else if let Some(data) = environment::get("XDG_DATA_HOME") {
            Path::new(&data).join("receipt")
        } else if let Some(home) = environment::get("HOME") {
            Path::new(&home).join(".local/share/receipt")
        } else {
            return Err(Error::input("no home folder: HOME is not set")
                .hint("set RECEIPT_HOME to the folder that shall hold the ledger"));
        };
        Ok(Self::at(root))
    }

    /// The home in a folder.
    pub(crate) fn at(root: PathBuf) -> Self {
        let root = std::path::absolute(&root).unwrap_or(root);
        Self { root }
    }

    /// The ledger's folder.
    pub(crate) fn ledger(&self) -> PathBuf {
        self.root.join("ledger")
    }

    /// The folder of the private keys.
    pub(crate) fn keys(&self) -> PathBuf {
        self.root.join("keys")
    }

    /// The user's profile.
    pub(crate) fn profile(&self) -> PathBuf {
        self.root.join("receipt.toml")
    }

    /// Folders of worktree snapshots, one per session.
    pub(crate) fn snapshots(&self) -> PathBuf {
        self.root.join("snapshots")
    }

    /// The service's log of its own faults.
    pub(crate) fn service_log(&self) -> PathBuf {
        self.root.join("service.log")
    }

    /// The socket. It follows from the home alone: a hook, a terminal and a cron
    /// job have different environments and must meet. Its name is a short hash,
    /// since socket paths end at 108 bytes; where even that is too long, a
    /// private folder in `/tmp` is used.
    pub(crate) fn socket(&self) -> PathBuf {
        let name = hash(Context::ShortName, self.root.as_os_str().as_bytes());
        let name = hex(name.get(..8).unwrap_or_default());
        let path = self.root.join("run").join(format!("{name}.sock"));
        if path.as_os_str().len() < 100 {
            return path;
        }
        let user = rustix::process::getuid().as_raw();
        PathBuf::from(format!("/tmp/receipt-{user}/{name}.sock"))
    }
    /// The user whose service may be talked to: whoever owns the home.
    pub(crate) fn owner(&self) -> Option<u32> {
        let metadata = std::fs::metadata(&self.root).ok()?;
        Some(metadata.uid())
    }
}
