//! Tests of the crate.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may stop at the first thing that is wrong"
)]

mod check;
mod claim;
mod commit;
mod differential;
mod edits;
mod evasion;
mod fold;
mod guard;
mod judge;
mod keyed;
mod mark;
mod messages;
mod outcome;
mod path;
mod process;
mod shell;
mod size;
mod stub;
mod total;
mod turns;
