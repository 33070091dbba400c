//! `receipt serve`: the service of a whole machine, as a user of its own.

use crate::error::{Error, Outcome};
use crate::home::{Home, Keeper, own_user};
use crate::output;
use crate::service;

/// The unit; it names the program where packages put it.
const UNIT: &str = include_str!("../../receipt.service");
const PROGRAM: &str = "/usr/local/bin/receipt";

/// Serve every user of this machine, so that no agent can change what is recorded.
///
/// Runs in the foreground, as the user and on the socket that /etc/receipt/system
/// names. Agents' users can report events and export their own receipts, no more.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Arguments {
    /// Serve until `receipt service stop`.
    #[arg(long)]
    system: bool,
    /// Print a systemd unit for this program, with the steps to take before.
    #[arg(long)]
    print_unit: bool,
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if arguments.print_unit {
        let program = std::env::current_exe()
            .map_err(|e| Error::fault(format!("cannot find this program: {e}")))?;
        output::out(&UNIT.replace(PROGRAM, &program.to_string_lossy()));
        return Ok(0);
    }
    let home = Home::find()?;
    let Keeper::System(system) = &home.keeper else {
        return Err(Error::input("no file names a system service")
            .hint("`receipt serve --print-unit` shows how to write /etc/receipt/system"));
    };
    if system.user != own_user() {
        return Err(Error::input(format!(
            "this is user {}, but {} names user {}",
            own_user(),
            system.file.display(),
            system.user
        ))
        .hint("run it as that user, or from its systemd unit"));
    }
    service::run_for_everyone(&home)
}
