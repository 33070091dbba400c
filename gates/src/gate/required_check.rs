//! `required-check`: a check that the profile names has not passed since code changed
//! for which it speaks.

use super::{Decision, Gate, counts_as_pass, finding, is_elsewhere, speaks_for};
use crate::facts::{Observation, RunSeen, Scope};
use crate::profile::{Profile, Required};
use crate::record::RecordView;
use crate::turn::Turn;
use crate::verdict::{Finding, Severity};
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// Passes that are remembered, the newest of each check.
const MAX_PASSES: usize = 64;

/// Requested checks that have not ended.
const MAX_REQUESTED: usize = 1_024;

/// The gate.
#[derive(Debug)]
pub struct RequiredCheck;

/// What changed, and which whole checks passed since.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    /// The newest code edit of each language.
    edits: BTreeMap<String, u64>,
    /// Records in which checks were requested that have not ended, by call.
    requested: BTreeMap<String, u64>,
    passes: Vec<Pass>,
}

/// The newest pass of a whole check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Pass {
    runner: String,
    kind: String,
    /// Its record.
    seq: u64,
    /// The record of its request: it covers only what precedes that.
    requested: u64,
}

impl State {
    fn run(&mut self, run: &RunSeen, record: &RecordView<'_>) {
        let whole = run.check.scope == Scope::Whole;
        if !whole || is_elsewhere(run) || !counts_as_pass(run, record.late()) {
            return;
        }
        let requested = record.call().and_then(|call| self.requested.get(call));
        let pass = Pass {
            runner: run.check.runner.clone(),
            kind: run.check.kind.clone(),
            seq: record.seq,
            requested: requested.copied().unwrap_or(record.seq),
        };
        self.passes
            .retain(|old| (&old.runner, &old.kind) != (&pass.runner, &pass.kind));
        if self.passes.len() >= MAX_PASSES {
            self.passes.remove(0);
        }
        self.passes.push(pass);
    }

    /// The finding on one required check, if it has not passed since.
    fn missing(&self, name: &str, required: &Required) -> Option<Finding> {
        let concerned = self.edits.iter();
        let concerned = concerned.filter(|(language, _)| speaks_for(&required.languages, language));
        let edited = *concerned.map(|(_, seq)| seq).max()?;
        let passes = self.passes.iter();
        let own = |pass: &&Pass| (&pass.runner, &pass.kind) == (&required.runner, &required.kind);
        let pass = passes.rev().find(own);
        if pass.is_some_and(|pass| pass.requested > edited) {
            return None;
        }
        let mut records = vec![edited];
        records.extend(pass.map(|pass| pass.seq));
        records.sort_unstable();
        let mut found = finding::<RequiredCheck>(Severity::Soft, RequiredCheck::ID, records);
        let words = &mut found.words;
        words.insert("name".to_string(), name.to_string());
        words.insert("command".to_string(), required.command.clone());
        Some(found)
    }
}

impl Gate for RequiredCheck {
    type State = State;
    const ID: &'static str = "required-check";
    const VERSION: u32 = 1;

    fn apply(state: &mut State, record: &RecordView<'_>) {
        for observation in record.observations() {
            match observation {
                Observation::Call(call) if call.check => {
                    if let Some(call) = record.call()
                        && state.requested.len() < MAX_REQUESTED
                    {
                        state.requested.insert(call.to_string(), record.seq);
                    }
                }
                Observation::Edit(edit) if edit.code && edit.lines > 0 => {
                    state.edits.insert(edit.language.clone(), record.seq);
                }
                Observation::Run(run) => state.run(run, record),
                _ => {}
            }
        }
        let ended = |o: &Observation| matches!(o, Observation::Ended(_) | Observation::Denied);
        if record.observations().any(ended) {
            record.call().map(|call| state.requested.remove(call));
        }
    }

    fn decide(state: &State, _: &Turn, profile: &Profile) -> Decision {
        let required = profile.required.iter();
        let missing = required.filter_map(|(name, check)| state.missing(name, check));
        Decision::Findings(missing.collect())
    }
}
