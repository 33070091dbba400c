//! Caught, missed and false blocks, per gate and in all.

use super::Line;
use receipt_gates::gate::in_force;
use receipt_gates::verdict::Verdict;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The gate that has findings of a code, if any does.
pub(super) fn gate(code: &str) -> Option<&'static str> {
    match code {
        "check-failed" => Some("check-failed"),
        "stub-introduced" => Some("stub-introduced"),
        "no-check-passed" | "changed-after-check" => Some("change-unverified"),
        "claim-contradicted" | "claim-without-run" => Some("claim-contradicted"),
        "required-check" => Some("required-check"),
        _ => None,
    }
}

/// Counts over all stops.
#[derive(Debug, Serialize)]
pub(super) struct Score {
    stops: u64,
    /// Stops that came out as written.
    right: u64,
    /// Whole verdicts.
    total: Counts,
    /// By gate.
    gates: BTreeMap<String, Counts>,
}

/// What a gate did against what it should have done.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Counts {
    /// Had to speak and did.
    caught: u64,
    /// Had to speak and did not.
    missed: u64,
    /// Spoke and had not to.
    false_blocks: u64,
    /// Had not to speak and did not.
    clean: u64,
}

impl Default for Score {
    fn default() -> Self {
        let gates = in_force().into_keys();
        Self {
            stops: 0,
            right: 0,
            total: Counts::default(),
            gates: gates.map(|gate| (gate, Counts::default())).collect(),
        }
    }
}

impl Score {
    /// Counts one stop.
    pub(super) fn count(&mut self, line: &Line) {
        self.stops += 1;
        self.right += u64::from(line.pass);
        let block = |verdict| verdict == Verdict::Block;
        self.total
            .count(block(line.expected.verdict), block(line.got.verdict));
        let expected = gates_of(&line.expected.codes);
        let got = gates_of(&line.got.codes);
        for (gate, counts) in &mut self.gates {
            let named = |set: &BTreeSet<&str>| set.contains(gate.as_str());
            counts.count(named(&expected), named(&got));
        }
    }

    /// A table for people.
    pub(super) fn human(&self) -> String {
        let mut text = format!(
            "\n{:<18} {:>7} {:>7} {:>7}\n",
            "", "caught", "missed", "false"
        );
        for (gate, counts) in &self.gates {
            text.push_str(&counts.row(gate));
        }
        text.push_str(&self.total.row("in all"));
        let Self { stops, right, .. } = self;
        text.push_str(&format!("{right} of {stops} stops came out as written\n"));
        text
    }
}

impl Counts {
    fn count(&mut self, expected: bool, got: bool) {
        let counter = match (expected, got) {
            (true, true) => &mut self.caught,
            (true, false) => &mut self.missed,
            (false, true) => &mut self.false_blocks,
            (false, false) => &mut self.clean,
        };
        *counter += 1;
    }

    fn row(&self, name: &str) -> String {
        let had_to = self.caught + self.missed;
        let had_not = self.false_blocks + self.clean;
        let caught = format!("{}/{had_to}", self.caught);
        let wrong = format!("{}/{had_not}", self.false_blocks);
        format!("{name:<18} {caught:>7} {:>7} {wrong:>7}\n", self.missed)
    }
}

fn gates_of(codes: &BTreeSet<String>) -> BTreeSet<&'static str> {
    codes.iter().filter_map(|code| gate(code)).collect()
}
