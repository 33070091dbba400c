//! The fold over a turn and over a stream (`spec/gates.md`, "Turn", "Verdict").
//!
//! Same records, same profile, same versions: the same verdict, byte for byte.
//! The state can be serialised at any record and folded on elsewhere.

mod stream;

pub use stream::Stream;

use crate::explain::Names;
use crate::facts::{Carry, Opening};
use crate::gate::change_unverified::{self, ChangeUnverified, Coverage};
use crate::gate::check_failed::{self, CheckFailed};
use crate::gate::claim_contradicted::{self, ClaimContradicted};
use crate::gate::claim_unsupported::{self, ClaimUnsupported};
use crate::gate::ledger_guard::{self, LedgerGuard};
use crate::gate::required_check::{self, RequiredCheck};
use crate::gate::stub_introduced::{self, StubIntroduced};
use crate::gate::{Decision, Gate, Request, in_force};
use crate::judge;
use crate::profile::{Mode, Profile, digest};
use crate::record::RecordView;
use crate::turn::Turn;
use crate::verdict::{Action, Basis, Finding, Severity, Verdict, VerdictFacts};
use crate::weakening;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use receipt_core::hash::hex;
use serde::{Deserialize, Serialize};

/// Version of the observer whose facts this fold reads.
pub const OBSERVER: u32 = 1;

/// Uncovered lines up to which a pass is `small`.
const SMALL: u64 = 14;

/// Name under which notes that no gate owns are given.
const TURN: &str = "turn";

/// The folded state of one turn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Fold {
    turn: Turn,
    check_failed: check_failed::State,
    stub_introduced: stub_introduced::State,
    change_unverified: change_unverified::State,
    claim_contradicted: claim_contradicted::State,
    claim_unsupported: claim_unsupported::State,
    ledger_guard: ledger_guard::State,
    required_check: required_check::State,
    weakening: weakening::State,
}

impl Fold {
    /// Takes one record of the turn.
    pub fn apply(&mut self, record: &RecordView<'_>) {
        self.turn.apply(record);
        CheckFailed::apply(&mut self.check_failed, record);
        StubIntroduced::apply(&mut self.stub_introduced, record);
        ChangeUnverified::apply(&mut self.change_unverified, record);
        ClaimContradicted::apply(&mut self.claim_contradicted, record);
        ClaimUnsupported::apply(&mut self.claim_unsupported, record);
        LedgerGuard::apply(&mut self.ledger_guard, record);
        RequiredCheck::apply(&mut self.required_check, record);
        self.weakening.apply(record, &self.check_failed);
    }

    /// The turn's shared state.
    #[must_use]
    pub const fn turn(&self) -> &Turn {
        &self.turn
    }

    /// Whether a snapshot is wanted before a call that was just requested.
    #[must_use]
    pub fn wants_snapshot(&self, write: bool, check: bool) -> bool {
        self.turn.in_repository() && (check || (write && self.change_unverified.lacks_tree()))
    }

    /// What must be known before the verdict; empty when it can be given.
    #[must_use]
    pub fn needs(&self, profile: &Profile) -> Vec<Request> {
        if let Decision::Needs(requests) =
            ChangeUnverified::decide(&self.change_unverified, &self.turn, profile)
        {
            return requests;
        }
        match ClaimUnsupported::decide(&self.claim_unsupported, &self.turn, profile) {
            Decision::Needs(requests) if self.is_open(profile) => requests,
            _ => Vec::new(),
        }
    }

    /// Whether code changed and nothing stands against stopping: only then a
    /// judgement can add anything.
    fn is_open(&self, profile: &Profile) -> bool {
        let coverage = self.change_unverified.coverage();
        let changed = coverage.changed.unwrap_or(self.turn.code_edited);
        changed && !self.gate_findings(profile).iter().any(Finding::blocks)
    }

    /// What a judge is told of the turn before all else, one fact a line.
    #[must_use]
    pub fn facts_for_judge(&self, names: &dyn Names) -> Vec<String> {
        judge::facts(
            self.claim_unsupported.runs(),
            &self.change_unverified.coverage(),
            names,
        )
    }

    /// The verdict on the pending stop, under a profile given as its bytes.
    #[must_use]
    pub fn verdict(&self, profile: &Profile, profile_bytes: &[u8]) -> VerdictFacts {
        let coverage = self.change_unverified.coverage();
        let changed = coverage.changed.unwrap_or(self.turn.code_edited);
        let findings = self.findings(profile, changed, &coverage);
        let verdict = self.value(&findings);
        let recently = coverage.changed_since_prompt;
        let recently = recently.unwrap_or(self.turn.edited_since_prompt);
        let action = self.action(&findings, profile, recently);
        let snapshot = self.change_unverified.stop_snapshot();
        VerdictFacts {
            turn: self.turn.opened,
            stop: self.turn.stop.as_ref().map_or(0, |s| s.seq),
            verdict,
            basis: (verdict == Verdict::Pass).then(|| self.basis(changed, &coverage)),
            action,
            findings,
            profile: hex(&digest(profile_bytes)),
            observer: OBSERVER,
            gates: in_force(),
            tree: snapshot.and_then(|s| s.tree.clone()),
            checked_tree: coverage.checked_tree.clone(),
            commit: snapshot.and_then(|s| s.commit.clone()),
            repository: self.opening().and_then(|o| o.repository.clone()),
            carried: self.carried(),
            carry: self.carry(&coverage),
            blocks: self.turn.blocks.len() as u64 + u64::from(action == Action::Blocked),
        }
    }

    const fn opening(&self) -> Option<&Opening> {
        self.turn.opening.as_ref()
    }

    /// What the turn before left open and nothing here has cleared.
    fn carried(&self) -> Option<Carry> {
        let carry = &self.turn.carried;
        let codes = open_codes(carry);
        (!carry.is_clear()).then(|| Carry {
            codes,
            ..carry.clone()
        })
    }

    /// All findings, the heaviest first. A turn that changed no code has only notes.
    fn findings(&self, profile: &Profile, changed: bool, coverage: &Coverage) -> Vec<Finding> {
        let mut all = self.gate_findings(profile);
        if !changed {
            for finding in &mut all {
                finding.severity = Severity::Note;
            }
        }
        all.sort_by_key(|found| core::cmp::Reverse(found.severity));
        all.extend(self.weakened());
        all.extend(self.carried().map(|carry| carried_open(&carry)));
        all.extend(
            self.turn
                .notes
                .iter()
                .map(|(code, records)| note(code, records.clone())),
        );
        all.extend(self.transcript_notes());
        if coverage.outside > 0 {
            let mut found = note("changed-outside", Vec::new());
            let lines = i64::try_from(coverage.outside).unwrap_or(i64::MAX);
            found.numbers.insert("lines".to_string(), lines);
            all.push(found);
        }
        all
    }

    /// What makes checks ask for less than before the turn.
    fn weakened(&self) -> impl Iterator<Item = Finding> {
        let changes = &self.change_unverified;
        let diff = changes.since_start().map_or(&[][..], |diff| &diff.files);
        let all = self
            .weakening
            .weakened(|path| changes.is_as_before(path), diff);
        all.into_iter().map(|weakened| {
            let mut found = note(weakened.code, weakened.records.into_iter().collect());
            let files = i64::try_from(weakened.files).unwrap_or(i64::MAX);
            found.numbers.insert("count".to_string(), weakened.count);
            if files > 0 {
                found.numbers.insert("files".to_string(), files);
            }
            found
        })
    }

    /// What the client's transcript lacks, or that it could not be read.
    fn transcript_notes(&self) -> Vec<Finding> {
        let mut notes = Vec::new();
        let Some((seq, seen)) = &self.turn.transcript else {
            return notes;
        };
        if !seen.whole {
            notes.push(note("unchecked", Vec::from([*seq])));
        }
        if !self.turn.unconfirmed().is_empty() {
            notes.push(note("unconfirmed", self.turn.unconfirmed().to_vec()));
        }
        if let Some(waiver) = self.turn.waiver.filter(|_| !self.turn.waived()) {
            notes.push(note("unconfirmed-waiver", Vec::from([waiver])));
        }
        notes
    }

    fn gate_findings(&self, profile: &Profile) -> Vec<Finding> {
        let decisions = [
            CheckFailed::decide(&self.check_failed, &self.turn, profile),
            StubIntroduced::decide(&self.stub_introduced, &self.turn, profile),
            ChangeUnverified::decide(&self.change_unverified, &self.turn, profile),
            ClaimContradicted::decide(&self.claim_contradicted, &self.turn, profile),
            ClaimUnsupported::decide(&self.claim_unsupported, &self.turn, profile),
            RequiredCheck::decide(&self.required_check, &self.turn, profile),
            LedgerGuard::decide(&self.ledger_guard, &self.turn, profile),
        ];
        let findings = decisions.into_iter().flat_map(|d| match d {
            Decision::Findings(findings) => findings,
            Decision::Needs(_) => Vec::new(),
        });
        findings.collect()
    }

    /// Block before undetermined before pass.
    fn value(&self, findings: &[Finding]) -> Verdict {
        if findings.iter().any(Finding::blocks) {
            Verdict::Block
        } else if self.turn.withheld || !self.turn.unconfirmed().is_empty() {
            Verdict::Undetermined
        } else {
            Verdict::Pass
        }
    }

    fn basis(&self, changed: bool, coverage: &Coverage) -> Basis {
        let running = self.turn.stop.as_ref().is_some_and(|s| s.background > 0);
        let covered = coverage.total() == 0 && coverage.files == 0;
        match coverage.total() {
            _ if running => Basis::Open,
            _ if !changed => Basis::NoCode,
            _ if covered && coverage.passed && coverage.anchored && coverage.outside == 0 => {
                Basis::Checked
            }
            0..=SMALL if !covered => Basis::Small,
            _ => Basis::Unanchored,
        }
    }

    fn action(&self, findings: &[Finding], profile: &Profile, recently: bool) -> Action {
        let standing: Vec<&Finding> = findings.iter().filter(|f| f.blocks()).collect();
        if standing.is_empty() {
            return Action::Allowed;
        }
        if self.turn.waived() {
            return Action::Waived;
        }
        let mode = |f: &&Finding| profile.mode(&f.gate);
        let enforced: Vec<&Finding> = standing
            .iter()
            .copied()
            .filter(|f| mode(f) == Mode::Block)
            .collect();
        if !enforced.is_empty() {
            self.turn.ladder(&enforced, recently)
        } else if standing.iter().any(|f| mode(f) == Mode::Warn) {
            Action::Warned
        } else {
            Action::Off
        }
    }

    /// What is left open, the older turns' remainder included.
    fn carry(&self, coverage: &Coverage) -> Option<Carry> {
        let mut carry = self.turn.carried.clone();
        carry.seq = 0;
        for (language, lines) in &coverage.lines {
            let sum = carry.churn.entry(language.clone()).or_default();
            *sum = sum.saturating_add(*lines);
        }
        carry.failed.extend(self.check_failed.failing().cloned());
        carry.failed.sort();
        carry.failed.dedup();
        carry
            .stubs
            .extend(self.stub_introduced.standing(&self.turn).cloned());
        carry.stubs.sort();
        carry.stubs.dedup();
        carry.codes = open_codes(&carry);
        (!carry.is_clear()).then_some(carry)
    }
}

fn open_codes(carry: &Carry) -> Vec<String> {
    let mut codes = Vec::new();
    if !carry.failed.is_empty() {
        codes.push(CheckFailed::ID.to_string());
    }
    if !carry.stubs.is_empty() {
        codes.push(StubIntroduced::ID.to_string());
    }
    if !carry.churn.is_empty() {
        codes.push(ChangeUnverified::ID.to_string());
    }
    codes
}

/// The note that names what the turn before left open.
fn carried_open(carry: &Carry) -> Finding {
    let mut found = note("carried-open", Vec::from([carry.seq]));
    found
        .words
        .insert("codes".to_string(), carry.codes.join(", "));
    found
}

fn note(code: &str, records: Vec<u64>) -> Finding {
    Finding {
        gate: TURN.to_string(),
        version: OBSERVER,
        severity: Severity::Note,
        code: code.to_string(),
        check: None,
        numbers: BTreeMap::new(),
        words: BTreeMap::new(),
        records,
    }
}
