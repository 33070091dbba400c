//! A recorded event as a line for the judge.

use alloc::format;
use alloc::string::String;
use receipt_core::event::{Action, Event, EventKind, ToolCall};

/// Characters of a tool's output that are shown: its end.
const MAX_OUTPUT: usize = 600;

/// The line; nothing where the event says nothing about the work.
#[must_use]
pub fn record(seq: u64, event: &Event) -> Option<String> {
    let text = match &event.kind {
        EventKind::PromptSubmitted { text, .. } => format!("prompt: {text}"),
        EventKind::ToolSucceeded { call, result } => {
            format!("{}: {}", called(call), end(&result.output))
        }
        EventKind::ToolFailed { call, result } => {
            format!("{} failed: {}", called(call), end(&result.output))
        }
        EventKind::ToolDenied { call, .. } => format!("{} was refused", called(call)),
        EventKind::SubagentStopped { message } => format!("subagent: {message}"),
        EventKind::StopFailed { error } => format!("stopped by an error: {error}"),
        _ => return None,
    };
    Some(format!("#{seq} {text}"))
}

fn called(call: &ToolCall) -> String {
    match &call.action {
        Action::Shell { command, .. } => format!("`{command}`"),
        Action::Edit { path, .. } | Action::Write { path, .. } => format!("{} {path}", call.tool),
        _ => call.tool.clone(),
    }
}

fn end(output: &str) -> String {
    let skip = output.chars().count().saturating_sub(MAX_OUTPUT);
    output.chars().skip(skip).collect()
}
