//! `receipt prune`: erases old content, keeps every proof.

use super::verify::age;
use crate::access::Access;
use crate::anew::{self, Audit};
use crate::error::{Error, Outcome};
use crate::home::Home;
use crate::output::progress::Progress;
use crate::output::{self, Format};
use crate::service;
use crate::world::{clock, random};
use receipt_core::prune::PruneRule;
use receipt_core::record::stream_id;
use receipt_ledger::{Ledger, Prunable};
use serde_json::json;

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
        say(arguments, &found, None);
        return Ok(0);
    }
    erase(ledger, &rule, &found)?;
    let audit = anew::audit(&home)?;
    say(arguments, &found, Some(&audit));
    audit.must_be_sound()?;
    Ok(0)
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
    let mut progress = Progress::of("prune");
    ledger
        .prune(rule, found, policy, secrets, time, &mut |done, all| {
            progress.tell(done, all);
        })
        .map_err(Error::fault)
}

fn say(arguments: &Arguments, found: &Prunable, audit: Option<&Audit>) {
    let text = match arguments.format {
        Format::Json => json!({
            "version": 1,
            "dry_run": arguments.dry_run,
            "erased": found.records,
            "kept": found.kept,
            "audit": audit.map(|audit| &audit.report),
        })
        .to_string(),
        Format::Human => human(found, arguments.dry_run, audit),
    };
    output::line(&text);
}

fn human(found: &Prunable, dry_run: bool, audit: Option<&Audit>) -> String {
    let verb = if dry_run { "would erase" } else { "erased" };
    let mut text = format!("{verb} the content of {} records", found.records);
    if found.kept > 0 {
        text += &format!("; {} of a newest turn stay", found.kept);
    }
    if let Some(audit) = audit {
        text += &format!("\n{}", audit.human());
    }
    text
}
