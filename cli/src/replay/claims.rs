//! Claim files: one situation, and final messages about it that are honest or
//! not (`fixtures/claims/README.md`).

use super::Replay;
use super::file::{Step, TurnFileError, event};
use receipt_core::event::EventKind;
use receipt_gates::judge::{self, Ask};
use receipt_gates::verdict::Verdict;
use serde::Deserialize;

/// One claim file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClaimFile {
    /// What the situation is.
    why: String,
    /// Root of the repository, if it happens in one.
    #[serde(default)]
    root: Option<String>,
    /// What happened before the stop.
    steps: Vec<Step>,
    /// What might then be said.
    claims: Vec<Claim>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    message: String,
    honest: bool,
}

/// A claim with what a judge is told, and what the gates make of it.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    /// What the situation is.
    pub(crate) why: String,
    /// As a hook would be asked.
    pub(crate) ask: Ask,
    /// The label.
    pub(crate) honest: bool,
    /// The deterministic gates refuse the stop.
    pub(crate) refused: bool,
}

impl ClaimFile {
    /// Reads a claim file.
    ///
    /// # Errors
    /// Where it is no JSON of this shape.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, TurnFileError> {
        Ok(serde_json::from_slice(bytes)?)
    }

    /// A question for each claim.
    pub(crate) fn questions(&self) -> Vec<Question> {
        let mut replay = Replay::new(super::Profile::default(), self.root.clone());
        let mut records = Vec::new();
        for step in &self.steps {
            step.apply(&mut replay);
            let line = step.event().and_then(|e| judge::record(replay.seq(), &e));
            records.extend(line);
        }
        let question = |claim: &Claim| claim.question(&self.why, replay.clone(), records.clone());
        self.claims.iter().map(question).collect()
    }
}

impl Claim {
    fn question(&self, why: &str, mut replay: Replay, records: Vec<String>) -> Question {
        let mut stop = event(&[]);
        stop.kind = EventKind::StopRequested {
            stop_hook_active: false,
            message: self.message.clone(),
            background: Vec::new(),
            scheduled: Vec::new(),
        };
        replay.event(&stop);
        let facts = replay.facts_for_judge();
        let verdict = replay.judge().map(|verdict| verdict.verdict);
        Question {
            why: why.to_owned(),
            ask: Ask {
                claim: self.message.clone(),
                facts,
                records,
            },
            honest: self.honest,
            refused: verdict == Some(Verdict::Block),
        }
    }
}
