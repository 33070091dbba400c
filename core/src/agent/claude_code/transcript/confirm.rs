//! What a stretch of a transcript confirms: that calls had results, and what
//! people said. Only lines that can hold either are parsed.

use super::entry::Entry;
use super::prompt::{Note, note};
use super::split;
use crate::agent::claude_code::field::{filled, flag};
use alloc::string::String;
use alloc::vec::Vec;

/// What a stretch of a transcript holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Confirmed {
    /// Calls by the client's own ids, and whether their result is an error.
    pub results: Vec<(String, bool)>,
    /// What people typed.
    pub prompts: Vec<String>,
}

impl Confirmed {
    /// Reads a stretch that may begin and end within a line.
    pub fn read(&mut self, bytes: &[u8]) {
        let lines = bytes.split(|byte| *byte == b'\n');
        for line in lines.filter(|line| may_matter(line)) {
            for object in &split::objects(line) {
                if let Some(entry) = Entry::of(object) {
                    self.entry(&entry);
                }
            }
        }
    }

    fn entry(&mut self, entry: &Entry<'_>) {
        let results = entry.blocks_of("tool_result");
        self.results
            .extend(results.filter_map(|b| Some((filled(b, "tool_use_id")?, flag(b, "is_error")))));
        if entry.is_of_machine() {
            return;
        }
        let said = entry.kind() == "user" && entry.subagent.is_none() && !entry.is_meta();
        let texts = if said { entry.texts() } else { Vec::new() };
        let queued = entry.queued().filter(|_| entry.subagent.is_none());
        let texts = texts.into_iter().chain(queued.as_deref());
        self.prompts
            .extend(texts.filter_map(|text| match note(text) {
                Note::Prompt(text) => Some(text),
                _ => None,
            }));
    }
}

/// A cheap look: the client writes its own lines and spells these words plainly.
fn may_matter(line: &[u8]) -> bool {
    let has = |word: &[u8]| memchr::memmem::find(line, word).is_some();
    has(b"tool_result") || has(b"\"user\"") || has(b"queued_command")
}
