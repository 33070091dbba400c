//! The values that describe a check.

use super::named::named_enum;
use super::scope::Scope;
use super::summary::Family;
use crate::shell::Spoken;
use alloc::string::String;
use alloc::vec::Vec;

named_enum! {
    /// What a check looks for.
    pub enum Kind {
        /// Runs tests.
        Test = "test",
        /// Compiles or bundles.
        Build = "build",
        /// Looks for style and likely faults.
        Lint = "lint",
        /// Checks types.
        Typecheck = "typecheck",
        /// A program's own check of itself.
        Selftest = "selftest",
        /// Compares the layout of code with a formatter's.
        Format = "format",
    }
}

named_enum! {
    /// Why a run is worth less than it looks, or how it came about.
    pub enum Qualifier {
        /// The exit status was lost in a pipe, `|| true`, `; more` or a wrapper.
        MaskedExit = "masked-exit",
        /// It was started in the background; no result is known.
        Background = "background",
        /// Only a part of the project was checked.
        Subset = "subset",
        /// No test was executed.
        NoTests = "no-tests",
        /// Every test was skipped.
        AllSkipped = "all-skipped",
        /// The runner stopped before its end.
        StoppedEarly = "stopped-early",
        /// The runner waits for changes instead of ending.
        WatchMode = "watch-mode",
        /// The run was allowed to pass without any test.
        PassWithNoTests = "pass-with-no-tests",
        /// It ran out of time.
        TimedOut = "timed-out",
        /// It was interrupted or killed.
        Interrupted = "interrupted",
        /// A part of its output is missing.
        Truncated = "truncated",
        /// It stands behind `&&` or `||` and may not have run.
        Conditional = "conditional",
        /// The result was replayed from a cache.
        Cached = "cached",
        /// It changed files to make its own findings go away.
        Autofix = "autofix",
        /// The program was missing or refused to start.
        NotRun = "not-run",
        /// The call failed, but which of its commands did is not known.
        Unattributed = "unattributed",
        /// Its status was turned round by `!`.
        Negated = "negated",
        /// It looked only at what lies outside of the repository.
        Elsewhere = "elsewhere",
        /// A commit was told to leave its hooks out.
        HooksSkipped = "hooks-skipped",
    }
}

/// What stands between a check and the output that the caller sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filter {
    /// Nothing, or a program that hands everything on.
    #[default]
    None,
    /// Only the end is shown (`tail`).
    Tail,
    /// Only the start is shown (`head`).
    Head,
    /// Only matching lines are shown, and the pattern names failures.
    GrepFailures,
    /// Only matching lines are shown.
    Grep,
    /// Output was rewritten, counted, hidden or written to a file.
    Opaque,
}

/// One run of a check inside a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckRun {
    /// Canonical name: `pytest`, `cargo-test`, `npm-script:test`, `make:check`.
    pub runner: String,
    /// What it looks for.
    pub kind: Kind,
    /// How much it looked at.
    pub scope: Scope,
    /// Languages that it can vouch for; empty means any.
    pub languages: &'static [&'static str],
    /// Program and arguments without wrappers.
    pub words: Vec<String>,
    /// What is known against it before its result is seen.
    pub qualifiers: Vec<Qualifier>,
    /// Whether its exit status is the call's: zero for the call means zero for it.
    pub exit_reaches: bool,
    /// How many commands that are no checks can make the call fail too.
    pub rivals: usize,
    /// Whether a failing status of the call can only be its own.
    pub sole: bool,
    /// Whether it changes files to clear its own findings.
    pub autofix: bool,
    /// The directory in which it runs, as written (`cd x &&`, `make -C x`).
    pub dir: Option<String>,
    /// Index of its segment in the command.
    pub segment: usize,
    /// Which summaries in the output can be its own; empty means any.
    pub families: &'static [Family],
    /// What its output went through.
    pub filter: Filter,
    /// Whether nothing that it prints is shown.
    pub muted: bool,
    /// Whether a program on the way can have made its summary a better one.
    pub rewritten: bool,
    /// Whether it prints nothing when all is well.
    pub silent: bool,
    /// Text that an `echo` prints before its exit status.
    pub status_text: Option<String>,
    /// Lines that an `echo` prints for how it ended.
    pub spoken: Option<Spoken>,
    /// Whether the call can end well without having run it (`a || check`, a branch, a loop).
    pub optional: bool,
}
