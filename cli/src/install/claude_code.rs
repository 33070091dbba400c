//! Claude Code: which events are wired, and how an entry looks (`spec/hook.md`).

use super::span::{self, Member};
use serde_json::Value;
use std::ops::Range;
use std::path::Path;

/// The events that are wired, with their time-outs in seconds. Left out on
/// purpose: WorktreeCreate (a silent handler breaks it), PermissionRequest,
/// MessageDisplay (delays the display), FileChanged.
const EVENTS: [(&str, u32); 17] = [
    ("SessionStart", 10),
    ("UserPromptSubmit", 10),
    ("PreToolUse", 10),
    ("PostToolUse", 10),
    ("PostToolUseFailure", 10),
    ("PostToolBatch", 10),
    ("PermissionDenied", 10),
    ("SubagentStart", 10),
    ("SubagentStop", 10),
    ("Stop", 60),
    ("StopFailure", 10),
    ("ConfigChange", 10),
    ("CwdChanged", 10),
    ("PreCompact", 10),
    ("PostCompact", 10),
    ("Notification", 10),
    ("SessionEnd", 5),
];

/// The handler that is wired.
#[derive(Debug, Clone)]
pub(crate) struct Handler {
    /// Absolute path of this program.
    program: String,
    /// The ledger's home, where it is not the default one.
    home: Option<String>,
    /// The file that names the system service, where it is not the machine's.
    system: Option<String>,
}

impl Handler {
    /// The handler of a program.
    pub(crate) fn new(program: &Path, home: Option<&Path>, system: Option<&Path>) -> Self {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        Self {
            program: text(program),
            home: home.map(text),
            system: system.map(text),
        }
    }

    /// The arguments of the hook line.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let mut arguments = vec!["hook".to_owned(), "claude-code".to_owned()];
        for (name, value) in [("--home", &self.home), ("--system", &self.system)] {
            if let Some(value) = value {
                arguments.extend([name.to_owned(), value.clone()]);
            }
        }
        arguments
    }

    /// One matcher group, in exec form: no shell, nothing to quote.
    fn group(&self, timeout: u32) -> String {
        let text = |value: &str| Value::String(value.to_owned()).to_string();
        let arguments: Vec<String> = self.arguments().iter().map(|a| text(a)).collect();
        format!(
            r#"{{ "hooks": [{{ "type": "command", "command": {}, "args": [{}], "timeout": {timeout} }}] }}"#,
            text(&self.program),
            arguments.join(", ")
        )
    }

    /// The settings text with every event wired; unchanged where it is so.
    pub(crate) fn install(&self, text: &str) -> String {
        let clean = uninstall(text);
        let mut text = if self.is_installed(text) {
            return text.to_owned();
        } else {
            clean
        };
        for (event, timeout) in EVENTS {
            text = add(&text, event, &self.group(timeout));
        }
        text
    }

    /// Whether exactly this handler is wired for every event, once and for every
    /// tool, be it alone in its group or not.
    fn is_installed(&self, text: &str) -> bool {
        let hooks = hooks_of(text);
        EVENTS.iter().all(|(event, timeout)| {
            let wanted: Value = serde_json::from_str(&self.group(*timeout)).unwrap_or_default();
            let groups = hooks.get(*event).and_then(Value::as_array);
            let ours: Vec<(&Value, &Value)> = groups
                .into_iter()
                .flatten()
                .flat_map(|group| handlers(group).map(move |handler| (group, handler)))
                .filter(|(_, handler)| is_ours(handler))
                .collect();
            let [(group, handler)] = ours.as_slice() else {
                return false;
            };
            group.get("matcher").is_none() && handlers(&wanted).eq([*handler])
        })
    }
}

fn hooks_of(text: &str) -> Value {
    let plain = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value: Value = serde_json::from_str(plain).unwrap_or_default();
    value.get("hooks").cloned().unwrap_or_default()
}

/// The handlers of a matcher group.
fn handlers(group: &Value) -> impl Iterator<Item = &Value> {
    let handlers = group.get("hooks").and_then(Value::as_array);
    handlers.into_iter().flatten()
}

/// Whether a handler is our hook line.
fn is_ours(handler: &Value) -> bool {
    let program = handler
        .get("command")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let arguments = handler.get("args").and_then(Value::as_array);
    let first = arguments.and_then(|a| a.first()).and_then(Value::as_str);
    let name = program.rsplit('/').next().unwrap_or_default();
    name == "receipt" && first == Some("hook")
}

fn member(text: &str, object: &Range<usize>, key: &str) -> Option<Member> {
    span::members(text, object)
        .into_iter()
        .find(|m| m.key == key)
}

/// Adds a group to an event's array, making array and `hooks` as needed.
fn add(text: &str, event: &str, group: &str) -> String {
    let top = span::top(text);
    let Some(hooks) = member(text, &top, "hooks") else {
        let with = span::insert_last(text, &top, "\"hooks\": {}", "  ");
        return add(&with, event, group);
    };
    let Some(array) = member(text, &hooks.value, event) else {
        let item = format!("\"{event}\": []");
        let with = span::insert_last(text, &hooks.value, &item, "    ");
        return add(&with, event, group);
    };
    span::insert_last(text, &array.value, group, "      ")
}

/// The settings text without any of our hook lines, and without arrays and
/// objects that only they filled.
pub(crate) fn uninstall(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(next) = remove_one(&text) {
        text = next;
    }
    text
}

/// Takes out one of our handlers, with every container that holds nothing else.
fn remove_one(text: &str) -> Option<String> {
    let hooks = member(text, &span::top(text), "hooks")?;
    let events = span::members(text, &hooks.value);
    for event in &events {
        let groups = span::elements(text, &event.value);
        for group in &groups {
            let Some(list) = member(text, group, "hooks") else {
                continue;
            };
            let handlers = span::elements(text, &list.value);
            let Some(ours) = handlers.iter().find(|h| is_ours(&value(text, h))) else {
                continue;
            };
            let item = match (handlers.len(), groups.len(), events.len()) {
                (1, 1, 1) => &hooks.whole,
                (1, 1, _) => &event.whole,
                (1, _, _) => group,
                _ => ours,
            };
            return Some(span::remove(text, item));
        }
    }
    None
}

fn value(text: &str, at: &Range<usize>) -> Value {
    let value = text.get(at.clone()).map(serde_json::from_str);
    value.and_then(Result::ok).unwrap_or_default()
}

/// Whether one text is the other with our hook lines put in, and nothing else
/// but white space. An empty file counts as an empty object.
pub(crate) fn same_but_for_hooks(before: &str, now: &str) -> bool {
    let before = if before.trim().is_empty() {
        "{}"
    } else {
        before
    };
    squeezed(&without_empty(before)) == squeezed(&without_empty(&uninstall(now)))
}

/// The text without event arrays and `hooks` that hold nothing: `uninstall`
/// cannot tell whether they were empty before.
fn without_empty(text: &str) -> String {
    let Some(hooks) = member(text, &span::top(text), "hooks") else {
        return text.to_owned();
    };
    let events = span::members(text, &hooks.value);
    let empty = events
        .iter()
        .find(|e| span::elements(text, &e.value).is_empty());
    match empty {
        Some(event) => without_empty(&span::remove(text, &event.whole)),
        None if events.is_empty() => span::remove(text, &hooks.whole),
        None => text.to_owned(),
    }
}

/// The text without the white space that stands outside of strings.
fn squeezed(text: &str) -> String {
    let (mut inside, mut escaped) = (false, false);
    let mut kept = String::new();
    for c in text.chars() {
        let quote = c == '"' && !escaped;
        escaped = inside && c == '\\' && !escaped;
        inside ^= quote;
        if inside || !c.is_whitespace() {
            kept.push(c);
        }
    }
    kept
}
