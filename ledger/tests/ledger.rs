//! Tests of the ledger on real and failing disks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::exit,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and starts itself again to be killed"
)]

#[path = "ledger/append.rs"]
mod append;
#[path = "ledger/audit.rs"]
mod audit;
#[path = "ledger/common.rs"]
mod common;
#[path = "ledger/conformance.rs"]
mod conformance;
#[path = "ledger/corruption.rs"]
mod corruption;
#[path = "ledger/fault.rs"]
mod fault;
#[path = "ledger/foreign.rs"]
mod foreign;
#[path = "ledger/forgery.rs"]
mod forgery;
#[path = "ledger/hang.rs"]
mod hang;
#[path = "ledger/head.rs"]
mod head;
#[path = "ledger/kill.rs"]
mod kill;
#[path = "ledger/planted.rs"]
mod planted;
#[path = "ledger/power.rs"]
mod power;
#[path = "ledger/prune.rs"]
mod prune;
#[path = "ledger/recover.rs"]
mod recover;
#[path = "ledger/simulation.rs"]
mod simulation;
#[path = "ledger/sled.rs"]
mod sled;
#[path = "ledger/spool.rs"]
mod spool;
#[path = "ledger/stored.rs"]
mod stored;
#[path = "ledger/torn.rs"]
mod torn;
#[path = "ledger/view.rs"]
mod view;
