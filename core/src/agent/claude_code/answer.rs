//! What a hook prints for Claude Code.

use crate::agent::Answer;
use alloc::string::{String, ToString};
use serde_json::json;

/// Longest reason or notice, in characters. The client hands a block reason to
/// the model in full and twice, whatever its length.
pub const MAX_REASON: usize = 9_000;

/// The one JSON object to print, or `None` to print nothing.
#[must_use]
pub fn answer(answer: Answer) -> Option<String> {
    let object = match answer {
        Answer::Silent => return None,
        Answer::Block { reason } => json!({"decision": "block", "reason": capped(&reason)}),
        Answer::Notice { text } => json!({"systemMessage": capped(&text)}),
        Answer::Deny { reason } => json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": capped(&reason),
        }}),
    };
    Some(object.to_string())
}

fn capped(text: &str) -> String {
    text.chars().take(MAX_REASON).collect()
}
