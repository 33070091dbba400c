//! stdout is the answer, stderr is commentary. Nothing else prints.

pub(crate) mod audit;
pub(crate) mod progress;
pub(crate) mod record;
pub(crate) mod time;
pub(crate) mod turn;

use std::io::{IsTerminal, Write};

/// Whom the answer is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// People; may change.
    #[default]
    Human,
    /// Programs; versioned and frozen.
    Json,
}

/// Writes to stdout; a closed pipe is no error.
pub(crate) fn out(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
}

/// Writes a line to stdout.
pub(crate) fn line(text: &str) {
    out(&format!("{text}\n"));
}

/// Writes a line to stderr.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Whether stdout may be coloured: a terminal, and `NO_COLOR` is not set.
pub(crate) fn colour() -> bool {
    std::io::stdout().is_terminal() && crate::world::environment::get("NO_COLOR").is_none()
}
