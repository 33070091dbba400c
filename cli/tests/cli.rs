//! Tests of the crate: one binary, a module for each command.
#![allow(
    clippy::disallowed_methods,
    reason = "these tests start the built program"
)]

mod bench;
mod captured;
mod run;
mod scan;
