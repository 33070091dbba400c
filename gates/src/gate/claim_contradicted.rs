//! `claim-contradicted`: the final message says what the records of its turn deny.
//!
//! Hard: a check is said to pass, and its last outcome is a failure. Soft: a run
//! is named, or tests are counted, and nothing ran. No model is asked.

use super::check_failed::{self, CheckFailed};
use super::{Decision, Gate, counts_as_pass, finding, was_run};
use crate::claim::ClaimKind;
use crate::facts::{CallSeen, CheckId, ClaimSeen, Observation, RunSeen, StopSeen};
use crate::profile::Profile;
use crate::record::RecordView;
use crate::turn::Turn;
use crate::verdict::{Finding, Severity};
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// Most failures that one verdict names.
const MAX_NAMED: usize = 5;

/// Most runners whose newest pass is remembered.
const MAX_PASSES: usize = 64;

/// A commit's failure is that of a hook, which may look for anything.
const COMMIT: &str = "git-commit";

/// The gate.
#[derive(Debug)]
pub struct ClaimContradicted;

/// What was run, and what the pending stop's message claims.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    /// Checks whose latest outcome is a failure.
    failures: check_failed::State,
    /// The newest pass of each runner and kind.
    passes: Vec<Pass>,
    /// A check ran.
    ran: bool,
    /// A check ran that may have executed a test.
    tested: bool,
    /// Something may have been a check, or is not known.
    unclear: bool,
    /// The message of the pending stop.
    message: Message,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Pass {
    runner: String,
    kind: String,
    seq: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Message {
    seq: u64,
    claims: Vec<ClaimSeen>,
    question: bool,
}

impl State {
    fn observe(&mut self, observation: &Observation, record: &RecordView<'_>) {
        match observation {
            Observation::Call(CallSeen { opaque: true, .. })
            | Observation::Denied
            | Observation::Gap(_) => self.unclear = true,
            Observation::Batch(calls) => self.unclear |= calls.iter().any(|c| c.refused),
            Observation::Run(run) => self.run(run, record),
            Observation::Stop(stop) => self.stop(stop, record.seq),
            _ => {}
        }
    }

    fn run(&mut self, run: &RunSeen, record: &RecordView<'_>) {
        if !was_run(run) {
            self.unclear |= run.outcome == "skipped";
            return;
        }
        self.ran = true;
        self.tested |= run.executed != Some(0);
        if counts_as_pass(run, record.late()) {
            let CheckId { runner, kind, .. } = run.check.clone();
            self.passes.retain(|p| p.runner != runner || p.kind != kind);
            if self.passes.len() >= MAX_PASSES {
                self.passes.remove(0);
            }
            let seq = record.seq;
            self.passes.push(Pass { runner, kind, seq });
        }
    }

    fn stop(&mut self, stop: &StopSeen, seq: u64) {
        self.message = Message {
            seq,
            claims: stop.claims.clone(),
            question: stop.question,
        };
    }

    /// Claims that the message makes outright.
    fn asserted(&self) -> impl Iterator<Item = &ClaimSeen> {
        let claims = self.message.claims.iter();
        claims.filter(|c| !c.negated && !c.hedged)
    }

    /// Whether the message also says the opposite of a kind.
    fn admits(&self, kind: &str) -> bool {
        let mut claims = self.message.claims.iter();
        claims.any(|c| c.negated && c.kind == kind)
    }

    /// Records of the failures that deny a claim.
    fn denials(&self, claim: &ClaimSeen) -> impl Iterator<Item = u64> {
        let open = !claim.part && !self.admits(&claim.kind);
        let failures = self.failures.standing();
        failures
            .filter(move |(check, seq)| {
                open && speaks_of(claim, check) && self.is_last(claim, *seq)
            })
            .map(|(_, seq)| seq)
    }

    /// Whether no check of which a claim speaks has passed since a record.
    fn is_last(&self, claim: &ClaimSeen, seq: u64) -> bool {
        let spoken = |p: &&Pass| is_meant(claim, &p.runner, &p.kind);
        self.passes.iter().filter(spoken).all(|p| p.seq < seq)
    }

    fn contradicted(&self) -> Option<Finding> {
        let mut kinds = Vec::new();
        let mut failures = BTreeSet::new();
        for claim in self.asserted() {
            let before = failures.len();
            failures.extend(self.denials(claim));
            if failures.len() > before && !kinds.contains(&claim.kind.as_str()) {
                kinds.push(claim.kind.as_str());
            }
        }
        let newest = failures.into_iter().rev().take(MAX_NAMED);
        let mut records: Vec<u64> = newest.chain([self.message.seq]).collect();
        records.sort_unstable();
        (!kinds.is_empty()).then(|| said(Severity::Hard, "claim-contradicted", &kinds, records))
    }

    fn without_run(&self, turn: &Turn) -> Option<Finding> {
        let opening = turn.opening.as_ref()?;
        let known = !self.unclear && !opening.ran && !turn.withheld;
        let over = turn.calls.without_outcome().is_empty();
        if self.message.question || !known || !over || self.admits(RAN) {
            return None;
        }
        let claim = self.asserted().find(|claim| self.lacks_run(claim))?;
        let records = Vec::from([self.message.seq]);
        let mut found = said(Severity::Soft, "claim-without-run", &[&claim.kind], records);
        if let Some(count) = claim.count.and_then(|count| i64::try_from(count).ok()) {
            found.numbers.insert("count".to_string(), count);
        }
        Some(found)
    }

    /// Whether a claim names a run or counts tests, and none was run.
    fn lacks_run(&self, claim: &ClaimSeen) -> bool {
        let counts = claim.count.is_some_and(|count| count > 0);
        match claim.kind.as_str() {
            TESTS if counts => !self.tested,
            RAN => !self.ran,
            _ => false,
        }
    }

    /// Something is said to be well, and no check has passed.
    fn unchecked(&self, turn: &Turn) -> Option<Finding> {
        let mut claims = self.asserted();
        let claim = claims.find(|c| !matches!(c.kind.as_str(), DONE | DEPLOYED))?;
        let records = Vec::from([self.message.seq]);
        (turn.code_edited && self.passes.is_empty())
            .then(|| said(Severity::Note, "claim-unchecked", &[&claim.kind], records))
    }
}

const TESTS: &str = ClaimKind::TestsPass.as_str();
const RAN: &str = ClaimKind::RanCheck.as_str();
const DONE: &str = ClaimKind::Done.as_str();
const DEPLOYED: &str = ClaimKind::Deployed.as_str();

/// Whether a claim is about a check.
fn speaks_of(claim: &ClaimSeen, check: &CheckId) -> bool {
    check.runner != COMMIT && is_meant(claim, &check.runner, &check.kind)
}

/// Whether a claim is about checks of a runner and kind.
fn is_meant(claim: &ClaimSeen, runner: &str, kind: &str) -> bool {
    let kinds: &[&str] = match ClaimKind::from_str(&claim.kind) {
        Some(ClaimKind::TestsPass) => &["test", "selftest"],
        Some(ClaimKind::BuildPasses) => &["build"],
        Some(ClaimKind::LintClean) => &["lint"],
        Some(ClaimKind::TypesClean) => &["typecheck"],
        _ => &[],
    };
    let named = claim
        .tool
        .as_ref()
        .is_none_or(|tool| runner.starts_with(tool));
    named && kinds.contains(&kind)
}

fn said(severity: Severity, code: &str, kinds: &[&str], records: Vec<u64>) -> Finding {
    let mut found = finding::<ClaimContradicted>(severity, code, records);
    found.words.insert("claim".to_string(), kinds.join(", "));
    found
}

impl Gate for ClaimContradicted {
    type State = State;
    const ID: &'static str = "claim-contradicted";
    const VERSION: u32 = 1;

    fn apply(state: &mut State, record: &RecordView<'_>) {
        CheckFailed::apply(&mut state.failures, record);
        state.unclear |= record.late();
        for observation in record.observations() {
            state.observe(observation, record);
        }
    }

    fn decide(state: &State, turn: &Turn, _: &Profile) -> Decision {
        let denied = [state.contradicted(), state.without_run(turn)];
        let mut findings: Vec<Finding> = denied.into_iter().flatten().collect();
        if findings.is_empty() {
            findings.extend(state.unchecked(turn));
        }
        Decision::Findings(findings)
    }
}
