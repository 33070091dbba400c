//! Runs the built program.

use std::process::{Command, Output};

/// What a run of the program came to.
#[derive(Debug)]
pub(crate) struct Run {
    /// The exit code.
    pub(crate) code: i32,
    /// What it answered.
    pub(crate) stdout: String,
    /// What it said beside it.
    pub(crate) stderr: String,
}

/// Runs `receipt` without any of the caller's environment.
pub(crate) fn receipt<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Run {
    let output: Output = Command::new(env!("CARGO_BIN_EXE_receipt"))
        .args(arguments)
        .env_clear()
        .output()
        .expect("the program starts");
    Run {
        code: output.status.code().expect("it ends by itself"),
        stdout: String::from_utf8(output.stdout).expect("stdout is text"),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
