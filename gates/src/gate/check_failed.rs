//! `check-failed`: the latest outcome of a check in this turn is a failure.
//!
//! A later pass of the same or a wider scope by that runner clears it. Unknown
//! and skipped outcomes neither fail nor clear.

use super::{Decision, Gate, LAYOUT, finding, speaks_for, takes_back};
use crate::facts::{CheckId, Observation, RunSeen, Scope};
use crate::profile::Profile;
use crate::record::RecordView;
use crate::turn::Turn;
use crate::verdict::{Finding, Severity};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// Most failing checks that one verdict names.
const MAX_NAMED: usize = 5;

/// Exit codes with which checks report what they found; others may mean that
/// the check could not run or was ended.
const FAILURES: [i32; 3] = [1, 2, 101];

/// The gate.
#[derive(Debug)]
pub struct CheckFailed;

/// Checks whose latest outcome is a failure.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    failed: Vec<Failure>,
    /// Runs in the background whose end is not known.
    pending: Vec<Pending>,
}

/// A check that alone decides how its call ends, in the background.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Pending {
    call: String,
    check: CheckId,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Failure {
    check: CheckId,
    seq: u64,
    basis: String,
    exit: Option<i32>,
    /// Languages that it speaks for; none stands for any.
    #[serde(default)]
    languages: Vec<String>,
    failing: u64,
    edits_since: u64,
}

impl State {
    /// The failing checks, for the carry.
    pub fn failing(&self) -> impl Iterator<Item = &CheckId> {
        self.failed.iter().map(|f| &f.check)
    }

    /// The newest failed test run that speaks for a file.
    #[must_use]
    pub fn test_for(&self, path: &str, language: &str) -> Option<u64> {
        let path = Scope::Paths(Vec::from([path.to_string()]));
        let mut newest = self.failed.iter().rev();
        let found = newest.find(|failure| {
            let scope = &failure.check.scope;
            failure.check.kind == "test"
                && speaks_for(&failure.languages, language)
                && (matches!(scope, Scope::Selector(_)) || scope.covers(&path))
        });
        found.map(|failure| failure.seq)
    }

    /// The failing checks with the records of their failures, oldest first.
    pub(crate) fn standing(&self) -> impl Iterator<Item = (&CheckId, u64)> {
        self.failed.iter().map(|f| (&f.check, f.seq))
    }

    fn run(&mut self, run: &RunSeen, record: &RecordView<'_>) {
        if takes_back(run, record.late()) {
            self.failed.retain(|f| !clears(&run.check, &f.check));
            self.pending.retain(|p| !clears(&run.check, &p.check));
        } else if run.outcome == "failed" {
            self.fail(Failure {
                check: run.check.clone(),
                seq: record.seq,
                basis: run.basis.clone(),
                exit: run.exit,
                languages: run.languages.clone(),
                failing: run.failing.len() as u64,
                edits_since: 0,
            });
        } else if is_in_background(run, record)
            && let Some(call) = record.facts.and_then(|f| f.call.clone())
        {
            let check = run.check.clone();
            self.pending.push(Pending { call, check });
        }
    }

    fn fail(&mut self, failure: Failure) {
        self.failed.retain(|f| f.check != failure.check);
        self.pending.retain(|p| p.check != failure.check);
        self.failed.push(failure);
    }

    /// The command of a background call failed.
    fn ended(&mut self, exit: i32, record: &RecordView<'_>) {
        let call = record.facts.and_then(|f| f.call.as_ref());
        let found = self.pending.iter().find(|p| Some(&p.call) == call);
        if let Some(check) = found.map(|p| p.check.clone())
            && FAILURES.contains(&exit)
        {
            self.fail(Failure {
                check,
                seq: record.seq,
                basis: "exit".to_string(),
                exit: Some(exit),
                languages: Vec::new(),
                failing: 0,
                edits_since: 0,
            });
        }
    }
}

/// Whether a run went to the background, and the exit code of its call can be
/// no other command's.
fn is_in_background(run: &RunSeen, record: &RecordView<'_>) -> bool {
    let runs = record.observations();
    let runs = runs.filter(|seen| matches!(seen, Observation::Run(_)));
    let qualifiers = &run.qualifiers;
    let own = qualifiers
        .iter()
        .all(|q| q == "background" || q == "subset");
    own && qualifiers.iter().any(|q| q == "background")
        && run.outcome == "unknown"
        && runs.count() == 1
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
                Observation::BackgroundFailed(exit) => state.ended(*exit, record),
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
