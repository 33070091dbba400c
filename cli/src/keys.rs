//! The private keys on disk: four PKCS#8 files and the secret behind keyed ids.

pub(crate) mod openssh;

use crate::error::Error;
use crate::home::Home;
use crate::world::random;
use receipt_core::hash::{Digest, digest_from_hex, hex};
use receipt_core::key::{PrivateKey, Use};
use receipt_core::keychain::KeyChain;
use receipt_ledger::LedgerError;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Every private key of a ledger.
#[derive(Debug, Clone)]
pub(crate) struct Keys {
    /// Pinned by others; signs the other three.
    pub(crate) identity: PrivateKey,
    /// Signs records.
    pub(crate) record: PrivateKey,
    /// Signs statements.
    pub(crate) verdict: PrivateKey,
    /// Signs checkpoints.
    pub(crate) checkpoint: PrivateKey,
    /// Behind keyed ids.
    pub(crate) ids: Digest,
    /// Keys of a change that may have been made: the ledger tells.
    pub(crate) next: Vec<(Use, PrivateKey)>,
}

const NAMES: [&str; 4] = ["identity", "record", "verdict", "checkpoint"];
const IDS: &str = "ids.secret";

impl Keys {
    /// Makes new keys in a folder of their own until [`Self::adopt`]: keys in
    /// their place mean that there is or was a ledger.
    ///
    /// # Errors
    /// Where the folder cannot be written.
    pub(crate) fn prepare(home: &Home) -> Result<Self, Error> {
        let new = prepared(home);
        // Left by an attempt that was cut short: no ledger is bound to these.
        let _ = fs::remove_dir_all(&new);
        private_folder(&new)?;
        for name in NAMES {
            let key = new_key()?;
            write_new(&new.join(format!("{name}.pem")), &key.to_pem())?;
        }
        write_new(&new.join(IDS), &format!("{}\n", hex(&random::bytes32()?)))?;
        sync_folder(&new)?;
        Self::read(&new)
    }

    /// Puts the prepared keys in their place, once their ledger is finished.
    ///
    /// # Errors
    /// Where keys are there already, or none are prepared.
    pub(crate) fn adopt(home: &Home) -> Result<(), Error> {
        let folder = home.keys();
        fs::rename(prepared(home), &folder)
            .map_err(|e| Error::fault(format!("cannot make {}: {e}", folder.display())))?;
        sync_folder(&home.root)
    }

    /// Whether keys wait for their ledger to be finished.
    pub(crate) fn are_prepared(home: &Home) -> bool {
        prepared(home).exists()
    }

    /// Reads the identity, which no change of keys touches.
    ///
    /// # Errors
    /// Where its file is missing, malformed, or readable by others.
    pub(crate) fn identity(home: &Home) -> Result<PrivateKey, Error> {
        read_key(&home.keys().join("identity.pem"))
    }

    /// Reads the keys in their place, of which a change replaces each at once.
    ///
    /// # Errors
    /// Where a file is missing, malformed, or readable by others.
    pub(crate) fn in_place(home: &Home) -> Result<Self, Error> {
        Self::read(&home.keys())
    }

    /// Reads the keys, and those of a change. Only under the ledger's lock: a change moves files.
    ///
    /// # Errors
    /// Where a file is missing, malformed, or readable by others.
    pub(crate) fn load(home: &Home) -> Result<Self, Error> {
        let mut keys = Self::in_place(home)?;
        let folder = changing(home);
        for key_use in Use::ALL {
            let file = file_of(&folder, key_use);
            if file.symlink_metadata().is_ok() {
                keys.next.push((key_use, read_key(&file)?));
            }
        }
        Ok(keys)
    }

    fn read(folder: &Path) -> Result<Self, Error> {
        let key = |name: &str| read_key(&folder.join(format!("{name}.pem")));
        let ids = read_private(&folder.join(IDS))?;
        Ok(Self {
            identity: key("identity")?,
            record: key("record")?,
            verdict: key("verdict")?,
            checkpoint: key("checkpoint")?,
            ids: digest_from_hex(ids.trim_end()).ok_or_else(|| {
                Error::input(format!("{} is malformed", folder.join(IDS).display()))
            })?,
            next: Vec::new(),
        })
    }

    /// Makes new keys for some uses, in a folder of their own until the ledger
    /// binds them and [`Self::settle`] puts them in their place.
    ///
    /// # Errors
    /// Where the folder cannot be written.
    pub(crate) fn prepare_change(
        home: &Home,
        uses: &[Use],
    ) -> Result<Vec<(Use, PrivateKey)>, Error> {
        let (folder, unfinished) = (changing(home), home.root.join("keys.next.tmp"));
        for left in [&unfinished, &folder] {
            let _ = fs::remove_dir_all(left);
        }
        private_folder(&unfinished)?;
        let mut made = Vec::new();
        for key_use in uses {
            let key = new_key()?;
            write_new(&file_of(&unfinished, *key_use), &key.to_pem())?;
            made.push((*key_use, key));
        }
        sync_folder(&unfinished)?;
        // All or none: whoever opens the ledger next reads what it finds.
        fs::rename(&unfinished, &folder)
            .map_err(|e| Error::fault(format!("cannot make {}: {e}", folder.display())))?;
        sync_folder(&home.root)?;
        Ok(made)
    }

    /// Takes over those of the next keys that the ledger has in force, in the
    /// files too; the others were never bound and go.
    ///
    /// # Errors
    /// Where a file cannot be put in its place.
    pub(crate) fn settle(&mut self, home: &Home, bound: &KeyChain) -> Result<(), Error> {
        if self.next.is_empty() {
            return Ok(());
        }
        let folder = changing(home);
        for (key_use, key) in std::mem::take(&mut self.next) {
            if bound.current(key_use) != Some(&key.public()) {
                continue;
            }
            let (from, to) = (file_of(&folder, key_use), file_of(&home.keys(), key_use));
            fs::rename(&from, &to)
                .map_err(|e| Error::fault(format!("cannot replace {}: {e}", to.display())))?;
            *self.of(key_use) = key;
        }
        sync_folder(&home.keys())?;
        let _ = fs::remove_dir_all(&folder);
        Ok(())
    }

    /// Refuses an identity or a verdict key that the ledger does not bind. Those
    /// that it signs with itself it looks at itself.
    ///
    /// # Errors
    /// [`LedgerError::KeyNotBound`].
    pub(crate) fn refuse_others(&self, bound: &KeyChain) -> Result<(), LedgerError> {
        if bound.identity() != &self.identity.public() {
            return Err(LedgerError::KeyNotBound("identity"));
        }
        if bound.current(Use::Verdict) != Some(&self.verdict.public()) {
            return Err(LedgerError::KeyNotBound(Use::Verdict.name()));
        }
        Ok(())
    }

    fn of(&mut self, key_use: Use) -> &mut PrivateKey {
        match key_use {
            Use::Record => &mut self.record,
            Use::Verdict => &mut self.verdict,
            Use::Checkpoint => &mut self.checkpoint,
        }
    }

    /// Whether any key file is there.
    pub(crate) fn exist(home: &Home) -> bool {
        home.keys().join("identity.pem").symlink_metadata().is_ok()
    }
}

/// Where the keys of a change wait.
fn changing(home: &Home) -> PathBuf {
    home.root.join("keys.next")
}

fn file_of(folder: &Path, key_use: Use) -> PathBuf {
    folder.join(format!("{}.pem", key_use.name()))
}

fn prepared(home: &Home) -> PathBuf {
    home.root.join("keys.new")
}

fn new_key() -> Result<PrivateKey, Error> {
    PrivateKey::from_seed(&random::bytes32()?).map_err(Error::fault)
}

fn read_key(path: &Path) -> Result<PrivateKey, Error> {
    let text = read_private(path)?;
    PrivateKey::from_pem(&text).map_err(|e| {
        Error::input(format!("key file {}: {e}", path.display()))
            .hint("restore it from a copy; `openssl pkey -in FILE -noout` tells whether it is one")
    })
}

/// Reads a file that only its owner may read.
fn read_private(path: &Path) -> Result<String, Error> {
    let failed = |e: std::io::Error| Error::input(format!("cannot read {}: {e}", path.display()));
    let metadata = fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        // To read a pipe may never end.
        return Err(Error::input(format!("{} is no file", path.display())));
    }
    let mode = metadata.mode();
    if mode & 0o077 != 0 {
        return Err(Error::input(format!(
            "{} may be read by others (mode {:03o})",
            path.display(),
            mode & 0o777
        ))
        .hint(format!("chmod 600 {}", path.display())));
    }
    fs::read_to_string(path).map_err(failed)
}

/// Makes a folder that only its owner may enter.
///
/// # Errors
/// Where it cannot be made.
pub(crate) fn private_folder(path: &Path) -> Result<(), Error> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|e| Error::fault(format!("cannot make {}: {e}", path.display())))
}

fn write_new(path: &Path, text: &str) -> Result<(), Error> {
    let failed = |e: std::io::Error| Error::fault(format!("cannot write {}: {e}", path.display()));
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .map_err(failed)?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .map_err(failed)
}

fn sync_folder(path: &Path) -> Result<(), Error> {
    fs::File::open(path)
        .and_then(|f| f.sync_all())
        .map_err(|e| Error::fault(format!("cannot sync {}: {e}", path.display())))
}
