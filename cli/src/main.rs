//! `receipt`: every hook event of a coding agent as a signed record, and a
//! stop verdict that anyone can recompute.

mod access;
mod anew;
mod command;
mod doctor;
mod effect;
mod error;
mod greeting;
mod home;
mod hook;
mod install;
mod keys;
mod output;
mod play;
mod profile;
mod replay;
mod service;
mod system;
mod wire;
mod world;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().skip(1).collect();
    // The hook runs on every turn of the agent: no argument parser before it.
    if let Some((first, rest)) = arguments.split_first()
        && first == "hook"
    {
        hook::run(rest);
        return ExitCode::SUCCESS;
    }
    command::run(&arguments)
}
