//! `change-unverified`: too much code changed since the last passing check
//! that covers it. "No check ran" and "edited after the green run" are one rule.
//!
//! With a worktree snapshot the change is the difference between trees, so that
//! reverted edits do not count and edits through the shell do. Without one, the
//! client's reported edits are summed.

mod coverage;

use super::{Decision, Gate, LAYOUT, Request, counts_as_pass, finding, is_elsewhere, speaks_for};
use crate::facts::{
    CallSeen, EditSeen, EndSeen, Moment, Observation, PromptSeen, RunSeen, SnapshotSeen,
};
use crate::profile::Profile;
use crate::record::RecordView;
use crate::turn::Turn;
use crate::verdict::{Finding, Severity};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

pub use coverage::Coverage;

/// Most records that one finding names.
const MAX_RECORDS: usize = 20;

/// Most passes remembered; forgetting an old one only leaves more uncovered.
const MAX_PASSES: usize = 64;

/// The gate.
#[derive(Debug)]
pub struct ChangeUnverified;

/// Edits, passes and snapshots of the turn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    /// When each open call was requested.
    requests: BTreeMap<String, u64>,
    /// Tree before each call that contains a check.
    trees: BTreeMap<String, String>,
    /// Tree before the turn's first write.
    base: Option<String>,
    /// Tree before the first write since the newest human prompt.
    recent: Option<String>,
    /// Code edits that no passing check covers yet.
    edits: Vec<Edit>,
    /// The newest pass for each set of languages.
    passes: Vec<Pass>,
    /// When a call that may write was last at work.
    last_write: u64,
    /// Calls that may write and have not ended.
    writing: BTreeSet<String>,
    /// A call that may write went on in the background.
    writing_behind: bool,
    /// Code paths that were edited in the turn.
    touched: BTreeMap<String, Touched>,
    /// The snapshot taken for the pending stop.
    stop: Option<SnapshotSeen>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Edit {
    seq: u64,
    path: String,
    language: String,
    lines: u64,
    outside: bool,
}

/// A code path that was edited, whether or not a check covers it since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Touched {
    /// It lies outside the repository.
    outside: bool,
    /// It was edited since the newest human prompt.
    recently: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Pass {
    seq: u64,
    requested: u64,
    languages: Vec<String>,
    tree: Option<String>,
}

impl State {
    fn edit(&mut self, edit: &EditSeen, seq: u64) {
        self.edits.push(Edit {
            seq,
            path: edit.path.clone(),
            language: edit.language.clone(),
            lines: edit.lines,
            outside: edit.outside,
        });
        let touched = Touched {
            outside: edit.outside,
            recently: true,
        };
        self.touched.insert(edit.path.clone(), touched);
    }

    fn call(&mut self, call: &CallSeen, record: &RecordView<'_>) {
        if let Some(id) = record.call() {
            self.requests.insert(id.to_string(), record.seq);
            if call.write {
                self.writing.insert(id.to_string());
            }
        }
        if call.write {
            self.last_write = record.seq;
            self.writing_behind |= call.background;
        }
    }

    /// A call that may write was at work until it ended, or goes on.
    fn ended(&mut self, end: &EndSeen, record: &RecordView<'_>) {
        if record.call().is_some_and(|id| self.writing.remove(id)) {
            self.last_write = record.seq;
            self.writing_behind |= end.background;
        }
    }

    fn prompt(&mut self, prompt: &PromptSeen) {
        if prompt.human {
            self.recent = None;
            self.touched.values_mut().for_each(|t| t.recently = false);
        }
    }

    /// A pass covers only what precedes its request, and only what lies outside
    /// of the repository if that is all it looked at.
    fn pass(&mut self, run: &RunSeen, record: &RecordView<'_>) {
        let call = record.call().unwrap_or_default();
        let requested = self.requests.get(call).copied().unwrap_or(record.seq);
        let elsewhere = is_elsewhere(run);
        self.edits.retain(|e| {
            let seen = e.outside || !elsewhere;
            e.seq > requested || !seen || !speaks_for(&run.languages, &e.language)
        });
        if elsewhere {
            return;
        }
        self.passes.retain(|p| p.languages != run.languages);
        if self.passes.len() >= MAX_PASSES {
            self.passes.remove(0);
        }
        self.passes.push(Pass {
            seq: record.seq,
            requested,
            languages: run.languages.clone(),
            tree: self.trees.get(call).cloned(),
        });
    }

    fn snapshot(&mut self, snapshot: &SnapshotSeen, record: &RecordView<'_>) {
        if snapshot.moment != Moment::Stop {
            let first = |slot: &mut Option<String>| {
                if slot.is_none() {
                    slot.clone_from(&snapshot.tree);
                }
            };
            first(&mut self.base);
            first(&mut self.recent);
        }
        match (snapshot.moment, record.call(), &snapshot.tree) {
            (Moment::Stop, _, _) => self.stop = Some(snapshot.clone()),
            (Moment::Check, Some(call), Some(tree)) => {
                self.trees.insert(call.to_string(), tree.clone());
            }
            _ => {}
        }
    }

    /// Whether there is no tree yet to compare with since the newest human prompt.
    #[must_use]
    pub const fn lacks_tree(&self) -> bool {
        self.recent.is_none()
    }

    /// The stop's snapshot, once answered.
    #[must_use]
    pub const fn stop_snapshot(&self) -> Option<&SnapshotSeen> {
        self.stop.as_ref()
    }

    /// The trees with which the worktree must be compared at the stop.
    fn reference_trees(&self) -> Vec<String> {
        let passes = self.passes.iter().filter_map(|p| p.tree.clone());
        let firsts = self.base.iter().chain(&self.recent).cloned();
        let all: BTreeSet<String> = passes.chain(firsts).collect();
        all.into_iter().collect()
    }

    /// The newest pass that speaks for a language.
    fn pass_for(&self, language: &str) -> Option<&Pass> {
        self.passes
            .iter()
            .filter(|p| speaks_for(&p.languages, language))
            .max_by_key(|p| p.requested)
    }
}

impl Gate for ChangeUnverified {
    type State = State;
    const ID: &'static str = "change-unverified";
    const VERSION: u32 = 1;

    fn apply(state: &mut State, record: &RecordView<'_>) {
        for observation in record.observations() {
            match observation {
                Observation::Call(call) => state.call(call, record),
                Observation::Ended(end) => state.ended(end, record),
                Observation::Prompt(prompt) => state.prompt(prompt),
                Observation::Edit(edit) if edit.code => state.edit(edit, record.seq),
                Observation::Run(run)
                    if counts_as_pass(run, record.late()) && run.check.kind != LAYOUT =>
                {
                    state.pass(run, record);
                }
                Observation::Snapshot(snapshot) => state.snapshot(snapshot, record),
                Observation::Stop(_) => state.stop = None,
                _ => {}
            }
        }
    }

    fn decide(state: &State, turn: &Turn, profile: &Profile) -> Decision {
        if state.stop.is_none() && turn.in_repository() && !state.reference_trees().is_empty() {
            return Decision::Needs(Vec::from([Request::Snapshot {
                diff_from: state.reference_trees(),
            }]));
        }
        let coverage = state.coverage();
        if coverage.total() < profile.churn {
            return Decision::Findings(Vec::new());
        }
        Decision::Findings(Vec::from([state.finding(&coverage)]))
    }
}

impl State {
    fn finding(&self, coverage: &Coverage) -> Finding {
        let uncovered = coverage.lines.keys();
        let passes = uncovered.filter_map(|language| self.pass_for(language));
        let (code, pass) = match passes.max_by_key(|p| p.requested) {
            Some(pass) => ("changed-after-check", Some(pass.seq)),
            None => ("no-check-passed", None),
        };
        let edits = self.edits.iter().rev().map(|e| e.seq);
        let named: BTreeSet<u64> = pass.into_iter().chain(edits).take(MAX_RECORDS).collect();
        let mut found =
            finding::<ChangeUnverified>(Severity::Soft, code, named.into_iter().collect());
        let mut number = |name: &str, value: u64| {
            found
                .numbers
                .insert(name.to_string(), i64::try_from(value).unwrap_or(i64::MAX));
        };
        number("lines", coverage.total());
        number("files", coverage.files);
        if let Some(pass) = pass {
            number("check", pass);
        }
        found
    }
}
