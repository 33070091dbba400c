//! The journal, walked beside the store.

use super::Fault;
use crate::disk::Disk;
use crate::intake::journal::{self, Journal};
use crate::intake::segment::{Item, Segment};
use crate::store::Note;
use std::collections::VecDeque;

#[derive(Debug)]
enum Owned {
    Record(Vec<u8>),
    Note(String),
}

/// Where the walk stands. One segment is held in memory.
#[derive(Debug, Default)]
pub(super) struct Intake {
    segments: VecDeque<u64>,
    items: VecDeque<Owned>,
    first: u64,
}

impl Intake {
    /// The journal from that record on. More segments may be there than the
    /// journal had when it was looked at ([`Intake::end`]).
    pub(super) fn new(journal: &Journal, disk: &dyn Disk, from: u64) -> Result<Self, Fault> {
        let listed = journal::list(disk).map_err(Fault::of)?;
        let segments = journal.segments();
        let first = match segments.first() {
            Some(first) if listed.starts_with(segments) => *first,
            _ => return Err(changed()),
        };
        let begun = segments.partition_point(|s| *s <= from).saturating_sub(1);
        let mut intake = Self {
            segments: segments.iter().skip(begun).copied().collect(),
            items: VecDeque::new(),
            first,
        };
        intake.skip(journal, from)?;
        Ok(intake)
    }

    /// Passes over the records below `from` in the segment that holds it.
    fn skip(&mut self, journal: &Journal, from: u64) -> Result<(), Fault> {
        let Some(mut next) = self.segments.front().copied().filter(|s| *s < from) else {
            return Ok(());
        };
        self.load(journal, next)?;
        while next < from {
            match self.items.pop_front() {
                Some(Owned::Record(_)) => next = next.saturating_add(1),
                Some(Owned::Note(_)) => {}
                None if self.segments.front() == Some(&from) => return Ok(()),
                None => return Err(Fault::at(next, "the intake does not have it any more")),
            }
        }
        self.items
            .pop_front_if(|item| matches!(item, Owned::Note(_)));
        Ok(())
    }

    /// Compares a record with what the journal has of it.
    pub(super) fn record(
        &mut self,
        journal: &Journal,
        seq: u64,
        bytes: &[u8],
    ) -> Result<(), Fault> {
        if seq < self.first {
            return Ok(());
        }
        if self.items.is_empty() {
            self.load(journal, seq)?;
        }
        match self.items.pop_front() {
            Some(Owned::Record(other)) if other == bytes => Ok(()),
            Some(_) => Err(Fault::at(seq, "the intake has it otherwise than the store")),
            None => Err(Fault::at(seq, "the intake does not have it")),
        }
    }

    /// Compares the note over `size` records, if there is one.
    pub(super) fn note(&mut self, size: u64, note: Option<&Note>) -> Result<(), Fault> {
        if size <= self.first {
            return Ok(());
        }
        let here = self
            .items
            .pop_front_if(|item| matches!(item, Owned::Note(_)));
        match (here, note) {
            (None, None) => Ok(()),
            (Some(Owned::Note(text)), Some(note)) if text == note.text => Ok(()),
            _ => Err(Fault::of(format!(
                "the note over {size} records stands otherwise in the intake than in the store"
            ))),
        }
    }

    /// Nothing may be left, and nothing may have come.
    pub(super) fn end(&self, journal: &Journal, disk: &dyn Disk) -> Result<(), Fault> {
        if journal::list(disk).map_err(Fault::of)? != journal.segments() {
            return Err(changed());
        }
        if let Some(last) = journal.segments().last() {
            let segment = journal.peek(*last).map_err(Fault::of)?;
            if segment.len() != segment.sound {
                return Err(Fault::of(
                    "the intake ends in bytes that are no sound frame",
                ));
            }
        }
        if self.items.is_empty() && self.segments.is_empty() {
            Ok(())
        } else {
            Err(Fault::of("the intake holds records that the store lacks"))
        }
    }

    fn load(&mut self, journal: &Journal, seq: u64) -> Result<(), Fault> {
        let Some(first) = self.segments.pop_front() else {
            return Ok(());
        };
        if first != seq {
            return Err(Fault::at(seq, "the intake has a gap before it"));
        }
        let segment = journal.peek(first).map_err(Fault::of)?;
        self.items = items(&segment)?;
        Ok(())
    }
}

fn changed() -> Fault {
    Fault::of("the intake has lost or gained segments")
}

fn items(segment: &Segment) -> Result<VecDeque<Owned>, Fault> {
    let mut items = VecDeque::new();
    for batch in segment.batches() {
        let batch = batch.map_err(Fault::of)?;
        items.extend(batch.into_iter().map(|item| match item {
            Item::Record(bytes) => Owned::Record(bytes.to_vec()),
            Item::Note(text) => Owned::Note(text.to_owned()),
        }));
    }
    Ok(items)
}
