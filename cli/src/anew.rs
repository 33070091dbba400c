//! After a ledger was written anew: a new process opens it, which finishes the
//! exchange of its journal, and verifies all of it.

use crate::error::Error;
use crate::home::Home;
use crate::wire::Refusal;
use crate::world::clock::Deadline;
use crate::world::process;
use serde_json::Value;
use std::process::Output;
use std::time::Duration;

/// How long another audit, which may have come first, is waited for.
const TURN: Duration = Duration::from_secs(60);

/// The audit of a ledger that was written anew.
#[derive(Debug)]
pub(crate) struct Audit {
    /// As `receipt audit --format json` gives it.
    pub(crate) report: Value,
    /// Nothing is wrong.
    pub(crate) sound: bool,
}

/// Runs the audit in a process of its own: a store is not opened twice in one.
///
/// # Errors
/// Where it cannot run, or the ledger does not open.
pub(crate) fn audit(home: &Home) -> Result<Audit, Error> {
    let deadline = Deadline::after(TURN);
    let mut ran = run(home)?;
    while is_busy(&ran) && deadline.left().is_some() {
        std::thread::sleep(Duration::from_millis(50));
        ran = run(home)?;
    }
    if ran.stdout.is_empty() {
        let said = String::from_utf8_lossy(&ran.stderr);
        return Err(Error::fault(what(&said)).hint("`receipt audit` tries again"));
    }
    Ok(Audit {
        report: serde_json::from_slice(&ran.stdout).map_err(Error::fault)?,
        sound: ran.status.success(),
    })
}

fn run(home: &Home) -> Result<Output, Error> {
    let failed = |e: std::io::Error| Error::fault(format!("cannot run the audit: {e}"));
    let program = std::env::current_exe().map_err(failed)?;
    process::command(&program)
        .args(["audit", "--format", "json"])
        .env("RECEIPT_HOME", &home.root)
        .output()
        .map_err(failed)
}

/// Whether a hook has started a service meanwhile, and it audits for another.
fn is_busy(ran: &Output) -> bool {
    ran.stdout.is_empty()
        && what(&String::from_utf8_lossy(&ran.stderr)) == Refusal::Busy.to_string()
}

/// What a process of ours said, without the marks and the hint around it.
fn what(said: &str) -> &str {
    let line = said.trim().lines().next().unwrap_or("it said nothing");
    line.strip_prefix("error: ").unwrap_or(line)
}

impl Audit {
    /// In words.
    pub(crate) fn human(&self) -> String {
        let number = |name: &str| self.report.get(name).and_then(Value::as_u64).unwrap_or(0);
        format!(
            "audit: {} records {}, {} pruned",
            number("records"),
            if self.sound { "sound" } else { "NOT sound" },
            number("pruned")
        )
    }

    /// An error where something is wrong.
    pub(crate) fn must_be_sound(&self) -> Result<(), Error> {
        if self.sound {
            return Ok(());
        }
        Err(Error::fault("the new ledger does not pass its audit")
            .hint("`receipt audit` says where"))
    }
}
