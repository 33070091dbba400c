//! `receipt selftest`: does this binary block, sign, verify and refuse, here?

use crate::command::demo::flip_middle_byte;
use crate::error::{Error, Outcome};
use crate::output;
use crate::play::{Played, Stage};

/// Check in a throwaway folder that this binary blocks, records and verifies.
///
/// Exits 0 if every line is ok, 1 otherwise.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}

/// Runs it.
pub(crate) fn run(_: &Arguments) -> Outcome {
    let stage = Stage::new()?;
    let mut tally = Tally { all: true };
    let init = stage.receipt(&["init", "--no-hooks"], b"")?;
    tally.check("keys and ledger can be made", init.code == 0);
    let played = stage.play(|_| {})?;
    gate(&played, &mut tally);
    let audit = stage.receipt(&["audit"], b"")?;
    tally.check("the ledger is sound", audit.code == 0);
    receipt(&stage, &mut tally)?;
    Ok(u8::from(!tally.all))
}

struct Tally {
    all: bool,
}

impl Tally {
    fn check(&mut self, what: &str, good: bool) {
        output::line(&format!(
            "{}  {what}",
            if good { "ok    " } else { "FAILED" }
        ));
        self.all &= good;
    }
}

fn gate(played: &[Played], tally: &mut Tally) {
    let stops: Vec<&Played> = played
        .iter()
        .filter(|p| p.event == "stop-requested")
        .collect();
    let blocked = |p: &&&Played| p.answer.contains("\"decision\":\"block\"");
    tally.check(
        "a stop after a failed check is refused",
        stops.first().is_some_and(|p| blocked(&p)),
    );
    let allowed = stops.last().is_some_and(|p| p.answer.is_empty());
    tally.check(
        "the repaired turn may stop, and nothing is printed",
        allowed,
    );
    let mut others = played.iter().filter(|p| p.event != "stop-requested");
    tally.check(
        "no other event prints anything",
        others.all(|p| p.answer.is_empty()),
    );
}

fn receipt(stage: &Stage, tally: &mut Tally) -> Result<(), Error> {
    let file = stage.file("receipt.json").to_string_lossy().into_owned();
    let export = stage.receipt(&["export", "-o", &file], b"")?;
    tally.check("a receipt can be exported", export.code == 0);
    let signers = stage.receipt(&["key", "show", "--format", "allowed-signers"], b"")?;
    let trust = stage.file("allowed_signers").to_string_lossy().into_owned();
    std::fs::write(&trust, &signers.out).map_err(Error::fault)?;
    let verify = ["verify", &file, "--trust", &trust, "--accept", "unanchored"];
    tally.check(
        "it verifies on the public key alone",
        stage.receipt(&verify, b"")?.code == 0,
    );
    flip_middle_byte(&file)?;
    let refused = stage.receipt(&verify, b"")?;
    tally.check(
        "with one byte flipped it does not",
        refused.code != 0 && !refused.out.contains("VERIFIED"),
    );
    Ok(())
}
