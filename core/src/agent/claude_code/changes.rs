//! File changes that the client itself reports with a result.

use super::field::{filled, flag, items, string, text};
use crate::agent::lines;
use crate::event::{Action, Before, FileChange, ToolCall};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::Value;

/// The changes of one call.
#[derive(Default)]
pub(super) struct Changes {
    /// Changes with their lines.
    pub(super) known: Vec<FileChange>,
    /// Files named as changed, and no more.
    pub(super) unexplained: Vec<String>,
}

/// The changes that `response` reports for a successful `call`.
pub(super) fn of(call: &ToolCall, response: &Value) -> Changes {
    let known = match &call.action {
        Action::Shell { .. } => return shell(response),
        Action::Edit { path, .. } if is_notebook(response) => notebook(path, response),
        Action::Edit { path, replacements } => edit(path, replacements, response),
        Action::Write { path, text } => write(path, text, response),
        Action::Read | Action::Delegate | Action::Schedule { .. } | Action::Other => {
            return shell(response);
        }
    };
    Changes {
        known: known.into_iter().filter(changes_something).collect(),
        unexplained: Vec::new(),
    }
}

/// The changes that a successful `call` asked for, where its response is only
/// text: a subagent's own transcript has no more.
pub(super) fn asked_for(call: &ToolCall, output: &str) -> Vec<FileChange> {
    let mut changes = of(call, &Value::Null).known;
    if output.starts_with("File created successfully") {
        for change in &mut changes {
            change.before = Before::Absent;
        }
    }
    changes
}

/// An empty difference is a change only where a file came into being.
fn changes_something(change: &FileChange) -> bool {
    change.before != Before::Known || !change.added.is_empty() || !change.removed.is_empty()
}

fn named(path: &str, response: &Value, field: &str) -> String {
    filled(response, field).unwrap_or_else(|| path.to_owned())
}

fn known(path: String, (added, removed): (Vec<String>, Vec<String>)) -> FileChange {
    FileChange {
        path,
        added,
        removed,
        before: Before::Known,
    }
}

fn created(path: String, text: &str) -> FileChange {
    FileChange {
        path,
        added: lines::of(text),
        removed: Vec::new(),
        before: Before::Absent,
    }
}

fn edit(path: &str, replacements: &[(String, String)], response: &Value) -> Vec<FileChange> {
    let path = named(path, response, "filePath");
    let original = original(response);
    let hunks = items(response, "structuredPatch");
    if original == Original::Absent && replacements.iter().all(|(old, _)| old.is_empty()) {
        let text: String = replacements.iter().map(|(_, new)| new.as_str()).collect();
        return Vec::from([created(path, &text)]);
    }
    if !hunks.is_empty() {
        return Vec::from([known(path, hunk_lines(hunks))]);
    }
    if let Original::Text(old) = original {
        let new = replaced(old, replacements, flag(response, "replaceAll"));
        return Vec::from([known(path, lines::diff(old, &new))]);
    }
    let diffs = replacements.iter().map(|(old, new)| lines::diff(old, new));
    let all = diffs.fold((Vec::new(), Vec::new()), |mut all, (added, removed)| {
        all.0.extend(added);
        all.1.extend(removed);
        all
    });
    Vec::from([known(path, all)])
}

fn replaced(old: &str, replacements: &[(String, String)], all: bool) -> String {
    let mut text = old.to_owned();
    for (from, to) in replacements.iter().filter(|(from, _)| !from.is_empty()) {
        text = if all {
            text.replace(from, to)
        } else {
            text.replacen(from, to, 1)
        };
    }
    text
}

#[derive(PartialEq, Eq)]
enum Original<'a> {
    /// The file's old text.
    Text(&'a str),
    /// There was no file.
    Absent,
    /// Nothing is said.
    Unknown,
}

/// `originalFile`, or `originalFileContents` as `MultiEdit` had it; null is no file.
fn original(response: &Value) -> Original<'_> {
    let field = response
        .get("originalFile")
        .or_else(|| response.get("originalFileContents"));
    match field {
        Some(Value::String(text)) => Original::Text(text),
        Some(Value::Null) => Original::Absent,
        _ => Original::Unknown,
    }
}

fn write(path: &str, input: &str, response: &Value) -> Vec<FileChange> {
    let path = named(path, response, "filePath");
    let new = text(response, "content").unwrap_or(input);
    let original = original(response);
    let update = text(response, "type") == Some("update");
    let create = text(response, "type") == Some("create");
    if create || (!update && original == Original::Absent) {
        return Vec::from([created(path, new)]);
    }
    let hunks = items(response, "structuredPatch");
    if !hunks.is_empty() {
        return Vec::from([known(path, hunk_lines(hunks))]);
    }
    if let Original::Text(old) = original {
        return Vec::from([known(path, lines::diff(old, new))]);
    }
    Vec::from([FileChange {
        before: Before::Unknown,
        ..created(path, new)
    }])
}

fn is_notebook(response: &Value) -> bool {
    text(response, "notebook_path").is_some() || text(response, "new_source").is_some()
}

/// Compares the cells' text: what stands around it in the file is no code.
fn notebook(path: &str, response: &Value) -> Vec<FileChange> {
    if filled(response, "error").is_some() {
        return Vec::new();
    }
    let path = named(path, response, "notebook_path");
    let cells = |field| text(response, field).and_then(cell_text);
    if let (Some(old), Some(new)) = (cells("original_file"), cells("updated_file")) {
        return Vec::from([known(path, lines::diff(&old, &new))]);
    }
    let new = string(response, "new_source");
    let old = text(response, "old_source");
    let change = match (text(response, "edit_mode"), old) {
        (Some("insert"), _) => known(path, (lines::of(&new), Vec::new())),
        (Some("delete"), old) => known(path, (Vec::new(), lines::of(old.unwrap_or_default()))),
        (_, Some(old)) => known(path, lines::diff(old, &new)),
        (_, None) => FileChange {
            before: Before::Unknown,
            ..created(path, &new)
        },
    };
    Vec::from([change])
}

/// The sources of a notebook's cells, one after the other.
fn cell_text(file: &str) -> Option<String> {
    let file: Value = serde_json::from_str(file).ok()?;
    let cells = file.get("cells")?.as_array()?;
    let mut text = String::new();
    for cell in cells {
        match cell.get("source") {
            Some(Value::String(source)) => text.push_str(source),
            Some(Value::Array(parts)) => parts
                .iter()
                .filter_map(Value::as_str)
                .for_each(|part| text.push_str(part)),
            _ => {}
        }
        text.push('\n');
    }
    Some(text)
}

/// `bashEditDiff`: what a command did to files, as far as the client looked.
fn shell(response: &Value) -> Changes {
    let Some(diff) = response.get("bashEditDiff") else {
        return Changes::default();
    };
    let known: Vec<FileChange> = items(diff, "files").iter().map(shell_file).collect();
    let unexplained = items(diff, "changedFiles")
        .iter()
        .filter_map(Value::as_str)
        .filter(|path| known.iter().all(|change| change.path != *path))
        .map(ToOwned::to_owned)
        .collect();
    Changes { known, unexplained }
}

fn shell_file(file: &Value) -> FileChange {
    let mut change = known(string(file, "filePath"), hunk_lines(items(file, "hunks")));
    if flag(file, "created") {
        change.before = Before::Absent;
    }
    change
}

/// Added and removed lines of hunks, whose lines begin with `+`, `-` or a space.
fn hunk_lines(hunks: &[Value]) -> (Vec<String>, Vec<String>) {
    let mut added = Vec::new();
    let mut removed = Vec::new();
    let all = hunks.iter().flat_map(|hunk| items(hunk, "lines"));
    for line in all.filter_map(Value::as_str) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if let Some(text) = line.strip_prefix('+') {
            added.push(text.to_owned());
        } else if let Some(text) = line.strip_prefix('-') {
            removed.push(text.to_owned());
        }
    }
    (added, removed)
}
