//! Transcripts: what a session left behind, as the events its hooks would have sent.
//!
//! The format is the client's own and undocumented; everything here is observed
//! (spec/event.md, "Transcripts"). What is not understood is passed over, never an error.

mod builder;
mod confirm;
mod entry;
mod prompt;
mod split;

use crate::event::Event;
use alloc::vec::Vec;
use builder::Builder;
pub use confirm::Confirmed;

/// Longest line that is read; longer ones are skipped and counted.
pub const MAX_LINE: usize = 16 << 20;

/// A whole transcript.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Transcript {
    /// The turns, in file order.
    pub turns: Vec<Turn>,
    /// Lines that were too long or held no JSON object.
    pub skipped_lines: u64,
}

/// What happened from one human prompt up to the next.
///
/// A transcript that begins in the middle of a turn has a first turn without a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Turn {
    /// The events. The last one is a stop request if the agent ended the turn
    /// by itself; a turn that was interrupted, failed, or whose last message
    /// still called a tool has none.
    pub events: Vec<Event>,
    /// The user interrupted the agent.
    pub interrupted: bool,
}

/// Reads a transcript piece by piece, with bounded memory per line.
#[derive(Debug, Default)]
pub struct Reader {
    lines: split::Lines,
    builder: Builder,
}

impl Reader {
    /// A reader at the start of a transcript.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the next bytes of the file, cut anywhere.
    pub fn push(&mut self, chunk: &[u8]) {
        let builder = &mut self.builder;
        self.lines.push(chunk, |line| builder.line(line));
    }

    /// Hands out the turns that are over, so that a long file need not be held
    /// in memory. [`Self::finish`] then gives only those that are left.
    #[must_use]
    pub fn drain(&mut self) -> Vec<Turn> {
        self.builder.drain()
    }

    /// Ends the last turn and gives all that were not handed out before.
    #[must_use]
    pub fn finish(mut self) -> Transcript {
        let builder = &mut self.builder;
        let overlong = self.lines.finish(|line| builder.line(line));
        let mut transcript = self.builder.finish();
        transcript.skipped_lines += overlong;
        transcript
    }
}

/// When a line was written, as text that sorts by time. The first time in it is
/// taken, so the answer is good for putting lines in order and for nothing else.
#[must_use]
pub fn time(line: &[u8]) -> Option<&[u8]> {
    const FIELD: &[u8] = b"\"timestamp\":\"";
    let at = line.windows(FIELD.len()).position(|part| part == FIELD)?;
    let text = line.get(at.checked_add(FIELD.len())?..)?;
    let end = text.iter().position(|byte| *byte == b'"')?;
    text.get(..end)
}

/// Reads a whole transcript.
#[must_use]
pub fn parse(bytes: &[u8]) -> Transcript {
    let mut reader = Reader::new();
    reader.push(bytes);
    reader.finish()
}
