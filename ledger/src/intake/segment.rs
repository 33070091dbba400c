//! One segment of the journal: a name, a magic, then a frame for each batch.

use super::frame::{self, FRAME_HEAD, MAX_FRAME, Place, Searched};
use crate::error::LedgerError;
use crate::layout::INTAKE;
use crate::store::Batch;
use receipt_core::hash::Digest;
use std::ops::Range;

/// What a segment begins with.
pub const MAGIC: &[u8; 16] = b"receipt-intake1\n";

/// A segment of this length takes no further batch. Opening reads the last one.
pub const ROTATE: u64 = 4 << 20;

/// Longest segment.
pub const MAX_SEGMENT: u64 = ROTATE + (MAX_FRAME + FRAME_HEAD) as u64;

/// The kind of a frame that holds a batch.
const BATCH: u8 = 1;

/// The kinds of items in a batch.
const RECORD: u8 = 1;
const NOTE: u8 = 2;

const SUFFIX: &str = ".seg";

/// The file of the segment whose first record has that number.
#[must_use]
pub fn name(first: u64) -> String {
    format!("{INTAKE}/{}", file_name(first))
}

/// Its name within the intake folder.
#[must_use]
pub fn file_name(first: u64) -> String {
    format!("{first:020}{SUFFIX}")
}

/// The first record's number, from a name within the intake folder.
#[must_use]
pub fn parse_name(name: &str) -> Option<u64> {
    let number = name.strip_suffix(SUFFIX)?;
    (number.len() == 20).then(|| number.parse().ok())?
}

/// One item of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item<'a> {
    /// A record's bytes at rest.
    Record(&'a [u8]),
    /// A checkpoint's note.
    Note(&'a str),
}

/// The payload of a batch's frame.
#[must_use]
pub fn payload(batch: &Batch) -> Vec<u8> {
    let mut out = vec![BATCH];
    let mut notes = batch.notes.iter().peekable();
    for entry in &batch.entries {
        push(&mut out, RECORD, &entry.bytes);
        // A note follows the record that it ends with.
        while let Some(note) = notes.next_if(|note| note.size <= entry.seq.saturating_add(1)) {
            push(&mut out, NOTE, note.text.as_bytes());
        }
    }
    out
}

fn push(out: &mut Vec<u8>, kind: u8, bytes: &[u8]) {
    out.push(kind);
    out.extend_from_slice(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
    out.extend_from_slice(bytes);
}

/// The items of a batch's payload; `None` where they do not fill it exactly.
#[must_use]
pub fn items(payload: &[u8]) -> Option<Vec<Item<'_>>> {
    let (kind, mut rest) = payload.split_first()?;
    if *kind != BATCH {
        return None;
    }
    let mut items = Vec::new();
    while let Some((kind, tail)) = rest.split_first() {
        let (len, tail) = tail.split_first_chunk::<4>()?;
        let (bytes, tail) = tail.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        items.push(match *kind {
            RECORD => Item::Record(bytes),
            NOTE => Item::Note(std::str::from_utf8(bytes).ok()?),
            _ => return None,
        });
        rest = tail;
    }
    Some(items)
}

/// A cheap look at what may be a payload.
fn plausible(payload: &[u8]) -> bool {
    let [kind, item, a, b, c, d, ..] = payload else {
        return false;
    };
    *kind == BATCH
        && matches!(*item, RECORD | NOTE)
        && u32::from_le_bytes([*a, *b, *c, *d]) as usize <= payload.len()
}

/// A segment that was read.
#[derive(Debug)]
pub struct Segment {
    /// Number of its first record.
    pub first: u64,
    bytes: Vec<u8>,
    batches: Vec<(u64, Range<usize>)>,
    /// Length of what is sound.
    pub sound: u64,
}

impl Segment {
    /// Reads a segment's bytes. Only the `last` segment may end in a torn write.
    ///
    /// # Errors
    /// [`LedgerError::Damaged`] with the offset.
    pub fn parse(
        first: u64,
        bytes: Vec<u8>,
        ledger: &Digest,
        last: bool,
    ) -> Result<Self, LedgerError> {
        let mut segment = Self {
            first,
            batches: Vec::new(),
            sound: 0,
            bytes,
        };
        let mut at = 0usize;
        if segment.bytes.starts_with(MAGIC) {
            at = MAGIC.len();
            at = segment.frames(at, ledger);
        }
        segment.sound = at as u64;
        if at == segment.bytes.len() && (at > 0 || last) {
            return Ok(segment);
        }
        let after = frame::next_after(&segment.bytes, at.max(1), (ledger, first), plausible);
        if last && after == Searched::Nowhere {
            Ok(segment)
        } else {
            Err(damaged(first, segment.sound, "no sound frame begins here"))
        }
    }

    /// Reads every sound frame, whatever stands between them.
    #[must_use]
    pub fn salvage(first: u64, bytes: Vec<u8>, ledger: &Digest) -> Self {
        let mut segment = Self {
            first,
            batches: Vec::new(),
            sound: 0,
            bytes,
        };
        let mut at = MAGIC.len();
        loop {
            at = segment.frames(at, ledger);
            let after = frame::next_after(&segment.bytes, at, (ledger, first), plausible);
            let Searched::At(next) = after else {
                segment.sound = at as u64;
                return segment;
            };
            at = next;
        }
    }

    /// Collects frames from `at` on; the offset after the last sound one.
    fn frames(&mut self, mut at: usize, ledger: &Digest) -> usize {
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let place = Place {
                ledger,
                segment: self.first,
                offset: at as u64,
            };
            let Some(len) = frame::read(rest, &place).map(<[u8]>::len) else {
                return at;
            };
            let start = at.saturating_add(FRAME_HEAD);
            let end = start.saturating_add(len);
            self.batches.push((at as u64, start..end));
            at = end;
        }
    }

    /// Length of the file as it was read.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// How many bytes are neither magic nor part of a sound frame.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        let frames = self
            .batches
            .iter()
            .map(|(_, payload)| payload.len() + FRAME_HEAD);
        let sound = frames.sum::<usize>() + MAGIC.len();
        (self.bytes.len() as u64).saturating_sub(sound as u64)
    }

    /// Whether no batch is in it.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    /// The batches in order.
    ///
    /// # Errors
    /// [`LedgerError::Damaged`] for a sound frame with a payload that is none.
    pub fn batches(&self) -> impl Iterator<Item = Result<Vec<Item<'_>>, LedgerError>> {
        self.batches.iter().map(|(offset, range)| {
            let payload = self.bytes.get(range.clone()).unwrap_or_default();
            items(payload).ok_or_else(|| damaged(self.first, *offset, "the frame is no batch"))
        })
    }
}

fn damaged(first: u64, offset: u64, why: &'static str) -> LedgerError {
    LedgerError::Damaged {
        file: name(first),
        offset,
        why,
    }
}
