//! What the validation gate of the same purpose leaves behind, under its variable
//! names, for people who come from it. Nothing here can reach a decision.

use crate::output::time;
use crate::wire::Judged;
use crate::world::clock::{self, Deadline};
use crate::world::{environment, process};
use receipt_gates::judge::{Ask, read};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

/// Characters of the claim that are kept.
const MAX_CLAIM: usize = 2_000;

/// Characters of a session's name in a file's name.
const MAX_SESSION: usize = 8;

/// How long the program that is told of a FAIL may take.
const NOTIFY: Duration = Duration::from_secs(5);

/// A program that was told of a FAIL. It is ended when its time is up, which is
/// waited for when this is dropped.
#[derive(Debug)]
pub(crate) struct Notified(Option<(Child, Deadline)>);

/// Leaves the trail of one judgement.
pub(crate) fn leave(session: &str, ask: &Ask, judged: &Judged) -> Notified {
    let entry = entry(session, ask, judged);
    let _ = keep(session, &entry);
    let _ = log(&entry);
    let failed = entry
        .pointer("/verdict/verdict")
        .is_some_and(|v| v == "FAIL");
    Notified(if failed { notify(&entry) } else { None })
}

fn entry(session: &str, ask: &Ask, judged: &Judged) -> Value {
    let reply = judged.reply.as_deref().map(read);
    let word = match reply.as_ref().map(|reply| reply.pass) {
        None => "ERROR",
        Some(None) => "UNPARSEABLE",
        Some(Some(true)) => "PASS",
        Some(Some(false)) => "FAIL",
    };
    let reply = reply.unwrap_or_default();
    let claim: String = ask.claim.chars().take(MAX_CLAIM).collect();
    json!({
        "timestamp": stamp(),
        "session": session,
        "model": judged.model,
        "claim_excerpt": claim,
        "verdict": {
            "verdict": word,
            "reason": judged.outage.clone().unwrap_or(reply.reason),
            "missing_evidence": reply.missing,
            "latency_ms": judged.milliseconds,
        },
    })
}

fn stamp() -> String {
    time::utc(clock::wall_us() / 1_000_000)
}

/// A file of its own for each judgement.
fn keep(session: &str, entry: &Value) -> std::io::Result<()> {
    let Some(folder) = environment::get("VALIDATION_GATE_VERDICT_DIR") else {
        return Ok(());
    };
    std::fs::create_dir_all(&folder)?;
    let plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    let session: String = session.chars().filter(plain).take(MAX_SESSION).collect();
    let name = format!("{}_{session}.json", stamp());
    std::fs::write(Path::new(&folder).join(name), format!("{entry:#}\n"))
}

/// A line of the log that grows.
fn log(entry: &Value) -> std::io::Result<()> {
    let Some(path) = environment::get("VALIDATION_GATE_LOG") else {
        return Ok(());
    };
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.append(true).create(true).open(path)?;
    file.write_all(format!("{entry}\n").as_bytes())
}

/// Starts the program, with the reason as its one argument and no shell.
fn notify(entry: &Value) -> Option<(Child, Deadline)> {
    let program = PathBuf::from(environment::get("VALIDATION_GATE_NOTIFY")?);
    let reason = entry.pointer("/verdict/reason")?.as_str()?;
    let mut command = process::command(&program);
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null());
    let child = quiet.stderr(Stdio::null()).arg(reason).spawn().ok()?;
    Some((child, Deadline::after(NOTIFY)))
}

impl Drop for Notified {
    fn drop(&mut self) {
        let Some((child, deadline)) = &mut self.0 else {
            return;
        };
        while deadline.left().is_some() {
            if !matches!(child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}
