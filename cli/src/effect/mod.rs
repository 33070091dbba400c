//! Effects that the hook process performs as the agent's own user.
//!
//! The service never reads a repository or starts a program: repositories are
//! hostile input, and what an effect finds is recorded as client-reported.

pub(crate) mod file;
pub(crate) mod git;
pub(crate) mod judge;
mod patch;
mod program;
pub(crate) mod snapshot;
pub(crate) mod transcript;
mod unseen;
