//! The commands, one file each. Doc comments on the arguments are the help.

mod audit;
mod bench;
mod checkpoint;
mod demo;
mod doctor;
mod explain;
mod export;
mod init;
mod judge;
mod key;
mod log;
mod prune;
mod recover;
mod redact;
mod scan;
mod selftest;
mod serve;
mod service;
mod show;
mod verify;

use crate::error::Outcome;
use crate::output;
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Signed receipts for what a coding agent did, and a stop gate that reads them.
#[derive(Debug, Parser)]
#[command(
    name = "receipt",
    version,
    max_term_width = 100,
    after_help = "Claude Code runs `receipt hook claude-code` on every event; `init` wires it, and it\n\
                  exits 0 whatever happens. All other exit codes are listed in spec/cli.md.\n\n\
                  Begin with `receipt demo`, then `receipt init`."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
enum Command {
    Audit(audit::Arguments),
    Bench(bench::Arguments),
    Checkpoint(checkpoint::Arguments),
    Demo(demo::Arguments),
    Doctor(doctor::Arguments),
    Explain(explain::Arguments),
    Export(export::Arguments),
    Init(init::Arguments),
    Judge(judge::Arguments),
    Key(key::Arguments),
    Log(log::Arguments),
    Prune(prune::Arguments),
    Recover(recover::Arguments),
    Redact(redact::Arguments),
    Scan(scan::Arguments),
    Selftest(selftest::Arguments),
    Serve(serve::Arguments),
    Service(service::Arguments),
    Show(show::Arguments),
    Uninstall(init::UninstallArguments),
    Verify(verify::Arguments),
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
        Command::Audit(arguments) => audit::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Checkpoint(arguments) => checkpoint::run(&arguments),
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Init(arguments) => init::run(&arguments),
        Command::Judge(arguments) => judge::run(&arguments),
        Command::Key(arguments) => key::run(&arguments),
        Command::Log(arguments) => log::run(&arguments),
        Command::Prune(arguments) => prune::run(&arguments),
        Command::Recover(arguments) => recover::run(&arguments),
        Command::Redact(arguments) => redact::run(&arguments),
        Command::Scan(arguments) => scan::run(&arguments),
        Command::Selftest(arguments) => selftest::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Service(arguments) => service::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Uninstall(arguments) => init::uninstall(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
    }
}
