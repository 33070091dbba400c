//! Events as JSON, for comparison with fixtures: what is absent or false is left out.

use receipt_core::event::{Action, Before, Event, EventKind, PromptOrigin, ToolCall, ToolResult};
use serde_json::{Map, Value, json};

/// The event as JSON.
pub(crate) fn event(event: &Event) -> Value {
    let mut out = kind(&event.kind);
    out["kind"] = event.kind.name().into();
    out["session"] = event.session.as_str().into();
    out["cwd"] = event.cwd.clone().into();
    out["transcript"] = event.transcript.clone().into();
    out["prompt_id"] = event.prompt_id.clone().into();
    out["permission_mode"] = event.permission_mode.clone().into();
    if let Some(subagent) = &event.subagent {
        out["subagent"] = json!({"id": subagent.id, "kind": subagent.kind});
    }
    dense(out)
}

/// The object without null, false, and empty members.
fn dense(value: Value) -> Value {
    let Value::Object(members) = value else {
        return value;
    };
    let empty = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    let kept: Map<String, Value> = members.into_iter().filter(|(_, v)| !empty(v)).collect();
    Value::Object(kept)
}

fn kind(kind: &EventKind) -> Value {
    match kind {
        EventKind::SessionStarted { source } => json!({"source": source}),
        EventKind::SessionEnded { reason } => json!({"reason": reason}),
        EventKind::PromptSubmitted {
            text,
            origin,
            failure,
        } => {
            let failure = failure.as_ref();
            let failure = failure.map(|f| json!({"call": f.call, "exit": f.exit}));
            json!({"text": text, "machine": *origin == PromptOrigin::Machine, "failure": failure})
        }
        EventKind::ToolRequested { call: c } => json!({"call": call(c)}),
        EventKind::ToolSucceeded { call: c, result: r }
        | EventKind::ToolFailed { call: c, result: r } => {
            json!({"call": call(c), "result": result(r)})
        }
        EventKind::ToolDenied { call: c, reason } => json!({"call": call(c), "reason": reason}),
        EventKind::BatchEnded { calls } => {
            let calls: Vec<Value> = calls
                .iter()
                .map(|c| {
                    dense(json!({"call": call(&c.call), "text": c.text, "refused": c.refused}))
                })
                .collect();
            json!({ "calls": calls })
        }
        EventKind::SubagentStarted => json!({}),
        EventKind::SubagentStopped { message } => json!({"message": message}),
        EventKind::StopRequested {
            stop_hook_active,
            message,
            background,
            scheduled,
        } => {
            let background: Vec<Value> = background
                .iter()
                .map(|task| json!({"id": task.id, "kind": task.kind, "running": task.running}))
                .collect();
            json!({"stop_hook_active": stop_hook_active, "message": message, "background": background, "scheduled": scheduled})
        }
        EventKind::StopFailed { error } => json!({"error": error}),
        EventKind::ConfigChanged { source, path } => json!({"source": source, "path": path}),
        EventKind::Compacted { before } => json!({"before": before}),
        EventKind::Notified { kind } => json!({"notification": kind}),
        EventKind::Other { name } => json!({"name": name}),
    }
}

fn call(call: &ToolCall) -> Value {
    dense(json!({"id": call.id, "tool": call.tool, "action": action(&call.action)}))
}

fn action(action: &Action) -> Value {
    match action {
        Action::Shell {
            command,
            background,
        } => dense(json!({"shell": command, "background": background})),
        Action::Edit { path, replacements } => json!({"edit": path, "replacements": replacements}),
        Action::Write { path, text } => json!({"write": path, "text": text}),
        Action::Read => json!("read"),
        Action::Delegate => json!("delegate"),
        Action::Schedule { prompt } => json!({"schedule": prompt}),
        Action::Other => json!("other"),
    }
}

fn result(result: &ToolResult) -> Value {
    let changes: Vec<Value> = result
        .changes
        .iter()
        .map(|change| {
            let before = match change.before {
                Before::Known => "known",
                Before::Absent => "absent",
                Before::Unknown => "unknown",
            };
            dense(json!({
                "path": change.path, "before": before,
                "added": change.added, "removed": change.removed,
            }))
        })
        .collect();
    dense(json!({
        "output": result.output,
        "exit": result.exit,
        "exit_harmless": result.exit_harmless,
        "interrupted": result.interrupted,
        "background": result.background,
        "truncated": result.truncated,
        "output_file": result.output_file,
        "not_run": result.not_run,
        "changes": changes,
        "changed_paths": result.changed_paths,
    }))
}
