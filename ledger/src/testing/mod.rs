//! Test doubles and conformance suites, for this crate and whoever brings a
//! disk or a store of their own.

mod chance;
mod disk_conformance;
mod fault_disk;
mod store_conformance;

pub use disk_conformance::disk_conformance;
pub use fault_disk::{Failure, FaultDisk, Kept};
pub use store_conformance::store_conformance;

use std::fmt::Display;

/// What a suite found amiss.
type Checked = Result<(), String>;

fn ensure(holds: bool, what: impl Display) -> Checked {
    if holds { Ok(()) } else { Err(what.to_string()) }
}

fn told<T, E: Display>(what: &str, result: Result<T, E>) -> Result<T, String> {
    result.map_err(|error| format!("{what}: {error}"))
}
