//! A receipt as Markdown, for a pull request: what happened at a glance.
//!
//! Nothing is checked here, and the text says so. What the file holds is foreign:
//! it cannot leave its cell, and is never the green word.

use super::names::Disclosed;
use crate::encode::without_green;
use crate::row::Known;
use crate::show::{Opened, ShowError, is_hidden};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use receipt_gates::explain::{self, Names, check_name};
use receipt_gates::facts::{Facts, Observation, RunSeen};
use receipt_gates::verdict::{Basis, Severity, VerdictFacts};

/// Rows of a table; what is over is counted.
const MAX_ROWS: usize = 200;

/// Characters of a command or path.
const MAX_CELL: usize = 120;

/// The receipt as Markdown.
///
/// # Errors
/// [`ShowError`] where the file is too damaged to be shown.
pub fn markdown(file: &[u8]) -> Result<String, ShowError> {
    let opened = Opened::read(file)?;
    let records: Vec<(u64, Facts)> = opened.records.range.iter().filter_map(facts).collect();
    let verdict: Option<VerdictFacts> =
        serde_json::from_value(opened.statement.verdict.clone()).ok();
    let names = Disclosed::of(&opened.records.range);
    let mut text = String::new();
    headline(&mut text, verdict.as_ref(), &opened);
    text.push_str(
        "\nAs the file says of itself; `receipt verify FILE --trust allowed_signers` checks it.\n",
    );
    if let Some(verdict) = &verdict {
        findings(&mut text, verdict, &names);
    }
    checks(&mut text, &records, &names);
    files(&mut text, &records, &names);
    Ok(without_green(&text))
}

fn facts(known: &Known) -> Option<(u64, Facts)> {
    let facts = serde_json::from_str(known.facts()?).ok()?;
    Some((known.signed.header.seq, facts))
}

fn headline(text: &mut String, verdict: Option<&VerdictFacts>, opened: &Opened) {
    let range = opened.statement.records;
    let said = verdict.map_or_else(
        || "no verdict that is known here".to_string(),
        |v| {
            let basis = v.basis.map(Basis::as_str);
            let basis = basis.map_or_else(String::new, |b| format!(" ({b})"));
            format!("{}{basis}, {}", v.verdict.as_str(), v.action.as_str())
        },
    );
    let (first, last) = (range.first, range.last);
    let tier = opened.statement.tier.shown().word();
    text.push_str(&format!(
        "### receipt: {said}; records #{first} to #{last}, tier {tier}\n"
    ));
}

/// What stands against the turn, then what is shown first of the rest.
fn findings(text: &mut String, verdict: &VerdictFacts, names: &Disclosed<'_>) {
    for (title, notes) in [("Open", false), ("Notes", true)] {
        let picked = verdict.findings.iter();
        let picked = picked.filter(|f| (f.severity == Severity::Note) == notes);
        let lines: Vec<String> = picked
            .take(MAX_ROWS)
            .map(|f| format!("- {}\n", sentence(&explain::finding(f, names))))
            .collect();
        if !lines.is_empty() {
            text.push_str(&format!("\n**{title}**\n\n{}", lines.concat()));
        }
    }
}

fn checks(text: &mut String, records: &[(u64, Facts)], names: &Disclosed<'_>) {
    let runs = records.iter().flat_map(|(seq, facts)| {
        let runs = facts.obs.iter().filter_map(|o| match o {
            Observation::Run(run) => Some(run),
            _ => None,
        });
        runs.map(|run| (*seq, run))
    });
    let rows: Vec<String> = runs.map(|(seq, run)| check(seq, run, names)).collect();
    table(
        text,
        "Checks",
        "| record | check | outcome | exit | |",
        &rows,
    );
}

fn check(seq: u64, run: &RunSeen, names: &Disclosed<'_>) -> String {
    let check = names.command(seq);
    let check = check.map_or_else(|| plain(&check_name(&run.check)), |c| cell(&c));
    let exit = run.exit.filter(|_| run.basis == "exit");
    let exit = exit.map_or_else(String::new, |exit| exit.to_string());
    let words = plain(&run.qualifiers.join(", "));
    format!(
        "| #{seq} | {check} | {} | {exit} | {words} |\n",
        plain(&run.outcome)
    )
}

fn files(text: &mut String, records: &[(u64, Facts)], names: &Disclosed<'_>) {
    let mut sums: BTreeMap<&str, (u64, u64, u64)> = BTreeMap::new();
    for (seq, facts) in records {
        for observation in &facts.obs {
            if let Observation::Edit(edit) = observation {
                let (at, added, removed) = sums.entry(&edit.path).or_default();
                *at = *seq;
                *added = added.saturating_add(edit.added);
                *removed = removed.saturating_add(edit.removed);
            }
        }
    }
    let rows = sums.iter().map(|(id, (seq, added, removed))| {
        let name = names.path(*seq, id);
        let name = name.map_or_else(|| "(withheld)".to_string(), |n| cell(&n));
        format!("| {name} | +{added} | −{removed} |\n")
    });
    let rows: Vec<String> = rows.collect();
    table(text, "Files edited", "| file | | |", &rows);
}

fn table(text: &mut String, title: &str, head: &str, rows: &[String]) {
    if rows.is_empty() {
        return;
    }
    let columns = head.matches('|').count().saturating_sub(1);
    let rule = "|---".repeat(columns);
    text.push_str(&format!("\n**{title}**\n\n{head}\n{rule}|\n"));
    text.extend(rows.iter().take(MAX_ROWS).map(String::as_str));
    let more = rows.len().saturating_sub(MAX_ROWS);
    if more > 0 {
        text.push_str(&format!("\n{more} more are not listed.\n"));
    }
}

/// A sentence with code spans. Foreign text within may have closed one early; what
/// then stands outside is prose and as harmless.
fn sentence(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(at, part)| match at % 2 {
        0 => plain(part),
        _ => code(part),
    });
    parts.collect()
}

/// Foreign text as prose: no mark-up of its own, no line of its own.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            c if is_hidden(c) => out.push(' '),
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            // A mention would call somebody.
            '@' => out.push_str("&#64;"),
            '|' | '\\' | '[' | ']' | '!' | '*' | '_' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// Foreign text as a code span in a cell of a table.
fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// Foreign text as a code span.
fn code(text: &str) -> String {
    let mut out = String::from("`");
    for c in text.chars().take(MAX_CELL) {
        match c {
            c if is_hidden(c) => out.push(' '),
            '`' => out.push('\''),
            c => out.push(c),
        }
    }
    if text.chars().nth(MAX_CELL).is_some() {
        out.push('…');
    }
    out.push('`');
    out
}
