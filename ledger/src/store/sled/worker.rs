//! The thread that owns a database, and the watchdog in front of it.

use crate::store::StoreError;
use std::io::ErrorKind;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::Duration;

/// What [`StoreError::Corrupt`] says when only the snapshot is bad.
pub(super) const SNAPSHOT: &str = "the snapshot";

type Job = Box<dyn FnOnce(&sled::Db) + Send>;

/// What was begun, and how it ends.
pub(super) type Pending<T> = Receiver<Result<sled::Result<T>, StoreError>>;

/// A handle to the thread that owns a database.
#[derive(Debug)]
pub(super) struct Worker {
    jobs: Sender<Job>,
    /// Shared by all handles to one database.
    failed: Arc<AtomicBool>,
}

impl Worker {
    /// Opens the database in a new thread.
    pub(super) fn open(path: &Path, cache: u64, limit: Duration) -> Result<Self, StoreError> {
        let config = sled::Config::default()
            .path(path)
            .cache_capacity(cache)
            .flush_every_ms(None);
        let (jobs, inbox) = channel::<Job>();
        let (tell, told) = sync_channel(1);
        spawn(move || {
            // A panic ends the thread; the database is never dropped.
            let opened = catch_unwind(AssertUnwindSafe(|| config.open()));
            let db = match opened {
                Ok(Ok(db)) => ManuallyDrop::new(db),
                Ok(Err(error)) => {
                    let _ = tell.send(Err(translate(&error)));
                    return;
                }
                Err(_) => {
                    let _ = tell.send(Err(StoreError::Panicked));
                    return;
                }
            };
            let _ = tell.send(Ok(()));
            serve(&db, &inbox);
        })?;
        match told.recv_timeout(limit) {
            Ok(opened) => opened?,
            Err(RecvTimeoutError::Timeout) => return Err(StoreError::Hangs(limit.as_secs())),
            Err(RecvTimeoutError::Disconnected) => return Err(StoreError::Panicked),
        }
        Ok(Self {
            jobs,
            failed: Arc::default(),
        })
    }

    /// A second thread on the same database: what one is asked does not wait for
    /// what the other does.
    pub(super) fn another(&self, limit: Duration) -> Result<Self, StoreError> {
        let db = self.call(limit, |db| Ok(ManuallyDrop::new(db.clone())))?;
        let (jobs, inbox) = channel::<Job>();
        spawn(move || serve(&db, &inbox))?;
        Ok(Self {
            jobs,
            failed: Arc::clone(&self.failed),
        })
    }

    /// Does one thing with the database, or gives up after `limit`.
    pub(super) fn call<T: Send + 'static>(
        &self,
        limit: Duration,
        job: impl FnOnce(&sled::Db) -> sled::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let pending = self.begin(job)?;
        self.end(&pending, limit)
    }

    /// Begins one thing with the database, after all that was begun before.
    pub(super) fn begin<T: Send + 'static>(
        &self,
        job: impl FnOnce(&sled::Db) -> sled::Result<T> + Send + 'static,
    ) -> Result<Pending<T>, StoreError> {
        if self.failed.load(Ordering::Acquire) {
            return Err(StoreError::Failed);
        }
        let (tell, told) = sync_channel(1);
        let failed = Arc::clone(&self.failed);
        let job: Job = Box::new(move |db| {
            // What was begun before may have failed meanwhile.
            let done = if failed.load(Ordering::Acquire) {
                Err(StoreError::Failed)
            } else {
                catch_unwind(AssertUnwindSafe(|| job(db))).map_err(|_| StoreError::Panicked)
            };
            if !matches!(done, Ok(Ok(_))) {
                failed.store(true, Ordering::Release);
            }
            let _ = tell.send(done);
        });
        if self.jobs.send(job).is_err() {
            return Err(self.fail(StoreError::Panicked));
        }
        Ok(told)
    }

    /// Waits for it, or gives up after `limit`.
    pub(super) fn end<T>(&self, pending: &Pending<T>, limit: Duration) -> Result<T, StoreError> {
        match pending.recv_timeout(limit) {
            Ok(Ok(Ok(value))) => Ok(value),
            Ok(Ok(Err(error))) => Err(self.fail(translate(&error))),
            Ok(Err(panicked)) => Err(self.fail(panicked)),
            Err(RecvTimeoutError::Timeout) => Err(self.fail(StoreError::Hangs(limit.as_secs()))),
            Err(RecvTimeoutError::Disconnected) => Err(self.fail(StoreError::Panicked)),
        }
    }

    /// Notes that the database may no longer be asked anything.
    pub(super) fn fail(&self, error: StoreError) -> StoreError {
        self.failed.store(true, Ordering::Release);
        error
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), StoreError> {
    std::thread::Builder::new()
        .name("receipt-store".to_owned())
        .spawn(work)
        .map(drop)
        .map_err(|error| StoreError::Environment(error.to_string()))
}

/// Does jobs until the handle is gone.
fn serve(db: &sled::Db, inbox: &Receiver<Job>) {
    while let Ok(job) = inbox.recv() {
        job(db);
    }
}

fn translate(error: &sled::Error) -> StoreError {
    match error {
        sled::Error::Corruption { at: None, .. } => StoreError::Corrupt(SNAPSHOT.to_owned()),
        sled::Error::Corruption { at: Some(at), .. } => {
            StoreError::Corrupt(format!("the log at {at:?}"))
        }
        // Kind `Other`: only the text tells that a lock is held.
        sled::Error::Io(io) if io.to_string().contains("could not acquire lock") => {
            StoreError::Locked
        }
        sled::Error::Io(io) if is_environment(io.kind()) => StoreError::Environment(io.to_string()),
        other => StoreError::Corrupt(other.to_string()),
    }
}

/// Errors that a sound database meets on a machine in trouble.
const fn is_environment(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::StorageFull
            | ErrorKind::QuotaExceeded
            | ErrorKind::OutOfMemory
            | ErrorKind::Interrupted
    )
}
