//! Receipts: built, verified, damaged, redacted.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests stop at the first surprise"
)]

mod world;

mod cases;
