//! Starting other programs.

use std::process::Command;

/// A command that inherits nothing but what it is given: no environment.
#[allow(clippy::disallowed_methods, reason = "this is the one place")]
pub(crate) fn command(program: &std::path::Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear();
    command
}
