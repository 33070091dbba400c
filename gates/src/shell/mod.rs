//! Understanding of shell commands: which programs a command line runs, and whose exit status
//! the caller sees.
//!
//! This is no full shell grammar. It reads what agents write, never fails, and errs towards
//! "not known": quoted text, comments and heredoc bodies are data; `$(...)` and `bash -c '...'`
//! run.

mod container;
mod cursor;
mod flatten;
mod heredoc;
mod inner;
mod lexer;
mod opaque;
mod parse;
mod readonly;
mod scope;
mod segment;
mod status;
mod substitution;
mod tree;
pub(crate) mod wrapper;
mod wrappers;

pub use opaque::is_opaque;
pub use readonly::may_write;
pub use segment::{Segment, Spoken, Word};

/// The simple commands of `command`, in the order in which they stand, nested ones included.
///
/// Total and linear: any text gives an answer, nesting is followed eight levels deep, and at most
/// 10,000 segments are returned.
#[must_use]
pub fn segments(command: &str) -> alloc::vec::Vec<Segment> {
    flatten::segments(command)
}
