//! The JSON of one judged turn (`spec/cli.md`, "JSON"). Frozen: members may be
//! added, none is ever renamed, removed or given another meaning.

use crate::replay::{Check, Edit, Scanned, Seen};
use receipt_gates::claim::Claim;
use receipt_gates::explain;
use receipt_gates::verdict::Finding;
use serde::Serialize;

/// One turn.
#[derive(Debug, Serialize)]
pub(crate) struct Turn {
    turn: u64,
    verdict: &'static str,
    basis: Option<&'static str>,
    action: &'static str,
    findings: Vec<FindingJson>,
    edits: Vec<EditJson>,
    checks: Vec<CheckJson>,
    claims: Vec<ClaimJson>,
}

#[derive(Debug, Serialize)]
struct FindingJson {
    gate: String,
    severity: &'static str,
    code: String,
    text: String,
    records: Vec<u64>,
}

#[derive(Debug, Serialize)]
struct EditJson {
    path: String,
    added: u64,
    removed: u64,
    code: bool,
}

#[derive(Debug, Serialize)]
struct CheckJson {
    command: String,
    runner: String,
    kind: String,
    outcome: String,
    basis: String,
    qualifiers: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ClaimJson {
    kind: &'static str,
    text: String,
    negated: bool,
    hedged: bool,
    count: Option<u64>,
}

impl Turn {
    /// The JSON of a scanned turn.
    pub(crate) fn new(scanned: &Scanned) -> Self {
        let verdict = &scanned.verdict;
        let seen = &scanned.seen;
        let findings = verdict.findings.iter();
        Self {
            turn: scanned.number,
            verdict: verdict.verdict.as_str(),
            basis: verdict.basis.map(|b| b.as_str()),
            action: verdict.action.as_str(),
            findings: findings.map(|f| FindingJson::new(f, seen)).collect(),
            edits: seen.edits.iter().map(EditJson::new).collect(),
            checks: seen.checks.iter().map(CheckJson::new).collect(),
            claims: seen.claims.iter().map(ClaimJson::new).collect(),
        }
    }
}

impl FindingJson {
    fn new(finding: &Finding, seen: &Seen) -> Self {
        Self {
            gate: finding.gate.clone(),
            severity: finding.severity.as_str(),
            code: finding.code.clone(),
            text: explain::finding(finding, seen),
            records: finding.records.clone(),
        }
    }
}

impl EditJson {
    fn new(edit: &Edit) -> Self {
        Self {
            path: edit.path.clone(),
            added: edit.seen.added,
            removed: edit.seen.removed,
            code: edit.seen.code,
        }
    }
}

impl CheckJson {
    fn new(check: &Check) -> Self {
        let run = &check.seen;
        Self {
            command: check.command.clone(),
            runner: run.check.runner.clone(),
            kind: run.check.kind.clone(),
            outcome: run.outcome.clone(),
            basis: run.basis.clone(),
            qualifiers: run.qualifiers.clone(),
        }
    }
}

impl ClaimJson {
    fn new(claim: &Claim) -> Self {
        Self {
            kind: claim.kind.as_str(),
            text: claim.text.clone(),
            negated: claim.negated,
            hedged: claim.hedged,
            count: claim.count,
        }
    }
}
