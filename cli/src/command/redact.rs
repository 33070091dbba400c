//! `receipt redact`: withholds parts of a receipt, without the ledger.

use crate::effect::file::{read_limited, write_whole};
use crate::error::{Error, Outcome};
use crate::output;
use receipt_core::limits::MAX_RECEIPT;
use receipt_receipts::disclose::Disclose;
use receipt_receipts::redact::redact;
use std::path::PathBuf;

/// Withhold parts of a receipt that you have; its signature still holds.
///
/// Needs no ledger and no key. All but the facts is dropped; `--keep` names what
/// stays. The facts name no path, command or prose, and the gates fold them alone, so
/// the result verifies as before. What is withheld stays provable: whoever has the
/// fuller file can show that it belongs to this one.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The receipt; `-` for stdin.
    file: PathBuf,
    /// File to write; stdout if not given.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What stays disclosed beside the facts, as far as it is: paths, commands, texts,
    /// evidence.
    #[arg(long, value_delimiter = ',', value_parser = part)]
    keep: Vec<Part>,
}

/// A part of the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Paths,
    Commands,
    Texts,
    Evidence,
}

fn part(word: &str) -> Result<Part, String> {
    match word {
        "paths" => Ok(Part::Paths),
        "commands" => Ok(Part::Commands),
        "texts" => Ok(Part::Texts),
        "evidence" => Ok(Part::Evidence),
        _ => Err("one of paths, commands, texts, evidence".to_owned()),
    }
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let has = |part| arguments.keep.contains(&part);
    let keep = Disclose {
        facts: true,
        paths: has(Part::Paths),
        commands: has(Part::Commands),
        texts: has(Part::Texts),
        evidence: has(Part::Evidence),
    };
    let file = read_limited(&arguments.file, MAX_RECEIPT)?;
    let redacted = redact(&file, keep)
        .map_err(|e| Error::input(format!("{}: {e}", arguments.file.display())))?;
    match &arguments.output {
        None => output::out(&String::from_utf8_lossy(&redacted)),
        Some(path) => {
            write_whole(path, &redacted)?;
            let (size, path) = (redacted.len(), path.display());
            output::note(&format!("wrote {path} ({size} bytes)"));
        }
    }
    Ok(0)
}
