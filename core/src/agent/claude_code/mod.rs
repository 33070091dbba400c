//! Claude Code: hook payloads, hook answers and transcripts (spec/hook.md).
//!
//! Written against clients 1.0.24 to 2.1.332; the field names are theirs.

mod answer;
mod changes;
mod field;
mod notification;
mod origin;
mod payload;
mod refusal;
mod result;
mod stop;
mod tool;
pub mod transcript;

pub use answer::{MAX_REASON, answer};
pub use payload::event;
pub use stop::{asks_to_stop, transcript_path};
