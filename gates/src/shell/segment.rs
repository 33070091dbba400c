//! What the shell layer hands on.

use alloc::string::String;
use alloc::vec::Vec;

/// One word of a command after quote removal; expansions are left as written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    /// The text without quotes.
    pub text: String,
    /// Whether any part of it stood in quotes or behind a backslash.
    pub quoted: bool,
}

impl Word {
    /// An unquoted word.
    #[must_use]
    pub fn plain(text: &str) -> Self {
        Self {
            text: text.into(),
            quoted: false,
        }
    }
}

/// What is printed for how a command ended; both are whole lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spoken {
    /// The line for success.
    pub passed: Option<String>,
    /// The line for failure.
    pub failed: String,
}

/// One simple command: a program with its arguments and what the shell makes of its exit status.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Segment {
    /// Program and arguments, wrappers such as `env` or `npx` included.
    pub words: Vec<Word>,
    /// Leading `NAME=value` words.
    pub assignments: Vec<(String, String)>,
    /// Index of the segment that reads its output through a pipe.
    pub piped_into: Option<usize>,
    /// Whether it is the last one of the outermost list.
    pub last_in_list: bool,
    /// Whether its own exit status does not reach the caller: piped without `pipefail`,
    /// `|| true`, `; more`, in the background, in a loop or as a condition.
    pub exit_masked: bool,
    /// Whether it was started with `&`.
    pub background: bool,
    /// Whether `!` turns its status round.
    pub negated: bool,
    /// The directory that preceding `cd` commands lead to, as written.
    pub dir: Option<String>,
    /// Whether output goes to a file other than `/dev/null`.
    pub redirect_out: bool,
    /// The files that its redirections write, as written; those of a group stand with
    /// its first command.
    pub writes: Vec<String>,
    /// The files that its own redirections read, as written.
    pub reads: Vec<String>,
    /// The text that it is handed on standard input.
    pub input: Option<String>,
    /// Whether standard output is not shown to the caller (a file, or `/dev/null`).
    pub output_hidden: bool,
    /// Whether standard error is thrown away or written to a file.
    pub errors_hidden: bool,
    /// Whether it stands behind `&&` or `||`, or in a branch or loop: it may not have run.
    pub conditional: bool,
    /// Whether a call that ended well may not have run it: behind `||`, in a branch or a loop.
    pub optional: bool,
    /// The lines that an `echo` prints for how it ended, as in `a && echo OK || echo BAD`.
    pub spoken: Option<Spoken>,
    /// The text that a following `echo` prints before this command's exit status, as in
    /// `echo "exit=$?"`; nothing ran in between.
    pub status_text: Option<String>,
}

impl Segment {
    /// The texts of its words.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| word.text.as_str())
    }
}
