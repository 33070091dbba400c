//! `receipt`: every hook event of a coding agent as a signed record, and a
//! stop verdict that anyone can recompute.

mod command;
mod error;
mod home;
mod output;
mod world;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().skip(1).collect();
    command::run(&arguments)
}
