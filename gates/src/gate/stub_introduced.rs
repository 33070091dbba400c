//! `stub-introduced`: a stub stands in the new text more often than in the old.
//!
//! Counted over the whole turn by the line's fingerprint, so that a moved line
//! is not new and a stub that was filled in later is gone.

use super::{Decision, Gate, finding};
use crate::facts::{EditSeen, Observation, StubSeen};
use crate::profile::Profile;
use crate::record::RecordView;
use crate::turn::Turn;
use crate::verdict::Severity;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// Most stubs that one verdict names.
const MAX_NAMED: usize = 10;

/// The gate.
#[derive(Debug)]
pub struct StubIntroduced;

/// Net count of each stub line over the turn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    stubs: BTreeMap<String, Standing>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Standing {
    kind: String,
    path: String,
    seq: u64,
    net: i64,
}

impl State {
    /// Fingerprints of the stubs that stand and that nobody asked for, for the carry.
    pub fn standing(&self, turn: &Turn) -> impl Iterator<Item = &String> {
        self.stubs
            .iter()
            .filter(|(_, s)| s.net > 0 && !turn.asked.contains(&s.kind))
            .map(|(line, _)| line)
    }

    fn count(&mut self, stub: &StubSeen, edit: &EditSeen, seq: u64) {
        let standing = self
            .stubs
            .entry(stub.line.clone())
            .or_insert_with(|| Standing {
                kind: stub.kind.clone(),
                path: edit.path.clone(),
                seq,
                net: 0,
            });
        standing.net = standing.net.saturating_add(stub.more);
        if stub.more > 0 {
            standing.seq = seq;
            standing.path.clone_from(&edit.path);
        }
    }
}

impl Gate for StubIntroduced {
    type State = State;
    const ID: &'static str = "stub-introduced";
    const VERSION: u32 = 1;

    fn apply(state: &mut State, record: &RecordView<'_>) {
        for observation in record.observations() {
            if let Observation::Edit(edit) = observation
                && edit.code
            {
                for stub in &edit.stubs {
                    state.count(stub, edit, record.seq);
                }
            }
        }
    }

    fn decide(state: &State, turn: &Turn, _: &Profile) -> Decision {
        let standing = state.stubs.iter().filter(|(_, s)| s.net > 0);
        let (asked, own): (Vec<_>, Vec<_>) =
            standing.partition(|(_, s)| turn.asked.contains(&s.kind));
        let named = own.into_iter().chain(asked).take(MAX_NAMED);
        let findings = named.map(|(line, s)| {
            let severity = match turn.asked.contains(&s.kind) {
                true => Severity::Note,
                false => Severity::Hard,
            };
            let mut found = finding::<StubIntroduced>(severity, "stub-introduced", vec![s.seq]);
            found.words.insert("kind".to_string(), s.kind.clone());
            found.words.insert("path".to_string(), s.path.clone());
            found.words.insert("line".to_string(), line.clone());
            found.numbers.insert("count".to_string(), s.net);
            found
        });
        Decision::Findings(findings.collect())
    }
}
