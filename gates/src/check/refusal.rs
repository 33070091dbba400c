//! Calls that never reached the check: refused by a person or the client, or no such program.

/// Texts with which a client reports a call that did not run.
const REFUSED: &[&str] = &[
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action",
    "This command requires approval",
    "Sibling tool call errored",
    "Permission to use ",
    "<tool_use_error>",
    "Claude requested permissions to ",
    "[Request interrupted by user",
];

/// Ends or starts of lines with which a shell or a launcher says that there is no such program.
const MISSING: &[&str] = &[
    ": command not found",
    ": not found",
    ": No such file or directory",
    ": Permission denied",
    "is not recognized as an internal or external command,",
    ": is a directory",
    ": Is a directory",
];

/// Starts of lines that come from a shell or a launcher, not from a check.
const SPEAKERS: &[&str] = &[
    "bash: ",
    "/bin/bash: ",
    "sh: ",
    "/bin/sh: ",
    "zsh: ",
    "(eval):",
    "/usr/bin/bash: ",
    "env: ",
    "timeout: ",
    "/usr/bin/env: ",
    "nohup: ",
    "xargs: ",
    "cd: ",
    "exec: ",
    "command not found: ",
    "error: Failed to spawn: ",
    "Command not found: ",
    "bundler: command not found: ",
    "error: unexpected argument ",
    "pyenv: ",
];

/// Launchers' own words for "no such program" or "no such script".
const LAUNCHERS: &[&str] = &[
    "error: Failed to spawn: ",
    "bundler: command not found: ",
    "Command not found: ",
    "command not found: ",
    "error: Script not found ",
    "npm ERR! Missing script: ",
    "npm error Missing script: ",
    "error: no such command: ",
    "Could not open input file: ",
    "can't open file ",
];

/// Whether the output is a refusal. A call that did not fail was not refused.
pub(super) fn refused(output: &str, failed: bool) -> bool {
    let start = output.trim_start();
    let start = start.strip_prefix("Error: ").unwrap_or(start);
    failed && REFUSED.iter().any(|text| start.starts_with(text))
}

/// Whether the client or `timeout` ended the run for its length.
pub(super) fn timed_out(output: &str) -> bool {
    const TEXTS: &[&str] = &["Command timed out after ", "Error: Command timed out"];
    let near_start = output
        .lines()
        .take(3)
        .any(|line| TEXTS.iter().any(|text| line.trim().starts_with(text)));
    let near_end = output
        .rsplit('\n')
        .take(3)
        .any(|line| TEXTS.iter().any(|text| line.trim().starts_with(text)));
    near_start || near_end
}

/// Whether the last or first lines say that the program is not there.
pub(super) fn missing(output: &str) -> bool {
    let first = output.split('\n').take(6);
    let last = output.rsplit('\n').take(6);
    first.chain(last).any(says_missing)
}

fn says_missing(line: &str) -> bool {
    let line = line.trim();
    if line.len() > 400 {
        return false;
    }
    if LAUNCHERS.iter().any(|text| line.starts_with(text)) {
        return true;
    }
    let by_shell =
        SPEAKERS.iter().any(|speaker| line.starts_with(speaker)) || line.contains(": line ");
    by_shell
        && MISSING
            .iter()
            .any(|text| line.ends_with(text) || line.contains(text))
        || no_module(line)
}

/// `python: No module named pytest`, the launcher's form, unlike a test's `ModuleNotFoundError`.
fn no_module(line: &str) -> bool {
    const RUNNERS: &[&str] = &[
        "pytest", "ruff", "mypy", "black", "flake8", "pylint", "tox", "nox", "coverage", "unittest",
    ];
    let Some((before, module)) = line.split_once(": No module named ") else {
        return false;
    };
    before.contains("python") && RUNNERS.contains(&module.trim_matches('\''))
}
