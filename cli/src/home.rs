//! Where everything lives (`spec/ledger.md`, "Places").

use crate::error::Error;
use crate::system::System;
use crate::world::environment;
use receipt_core::hash::{Context, hash, hex};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The folders of one user, and who keeps the ledger that the user's events go to.
#[derive(Debug, Clone)]
pub(crate) struct Home {
    /// Ledger, keys, socket and profile; what is the hook's own where another
    /// user keeps them.
    pub(crate) root: PathBuf,
    /// Who keeps the ledger.
    pub(crate) keeper: Keeper,
}

/// Who keeps a ledger.
#[derive(Debug, Clone)]
pub(crate) enum Keeper {
    /// The user itself.
    Own,
    /// A service with a user of its own.
    System(System),
    /// There is a file that names such a service, and it is not to be trusted.
    Nobody,
}

impl Home {
    /// The home of a command: `RECEIPT_HOME`, else `$XDG_DATA_HOME/receipt`, else
    /// `~/.local/share/receipt`. Its ledger is kept by the service that
    /// `RECEIPT_SYSTEM` names, else by the machine's unless `RECEIPT_HOME` is set.
    ///
    /// # Errors
    /// Where no home is set, or the file that names the service is faulty.
    pub(crate) fn find() -> Result<Self, Error> {
        let named = environment::get("RECEIPT_SYSTEM");
        let system = match named {
            Some(file) => Some(System::read(Path::new(&file))?),
            None if environment::get("RECEIPT_HOME").is_some() => None,
            None => System::of_machine()?,
        };
        match system {
            None => Ok(Self::at(own_root()?)),
            // To its own user that ledger is its own.
            Some(system) if system.user == own_user() => Ok(Self {
                root: system.home.clone(),
                keeper: Keeper::System(system),
            }),
            Some(system) => Ok(Self {
                keeper: Keeper::System(system),
                ..Self::at(own_root()?)
            }),
        }
    }

    /// The home of a hook. No environment changes who keeps the ledger: the
    /// machine's service does, else the one of the hook line.
    ///
    /// # Errors
    /// Where no home is set.
    pub(crate) fn of_hook(home: Option<OsString>, file: Option<OsString>) -> Result<Self, Error> {
        let root = home.map_or_else(own_root, |home| Ok(home.into()))?;
        let system = match (System::of_machine(), file) {
            (Ok(None), Some(file)) => System::read(Path::new(&file)).map(Some),
            (system, _) => system,
        };
        let keeper = match system {
            Ok(None) => Keeper::Own,
            Ok(Some(system)) => Keeper::System(system),
            Err(_) => Keeper::Nobody,
        };
        Ok(Self {
            keeper,
            ..Self::at(root)
        })
    }

    /// The home in a folder, kept by its user.
    pub(crate) fn at(root: PathBuf) -> Self {
        let root = std::path::absolute(&root).unwrap_or(root);
        Self {
            root,
            keeper: Keeper::Own,
        }
    }

    /// The service of another user that keeps the ledger, if one does.
    pub(crate) fn other(&self) -> Option<&System> {
        match &self.keeper {
            Keeper::System(system) if system.user != own_user() => Some(system),
            _ => None,
        }
    }

    /// The ledger's folder.
    pub(crate) fn ledger(&self) -> PathBuf {
        self.root.join("ledger")
    }

    /// The folder in which the spool of hooks lies. For another user's service
    /// it is no part of any ledger, so that no other service drains it.
    pub(crate) fn spool(&self) -> PathBuf {
        match self.keeper {
            Keeper::Own => self.ledger(),
            Keeper::System(_) | Keeper::Nobody => self.root.join("system"),
        }
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
        if let Keeper::System(system) = &self.keeper {
            return system.socket.clone();
        }
        let name = hash(Context::ShortName, self.root.as_os_str().as_bytes());
        let name = hex(name.get(..8).unwrap_or_default());
        let path = self.root.join("run").join(format!("{name}.sock"));
        if path.as_os_str().len() < 100 {
            return path;
        }
        let user = own_user();
        PathBuf::from(format!("/tmp/receipt-{user}/{name}.sock"))
    }

    /// The user whose service may be talked to: whoever owns the home, or keeps
    /// the ledger; nobody's where that is not known.
    pub(crate) fn owner(&self) -> Option<u32> {
        match &self.keeper {
            Keeper::Own => {
                let metadata = std::fs::metadata(&self.root).ok()?;
                Some(metadata.uid())
            }
            Keeper::System(system) => Some(system.user),
            Keeper::Nobody => None,
        }
    }
}

/// The user that this process runs as.
pub(crate) fn own_user() -> u32 {
    rustix::process::getuid().as_raw()
}

fn own_root() -> Result<PathBuf, Error> {
    if let Some(home) = environment::get("RECEIPT_HOME") {
        Ok(PathBuf::from(home))
    } else if let Some(data) = environment::get("XDG_DATA_HOME") {
        Ok(Path::new(&data).join("receipt"))
    } else if let Some(home) = environment::get("HOME") {
        Ok(Path::new(&home).join(".local/share/receipt"))
    } else {
        Err(Error::input("no home folder: HOME is not set")
            .hint("set RECEIPT_HOME to the folder that shall hold the ledger"))
    }
}
