//! Disks with a fault that a real program could have.

use receipt_ledger::Disk;
use receipt_ledger::disk::LockGuard;
use receipt_ledger::testing::FaultDisk;
use std::io;
use std::sync::{Mutex, PoisonError};

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plant {
    /// Records are acknowledged before they are synced: that happens with the
    /// next write.
    AcknowledgedBeforeSync,
    /// The register is written before the records that it names are synced.
    HeadBeforeRecords,
    /// Every third `fdatasync` of the journal does nothing.
    DroppedSync,
    /// The register is read as it was one publication before.
    StaleHead,
}

impl Plant {
    pub(crate) const ALL: [Self; 4] = [
        Self::AcknowledgedBeforeSync,
        Self::HeadBeforeRecords,
        Self::DroppedSync,
        Self::StaleHead,
    ];
}

#[derive(Default)]
struct Memory {
    unsynced: Option<String>,
    syncs: u64,
}

/// A disk with a planted fault.
pub(crate) struct Planted {
    disk: FaultDisk,
    plant: Plant,
    memory: Mutex<Memory>,
}

impl Planted {
    pub(crate) fn new(disk: FaultDisk, plant: Plant) -> Self {
        Self {
            disk,
            plant,
            memory: Mutex::default(),
        }
    }

    /// Does what was put off.
    fn catch_up(&self) -> io::Result<()> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        match memory.unsynced.take() {
            Some(file) => self.disk.sync(&file),
            None => Ok(()),
        }
    }
}

/// Where the register before the newest is kept, for the stale reader.
const BEFORE: &str = "head-before";

impl Disk for Planted {
    fn create_dir_all(&self, name: &str) -> io::Result<()> {
        self.disk.create_dir_all(name)
    }
    fn list(&self, name: &str) -> io::Result<Vec<String>> {
        self.disk.list(name)
    }
    fn len(&self, name: &str) -> io::Result<Option<u64>> {
        self.disk.len(name)
    }
    fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        if self.plant == Plant::StaleHead && name == "head" && self.disk.len(BEFORE)?.is_some() {
            return self.disk.read(BEFORE, limit);
        }
        self.disk.read(name, limit)
    }
    fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        if name.starts_with("intake/") {
            self.catch_up()?;
        }
        self.disk.append(name, bytes)
    }
    fn sync(&self, name: &str) -> io::Result<()> {
        if !name.starts_with("intake/") {
            return self.disk.sync(name);
        }
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory.syncs += 1;
        match self.plant {
            Plant::AcknowledgedBeforeSync | Plant::HeadBeforeRecords => {
                memory.unsynced = Some(name.to_owned());
                Ok(())
            }
            Plant::DroppedSync if memory.syncs.is_multiple_of(3) => Ok(()),
            _ => self.disk.sync(name),
        }
    }
    fn write_new(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.disk.write_new(name, bytes)
    }
    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let stale = to == "head" && self.plant == Plant::StaleHead;
        if let Some(bytes) = self.disk.bytes("head").filter(|_| stale) {
            self.disk.put(BEFORE, &bytes)?;
        }
        self.disk.rename(from, to)
    }
    fn remove(&self, name: &str) -> io::Result<()> {
        self.disk.remove(name)
    }
    fn sync_dir(&self, name: &str) -> io::Result<()> {
        self.disk.sync_dir(name)?;
        if self.plant == Plant::HeadBeforeRecords && name.is_empty() {
            return self.catch_up();
        }
        Ok(())
    }
    fn truncate(&self, name: &str, len: u64) -> io::Result<()> {
        self.disk.truncate(name, len)
    }
    fn lock(&self, name: &str) -> io::Result<Option<LockGuard>> {
        self.disk.lock(name)
    }
}
