//! How far a long command is: one line on stderr, for a person who watches.

use crate::world::clock::Deadline;
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// A command that is done sooner says nothing.
const QUIET: Duration = Duration::from_secs(1);

/// How often the line changes.
const PACE: Duration = Duration::from_millis(200);

/// A line that is written over until it is dropped. There is none where stderr is
/// no terminal, nor within the first second.
#[derive(Debug)]
pub(crate) struct Progress {
    what: &'static str,
    /// `None` where stderr is no terminal.
    next: Option<Deadline>,
    shown: bool,
}

impl Progress {
    /// Of a command that begins now.
    pub(crate) fn of(what: &'static str) -> Self {
        let watched = std::io::stderr().is_terminal();
        Self {
            what,
            next: watched.then(|| Deadline::after(QUIET)),
            shown: false,
        }
    }

    /// So many are done.
    pub(crate) fn tell(&mut self, done: u64, all: u64) {
        if self.next.is_some_and(|next| next.left().is_none()) {
            self.next = Some(Deadline::after(PACE));
            self.shown = true;
            let text = format!("\r{}: {done} of {all} records\x1b[K", self.what);
            write(&text);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            write("\r\x1b[K");
        }
    }
}

fn write(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr
        .write_all(text.as_bytes())
        .and_then(|()| stderr.flush());
}
