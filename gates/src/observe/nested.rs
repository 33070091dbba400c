//! Prompts that a shell call hands to a client which it starts itself.

use crate::scheduled::MAX_SCHEDULED;
use crate::shell::{self, Segment, wrapper};
use alloc::string::String;
use alloc::vec::Vec;

/// Texts of a command that starts a client: each may be a prompt, and none is a
/// person's. `claude --resume ID -p '...'` submits one to the agent's own session.
pub(super) fn prompts(command: &str) -> Vec<String> {
    if !command.contains("claude") {
        return Vec::new();
    }
    let segments = shell::segments(command);
    if !segments.iter().any(starts_client) {
        return Vec::new();
    }
    let texts = segments.iter().flat_map(|segment| segment.texts().skip(1));
    let texts = texts.filter(|text| !text.is_empty() && !text.starts_with('-'));
    texts.take(MAX_SCHEDULED / 4).map(String::from).collect()
}

fn starts_client(segment: &Segment) -> bool {
    let words = wrapper::strip(&segment.words).words;
    let program = words.first().map(|word| wrapper::base_name(&word.text));
    matches!(program, Some("claude" | "claude-code"))
}
