//! A record as a gate sees it.

use crate::facts::{Facts, Observation};
use receipt_core::record::{Flags, Header, Kind};

/// The clear header fields that gates read, and the facts if disclosed.
#[derive(Debug, Clone, Copy)]
pub struct RecordView<'a> {
    /// Position in the ledger.
    pub seq: u64,
    /// What it is; `None` for a kind this version does not know.
    pub kind: Option<Kind>,
    /// Flag bits.
    pub flags: u32,
    /// The service's wall clock, microseconds since 1970.
    pub wall_us: u64,
    /// The facts; `None` where they are withheld.
    pub facts: Option<&'a Facts>,
}

impl<'a> RecordView<'a> {
    /// The view of a header with its facts.
    #[must_use]
    pub fn new(header: &Header, facts: Option<&'a Facts>) -> Self {
        Self {
            seq: header.seq,
            kind: header.kind(),
            flags: header.flags,
            wall_us: header.wall_us,
            facts,
        }
    }

    /// Whether it came through the spool, after its time.
    #[must_use]
    pub const fn late(&self) -> bool {
        self.flags & Flags::LATE != 0
    }

    /// The observations; none where the facts are withheld.
    pub fn observations(&self) -> impl Iterator<Item = &'a Observation> + use<'a> {
        self.facts
            .map(|f| f.obs.as_slice())
            .unwrap_or_default()
            .iter()
    }

    /// Keyed id of the tool call, if it belongs to one.
    #[must_use]
    pub fn call(&self) -> Option<&'a str> {
        self.facts.and_then(|f| f.call.as_deref())
    }
}
