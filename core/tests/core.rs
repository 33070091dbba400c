//! Tests of the crate.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test may stop at the first thing that is wrong"
)]

mod claude_code;
mod json;
mod key;
mod keychain;
mod record;
mod redact;
mod render;
mod transcript;
mod transcript_file;
mod tree;
mod vectors;
