//! Wiring the hooks into an agent's settings, and out again.

pub(crate) mod claude_code;
pub(crate) mod judge;
mod settings;
mod span;
pub(crate) mod wiring;

pub(crate) use settings::{Change, Settings};
