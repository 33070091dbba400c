//! Which commands can be a check under a name that nothing here knows.

use super::readonly::may_write;
use super::segment::Segment;
use super::wrapper::{base_name, strip};

/// Programs that change files and run nothing else, hooks included.
const MOVERS: &[&str] = &[
    "mkdir", "rmdir", "touch", "cp", "mv", "rm", "ln", "chmod", "chown", "tee", "patch",
    "truncate", "dd", "install", "mktemp", "sed", "sort", "yq", "tar", "unzip", "zip", "gzip",
    "gunzip", "kill",
];

/// Subcommands of git that change files or its own data and run no check, in no hook either.
const GIT_MOVERS: &[&str] = &[
    "add",
    "rm",
    "mv",
    "restore",
    "checkout",
    "switch",
    "stash",
    "reset",
    "clean",
    "fetch",
    "clone",
    "init",
    "apply",
    "format-patch",
    "worktree",
];

/// Whether some part of a command line may be a check: its program is not known to be
/// something else.
#[must_use]
pub fn is_opaque(segments: &[Segment]) -> bool {
    segments.iter().any(segment_is_opaque)
}

fn segment_is_opaque(segment: &Segment) -> bool {
    let stripped = strip(&segment.words);
    let mut words = stripped.words.iter().map(|word| word.text.as_str());
    let Some(program) = words.next() else {
        return false;
    };
    match base_name(program) {
        // What CI says of a commit is told by `gh`; both may claim a run with right.
        "gh" => true,
        "git" if words.find(|text| !text.starts_with('-')).is_some_and(moves) => false,
        name if MOVERS.contains(&name) => false,
        _ => may_write(core::slice::from_ref(&Segment {
            redirect_out: false,
            ..segment.clone()
        })),
    }
}

fn moves(subcommand: &str) -> bool {
    GIT_MOVERS.contains(&subcommand)
}
