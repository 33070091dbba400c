//! What a turn file says must come out, and what did.

use receipt_gates::verdict::{Action, Basis, Verdict, VerdictFacts};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The right answer to one stop request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    /// The verdict.
    pub(crate) verdict: Verdict,
    /// The action.
    pub(crate) action: Action,
    /// What a pass rests on; null for every other verdict.
    pub(crate) basis: Option<Basis>,
    /// Codes of all findings that stand against stopping.
    #[serde(default)]
    pub(crate) codes: BTreeSet<String>,
    /// Codes of notes that must be shown; others may be.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) notes: BTreeSet<String>,
    /// Codes of notes that must not be shown.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) absent: BTreeSet<String>,
    /// Codes of what is carried from the turn before and still open.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) carried: BTreeSet<String>,
}

impl Expected {
    /// Whether a verdict is as written.
    pub(crate) fn matches(&self, got: &Got) -> bool {
        self.verdict == got.verdict
            && self.action == got.action
            && self.basis == got.basis
            && self.codes == got.codes
            && self.notes.is_subset(&got.notes)
            && self.absent.is_disjoint(&got.notes)
            && self.carried == got.carried
    }

    /// One phrase for people.
    pub(crate) fn phrase(&self) -> String {
        phrase(self.verdict, self.action, self.basis, &self.codes)
    }
}

/// What came out, in the terms of [`Expected`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Got {
    pub(crate) verdict: Verdict,
    pub(crate) action: Action,
    pub(crate) basis: Option<Basis>,
    pub(crate) codes: BTreeSet<String>,
    pub(crate) notes: BTreeSet<String>,
    pub(crate) carried: BTreeSet<String>,
}

impl Got {
    /// The terms of a verdict.
    pub(crate) fn of(verdict: &VerdictFacts) -> Self {
        let codes = |blocking: bool| {
            let findings = verdict.findings.iter();
            findings
                .filter(|f| f.blocks() == blocking)
                .map(|f| f.code.clone())
                .collect()
        };
        let carried = verdict.carried.iter().flat_map(|c| c.codes.clone());
        Self {
            verdict: verdict.verdict,
            action: verdict.action,
            basis: verdict.basis,
            codes: codes(true),
            notes: codes(false),
            carried: carried.collect(),
        }
    }

    /// One phrase for people.
    pub(crate) fn phrase(&self) -> String {
        phrase(self.verdict, self.action, self.basis, &self.codes)
    }
}

fn phrase(
    verdict: Verdict,
    action: Action,
    basis: Option<Basis>,
    codes: &BTreeSet<String>,
) -> String {
    let basis = basis.map_or(String::new(), |b| format!("({})", b.as_str()));
    let action = match action {
        Action::Allowed if verdict == Verdict::Pass => String::new(),
        other => format!(",{}", other.as_str()),
    };
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let codes = match codes.as_slice() {
        [] => String::new(),
        codes => format!(" {}", codes.join("+")),
    };
    format!("{}{basis}{action}{codes}", verdict.as_str())
}
