//! What the surroundings of a check do to its exit status and its output.

use super::scope::Scope;
use super::types::{Filter, Qualifier};
use crate::shell::{Segment, wrapper};
use alloc::string::String;
use alloc::vec::Vec;

/// Programs that do not fail, or whose failure is seen in the output.
const HARMLESS: &[&str] = &[
    "cd", "pushd", "popd", "echo", "printf", "export", "set", "unset", "local", "declare", "true",
    ":", "source", ".", "sleep", "tail", "head", "tee", "cat", "pwd", "date", "alias", "shopt",
    "trap", "mkdir", "touch", "rm", "clear", "wait", "exit", "sed", "awk", "sort", "wc", "nvm",
    "eval", "umask", "ulimit", "read", "let",
];

/// Programs that only look at things: a check's name among their arguments is a mention.
const LOOKING: &[&str] = &[
    "echo", "printf", "grep", "egrep", "fgrep", "rg", "ag", "ack", "cat", "sed", "awk", "which",
    "type", "command", "find", "ls", "git", "gh", "glab", "pip", "pip3", "apt", "apt-get", "brew",
    "dnf", "yum", "apk", "man", "less", "head", "tail", "curl", "wget", "test", "[", "[[", "jq",
    "tee", "kill", "pkill", "pgrep", "ps", "ssh", "scp", "cp", "mv", "rm", "touch", "export",
    "set", "docker", "podman", "kubectl", "whereis", "file", "diff",
];

/// Programs that hand on other text than they read.
const REWRITING: &[&str] = &[
    "sed", "gsed", "awk", "gawk", "mawk", "perl", "python", "python3", "ruby", "node", "jq",
    "xargs",
];

/// Whether a program only looks or copies, so that `--selftest` among its words is a mention.
pub(super) fn only_reads(program: &str) -> bool {
    LOOKING.contains(&program)
}

/// Whether a failing status of the call can come from this segment.
pub(super) fn can_fail(segment: &Segment) -> bool {
    if segment.exit_masked || segment.background {
        return false;
    }
    let stripped = wrapper::strip(&segment.words);
    let program = stripped
        .words
        .first()
        .map_or("", |word| wrapper::base_name(&word.text));
    !program.is_empty() && !HARMLESS.contains(&program)
}

/// How many segments can make the call fail.
pub(super) fn may_fail(segments: &[Segment]) -> usize {
    segments.iter().filter(|segment| can_fail(segment)).count()
}

/// Notes what the surroundings take away from a run.
pub(super) fn qualify(
    segment: &Segment,
    exit_reaches: bool,
    scope: &Scope,
    qualifiers: &mut Vec<Qualifier>,
) {
    let mut note = |set: bool, qualifier: Qualifier| {
        if set && !qualifiers.contains(&qualifier) {
            qualifiers.push(qualifier);
        }
    };
    note(segment.background, Qualifier::Background);
    note(segment.negated, Qualifier::Negated);
    note(!exit_reaches && !segment.background, Qualifier::MaskedExit);
    note(
        segment.optional || (segment.conditional && !exit_reaches),
        Qualifier::Conditional,
    );
    note(*scope != Scope::Whole, Qualifier::Subset);
}

/// What the output goes through before the caller sees it.
pub(super) fn filter(segments: &[Segment], segment: &Segment) -> Filter {
    if segment.output_hidden {
        return Filter::Opaque;
    }
    let mut filter = Filter::None;
    let mut reader = segment.piped_into;
    // A pipe always leads to a later segment, so this ends; the bound is for safety.
    for _ in 0..32 {
        let Some(next) = reader.and_then(|index| segments.get(index)) else {
            break;
        };
        filter = stricter(filter, of_program(next));
        if next.output_hidden {
            return Filter::Opaque;
        }
        reader = next.piped_into;
    }
    filter
}

/// Whether a program on the way writes words of success by itself:
/// `| sed s/failed/passed/`.
pub(super) fn rewritten(segments: &[Segment], segment: &Segment) -> bool {
    let mut reader = segment.piped_into;
    for _ in 0..32 {
        let Some(next) = reader.and_then(|index| segments.get(index)) else {
            break;
        };
        let mut texts = next.texts();
        let program = texts.next().map_or("", wrapper::base_name);
        if REWRITING.contains(&program) && texts.any(praises) {
            return true;
        }
        reader = next.piped_into;
    }
    false
}

fn praises(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["pass", "ok", "success"]
        .iter()
        .any(|word| lower.contains(word))
}

fn of_program(segment: &Segment) -> Filter {
    let stripped = wrapper::strip(&segment.words);
    let Some((program, arguments)) = stripped.words.split_first() else {
        return Filter::Opaque;
    };
    match wrapper::base_name(&program.text) {
        "tail" => Filter::Tail,
        "head" => Filter::Head,
        "tee" | "cat" | "ts" | "less" | "more" | "bat" | "pino-pretty" | "tap-spec" | "nl" => {
            Filter::None
        }
        "grep" | "egrep" | "rg" | "fgrep" => grep(arguments.iter().map(|word| word.text.as_str())),
        "sed" | "awk" | "cut" | "tr" | "sort" | "uniq" => Filter::Grep,
        _ => Filter::Opaque,
    }
}

fn grep<'a>(arguments: impl Iterator<Item = &'a str>) -> Filter {
    let mut failures = false;
    for word in arguments {
        let flags = word
            .strip_prefix('-')
            .filter(|flags| !flags.starts_with('-'));
        if flags.is_some_and(|flags| flags.contains(['v', 'c', 'q', 'o', 'l'])) || word == "--count"
        {
            let inverted = flags.is_some_and(|flags| flags.contains('v'));
            return if inverted {
                Filter::Grep
            } else {
                Filter::Opaque
            };
        }
        let lower = word.to_ascii_lowercase();
        failures |= ["error", "fail", "problem", "✖"]
            .iter()
            .any(|piece| lower.contains(piece));
    }
    if failures {
        Filter::GrepFailures
    } else {
        Filter::Grep
    }
}

fn stricter(first: Filter, second: Filter) -> Filter {
    let rank = |filter: Filter| match filter {
        Filter::None => 0,
        Filter::Tail => 1,
        Filter::Head => 2,
        Filter::GrepFailures => 3,
        Filter::Grep => 4,
        Filter::Opaque => 5,
    };
    if rank(second) > rank(first) {
        second
    } else {
        first
    }
}

/// The directory of a run: what `cd` and the runner's own option lead to.
pub(super) fn directory(segment: &Segment, own: Option<String>) -> Option<String> {
    match (&segment.dir, own) {
        (Some(dir), Some(own)) if !own.starts_with(['/', '~', '$']) => {
            Some(alloc::format!("{}/{own}", dir.trim_end_matches('/')))
        }
        (_, Some(own)) => Some(own),
        (dir, None) => dir.clone(),
    }
}
