//! `receipt recover`: what is left of a ledger that refuses to open.

use crate::access;
use crate::anew::{self, Audit};
use crate::error::{Error, Outcome};
use crate::home::Home;
use crate::output::{self, Format};
use crate::service;
use crate::world::{clock, random};
use receipt_ledger::Findings;
use serde_json::json;

/// Examine a ledger that refuses to open, and make a new beginning of what verifies.
///
/// Without `--accept-loss` it only looks: it names what is wrong and what would
/// be lost, and changes nothing. With it, the records that verify from the first
/// on become the ledger, a `recovery` record says what was lost, and all old
/// files are kept in a folder that is named. Nothing is ever repaired silently.
///
/// Exits 0 if nothing is wrong or the recovery was made, 40 if something is
/// wrong and nothing was done.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Go on with what verifies; what is lost is recorded.
    #[arg(long)]
    accept_loss: bool,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Exit code for a ledger that does not hold together (`spec/cli.md`).
const INVALID: u8 = 40;

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let home = Home::find()?;
    if !home.ledger().is_dir() {
        return Err(access::no_ledger(&home));
    }
    access::end_service(&home)?;
    let recovery = service::examine_ledger(&home)?;
    let findings = recovery.findings.clone();
    if findings.wrong.is_empty() || !arguments.accept_loss {
        say(arguments.format, &findings, None);
        return Ok(if findings.wrong.is_empty() {
            0
        } else {
            INVALID
        });
    }
    let policy = service::redaction_policy();
    let secrets = [random::bytes32()?, random::bytes32()?];
    let time = clock::time(clock::boot_id());
    let aside = recovery
        .accept(policy, secrets, time)
        .map_err(Error::fault)?;
    let audit = anew::audit(&home)?;
    say(arguments.format, &findings, Some((&aside, &audit)));
    audit.must_be_sound()?;
    Ok(0)
}

fn say(format: Format, findings: &Findings, done: Option<(&str, &Audit)>) {
    let text = match format {
        Format::Json => json!({
            "version": 1,
            "wrong": findings.wrong,
            "records": findings.records,
            "lost": findings.lost(),
            "recovered": done.is_some(),
            "aside": done.map(|(folder, _)| folder),
            "audit": done.map(|(_, audit)| &audit.report),
        })
        .to_string(),
        Format::Human => human(findings, done),
    };
    output::line(&text);
}

fn human(findings: &Findings, done: Option<(&str, &Audit)>) -> String {
    if findings.wrong.is_empty() {
        return format!("nothing to recover: {} records verify", findings.records);
    }
    let mut lines: Vec<String> = findings.wrong.iter().map(|w| format!("- {w}")).collect();
    let (records, lost) = (findings.records, findings.lost());
    match done {
        None => {
            lines.push(format!("{records} records verify, {lost} would be lost"));
            lines.push("`receipt recover --accept-loss` goes on with those that verify".to_owned());
        }
        Some((folder, audit)) => {
            lines.push(format!(
                "{records} records kept, {lost} lost; the old files are in ledger/{folder}"
            ));
            lines.push(audit.human());
        }
    }
    lines.join("\n")
}
