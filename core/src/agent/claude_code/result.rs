//! What came of a tool call.

use super::changes;
use super::field::{block_text, filled, flag, string, text};
use super::refusal::{is_refusal, without_error};
use crate::event::{Action, ToolCall, ToolResult};
use alloc::string::String;
use serde_json::Value;

/// The result of a call that the client counts as a success.
pub(super) fn success(call: &ToolCall, response: &Value) -> ToolResult {
    let mut result = match response {
        Value::Object(_) => structured(call, response),
        Value::Null => ToolResult {
            changes: changes::asked_for(call, ""),
            ..ToolResult::default()
        },
        other => plain(call, block_text(other)),
    };
    result.background |= asked_for_background(call);
    if result.background || result.interrupted {
        result.exit = None;
    }
    result
}

/// The result of a call that the client counts as failed: `Exit code N`, a
/// newline and the output, or (client 1.x) the bare output.
pub(super) fn failure(error: &str) -> ToolResult {
    let error = without_error(error);
    let (exit, output) = match exit_code(error) {
        Some((code, rest)) => (Some(code), rest),
        None => (None, error),
    };
    ToolResult {
        exit,
        interrupted: exit.is_none() && says_interrupted(error),
        not_run: exit.is_none() && is_refusal(error),
        truncated: says_truncated(output),
        output: String::from(output),
        ..ToolResult::default()
    }
}

/// A structured response: an object whose fields depend on the tool.
fn structured(call: &ToolCall, response: &Value) -> ToolResult {
    let output = match call.action {
        // Its `content` is the file's text, which the call itself holds.
        Action::Edit { .. } | Action::Write { .. } => String::new(),
        _ => output(response),
    };
    let changes = changes::of(call, response);
    let harmless = filled(response, "returnCodeInterpretation").is_some();
    ToolResult {
        exit: exit(call, response, harmless),
        exit_harmless: harmless,
        interrupted: flag(response, "interrupted"),
        background: went_to_background(response),
        truncated: text(response, "persistedOutputPath").is_some() || says_truncated(&output),
        output_file: filled(response, "persistedOutputPath")
            .or_else(|| filled(response, "rawOutputPath")),
        not_run: false,
        changes: changes.known,
        changed_paths: changes.unexplained,
        output,
    }
}

/// A response that is only text, as old clients and some tools give it.
fn plain(call: &ToolCall, output: String) -> ToolResult {
    let failed = output.starts_with("Error: ") || exit_code(&output).is_some();
    if failed || is_refusal(&output) {
        return failure(&output);
    }
    let background = output.starts_with("Command running in background with ID")
        || output.starts_with("Command was manually backgrounded");
    let output_file = persisted(&output);
    ToolResult {
        exit: is_shell(call).then_some(0),
        background: is_shell(call) && background,
        truncated: output_file.is_some() || says_truncated(&output),
        changes: changes::asked_for(call, &output),
        output_file,
        output,
        ..ToolResult::default()
    }
}

fn is_shell(call: &ToolCall) -> bool {
    matches!(call.action, Action::Shell { .. })
}

fn asked_for_background(call: &ToolCall) -> bool {
    matches!(
        call.action,
        Action::Shell {
            background: true,
            ..
        }
    )
}

fn went_to_background(response: &Value) -> bool {
    filled(response, "backgroundTaskId").is_some()
        || response
            .get("timedOutAfterMs")
            .is_some_and(|value| !value.is_null())
        || flag(response, "assistantAutoBackgrounded")
        || flag(response, "backgroundedByUser")
}

/// A shell's success is 0, or a code the client thinks harmless and does not
/// name; background output tools state it.
fn exit(call: &ToolCall, response: &Value, harmless: bool) -> Option<i32> {
    let stated = response
        .get("exitCode")
        .or_else(|| response.get("task")?.get("exitCode"))
        .and_then(Value::as_i64)
        .and_then(|code| i32::try_from(code).ok());
    match (stated, is_shell(call)) {
        (Some(code), _) => Some(code),
        (None, true) => Some(i32::from(harmless)),
        (None, false) => None,
    }
}

/// The text of the fields that hold what the model sees.
fn output(response: &Value) -> String {
    if flag(response, "isImage") {
        return String::new();
    }
    if text(response, "stdout").is_some() || text(response, "stderr").is_some() {
        return joined(string(response, "stdout"), text(response, "stderr"));
    }
    let nested = |outer: &str, inner: &str| response.get(outer)?.get(inner);
    nested("file", "content")
        .or_else(|| nested("task", "output"))
        .or_else(|| response.get("content"))
        .or_else(|| response.get("output"))
        .or_else(|| response.get("result"))
        .map(block_text)
        .unwrap_or_default()
}

fn joined(mut stdout: String, stderr: Option<&str>) -> String {
    let stderr = stderr.unwrap_or_default();
    if !stdout.is_empty() && !stderr.is_empty() && !stdout.ends_with('\n') {
        stdout.push('\n');
    }
    stdout.push_str(stderr);
    stdout
}

/// `Exit code N` on the first line, and what follows it.
fn exit_code(text: &str) -> Option<(i32, &str)> {
    let rest = text.strip_prefix("Exit code ")?;
    let (line, output) = rest.split_once('\n').unwrap_or((rest, ""));
    let code = line.trim_end().parse().ok()?;
    Some((code, output))
}

fn says_interrupted(error: &str) -> bool {
    error.starts_with("[Request interrupted by user")
        || error.starts_with("Request was aborted")
        || error.starts_with("Command timed out after ")
        || error.starts_with("Command was aborted")
}

/// `... [20012 characters truncated] ...`, or in lines.
fn says_truncated(output: &str) -> bool {
    [" characters truncated]", " lines truncated]"]
        .iter()
        .any(|mark| {
            output
                .match_indices(mark)
                .any(|(at, _)| ends_in_count(output, at))
        })
}

fn ends_in_count(output: &str, at: usize) -> bool {
    let before = output.get(..at).unwrap_or_default();
    let digits = before.trim_end_matches(|digit: char| digit.is_ascii_digit());
    digits.len() < before.len() && digits.ends_with('[')
}

/// The path in a `<persisted-output>` note.
fn persisted(output: &str) -> Option<String> {
    let note = output.strip_prefix("<persisted-output>")?;
    let (_, rest) = note.split_once("saved to: ")?;
    rest.lines().next().map(|path| String::from(path.trim()))
}
