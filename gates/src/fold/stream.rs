//! A stream's state between and within turns.

use super::Fold;
use crate::facts::{Carry, Observation};
use crate::gate::was_run;
use crate::record::RecordView;
use crate::scheduled::Scheduled;
use crate::verdict::{Action, Basis, VerdictFacts};
use receipt_core::record::{Flags, Kind};
use serde::{Deserialize, Serialize};

/// The folded state of a stream: where it stands between and within turns.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stream {
    fold: Option<Fold>,
    /// The agent may stop, but background work goes on: a person's prompt
    /// opens a new turn, anything else continues this one.
    ajar: bool,
    carry: Option<Carry>,
    /// What the agent scheduled, in this turn or before.
    scheduled: Scheduled,
    /// A check ran, in this turn or before.
    ran: bool,
}

impl Stream {
    /// The open turn.
    #[must_use]
    pub const fn fold(&self) -> Option<&Fold> {
        self.fold.as_ref()
    }

    /// Whether a record of this kind would open a turn here.
    #[must_use]
    pub fn opens(&self, kind: Kind) -> bool {
        match &self.fold {
            None => starts_turn(kind),
            // What opened a pruned turn is gone: it ends with the next prompt.
            Some(fold) => {
                let pruned = fold.turn().opening.is_none();
                (self.ajar || pruned) && kind == Kind::PromptHuman
            }
        }
    }

    /// What a turn that opens now carries.
    #[must_use]
    pub fn carry(&self) -> Option<Carry> {
        self.carry.clone()
    }

    /// Prompts that the agent scheduled in this session.
    #[must_use]
    pub const fn scheduled(&self) -> &Scheduled {
        &self.scheduled
    }

    /// Whether a check ran before a turn that opens now.
    #[must_use]
    pub const fn ran(&self) -> bool {
        self.ran
    }

    /// Takes one record of the stream.
    pub fn apply(&mut self, record: &RecordView<'_>) {
        if record.flags & Flags::OPENS_TURN != 0 {
            self.fold = Some(Fold::default());
        }
        if let Some(facts) = record.facts {
            self.scheduled.take(facts);
            self.ran |= facts.open.as_ref().is_some_and(|open| open.ran);
        }
        let is_run = |seen: &Observation| matches!(seen, Observation::Run(run) if was_run(run));
        self.ran |= record.observations().any(is_run);
        if let Some(fold) = &mut self.fold {
            fold.apply(record);
            self.ajar &= !record.kind.is_some_and(starts_turn);
        }
        if record.kind == Some(Kind::VerdictStop)
            && let Some(verdict) = record.facts.and_then(|f| f.verdict.as_ref())
        {
            self.close(verdict, record.seq);
        }
    }

    fn close(&mut self, verdict: &VerdictFacts, seq: u64) {
        if verdict.action == Action::Blocked {
            return;
        }
        self.carry = verdict.carry.clone().map(|carry| Carry { seq, ..carry });
        self.ajar = verdict.basis == Some(Basis::Open);
        if !self.ajar {
            self.fold = None;
        }
    }
}

/// Kinds that begin a turn when none is open: a person's prompt, or work that
/// begins without one. A machine's prompt opens none.
const fn starts_turn(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::PromptHuman
            | Kind::ToolRequested
            | Kind::ToolSucceeded
            | Kind::ToolFailed
            | Kind::ToolDenied
            | Kind::BatchEnded
            | Kind::SubagentStarted
            | Kind::SubagentStopped
            | Kind::StopRequested
            | Kind::StopFailed
    )
}
