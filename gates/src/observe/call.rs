//! What a tool call will do.

use crate::check;
use crate::facts::CallSeen;
use crate::shell;
use alloc::vec::Vec;
use receipt_core::event::{Action, ToolCall};

/// What a call will do, as far as its text tells.
#[must_use]
pub fn call_seen(call: &ToolCall) -> CallSeen {
    let of = |write, opaque| CallSeen {
        write,
        check: false,
        background: false,
        opaque,
    };
    match &call.action {
        Action::Shell {
            command,
            background,
        } => shell_call(command, *background),
        Action::Edit { .. } | Action::Write { .. } => of(true, false),
        Action::Other => of(true, true),
        Action::Delegate => of(false, true),
        Action::Read | Action::Schedule { .. } => of(false, false),
    }
}

/// What a shell call will do, as far as its text tells.
fn shell_call(command: &str, background: bool) -> CallSeen {
    let runs = check::runs(command);
    let segments = shell::segments(command);
    let commits = check::commit(&segments).is_some();
    let without = |autofix: bool| -> Vec<shell::Segment> {
        let is_run = |at| {
            runs.iter()
                .any(|r| r.segment == at && !(autofix && r.autofix))
        };
        let others = segments.iter().enumerate().filter(|(at, _)| !is_run(*at));
        others.map(|(_, segment)| segment.clone()).collect()
    };
    CallSeen {
        write: shell::may_write(&without(true)),
        check: !runs.is_empty() || commits,
        background,
        opaque: shell::is_opaque(&without(false)),
    }
}
