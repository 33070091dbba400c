//! `claim-unsupported`: a model was asked to disprove the final message, and
//! said that it can (`spec/judge.md`).
//!
//! The gate calls nothing. It requests the judgement as a value and folds the
//! record of the answer; a verifier folds the same record.

use super::{Decision, Gate, LAYOUT, Request, finding};
use crate::facts::{CheckId, Judged, Observation, RunSeen, StopSeen};
use crate::profile::{JudgeMode, Profile};
use crate::record::RecordView;
use crate::turn::Turn;
use crate::verdict::{Finding, Severity};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// Checks whose newest run is remembered for the question.
const MAX_RUNS: usize = 64;

/// The gate.
#[derive(Debug)]
pub struct ClaimUnsupported;

/// What is known about the pending stop's claim, and for the question.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    /// The pending stop's message has a phrase of completion.
    completion: bool,
    /// The judgement since that stop, and its record.
    judged: Option<(u64, Judged)>,
    /// The newest run of each check, in order.
    runs: Vec<Run>,
}

/// The newest run of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Its record.
    pub seq: u64,
    /// What ran.
    pub check: CheckId,
    /// How it came out.
    pub outcome: String,
    /// Code edits since.
    pub edits_since: u64,
}

impl State {
    /// The newest run of each check of the turn.
    #[must_use]
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    fn stop(&mut self, stop: &StopSeen) {
        self.completion = stop.completion;
        self.judged = None;
    }

    fn run(&mut self, run: &RunSeen, seq: u64) {
        if run.check.kind == LAYOUT {
            return;
        }
        self.runs.retain(|old| old.check != run.check);
        if self.runs.len() >= MAX_RUNS {
            self.runs.remove(0);
        }
        self.runs.push(Run {
            seq,
            check: run.check.clone(),
            outcome: run.outcome.clone(),
            edits_since: 0,
        });
    }

    fn edited(&mut self) {
        for run in &mut self.runs {
            run.edits_since = run.edits_since.saturating_add(1);
        }
    }
}

impl Gate for ClaimUnsupported {
    type State = State;
    const ID: &'static str = "claim-unsupported";
    const VERSION: u32 = 1;

    fn apply(state: &mut State, record: &RecordView<'_>) {
        for observation in record.observations() {
            match observation {
                Observation::Stop(stop) => state.stop(stop),
                Observation::Judged(judged) => state.judged = Some((record.seq, judged.clone())),
                Observation::Run(run) => state.run(run, record.seq),
                Observation::Edit(edit) if edit.code => state.edited(),
                _ => {}
            }
        }
    }

    fn decide(state: &State, turn: &Turn, profile: &Profile) -> Decision {
        let stop = turn.stop.as_ref().filter(|stop| !stop.active && !stop.late);
        let (Some(mode), Some(stop)) = (profile.judge_mode(), stop) else {
            return Decision::Findings(Vec::new());
        };
        match &state.judged {
            None if state.completion => Decision::Needs(vec![Request::Judge]),
            None => Decision::Findings(Vec::new()),
            Some((seq, judged)) => {
                let said = said(judged, vec![stop.seq, *seq], mode, profile.is_strict());
                Decision::Findings(said.into_iter().collect())
            }
        }
    }
}

/// The finding that follows from a judgement, if one does.
fn said(judged: &Judged, records: Vec<u64>, mode: JudgeMode, strict: bool) -> Option<Finding> {
    let blocks = mode == JudgeMode::Block;
    let (code, severity) = match judged.verdict.as_str() {
        "pass" => return None,
        "fail" if blocks => ("claim-unsupported", Severity::Soft),
        "fail" => ("claim-unsupported", Severity::Advice),
        _ if blocks && strict => ("judge-outage", Severity::Soft),
        _ => ("judge-outage", Severity::Note),
    };
    let mut found = finding::<ClaimUnsupported>(severity, code, records);
    let words = &mut found.words;
    words.insert("model".to_string(), judged.model.clone());
    if code == "judge-outage" {
        let why = judged.why.as_ref().unwrap_or(&judged.verdict);
        words.insert("why".to_string(), why.clone());
    }
    Some(found)
}
