//! What makes checks ask for less: shown first, never blocking
//! (`spec/gates.md`, "Weakening").

mod count;

use crate::facts::{EditSeen, Observation};
use crate::gate::check_failed;
use crate::mark::Mark;
use crate::record::RecordView;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use serde::{Deserialize, Serialize};

pub use count::Weakened;

/// Most records that are remembered for one kind of mark in one file.
const MAX_RECORDS: usize = 20;

/// Marks of the turn's edits, by path.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    files: BTreeMap<String, Marked>,
    /// Calls that wrote recorded outputs anew.
    updates: BTreeSet<u64>,
}

/// The marks of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Marked {
    /// The file came into being in this turn.
    created: bool,
    /// How many more of each line it has now, by kind.
    nets: BTreeMap<String, BTreeMap<String, i64>>,
    /// Exact assertions that became loose ones.
    loosened: i64,
    /// Lines whose literals changed while tests stood failed.
    values: BTreeSet<String>,
    /// The failed runs that stood then.
    failed: BTreeSet<u64>,
    /// Records by kind.
    records: BTreeMap<String, BTreeSet<u64>>,
}

impl State {
    /// Takes one record; `failed` is the fold of check-failed up to it.
    pub fn apply(&mut self, record: &RecordView<'_>, failed: &check_failed::State) {
        for observation in record.observations() {
            match observation {
                Observation::Edit(edit) if edit.created || !edit.marks.is_empty() => {
                    let red = failed.test_for(&edit.path, &edit.language);
                    let file = self.files.entry(edit.path.clone()).or_default();
                    file.edit(edit, red, record.seq);
                }
                Observation::SnapshotsUpdated if self.updates.len() < MAX_RECORDS => {
                    self.updates.insert(record.seq);
                }
                _ => {}
            }
        }
    }
}

impl Marked {
    fn edit(&mut self, edit: &EditSeen, red: Option<u64>, seq: u64) {
        self.created |= edit.created;
        if let Some(red) = red.filter(|_| !self.created) {
            self.values(edit, red);
        }
        self.loosened = self.loosened.saturating_add(shift(edit));
        for (mark, lines) in &edit.marks {
            let records = self.records.entry(mark.clone()).or_default();
            if records.len() < MAX_RECORDS {
                records.insert(seq);
            }
            let nets = self.nets.entry(mark.clone()).or_default();
            for (line, more) in lines {
                let net = nets.entry(line.clone()).or_default();
                *net = net.saturating_add(*more);
            }
        }
    }

    /// Remembers lines of which only literals changed, but not those that came
    /// with this turn.
    fn values(&mut self, edit: &EditSeen, red: u64) {
        for line in edit.marks.get(Mark::Value.as_str()).into_iter().flatten() {
            if self.net(line.0) <= 0 {
                self.values.insert(line.0.to_string());
                self.failed.insert(red);
            }
        }
    }

    /// How many more of an assertion's line there are.
    fn net(&self, line: &str) -> i64 {
        let kinds = ASSERTIONS
            .iter()
            .filter_map(|kind| self.nets.get(kind.as_str()));
        kinds.filter_map(|lines| lines.get(line)).sum()
    }
}

const ASSERTIONS: [Mark; 3] = [Mark::Exact, Mark::Assertion, Mark::Loose];

/// How many exact assertions an edit turned into loose ones; below zero, the
/// other way round.
fn shift(edit: &EditSeen) -> i64 {
    let sum = |mark: Mark| -> i64 {
        let lines = edit.marks.get(mark.as_str()).into_iter().flatten();
        lines.fold(0, |sum, (_, more)| sum.saturating_add(*more))
    };
    let (exact, loose) = (sum(Mark::Exact), sum(Mark::Loose));
    if exact < 0 && loose > 0 {
        loose.min(exact.saturating_neg())
    } else if exact > 0 && loose < 0 {
        exact.min(loose.saturating_neg()).saturating_neg()
    } else {
        0
    }
}
