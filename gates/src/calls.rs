//! Calls whose outcome has not come, and outcomes of calls that nobody saw begin
//! (`spec/gates.md`, "Absence").

use crate::facts::{BatchSeen, Observation};
use crate::record::RecordView;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// Most calls whose outcomes are counted.
const MAX_ENDED: usize = 65_536;

/// Most records that one gap names.
const MAX_NAMED: usize = 100;

/// The calls of a turn, as far as something about them is missing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Calls {
    /// Requests without an outcome, by call.
    open: BTreeMap<String, u64>,
    /// Outcomes without a request.
    orphans: Vec<u64>,
    /// A prompt was seen, or its absence was told.
    prompted: bool,
    /// Calls with an outcome, and whether they have more than one.
    ended: BTreeMap<String, bool>,
}

impl Calls {
    /// Takes one record.
    pub fn apply(&mut self, record: &RecordView<'_>) {
        for observation in record.observations() {
            match observation {
                Observation::Call(_) => {
                    if let Some(call) = record.call() {
                        self.open.insert(call.to_string(), record.seq);
                    }
                }
                Observation::Ended(_) | Observation::Denied => self.ended(record),
                Observation::Guarded(guarded) if guarded.denied => {
                    // It never runs, and the client reports no outcome.
                    record.call().map(|call| self.open.remove(call));
                }
                Observation::Batch(calls) => self.batch(calls),
                Observation::Prompt(_) => self.prompted = true,
                Observation::Gap(_) => self.told(record),
                _ => {}
            }
        }
    }

    fn ended(&mut self, record: &RecordView<'_>) {
        let Some(call) = record.call() else { return };
        if let Some(again) = self.ended.get_mut(call) {
            *again = true;
        } else if self.ended.len() < MAX_ENDED {
            self.ended.insert(call.to_string(), false);
        }
        let known = self.open.remove(call).is_some();
        if !known && !record.late() && self.orphans.len() < MAX_NAMED {
            self.orphans.push(record.seq);
        }
    }

    /// A batch names its calls once all of them are over.
    fn batch(&mut self, calls: &[BatchSeen]) {
        for seen in calls {
            self.open.remove(&seen.call);
        }
    }

    /// What a gap names is not named again.
    fn told(&mut self, record: &RecordView<'_>) {
        let missing = record.facts.map_or(&[][..], |facts| &facts.missing);
        self.open.retain(|_, seq| !missing.contains(seq));
        self.orphans.retain(|seq| !missing.contains(seq));
        self.prompted |= !missing.is_empty();
    }

    /// Whether a call has one outcome in the turn: of two, one is made up.
    #[must_use]
    pub fn ended_once(&self, call: &str) -> bool {
        self.ended.get(call) == Some(&false)
    }

    /// Requests whose outcome has not come, at most 100.
    #[must_use]
    pub fn without_outcome(&self) -> Vec<u64> {
        let mut open: Vec<u64> = self.open.values().copied().collect();
        open.sort_unstable();
        open.truncate(MAX_NAMED);
        open
    }

    /// Outcomes whose request was not seen, at most 100.
    #[must_use]
    pub fn without_request(&self) -> &[u64] {
        &self.orphans
    }

    /// Whether no prompt was seen in the turn.
    #[must_use]
    pub const fn without_prompt(&self) -> bool {
        !self.prompted
    }
}
