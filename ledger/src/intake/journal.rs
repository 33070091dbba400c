//! The journal: what is acknowledged stands here, synced.
//!
//! One batch is one frame, one write and one `fdatasync`. A torn write can only
//! be the last frame of the last segment: the next one is written after the
//! sync of the one before.

use super::frame::{self, MAX_FRAME, Place};
use super::segment::{self, MAGIC, MAX_SEGMENT, ROTATE, Segment};
use crate::disk::Disk;
use crate::error::{LedgerError, io};
use crate::layout::INTAKE;
use crate::store::Batch;
use receipt_core::hash::Digest;
use std::sync::Arc;

/// The journal of one ledger.
#[derive(Clone)]
pub struct Journal {
    disk: Arc<dyn Disk>,
    ledger: Digest,
    /// First records of all segments, in order.
    segments: Vec<u64>,
    /// Length of what is sound in the last segment.
    len: u64,
    /// What follows that, until it is cut off.
    torn: Option<Torn>,
}

impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Journal")
            .field("segments", &self.segments)
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

/// A torn write that was cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Torn {
    /// The segment's file.
    pub file: String,
    /// Where it was cut.
    pub offset: u64,
    /// How many bytes went.
    pub bytes: u64,
}

impl Journal {
    /// The journal of a ledger directory, before its last segment is read.
    ///
    /// # Errors
    /// [`LedgerError::Io`]; [`LedgerError::Malformed`] for a foreign file.
    pub fn open(disk: Arc<dyn Disk>, ledger: Digest) -> Result<Self, LedgerError> {
        let segments = list(&*disk)?;
        Ok(Self {
            disk,
            ledger,
            segments,
            len: 0,
            torn: None,
        })
    }

    /// First records of the segments, in order.
    #[must_use]
    pub fn segments(&self) -> &[u64] {
        &self.segments
    }

    /// Reads one segment and changes nothing.
    ///
    /// # Errors
    /// [`LedgerError::Damaged`] where a torn write cannot explain the damage.
    pub fn peek(&self, first: u64) -> Result<Segment, LedgerError> {
        let file = segment::name(first);
        let bytes = self
            .disk
            .read(&file, MAX_SEGMENT)
            .map_err(io("read", &file))?;
        let last = self.segments.last() == Some(&first);
        Segment::parse(first, bytes, &self.ledger, last)
    }

    /// Reads one segment. Where the last one ends, the next batch goes.
    ///
    /// # Errors
    /// [`LedgerError::Damaged`] where a torn write cannot explain the damage.
    pub fn read(&mut self, first: u64) -> Result<Segment, LedgerError> {
        let segment = self.peek(first)?;
        if self.segments.last() == Some(&first) {
            self.len = segment.sound;
            let bytes = segment.len().saturating_sub(segment.sound);
            self.torn = (bytes > 0).then(|| Torn {
                offset: segment.sound,
                bytes,
                file: segment::name(first),
            });
        }
        Ok(segment)
    }

    /// A torn write at the end of the last segment, once that was read.
    #[must_use]
    pub const fn torn(&self) -> Option<&Torn> {
        self.torn.as_ref()
    }

    /// Cuts a torn write off.
    ///
    /// # Errors
    /// [`LedgerError::Io`]; it can be tried again.
    pub fn cut_torn(&mut self) -> Result<(), LedgerError> {
        if let Some(torn) = &self.torn {
            let file = &torn.file;
            self.disk
                .truncate(file, torn.offset)
                .map_err(io("cut", file))?;
            self.disk.sync(file).map_err(io("sync", file))?;
        }
        self.torn = None;
        Ok(())
    }

    /// Writes a batch and syncs it: after this it is acknowledged.
    ///
    /// # Errors
    /// [`LedgerError::TooLarge`] before anything is written; after any other
    /// error it is open whether the batch is on disk.
    pub fn append(&mut self, batch: &Batch) -> Result<(), LedgerError> {
        let payload = segment::payload(batch);
        if payload.len() > MAX_FRAME {
            return Err(LedgerError::TooLarge("one batch"));
        }
        self.cut_torn()?;
        let current = match self.segments.last() {
            Some(first) if self.len < ROTATE => *first,
            _ => self.rotate(batch.first),
        };
        let created = self.len == 0;
        let mut bytes = Vec::with_capacity(payload.len().saturating_add(64));
        if created {
            bytes.extend_from_slice(MAGIC);
        }
        let place = Place {
            ledger: &self.ledger,
            segment: current,
            offset: self.len.saturating_add(bytes.len() as u64),
        };
        frame::write(&mut bytes, &place, &payload);
        let file = segment::name(current);
        self.disk
            .append(&file, &bytes)
            .map_err(io("write", &file))?;
        self.disk.sync(&file).map_err(io("sync", &file))?;
        if created {
            self.disk.sync_dir(INTAKE).map_err(io("sync", INTAKE))?;
        }
        self.len = self.len.saturating_add(bytes.len() as u64);
        Ok(())
    }

    fn rotate(&mut self, first: u64) -> u64 {
        self.segments.push(first);
        self.len = 0;
        first
    }

    /// Removes a segment that is not the last.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn drop_segment(&mut self, first: u64) -> Result<String, LedgerError> {
        let file = segment::name(first);
        if self.segments.last() != Some(&first) {
            self.disk.remove(&file).map_err(io("remove", &file))?;
            self.disk.sync_dir(INTAKE).map_err(io("sync", INTAKE))?;
            self.segments.retain(|s| *s != first);
        }
        Ok(file)
    }
}

/// First records of the segments in the intake folder, in order.
///
/// # Errors
/// [`LedgerError::Malformed`] for a foreign file.
pub fn list(disk: &dyn Disk) -> Result<Vec<u64>, LedgerError> {
    let names = disk.list(INTAKE).map_err(io("list", INTAKE))?;
    let parse = |name: &String| {
        segment::parse_name(name).ok_or_else(|| LedgerError::Malformed {
            file: format!("{INTAKE}/{name}"),
            why: "it is no segment of the journal".to_owned(),
        })
    };
    names.iter().map(parse).collect()
}
