//! `receipt scan`: judges turns of a transcript.

use crate::error::Outcome;
use std::path::PathBuf;

/// Judge the last turn of a transcript.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A transcript.
    file: PathBuf,
}

/// Runs it.
pub(crate) fn run(_: &Arguments) -> Outcome {
    Ok(0)
}
