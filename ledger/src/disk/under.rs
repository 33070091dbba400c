//! A folder of a disk, as a disk.

use super::{Disk, LockGuard};
use std::io;
use std::sync::Arc;

/// All names are taken relative to one folder of another disk.
pub(crate) struct Under {
    disk: Arc<dyn Disk>,
    folder: &'static str,
}

impl Under {
    pub(crate) fn new(disk: Arc<dyn Disk>, folder: &'static str) -> Self {
        Self { disk, folder }
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
            .trim_end_matches('/')
            .to_owned()
    }
}

impl Disk for Under {
    fn create_dir_all(&self, name: &str) -> io::Result<()> {
        self.disk.create_dir_all(&self.at(name))
    }
    fn list(&self, name: &str) -> io::Result<Vec<String>> {
        self.disk.list(&self.at(name))
    }
    fn len(&self, name: &str) -> io::Result<Option<u64>> {
        self.disk.len(&self.at(name))
    }
    fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        self.disk.read(&self.at(name), limit)
    }
    fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.disk.append(&self.at(name), bytes)
    }
    fn sync(&self, name: &str) -> io::Result<()> {
        self.disk.sync(&self.at(name))
    }
    fn write_new(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.disk.write_new(&self.at(name), bytes)
    }
    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.disk.rename(&self.at(from), &self.at(to))
    }
    fn remove(&self, name: &str) -> io::Result<()> {
        self.disk.remove(&self.at(name))
    }
    fn sync_dir(&self, name: &str) -> io::Result<()> {
        self.disk.sync_dir(&self.at(name))
    }
    fn truncate(&self, name: &str, len: u64) -> io::Result<()> {
        self.disk.truncate(&self.at(name), len)
    }
    fn lock(&self, name: &str) -> io::Result<Option<LockGuard>> {
        self.disk.lock(&self.at(name))
    }
}
