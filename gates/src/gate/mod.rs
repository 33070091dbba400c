//! The gates, one file each (`spec/gates.md`).
//!
//! A gate is a pure fold: `apply` takes one record, cannot fail and decides
//! nothing; `decide` is total and reads only the folded state. Once released,
//! a version stays in the tree.

pub mod change_unverified;
pub mod check_failed;
pub mod claim_contradicted;
pub mod claim_unsupported;
pub mod ledger_guard;
pub mod required_check;
pub mod stub_introduced;

use crate::facts::RunSeen;
use crate::profile::Profile;
use crate::record::RecordView;
use crate::turn::Turn;
use crate::verdict::{Finding, Severity};
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What a gate answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// What it has to say; nothing stands against stopping if none blocks.
    Findings(Vec<Finding>),
    /// What it must know first.
    Needs(Vec<Request>),
}

/// An effect that the hook process performs; its answer becomes a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// A worktree snapshot, with its differences from these earlier trees.
    Snapshot {
        /// Trees of this turn, hexadecimal.
        diff_from: Vec<String>,
    },
    /// A model's judgement of the final message, by what is recorded.
    Judge,
}

/// A pure fold with a decision.
pub trait Gate {
    /// What is folded.
    type State;
    /// The gate's id.
    const ID: &'static str;
    /// Its version.
    const VERSION: u32;

    /// Takes one record of the turn.
    fn apply(state: &mut Self::State, record: &RecordView<'_>);

    /// Decides on the folded state.
    fn decide(state: &Self::State, turn: &Turn, profile: &Profile) -> Decision;
}

/// The gates that decide at a stop, with the versions in force.
#[must_use]
pub fn in_force() -> BTreeMap<String, u32> {
    [
        (
            check_failed::CheckFailed::ID,
            check_failed::CheckFailed::VERSION,
        ),
        (
            stub_introduced::StubIntroduced::ID,
            stub_introduced::StubIntroduced::VERSION,
        ),
        (
            change_unverified::ChangeUnverified::ID,
            change_unverified::ChangeUnverified::VERSION,
        ),
        (
            claim_contradicted::ClaimContradicted::ID,
            claim_contradicted::ClaimContradicted::VERSION,
        ),
        (
            claim_unsupported::ClaimUnsupported::ID,
            claim_unsupported::ClaimUnsupported::VERSION,
        ),
        (
            required_check::RequiredCheck::ID,
            required_check::RequiredCheck::VERSION,
        ),
        (
            ledger_guard::LedgerGuard::ID,
            ledger_guard::LedgerGuard::VERSION,
        ),
    ]
    .map(|(id, version)| (id.to_string(), version))
    .into()
}

/// A finding of gate `G` with a code.
pub(crate) fn finding<G: Gate>(severity: Severity, code: &str, records: Vec<u64>) -> Finding {
    Finding {
        gate: G::ID.to_string(),
        version: G::VERSION,
        severity,
        code: code.to_string(),
        check: None,
        numbers: BTreeMap::new(),
        words: BTreeMap::new(),
        records,
    }
}

/// Kind of the checks that compare layout: they say nothing about what code
/// does, so they cover no change and their failure refuses no stop.
pub(crate) const LAYOUT: &str = "format";

/// Whether a run is a pass that counts: on time and with an outcome.
pub(crate) fn counts_as_pass(run: &RunSeen, late: bool) -> bool {
    !late && run.outcome == "passed"
}

/// Whether a run takes back an earlier failure of the same check: a pass that
/// counts, or a commit that was made, which no hook refused.
pub(crate) fn takes_back(run: &RunSeen, late: bool) -> bool {
    let made = !late && run.outcome == "unknown" && run.basis == "exit";
    counts_as_pass(run, late) || made
}

/// Whether a run began at all: it was not refused, and its program was there.
pub(crate) fn was_run(run: &RunSeen) -> bool {
    run.outcome != "skipped" && !run.qualifiers.iter().any(|q| q == "not-run")
}

/// Whether a run looked only at what lies outside of the repository.
pub(crate) fn is_elsewhere(run: &RunSeen) -> bool {
    run.qualifiers.iter().any(|q| q == "elsewhere")
}

/// Whether a run's pass speaks for a language.
pub(crate) fn speaks_for(languages: &[String], language: &str) -> bool {
    languages.is_empty() || language.is_empty() || languages.iter().any(|l| l == language)
}
