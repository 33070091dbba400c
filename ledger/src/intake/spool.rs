//! The spool: one file for each event that no service took.
//!
//! A hook process writes it without opening the ledger. A file is whole or
//! absent: it is written under a temporary name, synced, renamed, and then the
//! folder is synced.

use super::frame::{self, FRAME_HEAD, MAX_FRAME, Place};
use crate::disk::Disk;
use crate::error::{LedgerError, io};
use crate::layout::{QUARANTINE, SPOOL};

/// The spool of a ledger directory.
#[derive(Debug, Clone, Copy)]
pub struct Spool;

/// Spooled files are written before a ledger is known.
const PLACE: Place<'static> = Place {
    ledger: &[0; 32],
    segment: 0,
    offset: 0,
};

/// Longest name.
const MAX_NAME: usize = 120;

fn path(name: &str) -> Result<String, LedgerError> {
    let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let ok = !name.is_empty()
        && name.len() <= MAX_NAME
        && !name.starts_with('.')
        && name.bytes().all(fits);
    if ok {
        Ok(format!("{SPOOL}/{name}"))
    } else {
        Err(LedgerError::SpoolName(name.to_owned()))
    }
}

impl Spool {
    /// Puts an event into the spool, durably. Names sort in the order in which
    /// the events are to be drained, and never repeat.
    ///
    /// # Errors
    /// [`LedgerError::SpoolName`], [`LedgerError::TooLarge`], [`LedgerError::Io`].
    pub fn write(disk: &dyn Disk, name: &str, bytes: &[u8]) -> Result<(), LedgerError> {
        let file = path(name)?;
        if bytes.is_empty() || bytes.len() > MAX_FRAME {
            return Err(LedgerError::TooLarge("a spooled event"));
        }
        let mut framed = Vec::with_capacity(bytes.len().saturating_add(FRAME_HEAD));
        frame::write(&mut framed, &PLACE, bytes);
        let temporary = format!("{SPOOL}/.{name}.tmp");
        let wrote = match disk.write_new(&temporary, &framed) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                disk.create_dir_all(SPOOL).map_err(io("create", SPOOL))?;
                disk.sync_dir("").map_err(io("sync", ""))?;
                disk.write_new(&temporary, &framed)
            }
            other => other,
        };
        let whole = wrote
            .map_err(io("write", &temporary))
            .and_then(|()| disk.sync(&temporary).map_err(io("sync", &temporary)))
            .and_then(|()| disk.rename(&temporary, &file).map_err(io("rename", &file)));
        if whole.is_err() {
            // A full disk is not made fuller. Names never repeat: this is ours.
            let _ = disk.remove(&temporary);
        }
        whole?;
        disk.sync_dir(SPOOL).map_err(io("sync", SPOOL))
    }

    /// The names of the spooled events, sorted.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn list(disk: &dyn Disk) -> Result<Vec<String>, LedgerError> {
        let names = disk.list(SPOOL).map_err(io("list", SPOOL))?;
        let quarantine = QUARANTINE.rsplit('/').next().unwrap_or_default();
        Ok(names
            .into_iter()
            .filter(|n| n != quarantine && path(n).is_ok())
            .collect())
    }

    /// Length of a spooled file, `None` if it is gone.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn len(disk: &dyn Disk, name: &str) -> Result<Option<u64>, LedgerError> {
        let file = path(name)?;
        disk.len(&file).map_err(io("look at", &file))
    }

    /// The event in a spooled file.
    ///
    /// # Errors
    /// [`LedgerError::Damaged`] if the file is not whole: quarantine it.
    pub fn read(disk: &dyn Disk, name: &str) -> Result<Vec<u8>, LedgerError> {
        let file = path(name)?;
        let limit = MAX_FRAME.saturating_add(FRAME_HEAD) as u64;
        let bytes = disk.read(&file, limit).map_err(io("read", &file))?;
        match frame::read(&bytes, &PLACE) {
            Some(event) if event.len().saturating_add(FRAME_HEAD) == bytes.len() => {
                Ok(event.to_vec())
            }
            _ => Err(LedgerError::Damaged {
                file,
                offset: 0,
                why: "it is not one sound frame",
            }),
        }
    }

    /// Removes a spooled file whose event is acknowledged in the ledger.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn remove(disk: &dyn Disk, name: &str) -> Result<(), LedgerError> {
        let file = path(name)?;
        disk.remove(&file).map_err(io("remove", &file))
    }

    /// Where a file that cannot be drained is put: in the quarantine, or, where
    /// that is no folder, beside it under a name that is none of an event.
    #[must_use]
    pub fn aside(disk: &dyn Disk, name: &str) -> String {
        match disk.list(QUARANTINE) {
            Ok(_) => format!("{QUARANTINE}/{name}"),
            Err(_) => format!("{SPOOL}/.{name}.aside"),
        }
    }

    /// Moves a file that cannot be drained aside; returns where it is now.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn quarantine(disk: &dyn Disk, name: &str) -> Result<String, LedgerError> {
        let file = path(name)?;
        let aside = Self::aside(disk, name);
        if aside.starts_with(QUARANTINE) {
            disk.create_dir_all(QUARANTINE)
                .map_err(io("create", QUARANTINE))?;
        }
        disk.rename(&file, &aside).map_err(io("rename", &file))?;
        if aside.starts_with(QUARANTINE) {
            disk.sync_dir(QUARANTINE).map_err(io("sync", QUARANTINE))?;
        }
        disk.sync_dir(SPOOL).map_err(io("sync", SPOOL))?;
        Ok(aside)
    }
}
