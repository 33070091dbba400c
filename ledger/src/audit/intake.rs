//! The journal, walked beside the store.

use super::Fault;
use crate::disk::Disk;
use crate::intake::journal::{self, Journal};
use crate::intake::segment::{Item, Segment};
use crate::store::Note;
use std::collections::VecDeque;

enum Owned {
    Record(Vec<u8>),
    Note(String),
}

/// Where the walk stands. One segment is held in memory.
pub(super) struct Intake<'a> {
    journal: &'a Journal,
    segments: VecDeque<u64>,
    items: VecDeque<Owned>,
    first: u64,
}

impl<'a> Intake<'a> {
    /// The journal from its first segment on.
    pub(super) fn new(journal: &'a Journal, disk: &dyn Disk) -> Result<Self, Fault> {
        let listed = journal::list(disk).map_err(Fault::of)?;
        let first = match listed.first() {
            Some(first) if listed == journal.segments() => *first,
            _ => return Err(Fault::of("the intake has lost or gained segments")),
        };
        Ok(Self {
            journal,
            segments: listed.into(),
            items: VecDeque::new(),
            first,
        })
    }

    /// Compares a record with what the journal has of it.
    pub(super) fn record(&mut self, seq: u64, bytes: &[u8]) -> Result<(), Fault> {
        if seq < self.first {
            return Ok(());
        }
        if self.items.is_empty() {
            self.load(seq)?;
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

    /// Nothing may be left.
    pub(super) fn end(&self) -> Result<(), Fault> {
        if self.items.is_empty() && self.segments.is_empty() {
            Ok(())
        } else {
            Err(Fault::of("the intake holds records that the store lacks"))
        }
    }

    fn load(&mut self, seq: u64) -> Result<(), Fault> {
        let Some(first) = self.segments.pop_front() else {
            return Ok(());
        };
        if first != seq {
            return Err(Fault::at(seq, "the intake has a gap before it"));
        }
        let segment = self.journal.peek(first).map_err(Fault::of)?;
        if segment.len() != segment.sound {
            return Err(Fault::of(
                "the intake ends in bytes that are no sound frame",
            ));
        }
        self.items = items(&segment)?;
        Ok(())
    }
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
