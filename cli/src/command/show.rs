//! `receipt show`: looks at a record or a receipt without trusting it.

use crate::access::Access;
use crate::effect::file::read_limited;
use crate::error::{Error, Outcome};
use crate::home::Home;
use crate::output;
use receipt_core::limits::MAX_RECEIPT;
use std::path::Path;

/// Show a record of the ledger, or a receipt file, as JSON.
///
/// Nothing is verified: use `receipt audit` for the ledger and `receipt
/// verify` for a receipt.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A record number, or a receipt file (`-` for stdin).
    what: String,
    /// Also show a record's evidence: the payload as it was recorded.
    #[arg(long)]
    evidence: bool,
    /// Output format; Markdown is for receipts alone.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// How it is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// JSON.
    #[default]
    Json,
    /// Markdown, as for a pull request.
    Markdown,
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let number = arguments.what.trim_start_matches('#').parse::<u64>();
    let text = match number {
        Ok(_) if arguments.format == Format::Markdown => {
            return Err(Error::usage("a record is shown as JSON alone"));
        }
        Ok(seq) => {
            let record = Access::open(&Home::find()?)?.record(seq)?;
            output::record::json(&record, arguments.evidence)
        }
        Err(_) => {
            let file = read_limited(Path::new(&arguments.what), MAX_RECEIPT)
                .map_err(|e| e.hint("give a record number, a receipt file, or `-` for stdin"))?;
            if arguments.format == Format::Markdown {
                let markdown = receipt_receipts::report::markdown(&file)
                    .map_err(|e| Error::input(format!("{}: {e}", arguments.what)))?;
                output::out(&markdown);
                return Ok(0);
            }
            let shown = receipt_receipts::show::show(&file)
                .map_err(|e| Error::input(format!("{}: {e}", arguments.what)))?;
            serde_json::to_value(&shown).map_err(Error::fault)?
        }
    };
    output::line(&serde_json::to_string_pretty(&text).unwrap_or_default());
    Ok(0)
}
