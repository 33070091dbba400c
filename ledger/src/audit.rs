//! Auditing: everything a ledger says about itself, recomputed and compared.
//!
//! The records are read once, page by page. While one page's signatures and
//! contents are verified on all cores, the next one is read; then the page is
//! walked in order against chain, streams, tree, index, notes and journal.

mod intake;
mod prune;
mod verify;
mod walk;

use crate::ledger::Ledger;
use std::fmt;

/// What an audit found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditReport {
    /// Records that were verified.
    pub records: u64,
    /// Those among them whose content is erased.
    pub pruned: u64,
    /// Streams, the ledger's own included.
    pub streams: u64,
    /// Checkpoints.
    pub checkpoints: u64,
    /// The first fault, at which the audit ended; `None` if all is sound.
    pub fault: Option<Fault>,
}

impl AuditReport {
    /// Whether nothing is wrong.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        self.fault.is_none()
    }
}

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The record, unless something else of the ledger is at fault.
    pub record: Option<u64>,
    /// What is wrong with it.
    pub what: String,
}

impl Fault {
    fn at(seq: u64, what: impl Into<String>) -> Self {
        Self {
            record: Some(seq),
            what: what.into(),
        }
    }

    fn of(what: impl fmt::Display) -> Self {
        Self {
            record: None,
            what: what.to_string(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.record {
            Some(seq) => write!(f, "record #{seq}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl Ledger {
    /// Verifies everything: every header, signature, chain link, stream link,
    /// commitment and content; stream index, tree, heads, frontier and
    /// checkpoints; the journal against the store; the head register. Reads
    /// only. `progress` is told the records done and the records in all.
    pub fn audit(&self, progress: &mut dyn FnMut(u64, u64)) -> AuditReport {
        let mut report = AuditReport::default();
        report.fault = walk::run(self, &mut report, progress).err();
        report
    }
}
