//! Adapters: a vendor's hook JSON in, an [`Event`] out; an [`Answer`] in, the vendor's JSON out.
//!
//! Nothing outside this module knows a vendor's field names.

pub mod claude_code;
pub mod lines;

use crate::event::{Agent, Event};
use alloc::string::String;

/// What a hook tells the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Nothing: the agent goes its own way.
    Silent,
    /// The turn may not end yet.
    Block {
        /// Why, for the model and the user.
        reason: String,
    },
    /// The turn may end, and the user is told something.
    Notice {
        /// The text.
        text: String,
    },
    /// The tool call may not run.
    Deny {
        /// Why, for the model and the user.
        reason: String,
    },
}

/// What a hook payload of `agent` reports. Never fails.
#[must_use]
pub fn event(agent: Agent, payload: &[u8]) -> Event {
    match agent {
        Agent::ClaudeCode => claude_code::event(payload),
    }
}

/// Whether a payload asks to end the turn, told from its bytes alone: the hook
/// that sends it may wait longer. A wrong answer costs only patience.
#[must_use]
pub fn asks_to_stop(agent: Agent, payload: &[u8]) -> bool {
    match agent {
        Agent::ClaudeCode => claude_code::asks_to_stop(payload),
    }
}

/// Where a payload says that the session's transcript lies, told from its bytes
/// alone. Nothing but a length and a confirmation is ever taken from there.
#[must_use]
pub fn transcript_path(agent: Agent, payload: &[u8]) -> Option<String> {
    match agent {
        Agent::ClaudeCode => claude_code::transcript_path(payload),
    }
}

/// What a hook of `agent` prints; `None` is printing nothing.
#[must_use]
pub fn answer(agent: Agent, answer: Answer) -> Option<String> {
    match agent {
        Agent::ClaudeCode => claude_code::answer(answer),
    }
}
