//! `receipt prune`: erases old content, keeps every proof.

use super::verify::age;
use crate::access::Access;
use crate::error::{Error, Outcome};
use crate::home::Home;
use crate::output::{self, Format};
use crate::service;
use crate::world::{clock, process, random};
use receipt_core::prune::PruneRule;
use receipt_core::record::stream_id;
use receipt_ledger::{Ledger, Prunable};
use serde_json::{Value, json};

/// Erase the content of old records for good; signatures and proofs stay.
///
/// What a record says (facts, paths, commands, texts, the payload) and the
/// salts of its commitments go from journal and store. Its header, signature
/// and place stay, so the rest of the ledger verifies as before, and `receipt
/// audit` says how many records were pruned. What was exported before stays
/// valid. The newest turn of a session that went on is kept. While it runs,
/// hooks leave their events in the spool.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only records older than this (90s, 30m, 24h, 90d).
    #[arg(long, value_name = "AGE", value_parser = age, required_unless_present = "session")]
    older_than: Option<u64>,
    /// Only records of this session; may be given several times.
    #[arg(long, value_name = "ID")]
    session: Vec<String>,
    /// Say what would go, and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let home = Home::find()?;
    let ledger = Access::take(&home)?.ledger;
    let rule = rule(arguments, &ledger)?;
    let found = ledger.prunable(&rule).map_err(Error::fault)?;
    if arguments.dry_run || found.records == 0 {
        say(arguments.format, &found, arguments.dry_run, &Value::Null);
        return Ok(0);
    }
    erase(ledger, &rule, &found)?;
    let (sound, audit) = audit(&home)?;
    say(arguments.format, &found, false, &audit);
    if sound {
        return Ok(0);
    }
    Err(Error::fault("the pruned ledger does not pass its audit")
        .hint("`receipt audit` says where"))
}

fn rule(arguments: &Arguments, ledger: &Ledger) -> Result<PruneRule, Error> {
    let mut streams = Vec::new();
    for session in &arguments.session {
        let stream = stream_id("claude-code", session);
        if ledger.stream_len(&stream) == 0 {
            return Err(Error::input(format!("the ledger has no session {session}"))
                .hint("`receipt log --format json` shows the sessions' ids"));
        }
        streams.push(stream);
    }
    let age = arguments.older_than.unwrap_or(0);
    Ok(PruneRule {
        before_us: clock::wall_us().saturating_sub(age),
        up_to: ledger.size(),
        streams,
    })
}

fn erase(ledger: Ledger, rule: &PruneRule, found: &Prunable) -> Result<(), Error> {
    let secrets = [random::bytes32()?, random::bytes32()?];
    let policy = service::redaction_policy();
    let time = clock::time(clock::boot_id());
    ledger
        .prune(rule, found, policy, secrets, time, &mut |_, _| {})
        .map_err(Error::fault)
}

/// A new process opens the ledger, which puts the new journal in the old one's
/// place, and verifies all of it.
fn audit(home: &Home) -> Result<(bool, Value), Error> {
    let failed = |e: std::io::Error| Error::fault(format!("cannot run the audit: {e}"));
    let program = std::env::current_exe().map_err(failed)?;
    let ran = process::command(&program)
        .args(["audit", "--format", "json"])
        .env("RECEIPT_HOME", &home.root)
        .output()
        .map_err(failed)?;
    if ran.stdout.is_empty() {
        let said = String::from_utf8_lossy(&ran.stderr).trim().to_owned();
        return Err(Error::fault(said).hint("the next command or hook tries again"));
    }
    let report = serde_json::from_slice(&ran.stdout).map_err(Error::fault)?;
    Ok((ran.status.success(), report))
}

fn say(format: Format, found: &Prunable, dry_run: bool, audit: &Value) {
    let text = match format {
        Format::Json => json!({
            "version": 1,
            "dry_run": dry_run,
            "erased": found.records,
            "kept": found.kept,
            "audit": audit,
        })
        .to_string(),
        Format::Human => human(found, dry_run, audit),
    };
    output::line(&text);
}

fn human(found: &Prunable, dry_run: bool, audit: &Value) -> String {
    let verb = if dry_run { "would erase" } else { "erased" };
    let mut text = format!("{verb} the content of {} records", found.records);
    if found.kept > 0 {
        text += &format!("; {} of a newest turn stay", found.kept);
    }
    if let Some(records) = audit["records"].as_u64().filter(|_| audit["sound"] == true) {
        text += &format!(
            "\naudit: {records} records sound, {} pruned",
            audit["pruned"]
        );
    }
    text
}
