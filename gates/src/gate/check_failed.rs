//! `check-failed`: the latest outcome of a check in this turn is a failure.
//!
//! A later pass of the same or a wider scope by that runner clears it. Unknown
//! and skipped outcomes neither fail nor clear.

use super::{Decision, Gate, LAYOUT, counts_as_pass, finding};
use crate::facts::{CheckId, Observation, RunSeen};
use crate::profile::Profile;
use crate::record::RecordView;
use crate::turn::Turn;
use crate::verdict::{Finding, Severity};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// Most failing checks that one verdict names.
const MAX_NAMED: usize = 5;

/// The gate.
#[derive(Debug)]
pub struct CheckFailed;

/// Checks whose latest outcome is a failure.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    failed: Vec<Failure>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Failure {
    check: CheckId,
    seq: u64,
    basis: alloc::string::String,
    exit: Option<i32>,
    failing: u64,
    edits_since: u64,
}

impl State {
    /// The failing checks, for the carry.
    pub fn failing(&self) -> impl Iterator<Item = &CheckId> {
        self.failed.iter().map(|f| &f.check)
    }

    fn run(&mut self, run: &RunSeen, record: &RecordView<'_>) {
        if counts_as_pass(run, record.late()) {
            self.failed.retain(|f| !clears(&run.check, &f.check));
        } else if run.outcome == "failed" {
            self.failed.retain(|f| f.check != run.check);
            self.failed.push(Failure {
                check: run.check.clone(),
                seq: record.seq,
                basis: run.basis.clone(),
                exit: run.exit,
                failing: run.failing.len() as u64,
                edits_since: 0,
            });
        }
    }
}

/// Whether a pass of one check clears a failure of the other.
pub(crate) fn clears(pass: &CheckId, failure: &CheckId) -> bool {
    pass.runner == failure.runner && pass.kind == failure.kind && pass.scope.covers(&failure.scope)
}

impl Gate for CheckFailed {
    type State = State;
    const ID: &'static str = "check-failed";
    const VERSION: u32 = 1;

    fn apply(state: &mut State, record: &RecordView<'_>) {
        for observation in record.observations() {
            match observation {
                Observation::Run(run) if run.check.kind != LAYOUT => state.run(run, record),
                Observation::Edit(edit) if edit.code => {
                    for failure in &mut state.failed {
                        failure.edits_since = failure.edits_since.saturating_add(1);
                    }
                }
                _ => {}
            }
        }
    }

    fn decide(state: &State, _: &Turn, _: &Profile) -> Decision {
        let named = state.failed.iter().rev().take(MAX_NAMED);
        Decision::Findings(named.map(Failure::finding).collect())
    }
}

impl Failure {
    fn finding(&self) -> Finding {
        let mut found = finding::<CheckFailed>(Severity::Hard, "check-failed", vec![self.seq]);
        found.check = Some(self.check.clone());
        found.words.insert("basis".to_string(), self.basis.clone());
        if let Some(exit) = self.exit {
            found.numbers.insert("exit".to_string(), exit.into());
        }
        let mut count = |name: &str, value: u64| {
            if value > 0 {
                found
                    .numbers
                    .insert(name.to_string(), i64::try_from(value).unwrap_or(i64::MAX));
            }
        };
        count("failing", self.failing);
        count("edits_since", self.edits_since);
        found
    }
}
