//! Hook payloads: one JSON object on stdin per event.

use super::field::{block_text, filled, flag, items, string, text};
use super::{notification, origin, refusal, result, tool};
use crate::event::{BackgroundTask, BatchCall, Event, EventKind, PromptOrigin, Subagent};
use crate::json::lenient;
use alloc::borrow::ToOwned;
use alloc::string::String;
use serde_json::Value;

/// What a hook payload reports. Never fails: what is no JSON object becomes
/// [`EventKind::Other`] with an empty name.
#[must_use]
pub fn event(payload: &[u8]) -> Event {
    let object = lenient::parse(payload).value.unwrap_or(Value::Null);
    Event {
        session: string(&object, "session_id"),
        cwd: filled(&object, "cwd"),
        transcript: filled(&object, "transcript_path"),
        prompt_id: filled(&object, "prompt_id"),
        permission_mode: filled(&object, "permission_mode"),
        subagent: subagent(&object),
        kind: kind(&object),
    }
}

/// The subagent; `agent_type` without an id is the main agent's own type.
fn subagent(object: &Value) -> Option<Subagent> {
    filled(object, "agent_id").map(|id| Subagent {
        id,
        kind: string(object, "agent_type"),
    })
}

fn kind(object: &Value) -> EventKind {
    match text(object, "hook_event_name").unwrap_or_default() {
        "SessionStart" => EventKind::SessionStarted {
            source: string(object, "source"),
        },
        "SessionEnd" => EventKind::SessionEnded {
            reason: string(object, "reason"),
        },
        "UserPromptSubmit" => prompt(object),
        "SubagentStart" => EventKind::SubagentStarted,
        "SubagentStop" => EventKind::SubagentStopped {
            message: string(object, "last_assistant_message"),
        },
        "Stop" => stop(object),
        "StopFailure" => EventKind::StopFailed {
            error: string(object, "error"),
        },
        "ConfigChange" => EventKind::ConfigChanged {
            source: string(object, "source"),
            path: filled(object, "file_path"),
        },
        "PreCompact" => EventKind::Compacted { before: true },
        "PostCompact" => EventKind::Compacted { before: false },
        "Notification" => EventKind::Notified {
            kind: string(object, "notification_type"),
        },
        name => tool_kind(name, object),
    }
}

fn tool_kind(name: &str, object: &Value) -> EventKind {
    match name {
        "PreToolUse" => EventKind::ToolRequested {
            call: tool::call(object),
        },
        "PostToolUse" => succeeded(object),
        "PostToolUseFailure" => failed(object),
        "PermissionDenied" => EventKind::ToolDenied {
            call: tool::call(object),
            reason: string(object, "reason"),
        },
        "PostToolBatch" => EventKind::BatchEnded {
            calls: items(object, "tool_calls").iter().map(batch_call).collect(),
        },
        other => EventKind::Other {
            name: other.to_owned(),
        },
    }
}

fn prompt(object: &Value) -> EventKind {
    let text = string(object, "prompt");
    let by_agent = subagent(object).is_some();
    let origin = if by_agent || origin::is_declared_machine(object) {
        PromptOrigin::Machine
    } else {
        origin::of_text(&text)
    };
    let failure = notification::failure(&text);
    EventKind::PromptSubmitted {
        text,
        origin,
        failure,
    }
}

fn succeeded(object: &Value) -> EventKind {
    let call = tool::call(object);
    let response = object.get("tool_response").unwrap_or(&Value::Null);
    let result = result::success(&call, response);
    EventKind::ToolSucceeded { call, result }
}

fn failed(object: &Value) -> EventKind {
    let call = tool::call(object);
    let error = object.get("error").map(block_text).unwrap_or_default();
    let mut result = result::failure(&error);
    result.interrupted |= flag(object, "is_interrupt");
    EventKind::ToolFailed { call, result }
}

fn batch_call(object: &Value) -> BatchCall {
    let text = object
        .get("tool_response")
        .map(block_text)
        .unwrap_or_default();
    BatchCall {
        call: tool::call(object),
        refused: refusal::is_refusal(&text),
        text,
    }
}

fn stop(object: &Value) -> EventKind {
    EventKind::StopRequested {
        stop_hook_active: flag(object, "stop_hook_active"),
        message: string(object, "last_assistant_message"),
        background: items(object, "background_tasks")
            .iter()
            .map(background_task)
            .collect(),
        scheduled: items(object, "session_crons")
            .iter()
            .filter_map(|cron| filled(cron, "prompt"))
            .collect(),
    }
}

/// A task is over only if it says so.
fn background_task(object: &Value) -> BackgroundTask {
    let status: String = string(object, "status");
    BackgroundTask {
        id: string(object, "id"),
        kind: string(object, "type"),
        running: !matches!(
            status.as_str(),
            "completed" | "failed" | "killed" | "stopped" | "cancelled" | "canceled" | "error"
        ),
    }
}
