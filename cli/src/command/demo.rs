//! `receipt demo`: the whole line on a captured session, in a throwaway folder.

use crate::error::{Error, Outcome};
use crate::output;
use crate::play::{Played, Ran, Stage};
use serde_json::Value;

/// Show the whole line on a captured session: block, repair, receipt, refusal.
///
/// Uses a throwaway ledger and project; nothing of yours is touched.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}

/// Runs it.
pub(crate) fn run(_: &Arguments) -> Outcome {
    let stage = Stage::new()?;
    output::line("A throwaway ledger with its own keys:");
    show(&stage.receipt(&["init", "--no-hooks"], b"")?)?;
    output::line("\nA captured session of Claude Code, one hook process per event:");
    stage.play(narrate)?;
    output::line("\nThe receipt of the repaired turn:");
    let file = stage.file("receipt.json").to_string_lossy().into_owned();
    show(&stage.receipt(&["export", "-o", &file], b"")?)?;
    let signers = stage.receipt(&["key", "show", "--format", "allowed-signers"], b"")?;
    let trust = stage.file("allowed_signers").to_string_lossy().into_owned();
    std::fs::write(&trust, &signers.out).map_err(Error::fault)?;
    output::line("\nA second person verifies it, with that file and the public key alone:");
    let good = stage.receipt(&["verify", &file, "--trust", &trust], b"")?;
    result(&good);
    output::line("\nThe same receipt with one byte flipped:");
    flip_middle_byte(&file)?;
    let bad = stage.receipt(&["verify", &file, "--trust", &trust], b"")?;
    result(&bad);
    output::line("\nThe whole ledger, every signature, link, commitment and index:");
    show(&stage.receipt(&["audit"], b"")?)?;
    if bad.code == 0 {
        return Err(Error::fault("a flipped byte was not noticed"));
    }
    Ok(u8::try_from(good.code).unwrap_or(1))
}

fn narrate(step: &Played) {
    if step.event == "batch-ended" || step.event == "tool-requested" {
        return;
    }
    output::line(&format!(
        "  {:<19} {}",
        step.event,
        step.what.lines().next().unwrap_or_default()
    ));
    if step.event != "stop-requested" {
        return;
    }
    let answer: Value = serde_json::from_str(&step.answer).unwrap_or_default();
    match answer.get("reason").and_then(Value::as_str) {
        Some(reason) => {
            output::line("  └─ REFUSED, and the agent is told:");
            for line in reason.lines() {
                output::line(&format!("     {line}"));
            }
        }
        None => output::line("  └─ allowed; nothing is printed"),
    }
}

fn show(ran: &Ran) -> Result<(), Error> {
    for line in ran.out.lines().chain(ran.err.lines()) {
        output::line(&format!("  {line}"));
    }
    if ran.code == 0 {
        Ok(())
    } else {
        Err(Error::fault("a step of the demo failed"))
    }
}

/// The first line of a verification, with its exit code.
fn result(ran: &Ran) {
    let first = ran
        .out
        .lines()
        .chain(ran.err.lines())
        .next()
        .unwrap_or_default();
    output::line(&format!("  {first}\n  (exit code {})", ran.code));
}

/// Flips one bit in the middle of a file.
pub(crate) fn flip_middle_byte(file: &str) -> Result<(), Error> {
    let mut bytes = std::fs::read(file).map_err(Error::fault)?;
    let middle = bytes.len() / 2;
    if let Some(byte) = bytes.get_mut(middle) {
        *byte ^= 1;
    }
    std::fs::write(file, bytes).map_err(Error::fault)
}
