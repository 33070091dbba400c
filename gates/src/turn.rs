//! What all gates share about a turn, and the block ladder.

use crate::calls::Calls;
use crate::facts::{Carry, Observation, Opening, PromptSeen, RunSeen, StopSeen, TranscriptSeen};
use crate::gate::{LAYOUT, check_failed, counts_as_pass, is_elsewhere, speaks_for, takes_back};
use crate::record::RecordView;
use crate::verdict::{Action, Finding, Severity};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use receipt_core::record::Kind;
use serde::{Deserialize, Serialize};

/// Blocks older than this no longer count.
const BLOCK_MEMORY_US: u64 = 2 * 60 * 60 * 1_000_000;

/// Most notes of one turn; there are fewer than thirty codes.
const MAX_NOTES: usize = 64;

/// Most records named by one note.
const MAX_NOTE_RECORDS: usize = 100;

/// Most passes that a transcript is asked to confirm: the newest.
const MAX_PASSES: usize = 1_024;

/// Stands for the notes over the bound.
const MORE_NOTES: &str = "more-notes";

/// Blocks in one turn while a hard finding stands.
const HARD_BLOCKS: u64 = 2;

/// Blocks in one turn for soft findings alone.
const SOFT_BLOCKS: u64 = 1;

/// The folded turn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Turn {
    /// The record that opened it.
    pub opened: u64,
    /// What that record fixed.
    pub opening: Option<Opening>,
    /// What the turn before left open and nothing here has cleared.
    pub carried: Carry,
    /// Code was edited in this turn, as far as the client reported.
    pub code_edited: bool,
    /// Code was edited since the newest human prompt.
    pub edited_since_prompt: bool,
    /// The prompt that waives verification.
    pub waiver: Option<u64>,
    /// Kinds of stubs that a person's prompts ask for.
    pub asked: BTreeSet<String>,
    /// Blocks issued.
    pub blocks: Vec<Block>,
    /// A tool was used since the newest block.
    pub worked_since_block: bool,
    /// The pending stop request.
    pub stop: Option<Stop>,
    /// Notes by code, with their records.
    pub notes: Vec<(String, Vec<u64>)>,
    /// A record's facts were withheld.
    pub withheld: bool,
    /// Calls as far as something about them is missing.
    pub calls: Calls,
    /// Passes that count, by record, with the call they were seen in.
    pub passes: BTreeMap<u64, Option<String>>,
    /// The newest pass that is over the bound: nothing confirms it.
    pub unlisted: Option<u64>,
    /// What the transcript confirmed at the pending stop, and its record.
    pub transcript: Option<(u64, TranscriptSeen)>,
}

/// A block that was issued.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// When, by the service's wall clock.
    pub wall_us: u64,
    /// Codes of the findings that stood.
    pub codes: BTreeSet<String>,
}

/// A stop request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// Its record.
    pub seq: u64,
    /// When, by the service's wall clock.
    pub wall_us: u64,
    /// Some stop hook blocked earlier for this prompt.
    pub active: bool,
    /// Background tasks still running.
    pub background: u64,
    /// It came after its time: nobody waits for the answer.
    pub late: bool,
}

impl Turn {
    /// Whether the turn happens in a repository.
    #[must_use]
    pub fn in_repository(&self) -> bool {
        self.opening
            .as_ref()
            .is_some_and(|o| o.repository.is_some())
    }

    /// Takes one record of the turn.
    pub fn apply(&mut self, record: &RecordView<'_>) {
        let Some(facts) = record.facts else {
            self.withheld = true;
            return;
        };
        if let Some(open) = &facts.open {
            self.opened = record.seq;
            self.carried = open.carry.clone().unwrap_or_default();
            self.opening = Some(open.clone());
        }
        if record.kind == Some(Kind::VerdictStop)
            && let Some(verdict) = &facts.verdict
        {
            self.verdict(verdict, record);
        }
        self.calls.apply(record);
        for observation in &facts.obs {
            self.observe(observation, record);
        }
    }

    fn observe(&mut self, observation: &Observation, record: &RecordView<'_>) {
        match observation {
            Observation::Call(_) => self.worked_since_block = true,
            Observation::Edit(edit) if edit.code => {
                self.code_edited = true;
                self.edited_since_prompt = true;
                self.carried
                    .stubs
                    .retain(|line| !edit.stubs.iter().any(|s| &s.line == line && s.more < 0));
            }
            Observation::Run(run) => self.run(run, record),
            Observation::Prompt(prompt) => self.prompt(prompt, record),
            Observation::Stop(stop) => self.stop_requested(stop, record),
            Observation::Transcript(seen) => self.transcript = Some((record.seq, seen.clone())),
            Observation::Config(_) => self.note("config-changed", record.seq),
            Observation::Gap(_) => self.note("gap", record.seq),
            Observation::Snapshot(snapshot) if snapshot.missing.is_some() => {
                self.note("snapshot-missing", record.seq);
            }
            _ => {}
        }
    }

    fn run(&mut self, run: &RunSeen, record: &RecordView<'_>) {
        for qualifier in &run.qualifiers {
            self.note(qualifier, record.seq);
        }
        if run.check.kind == LAYOUT {
            return;
        }
        if takes_back(run, record.late()) {
            self.carried
                .failed
                .retain(|failed| !check_failed::clears(&run.check, failed));
        }
        if counts_as_pass(run, record.late()) {
            let call = record.facts.and_then(|facts| facts.call.clone());
            self.passes.insert(record.seq, call);
            if self.passes.len() > MAX_PASSES {
                self.unlisted = self.passes.pop_first().map(|(seq, _)| seq);
            }
            let elsewhere = is_elsewhere(run);
            self.carried
                .churn
                .retain(|language, _| elsewhere || !speaks_for(&run.languages, language));
        }
    }

    fn prompt(&mut self, prompt: &PromptSeen, record: &RecordView<'_>) {
        if !prompt.human {
            return;
        }
        self.edited_since_prompt = false;
        self.asked.extend(prompt.asks.iter().cloned());
        if prompt.waiver {
            self.waiver = Some(record.seq);
        }
    }

    /// Whether something counts that only the client's report vouches for, and
    /// the transcript was not looked at for the pending stop.
    #[must_use]
    pub fn wants_transcript(&self) -> bool {
        let counts = !self.passes.is_empty() || self.waiver.is_some();
        counts && self.stop.is_some() && self.transcript.is_none()
    }

    /// Passes that the transcript lacks.
    #[must_use]
    pub fn unconfirmed(&self) -> &[u64] {
        match &self.transcript {
            Some((_, seen)) if seen.whole => &seen.unconfirmed,
            _ => &[],
        }
    }

    /// The prompt that waives verification, unless the transcript lacks it.
    #[must_use]
    pub fn waived(&self) -> bool {
        let lacks = |(_, seen): &(u64, TranscriptSeen)| seen.whole && seen.no_waiver;
        self.waiver.is_some() && !self.transcript.as_ref().is_some_and(lacks)
    }

    fn stop_requested(&mut self, stop: &StopSeen, record: &RecordView<'_>) {
        self.transcript = None;
        self.stop = Some(Stop {
            seq: record.seq,
            wall_us: record.wall_us,
            active: stop.active,
            background: stop.background,
            late: record.late(),
        });
        if record.late() {
            self.note("late-stop", record.seq);
        }
    }

    fn verdict(&mut self, verdict: &crate::verdict::VerdictFacts, record: &RecordView<'_>) {
        if verdict.action != Action::Blocked {
            return;
        }
        self.worked_since_block = false;
        self.blocks.push(Block {
            wall_us: record.wall_us,
            codes: blocking_codes(&verdict.findings),
        });
    }

    /// Adds a record to a note. Notes and the records they name are bounded:
    /// what is over is counted under `more-notes`, or not listed.
    pub fn note(&mut self, code: &str, seq: u64) {
        let room = self.notes.len() < MAX_NOTES || self.notes.iter().any(|(c, _)| c == code);
        let code = if room { code } else { MORE_NOTES };
        match self.notes.iter_mut().find(|(c, _)| c == code) {
            None => self.notes.push((code.to_string(), Vec::from([seq]))),
            Some((_, records)) if records.last() == Some(&seq) => {}
            Some((_, records)) if records.len() >= MAX_NOTE_RECORDS => {}
            Some((_, records)) => records.push(seq),
        }
    }

    /// What is done about findings that stand and are in block mode. `changed`
    /// tells whether code changed since the newest human prompt.
    #[must_use]
    pub fn ladder(&self, standing: &[&Finding], changed: bool) -> Action {
        if !changed || self.stop.as_ref().is_some_and(|s| s.late) {
            return Action::Allowed;
        }
        // Codes of gates that only warn stood at the block too; nothing new is what counts.
        let last = self.blocks.last();
        let repeated = last.is_some_and(|b| standing.iter().all(|f| b.codes.contains(&f.code)));
        if repeated && !self.worked_since_block {
            return Action::Yielded;
        }
        let hard = standing.iter().any(|f| f.severity == Severity::Hard);
        if self.blocks_spent() < block_limit(hard) {
            Action::Blocked
        } else {
            Action::Yielded
        }
    }

    /// Blocks that count against the limit. An age below zero counts; a stop
    /// after another hook's block counts as one.
    fn blocks_spent(&self) -> u64 {
        let Some(stop) = &self.stop else { return 0 };
        let recent = self
            .blocks
            .iter()
            .filter(|b| stop.wall_us.saturating_sub(b.wall_us) <= BLOCK_MEMORY_US)
            .count() as u64;
        recent.max(stop.active.into())
    }
}

/// Blocks that a turn has, with or without a hard finding.
#[must_use]
pub const fn block_limit(hard: bool) -> u64 {
    if hard { HARD_BLOCKS } else { SOFT_BLOCKS }
}

fn blocking_codes(findings: &[Finding]) -> BTreeSet<String> {
    findings
        .iter()
        .filter(|f| f.blocks())
        .map(|f| f.code.clone())
        .collect()
}
