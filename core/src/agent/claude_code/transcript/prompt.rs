//! What the text in a user entry is: a person's prompt, or one of the client's own notes.

use crate::agent::claude_code::payload::origin;
use crate::event::PromptOrigin;
use alloc::format;
use alloc::string::{String, ToString};

/// One text of a user entry.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// A person's words.
    Prompt(String),
    /// A prompt by the client itself: a background task has ended.
    Machine(String),
    /// A slash command. Whether it reaches the model shows only in what follows.
    Command(String),
    /// Output of a local command: no model call follows from it.
    LocalOutput,
    /// The user interrupted the agent.
    Interrupt,
    /// Context, and nothing that anybody said.
    Nothing,
}

/// Context that the client wraps into tags beside or inside a prompt.
const CONTEXT_TAGS: [&str; 5] = [
    "system-reminder",
    "user-prompt-submit-hook",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
];

/// Tells what `text` is.
pub(super) fn note(text: &str) -> Note {
    let text = without_context(text);
    let text = text.trim();
    if text.is_empty() {
        return Note::Nothing;
    }
    if text.starts_with("[Request interrupted by user") {
        return Note::Interrupt;
    }
    if text.starts_with("<task-notification>") || text.starts_with("[SYSTEM NOTIFICATION") {
        return Note::Machine(text.to_string());
    }
    if is_local(text) {
        return Note::LocalOutput;
    }
    if text.starts_with("<command-name>") || text.starts_with("<command-message>") {
        return command(text).map_or(Note::Nothing, Note::Command);
    }
    match origin(text) {
        PromptOrigin::Human => Note::Prompt(text.to_string()),
        PromptOrigin::Machine => Note::Nothing,
    }
}

/// What a person ran in the client itself.
fn is_local(text: &str) -> bool {
    [
        "<local-command-stdout>",
        "<local-command-stderr>",
        "<bash-input>",
        "<bash-stdout>",
    ]
    .iter()
    .any(|tag| text.starts_with(tag))
}

/// `/name arguments`, as it was typed.
fn command(text: &str) -> Option<String> {
    let name = tagged(text, "command-name").or_else(|| tagged(text, "command-message"))?;
    let arguments = tagged(text, "command-args").unwrap_or_default();
    Some(format!("{name} {arguments}").trim().to_string())
}

/// The text between `<tag>` and `</tag>`.
fn tagged<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{tag}>"))?;
    let (inner, _) = rest.split_once(&format!("</{tag}>"))?;
    Some(inner.trim())
}

fn without_context(text: &str) -> String {
    let mut text = text.to_string();
    for tag in CONTEXT_TAGS {
        if text.contains(&format!("<{tag}>")) {
            text = without(&text, tag);
        }
    }
    text
}

/// The text without every `<tag>...</tag>`; an unclosed one stays.
fn without(text: &str, tag: &str) -> String {
    let open = format!("<{tag}>");
    let close = format!("</{tag}>");
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(&open) {
        let Some((_, behind)) = after.split_once(&close) else {
            break;
        };
        kept.push_str(before);
        rest = behind;
    }
    kept.push_str(rest);
    kept
}
