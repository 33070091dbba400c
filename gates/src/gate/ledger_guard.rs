//! `ledger-guard`: tool calls that would touch the ledger, its keys or the wiring.
//!
//! It decides before the call, on the call's own record; at a stop it only tells.

use super::{Decision, Gate, finding};
use crate::facts::{Facts, Guarded, Observation};
use crate::profile::{Mode, Profile};
use crate::record::RecordView;
use crate::turn::Turn;
use crate::verdict::Severity;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// Most records that one verdict names.
const MAX_NAMED: usize = 100;

/// The gate.
#[derive(Debug)]
pub struct LedgerGuard;

/// Records of calls that touched what is protected, or would have.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    refused: Vec<u64>,
    passed: Vec<u64>,
}

impl Gate for LedgerGuard {
    type State = State;
    const ID: &'static str = "ledger-guard";
    const VERSION: u32 = 1;

    fn apply(state: &mut State, record: &RecordView<'_>) {
        for observation in record.observations() {
            if let Observation::Guarded(guarded) = observation {
                let list = if guarded.denied {
                    &mut state.refused
                } else {
                    &mut state.passed
                };
                if list.len() < MAX_NAMED {
                    list.push(record.seq);
                }
            }
        }
    }

    fn decide(state: &State, _: &Turn, _: &Profile) -> Decision {
        let lists = [
            ("guard-refused", &state.refused),
            ("guard-passed", &state.passed),
        ];
        let told = lists.into_iter().filter(|(_, records)| !records.is_empty());
        let note = |(code, records): (&str, &Vec<u64>)| {
            finding::<LedgerGuard>(Severity::Note, code, records.clone())
        };
        Decision::Findings(told.map(note).collect())
    }
}

/// Decides on a call that is about to run, in its own facts: a call that is refused
/// writes nothing. Returns what is touched, if something is.
pub fn decide_call<'a>(facts: &'a mut Facts, profile: &Profile) -> Option<&'a Guarded> {
    let touches = |o: &Observation| matches!(o, Observation::Guarded(_));
    if !facts.obs.iter().any(touches) {
        return None;
    }
    let denies = profile.mode(LedgerGuard::ID) == Mode::Block;
    for observation in &mut facts.obs {
        match observation {
            Observation::Guarded(guarded) => guarded.denied = denies,
            Observation::Call(call) if denies => (call.write, call.check) = (false, false),
            _ => {}
        }
    }
    facts.obs.iter().find_map(|observation| match observation {
        Observation::Guarded(guarded) => Some(guarded),
        _ => None,
    })
}
