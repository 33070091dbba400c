//! Tests of the crate: one binary, a module for each command.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests start the built program and stop at the first surprise"
)]

mod absence;
mod adversary;
mod architecture;
mod bench;
mod captured;
mod cases;
mod checkpoint;
mod client;
mod confirm;
mod crowd;
mod doctor;
mod extremes;
mod faults;
mod full;
mod guard;
mod hostile;
mod ingest;
mod inputs;
mod judge;
mod keys;
mod kill;
mod log;
mod pages;
mod parallel;
mod prune;
mod recover;
mod repository;
mod run;
mod scan;
mod scheduled;
mod service;
mod sessions;
mod settings;
mod share;
mod spool;
mod tiers;
mod together;
mod twice;
mod versions;
mod wiring;
mod world;
mod writers;
