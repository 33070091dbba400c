//! A program that does nothing in the place of the one that a check would run:
//! `make test SHELL=/bin/true`, `go test -exec true`.

use super::environment::set;
use crate::shell::{Segment, wrapper};
use alloc::vec::Vec;

/// Variables and make's own that name a program.
const VARIABLES: &[&str] = &[
    "SHELL",
    "CARGO",
    "RUSTC",
    "RUSTC_WRAPPER",
    "npm_config_script_shell",
    "NPM_CONFIG_SCRIPT_SHELL",
];

/// Options that name a program.
const OPTIONS: &[&str] = &["-exec", "--exec", "--script-shell"];

/// Programs that succeed whatever they are given.
const IDLE: &[&str] = &["true", ":", "echo", "printf"];

/// A variable that was set further back is not looked for.
const MAX_BACK: usize = 256;

/// Whether the segment's check would be run by a program that does nothing.
pub(super) fn stands(segments: &[Segment], index: usize, segment: &Segment) -> bool {
    let words: Vec<&str> = segment.texts().collect();
    let named = words.windows(2).any(|pair| match pair {
        [option, program] => OPTIONS.contains(option) && idle(program),
        _ => false,
    });
    named || words.iter().any(|word| joined(word)) || by_variable(segments, index, segment)
}

/// `SHELL=/bin/true`, `--script-shell=true`.
fn joined(word: &str) -> bool {
    let (name, program) = word.split_once('=').unwrap_or((word, ""));
    (VARIABLES.contains(&name) || OPTIONS.contains(&name)) && idle(program)
}

fn by_variable(segments: &[Segment], index: usize, segment: &Segment) -> bool {
    let runner = |name: &str| name.starts_with("CARGO_TARGET_") && name.ends_with("_RUNNER");
    let mut own = segment.assignments.iter();
    own.any(|(name, program)| runner(name) && idle(program))
        || VARIABLES.iter().any(|name| {
            let before = segments.get(..=index).unwrap_or(&[]);
            let mut near = before.iter().rev().take(MAX_BACK);
            near.find_map(|segment| set(segment, name))
                .is_some_and(idle)
        })
}

fn idle(program: &str) -> bool {
    let name = program.split_whitespace().next().unwrap_or("");
    IDLE.contains(&wrapper::base_name(name))
}
