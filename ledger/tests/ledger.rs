//! Tests of the ledger on real and failing disks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::exit,
    reason = "a test fails by panicking"
)]

#[path = "ledger/append.rs"]
mod append;
#[path = "ledger/common.rs"]
mod common;
