//! A judged turn for people: the result first, then what it rests on.

use crate::replay::{Check, Edit, Scanned};
use receipt_gates::explain;
use receipt_gates::verdict::Verdict;

/// The lines of one turn.
pub(super) fn turn(scanned: &Scanned) -> String {
    let mut text = format!("turn {}: {}\n", scanned.number, result(scanned));
    for finding in &scanned.verdict.findings {
        let severity = finding.severity.as_str();
        let what = explain::finding(finding, &scanned.seen);
        text.push_str(&format!("  {severity:<6} {}: {what}\n", finding.code));
    }
    let seen = &scanned.seen;
    list(&mut text, "edits", seen.edits.iter().map(edit));
    list(&mut text, "checks", seen.checks.iter().map(check));
    let claims = seen.claims.iter().map(|c| one_line(&c.text));
    list(&mut text, "claims", claims);
    text
}

fn result(scanned: &Scanned) -> String {
    let verdict = &scanned.verdict;
    let mut text = verdict.verdict.as_str().to_owned();
    if let Some(basis) = verdict.basis {
        text.push_str(&format!(" ({})", basis.as_str()));
    }
    if verdict.verdict != Verdict::Pass {
        text.push_str(&format!(", {}", verdict.action.as_str()));
    }
    if !scanned.stopped {
        text.push_str(", as if it had ended here: the agent did not stop by itself");
    }
    text
}

fn list(text: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let mut lines = lines.peekable();
    if lines.peek().is_some() {
        text.push_str(&format!("  {title}\n"));
    }
    for line in lines {
        text.push_str(&format!("    {line}\n"));
    }
}

fn edit(edit: &Edit) -> String {
    let seen = &edit.seen;
    let note = if seen.code { "" } else { " (no code)" };
    format!("{} +{} -{}{note}", edit.path, seen.added, seen.removed)
}

fn check(check: &Check) -> String {
    let run = &check.seen;
    let mut text = format!(
        "{} [{} by {}] {}",
        run.outcome,
        run.check.kind,
        run.basis,
        one_line(&check.command)
    );
    if !run.qualifiers.is_empty() {
        text.push_str(&format!(" ({})", run.qualifiers.join(", ")));
    }
    text
}

/// Text from a transcript on one line, without control characters.
fn one_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.chars().filter(|c| !c.is_control()).take(120).collect()
}
