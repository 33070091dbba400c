//! Reports as text and as JSON. Both are made at the edge and never signed.

mod markdown;
mod names;
mod story;

pub use markdown::markdown;
pub use story::{Story, StoryStep, story};

use crate::encode::without_green;
use crate::tier::Tier;
use crate::verify::{Outcome, Report, Stated, Step};
use alloc::format;
use alloc::string::{String, ToString};
use receipt_core::hash::hex;
use receipt_gates::explain::{self, NoNames};
use receipt_gates::verdict::{Basis, VerdictFacts};
use serde_json::{Value, json};

/// Version of the JSON report.
pub const VERSION: u32 = 1;

/// The report as text: the result in one line, then every step, then what a
/// pass does not establish.
#[must_use]
pub fn human(report: &Report, colour: bool) -> String {
    let mut text = line(report, colour);
    for reason in &report.reasons {
        text.push_str(&format!(
            "  {}: {} (step {})\n",
            reason.fault.word(),
            reason.text,
            reason.step
        ));
    }
    findings(&mut text, report);
    text.push_str("\nSteps\n");
    for step in report.steps.iter().filter(|s| s.reached()) {
        text.push_str(&step_line(step));
    }
    let missed = report.steps.iter().filter(|s| !s.reached()).count();
    if missed > 0 {
        text.push_str(&format!("  -    {missed} further steps were not reached\n"));
    }
    text.push_str("\nNot established\n");
    text.push_str(&format!("  - {}\n", tree_limit(report)));
    for limit in &report.limits {
        text.push_str(&format!("  - {limit}\n"));
    }
    match report.outcome {
        Outcome::Verified => text,
        Outcome::Failed(_) => without_green(&text),
    }
}

/// The result alone, as one line.
#[must_use]
pub fn line(report: &Report, colour: bool) -> String {
    paint(&headline(report), report.outcome, colour) + "\n"
}

fn headline(report: &Report) -> String {
    let word = report.outcome.word();
    match (report.outcome, &report.stated, &report.verdict) {
        (Outcome::Verified, Some(stated), Some(verdict)) => format!(
            "{word} {}; signed by {}; {}",
            summary(stated, verdict),
            report.signer.as_deref().unwrap_or("nobody"),
            compared(report)
        ),
        _ => {
            let first = report.reasons.iter().min_by_key(|r| r.fault);
            let why = first.map_or("nothing was shown", |r| r.text.as_str());
            format!("{word} {why}; {}", compared(report))
        }
    }
}

fn summary(stated: &Stated, verdict: &VerdictFacts) -> String {
    let range = stated.statement.records;
    format!(
        "pass ({}), records #{} to #{}, tier {}",
        verdict.basis.map_or("no basis", Basis::as_str),
        range.first,
        range.last,
        tier(stated.statement.tier)
    )
}

/// No wording is stronger than what the receipt shows.
fn tier(claimed: Tier) -> String {
    if claimed == claimed.shown() {
        claimed.word().to_string()
    } else {
        format!("{} ({} is claimed)", claimed.shown().word(), claimed.word())
    }
}

fn compared(report: &Report) -> String {
    match &report.subject {
        Some(tree) => format!("compared with tree {tree}"),
        None => "not compared with any tree".to_string(),
    }
}

fn tree_limit(report: &Report) -> &'static str {
    match report.subject {
        Some(_) => "that ignored files, submodules or the environment are the same",
        None => "that it is about the code at hand: it was not compared with any tree",
    }
}

/// What the gates found, shown once the verdict was computed again.
fn findings(text: &mut String, report: &Report) {
    let Some(verdict) = &report.verdict else {
        return;
    };
    text.push_str(&format!(
        "\nVerdict {} ({}), recorded action {}\n",
        verdict.verdict.as_str(),
        verdict.basis.map_or("no basis", Basis::as_str),
        verdict.action.as_str()
    ));
    for finding in &verdict.findings {
        text.push_str(&format!(
            "  {}: {}\n",
            finding.severity.as_str(),
            without_control(&explain::finding(finding, &NoNames))
        ));
    }
}

fn without_control(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

fn step_line(step: &Step) -> String {
    let mark = match step.passed {
        Some(true) => "ok  ",
        Some(false) => "FAIL",
        None => "-   ",
    };
    let Step {
        number,
        name,
        expected,
        found,
        ..
    } = step;
    format!("  {mark} {number:>2} {name}: expected {expected}; found {found}\n")
}

fn paint(line: &str, outcome: Outcome, colour: bool) -> String {
    let code = match outcome {
        Outcome::Verified => "32",
        Outcome::Failed(_) => "31",
    };
    if colour {
        format!("\u{1b}[1;{code}m{line}\u{1b}[0m")
    } else {
        line.to_string()
    }
}

/// The report as JSON, version 1.
#[must_use]
pub fn json(report: &Report) -> Value {
    let reasons = report
        .reasons
        .iter()
        .map(|r| json!({"result": r.fault.word(), "step": r.step, "text": r.text}));
    let steps = report.steps.iter().map(|s| {
        json!({
            "number": s.number, "name": s.name, "passed": s.passed,
            "expected": s.expected, "found": s.found,
        })
    });
    json!({
        "version": VERSION,
        "result": report.outcome.word(),
        "exit": report.outcome.exit_code(),
        "reasons": reasons.collect::<Value>(),
        "verdict": report.verdict,
        "signer": report.signer,
        "receipt": report.stated.as_ref().map(stated),
        "compared_with": report.subject,
        "steps": steps.collect::<Value>(),
        "not_established": report.limits,
    })
}

fn stated(stated: &Stated) -> Value {
    let statement = &stated.statement;
    json!({
        "identity": stated.identity,
        "ledger": hex(&statement.ledger),
        "stream": hex(&statement.stream),
        "records": statement.records,
        "checkpoint": { "size": statement.size, "root": hex(&statement.root) },
        "tier": statement.tier.word(),
        "tier_shown": statement.tier.shown().word(),
        "subjects": statement.subjects,
        "time_us": stated.time_us,
    })
}
