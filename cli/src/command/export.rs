//! `receipt export`: writes a receipt.

use crate::access::Access;
use crate::effect::file::write_whole;
use crate::error::{Error, Outcome};
use crate::home::Home;
use crate::output;
use crate::wire::ExportWish;
use receipt_receipts::report;
use receipt_receipts::show::show;
use std::path::PathBuf;

/// Write the signed receipt of a turn: one file that anyone verifies offline.
///
/// Facts are always disclosed: they name no path, command or prose. Everything
/// else is withheld unless asked for; what is withheld stays provable later.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// File to write; stdout if not given.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The newest verdict of this session, instead of the ledger's newest.
    #[arg(long)]
    session: Option<String>,
    /// The verdict of this record number.
    #[arg(long, value_name = "RECORD", conflicts_with = "session")]
    verdict: Option<u64>,
    /// Disclose the paths of files.
    #[arg(long)]
    paths: bool,
    /// Disclose the commands that ran.
    #[arg(long)]
    commands: bool,
    /// Disclose prompts and messages.
    #[arg(long)]
    texts: bool,
    /// Include the hook payloads as they were recorded (after redaction).
    #[arg(long)]
    with_evidence: bool,
    /// Print what would be disclosed, and write nothing.
    #[arg(long, conflicts_with = "output")]
    review: bool,
    /// The receipt itself, or what it says, for a pull request.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The receipt: a DSSE envelope, to be verified.
    #[default]
    Dsse,
    /// Markdown. It proves nothing by itself.
    Markdown,
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let home = Home::find()?;
    let receipt = Access::open(&home)?.receipt(ExportWish {
        session: arguments.session.clone(),
        verdict: arguments.verdict,
        paths: arguments.paths,
        commands: arguments.commands,
        texts: arguments.texts,
        evidence: arguments.with_evidence,
    })?;
    if arguments.review {
        output::out(&review(&receipt)?);
        return Ok(0);
    }
    let receipt = match arguments.format {
        Format::Dsse => receipt,
        Format::Markdown => report::markdown(&receipt)
            .map_err(Error::fault)?
            .into_bytes(),
    };
    match &arguments.output {
        None => output::out(&String::from_utf8_lossy(&receipt)),
        Some(path) => {
            write_whole(path, &receipt)?;
            output::note(&format!(
                "wrote {} ({} bytes)",
                path.display(),
                receipt.len()
            ));
        }
    }
    Ok(0)
}

/// Everything that is disclosed beside the facts, a line each, and how much is withheld.
fn review(receipt: &[u8]) -> Result<String, Error> {
    let shown = show(receipt).map_err(Error::fault)?;
    let mut text = String::new();
    let mut withheld = 0usize;
    for record in &shown.records {
        for group in &record.groups {
            match (&group.text, group.state) {
                (Some(said), _) if group.name != "facts" => {
                    let line = format!("#{} {}: {}\n", record.seq, group.name, printable(said));
                    text.push_str(&line);
                }
                (_, "withheld") => withheld += 1,
                _ => {}
            }
        }
        for item in record.evidence.iter().flatten() {
            text.push_str(&format!("#{} evidence: {}\n", record.seq, printable(item)));
        }
    }
    let records = shown.records.len();
    text.push_str(&format!(
        "facts of {records} records are disclosed; {withheld} groups of them are withheld\n"
    ));
    Ok(text)
}

fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
