//! `receipt audit`: checks the whole ledger.

use crate::access::{Access, unexpected};
use crate::error::Outcome;
use crate::home::Home;
use crate::output::progress::Progress;
use crate::output::{self, Format};
use crate::wire::{Query, Reply};

/// Check every signature, link, commitment, index and checkpoint of the ledger.
///
/// Exits 0 if all hold, 40 with the first fault and its record otherwise.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Exit code for a ledger that does not hold together (`spec/cli.md`).
const INVALID: u8 = 40;

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let home = Home::find()?;
    let mut progress = Progress::of("audit");
    let reply =
        Access::open(&home)?.ask_long(Query::Audit, &mut |done, all| progress.tell(done, all))?;
    drop(progress);
    let Reply::Audit { report, sound } = reply else {
        return Err(unexpected());
    };
    match arguments.format {
        Format::Json => output::line(&report),
        Format::Human => output::line(&output::audit::human(&report)),
    }
    Ok(if sound { 0 } else { INVALID })
}
