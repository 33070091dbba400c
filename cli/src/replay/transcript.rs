//! Turns of a transcript, judged one after the other.

use super::{Replay, Seen, lines};
use crate::error::Error;
use receipt_core::agent::claude_code::transcript::{Reader, Turn};
use receipt_core::event::EventKind;
use receipt_gates::profile::Profile;
use receipt_gates::verdict::VerdictFacts;
use std::path::Path;

/// One turn, judged.
#[derive(Debug)]
pub(crate) struct Scanned {
    /// Its number in the file, from 1.
    pub(crate) number: u64,
    /// The agent ended it by itself. Without that, the verdict is the one that a
    /// stop would have got, and the turn's work goes on into the next turn.
    pub(crate) stopped: bool,
    /// The verdict.
    pub(crate) verdict: VerdictFacts,
    /// Names, edits, checks and claims.
    pub(crate) seen: Seen,
}

/// Judges every turn of a transcript in order; `each` sees them one by one.
/// Only one turn is held in memory. Returns how many lines could not be read.
///
/// # Errors
/// Where the file cannot be read.
pub(crate) fn scan(path: &Path, mut each: impl FnMut(Scanned)) -> Result<u64, Error> {
    let mut reader = Reader::new();
    let mut past = Past::new();
    lines::read(path, |piece| {
        reader.push(piece);
        past.turns(reader.drain(), &mut each);
    })
    .map_err(|e| Error::input(format!("{}: {e}", path.display())))?;
    let rest = reader.finish();
    past.turns(rest.turns, &mut each);
    Ok(rest.skipped_lines)
}

/// A session that is over, being replayed.
struct Past {
    replay: Replay,
    turns: u64,
}

impl Past {
    fn new() -> Self {
        Self {
            replay: Replay::new(Profile::default(), None),
            turns: 0,
        }
    }

    fn turns(&mut self, turns: Vec<Turn>, each: &mut impl FnMut(Scanned)) {
        for turn in turns {
            self.turns = self.turns.saturating_add(1);
            if let Some(scanned) = self.turn(&turn) {
                each(scanned);
            }
        }
    }

    fn turn(&mut self, turn: &Turn) -> Option<Scanned> {
        for event in &turn.events {
            self.replay.event(event);
        }
        let last = turn.events.last()?;
        let stopped = matches!(last.kind, EventKind::StopRequested { .. });
        let (verdict, seen) = if stopped {
            let verdict = self.replay.judge_past()?;
            (verdict, self.replay.seen().clone())
        } else {
            self.replay.preview(last)?
        };
        Some(Scanned {
            number: self.turns,
            stopped,
            verdict,
            seen,
        })
    }
}
