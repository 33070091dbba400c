//! The record's kind of an event.

use receipt_core::event::{EventKind, PromptOrigin};
use receipt_core::record::Kind;

pub(super) const fn kind(event: &EventKind) -> Kind {
    match event {
        EventKind::SessionStarted { .. } => Kind::SessionStarted,
        EventKind::SessionEnded { .. } => Kind::SessionEnded,
        EventKind::PromptSubmitted {
            origin: PromptOrigin::Human,
            ..
        } => Kind::PromptHuman,
        EventKind::PromptSubmitted {
            origin: PromptOrigin::Machine,
            ..
        } => Kind::PromptMachine,
        EventKind::ToolRequested { .. } => Kind::ToolRequested,
        EventKind::ToolSucceeded { .. } => Kind::ToolSucceeded,
        EventKind::ToolFailed { .. } => Kind::ToolFailed,
        EventKind::ToolDenied { .. } => Kind::ToolDenied,
        EventKind::BatchEnded { .. } => Kind::BatchEnded,
        EventKind::SubagentStarted => Kind::SubagentStarted,
        EventKind::SubagentStopped { .. } => Kind::SubagentStopped,
        EventKind::StopRequested { .. } => Kind::StopRequested,
        EventKind::StopFailed { .. } => Kind::StopFailed,
        EventKind::ConfigChanged { .. } => Kind::ConfigChanged,
        EventKind::Compacted { .. } => Kind::Compacted,
        EventKind::Notified { .. } => Kind::Notified,
        EventKind::Other { .. } => Kind::Other,
    }
}
