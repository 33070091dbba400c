//! The store in sled 0.34.7, with its faults contained.
//!
//! Measured: `flush` is no fsync; a kill during open leaves a half-written
//! snapshot that no later open survives; values of more than about 14 KB go to
//! files that are never synced; after an error, flushing or dropping the
//! database can hang for ever; damaged files make it panic. So each database
//! lives in a thread of its own that answers under a watchdog, left-over
//! snapshots are removed before open, a second descriptor syncs the log, and a
//! database is neither dropped nor opened twice in one process.

mod files;
mod worker;

pub use files::SledStores;

use super::StoreError;
use super::kv::{Kv, KvStore, Pair};
use std::path::Path;
use std::time::Duration;
use worker::{Pending, Worker};

/// A store in sled.
pub type SledStore = KvStore<SledKv>;

/// Memory for sled's cache, as it counts: what is read takes several times that.
const CACHE: u64 = 4 << 20;

/// How long one call may take. A batch of 64 MB takes about a second.
const CALL_LIMIT: Duration = Duration::from_secs(30);

/// How long opening may take, besides what the log's length asks for.
const OPEN_LIMIT: Duration = Duration::from_secs(20);

/// Slowest recovery that is waited for. Measured: 0.3 to 2.3 seconds for 1 GB.
const RECOVERY_BYTES_PER_SECOND: u64 = 100 << 20;

/// A sled database behind a watchdog.
#[derive(Debug)]
pub struct SledKv {
    worker: Worker,
    /// The newest batch, while it may not be in yet.
    put: Option<Pending<()>>,
    log: std::fs::File,
}

impl SledKv {
    /// Opens the database of that directory, or makes an empty one.
    ///
    /// # Errors
    /// [`StoreError`]; the directory is as it was but for left-over snapshots.
    pub fn open(directory: &Path) -> Result<Self, StoreError> {
        files::check_regular(directory)?;
        files::remove_leftovers(directory)?;
        let opened = Worker::open(directory, CACHE, open_limit(directory));
        let worker = match opened {
            Err(StoreError::Corrupt(why)) if why == worker::SNAPSHOT => {
                // The snapshot alone is bad; the log yields a new one.
                files::remove_snapshots(directory)?;
                Worker::open(directory, CACHE, open_limit(directory))?
            }
            other => other?,
        };
        let log = files::open_log(directory)?;
        Ok(Self {
            worker,
            put: None,
            log,
        })
    }

    /// Waits for the newest batch.
    fn settle(&mut self) -> Result<(), StoreError> {
        match self.put.take() {
            Some(put) => self.worker.end(&put, CALL_LIMIT),
            None => Ok(()),
        }
    }
}

fn open_limit(directory: &Path) -> Duration {
    let len = std::fs::metadata(directory.join("db")).map_or(0, |m| m.len());
    let seconds = len.checked_div(RECOVERY_BYTES_PER_SECOND).unwrap_or(0);
    OPEN_LIMIT.saturating_add(Duration::from_secs(seconds))
}

fn owned((key, value): (sled::IVec, sled::IVec)) -> Pair {
    (key.to_vec(), value.to_vec())
}

impl Kv for SledKv {
    fn share(&self) -> Result<Self, StoreError> {
        let log = self.log.try_clone();
        Ok(Self {
            worker: self.worker.another(CALL_LIMIT)?,
            put: None,
            log: log.map_err(|error| StoreError::Environment(error.to_string()))?,
        })
    }

    /// Returns before it is done: the ledger has acknowledged the records
    /// already. Whatever is asked later comes after it, and an error is that of
    /// the next call that writes.
    fn put(&mut self, pairs: Vec<Pair>) -> Result<(), StoreError> {
        self.settle()?;
        let put = self.worker.begin(move |db| {
            let mut batch = sled::Batch::default();
            for (key, value) in pairs {
                batch.insert(key, value);
            }
            db.apply_batch(batch)
        })?;
        self.put = Some(put);
        Ok(())
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        self.settle()?;
        self.worker.call(CALL_LIMIT, |db| db.flush().map(|_| ()))?;
        self.log
            .sync_data()
            .map_err(|error| self.worker.fail(StoreError::Environment(error.to_string())))
    }

    fn many(&self, keys: Vec<Vec<u8>>) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.worker.call(CALL_LIMIT, move |db| {
            let get = |key| Ok(db.get(key)?.map(|value| value.to_vec()));
            keys.into_iter().map(get).collect()
        })
    }

    fn page(&self, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<Pair>, StoreError> {
        let range = from.to_vec()..to.to_vec();
        self.worker.call(CALL_LIMIT, move |db| {
            let mut page = Vec::new();
            let mut bytes = 0usize;
            for pair in db.range(range) {
                let (key, value) = owned(pair?);
                bytes = bytes.saturating_add(key.len()).saturating_add(value.len());
                page.push((key, value));
                if bytes >= limit {
                    break;
                }
            }
            Ok(page)
        })
    }

    fn last(&self, from: &[u8], to: &[u8]) -> Result<Option<Pair>, StoreError> {
        let range = from.to_vec()..to.to_vec();
        self.worker.call(CALL_LIMIT, move |db| {
            db.range(range)
                .next_back()
                .transpose()
                .map(|p| p.map(owned))
        })
    }
}
