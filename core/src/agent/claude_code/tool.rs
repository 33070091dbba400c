//! Tool names and inputs.

use super::field::{filled, flag, items, string, text};
use crate::event::{Action, ToolCall};
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::Value;

/// The call of a payload with `tool_name`, `tool_input` and perhaps `tool_use_id`.
pub(super) fn call(object: &Value) -> ToolCall {
    let input = object.get("tool_input").unwrap_or(&Value::Null);
    named(
        filled(object, "tool_use_id"),
        string(object, "tool_name"),
        input,
    )
}

/// The call of that name and input.
pub(super) fn named(id: Option<String>, tool: String, input: &Value) -> ToolCall {
    let action = action(&tool, input);
    let mut names = Vec::new();
    paths(input, MAX_NESTING, &mut names);
    ToolCall {
        id,
        tool,
        action,
        names,
    }
}

/// Most paths of one input, and how deep they are looked for.
const MAX_PATHS: usize = 64;
const MAX_NESTING: usize = 4;

/// Whatever looks like a path, in the order of the input.
fn paths(input: &Value, nesting: usize, found: &mut Vec<String>) {
    match input {
        Value::String(text) if found.len() < MAX_PATHS && is_path(text) => found.push(text.clone()),
        Value::Object(members) if nesting > 0 => {
            members
                .values()
                .for_each(|v| paths(v, nesting.saturating_sub(1), found));
        }
        Value::Array(items) if nesting > 0 => {
            items
                .iter()
                .for_each(|v| paths(v, nesting.saturating_sub(1), found));
        }
        _ => {}
    }
}

/// A path that is absolute, of the user's folder, or a `file:` address.
fn is_path(text: &str) -> bool {
    let begins = text.starts_with(['/', '~', '$']) || text.starts_with("file://");
    begins && text.len() <= MAX_PATH && !text.contains('\n')
}

/// Longest text that may be a path (`PATH_MAX` of Linux).
const MAX_PATH: usize = 4_096;

fn action(tool: &str, input: &Value) -> Action {
    match tool {
        "Bash" | "PowerShell" => shell(input, flag(input, "run_in_background")),
        // A second tool that runs commands; always in the background.
        "Monitor" if text(input, "command").is_some() => shell(input, true),
        "Edit" | "MultiEdit" => Action::Edit {
            path: string(input, "file_path"),
            replacements: replacements(input),
        },
        "NotebookEdit" => notebook(input),
        "Write" => Action::Write {
            path: string(input, "file_path"),
            text: string(input, "content"),
        },
        "Agent" | "Task" => Action::Delegate,
        "CronCreate" | "ScheduleWakeup" => {
            filled(input, "prompt").map_or(Action::Read, |prompt| Action::Schedule { prompt })
        }
        _ if changes_nothing(tool) => Action::Read,
        _ => Action::Other,
    }
}

fn shell(input: &Value, background: bool) -> Action {
    Action::Shell {
        command: string(input, "command"),
        background,
    }
}

/// `Edit` has its texts at the top, `MultiEdit` has a list of them.
fn replacements(input: &Value) -> Vec<(String, String)> {
    let listed = items(input, "edits");
    if listed.is_empty() && text(input, "new_string").is_some() {
        return Vec::from([replacement(input)]);
    }
    listed.iter().map(replacement).collect()
}

fn replacement(edit: &Value) -> (String, String) {
    (string(edit, "old_string"), string(edit, "new_string"))
}

/// The input names the cell's new text only.
fn notebook(input: &Value) -> Action {
    let new = string(input, "new_source");
    let path = filled(input, "notebook_path").unwrap_or_else(|| string(input, "file_path"));
    Action::Edit {
        path,
        replacements: Vec::from([(string(input, "old_source"), new)]),
    }
}

/// Tools that look, ask or keep the client's own books.
fn changes_nothing(tool: &str) -> bool {
    matches!(
        tool,
        "Read"
            | "Glob"
            | "Grep"
            | "LS"
            | "NotebookRead"
            | "WebFetch"
            | "WebSearch"
            | "ToolSearch"
            | "LSP"
            | "TodoRead"
            | "TodoWrite"
            | "TaskCreate"
            | "TaskUpdate"
            | "TaskList"
            | "TaskGet"
            | "TaskOutput"
            | "TaskStop"
            | "BashOutput"
            | "AgentOutputTool"
            | "KillShell"
            | "KillBash"
            | "CronList"
            | "CronDelete"
            | "AskUserQuestion"
            | "EnterPlanMode"
            | "ExitPlanMode"
            | "ListMcpResourcesTool"
            | "ReadMcpResourceTool"
    )
}
