//! What the text in a user entry is: a person's prompt, or one of the client's own notes.

use crate::agent::claude_code::origin::{of_text, without_context};
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
    match of_text(text) {
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
