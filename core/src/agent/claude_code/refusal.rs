//! Texts that stand for a result when a call was refused or never ran.

/// Beginnings of such texts, after `Error: ` is taken off.
const STARTS: [&str; 16] = [
    "<tool_use_error>",
    "InputValidationError",
    "No such tool available",
    "This command requires approval",
    "Claude requested permissions to",
    "Permission to use ",
    "Permission for this action",
    "Auto mode is unavailable",
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action",
    "User rejected",
    "Tool use rejected",
    "Sibling tool call errored",
    "Cancelled: parallel tool call",
    "Bash operation blocked by hook",
    "Operation blocked by hook",
];

/// True if `text`, seen in place of a result, says that the call did not run.
pub(super) fn is_refusal(text: &str) -> bool {
    let text = without_error(text);
    STARTS.iter().any(|start| text.starts_with(start)) || by_hook(text) || outside_directories(text)
}

/// The text without leading space and without the client's `Error: `.
pub(super) fn without_error(text: &str) -> &str {
    let text = text.trim_start();
    text.strip_prefix("Error: ").unwrap_or(text)
}

/// `PreToolUse:Bash hook error: ...`, in the wordings of all versions.
fn by_hook(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("PreToolUse:") else {
        return false;
    };
    let line = rest.lines().next().unwrap_or_default();
    line.contains(" hook ") && (line.contains("error") || line.contains("block"))
}

/// `cd to '/x' was blocked. For security, ...`: refused before the shell saw it.
fn outside_directories(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    line.contains(" was blocked. For security, Claude Code ")
}
