//! What a tool call will do.

use crate::check;
use crate::facts::CallSeen;
use crate::shell;
use alloc::vec::Vec;
use receipt_core::event::{Action, ToolCall};

/// What a call will do, as far as its text tells.
#[must_use]
pub fn call_seen(call: &ToolCall) -> CallSeen {
    let of = |write| CallSeen {
        write,
        check: false,
        background: false,
    };
    match &call.action {
        Action::Shell {
            command,
            background,
        } => shell_call(command, *background),
        Action::Edit { .. } | Action::Write { .. } | Action::Other => of(true),
        Action::Read | Action::Delegate | Action::Schedule { .. } => of(false),
    }
}

/// What a shell call will do, as far as its text tells.
fn shell_call(command: &str, background: bool) -> CallSeen {
    let runs = check::runs(command);
    let segments = shell::segments(command);
    let commits = check::commit(&segments).is_some();
    let others: Vec<shell::Segment> = segments
        .into_iter()
        .enumerate()
        .filter(|(i, _)| !runs.iter().any(|r| r.segment == *i && !r.autofix))
        .map(|(_, segment)| segment)
        .collect();
    CallSeen {
        write: shell::may_write(&others),
        check: !runs.is_empty() || commits,
        background,
    }
}
