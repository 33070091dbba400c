//! The commands, one file each. Doc comments on the arguments are the help.

mod bench;
mod scan;

use crate::error::Outcome;
use crate::output;
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Signed receipts for what a coding agent did, and a stop gate that reads them.
#[derive(Debug, Parser)]
#[command(name = "receipt", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
enum Command {
    Bench(bench::Arguments),
    Scan(scan::Arguments),
}

/// Runs the command line.
pub(crate) fn run(arguments: &[OsString]) -> ExitCode {
    let name = OsString::from("receipt");
    let parsed = Arguments::try_parse_from(std::iter::once(&name).chain(arguments));
    let outcome = match parsed {
        Ok(arguments) => dispatch(arguments.command),
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    ExitCode::from(outcome.unwrap_or_else(|error| {
        output::note(&error.to_string());
        error.kind.exit_code()
    }))
}

fn dispatch(command: Command) -> Outcome {
    match command {
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Scan(arguments) => scan::run(&arguments),
    }
}
