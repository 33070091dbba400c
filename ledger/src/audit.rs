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
use std::ops::ControlFlow;
use walk::Walk;

/// Is told the records done and those in all, and may end an audit.
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>;

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

/// An audit of a ledger that may grow meanwhile: it goes on with every
/// [`crate::View`], and ends on one to which nothing was added.
#[derive(Debug, Default)]
pub struct Audit {
    report: AuditReport,
    walk: Option<Walk>,
}

impl Audit {
    /// Verifies the records that were not verified yet: every header,
    /// signature, chain link, stream link, commitment and content; stream index,
    /// tree and checkpoints; the journal against the store. `progress` is told
    /// the records done and the records in all, and may end it there: then it
    /// is of no more use. Once there is a fault, it stays.
    pub fn go_on(&mut self, ledger: &Ledger, progress: Progress<'_>) -> ControlFlow<()> {
        if !self.report.is_sound() {
            return ControlFlow::Continue(());
        }
        match self.walk_on(ledger, progress) {
            Ok(flow) => flow,
            Err(fault) => {
                self.report.fault = Some(fault);
                ControlFlow::Continue(())
            }
        }
    }

    /// Whether no record that was verified is at fault.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        self.report.is_sound()
    }

    fn walk_on(
        &mut self,
        ledger: &Ledger,
        progress: Progress<'_>,
    ) -> Result<ControlFlow<()>, Fault> {
        ledger.refuse_if_poisoned().map_err(Fault::of)?;
        let walk = match &mut self.walk {
            Some(walk) => walk,
            none => none.insert(Walk::new(ledger)?),
        };
        walk.go_on(ledger, &mut self.report, progress)
    }

    /// The report, with what is said of the records as a whole: heads, frontier,
    /// the ends of index and journal, the head register. It counts only if
    /// nothing was appended to the ledger meanwhile.
    #[must_use]
    pub fn report(&self, ledger: &Ledger) -> AuditReport {
        let mut report = self.report.clone();
        if let (None, Some(walk)) = (&report.fault, &self.walk) {
            report.fault = walk.end(ledger).err();
        }
        report
    }
}

impl Ledger {
    /// Verifies everything, as [`Audit`] does. Reads only.
    pub fn audit(&self, progress: &mut dyn FnMut(u64, u64)) -> AuditReport {
        let mut audit = Audit::default();
        let _ = audit.go_on(self, &mut |done, all| {
            progress(done, all);
            ControlFlow::Continue(())
        });
        audit.report(self)
    }
}
