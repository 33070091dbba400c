//! What the gates know of a turn, as lines for the judge.

use crate::explain::{Names, check_name};
use crate::gate::change_unverified::Coverage;
use crate::gate::claim_unsupported::Run;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Characters of a command.
const MAX_COMMAND: usize = 200;

/// One fact a line, what ran first.
#[must_use]
pub fn facts(runs: &[Run], coverage: &Coverage, names: &dyn Names) -> Vec<String> {
    let mut lines: Vec<String> = runs.iter().map(|run| line(run, names)).collect();
    if runs.is_empty() {
        lines.push(String::from("No check was run in this turn."));
    }
    match coverage.total() {
        0 => lines.push(String::from(
            "No line of code changed after the last passing check.",
        )),
        n => lines.push(format!(
            "{n} lines of code are not covered by a passing check."
        )),
    }
    if coverage.outside > 0 {
        let outside = coverage.outside;
        lines.push(format!(
            "{outside} lines of code were changed by somebody else."
        ));
    }
    lines
}

fn line(run: &Run, names: &dyn Names) -> String {
    let check = check_name(&run.check);
    let (seq, outcome) = (run.seq, &run.outcome);
    let since = match run.edits_since {
        0 => String::from("no code edit since"),
        n => format!("{n} code edits since"),
    };
    let command = names.command(seq).map_or_else(String::new, |command| {
        let command: String = command.chars().take(MAX_COMMAND).collect();
        format!(" by `{command}`")
    });
    format!("#{seq}: {check}{command}: {outcome}; {since}.")
}
