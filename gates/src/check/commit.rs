//! Checks that git's hooks run inside `git commit`.
//!
//! Whether a repository has hooks cannot be seen in the command, so a commit is a check only as
//! far as its output says so; its status tells nothing, as a commit also fails for other reasons.

use super::context;
use super::outcome::{Basis, Evidence, Judged, Outcome};
use super::scope::Scope;
use super::summary::{self, Family, Reading};
use super::types::{CheckRun, Filter, Kind, Qualifier};
use super::verdict::{Verdict, verdict};
use crate::shell::{Segment, Word, wrapper};
use alloc::string::ToString;
use alloc::vec::Vec;

/// Variables with which the hooks of a commit are left out.
const OFF: &[(&str, Option<&str>)] = &[
    ("HUSKY", Some("0")),
    ("HUSKY_SKIP_HOOKS", None),
    ("LEFTHOOK", Some("0")),
    ("OVERCOMMIT_DISABLE", None),
];

/// Programs that print nothing, or what the command spells out.
const QUIET: &[&str] = &[
    "cd", "pushd", "popd", "echo", "printf", "export", "set", "true", ":", "sleep", "rm", "mkdir",
    "touch", "cp", "mv", "source", ".", "exit", "[", "test",
];

/// Subcommands of git that show no file and no message.
const QUIET_GIT: &[&str] = &[
    "add",
    "commit",
    "status",
    "push",
    "pull",
    "fetch",
    "stash",
    "checkout",
    "switch",
    "branch",
    "rev-parse",
    "reset",
    "restore",
    "rm",
    "mv",
    "config",
    "tag",
];

/// Those who say for all hooks how they came out.
const RUNNERS: &[Family] = &[Family::Hooks, Family::PreCommit];

/// The commit that a command makes, the last if it tries several.
#[must_use]
pub fn commit(segments: &[Segment]) -> Option<CheckRun> {
    let mut found = segments.iter().enumerate().rev();
    let (index, segment, options) =
        found.find_map(|(index, segment)| Some((index, segment, options(segment)?)))?;
    let mut qualifiers = Vec::new();
    if without_hooks(segments.get(..=index)?, &options) {
        qualifiers.push(Qualifier::HooksSkipped);
    }
    let exit_reaches = !segment.exit_masked && !segment.background && !segment.negated;
    Some(CheckRun {
        runner: "git-commit".to_string(),
        kind: Kind::Lint,
        scope: Scope::Whole,
        languages: &[],
        words: segment.texts().map(ToString::to_string).collect(),
        qualifiers,
        exit_reaches,
        rivals: 0,
        sole: alone(segments, index),
        autofix: false,
        dir: context::directory(segment, None),
        segment: index,
        families: &[],
        filter: Filter::None,
        muted: segment.output_hidden && segment.errors_hidden,
        rewritten: context::rewritten(segments, segment),
        silent: false,
        status_text: None,
        spoken: None,
        optional: segment.optional,
    })
}

/// Whether nothing else in the command prints what others have said.
fn alone(segments: &[Segment], commit: usize) -> bool {
    let reads_pipe = |index| segments.iter().any(|other| other.piped_into == Some(index));
    let mut others = segments
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != commit);
    others.all(|(index, segment)| {
        let mut texts = wrapper::strip(&segment.words)
            .words
            .iter()
            .map(|word| word.text.as_str());
        let program = texts.next().map_or("", wrapper::base_name);
        match program {
            "git" => texts.any(|text| QUIET_GIT.contains(&text)),
            "cat" | "tail" | "head" | "grep" | "tee" => {
                reads_pipe(index) || segment.words.len() == 1
            }
            _ => program.is_empty() || QUIET.contains(&program),
        }
    })
}

/// The words behind `git commit`, if it is to make one.
fn options(segment: &Segment) -> Option<Vec<&str>> {
    let words: &[Word] = wrapper::strip(&segment.words).words;
    let mut texts = words.iter().map(|word| word.text.as_str());
    if texts.next().map(wrapper::base_name) != Some("git") {
        return None;
    }
    let mut before = Vec::new();
    while let Some(text) = texts.next() {
        match text {
            "-C" | "-c" | "--git-dir" | "--work-tree" => before.extend(texts.next()),
            "commit" => {
                before.extend(texts);
                let only_asks = ["--dry-run", "--help", "-h", "--short", "--porcelain"];
                let asks = before.iter().any(|word| only_asks.contains(word));
                return (!asks).then_some(before);
            }
            _ if text.starts_with('-') => {}
            _ => return None,
        }
    }
    None
}

fn without_hooks(segments: &[Segment], options: &[&str]) -> bool {
    let short = |word: &str| {
        let flags = word.strip_prefix('-').filter(|f| !f.starts_with('-'));
        // What follows `m`, `F`, `C`, `c` or `t` in a bundle is that option's value.
        let flags = flags.and_then(|f| f.split(['m', 'F', 'C', 'c', 't']).next());
        flags.is_some_and(|flags| flags.contains('n'))
    };
    let asked = options
        .iter()
        .take_while(|word| **word != "--")
        .any(|word| *word == "--no-verify" || word.starts_with("core.hooksPath=") || short(word));
    let set = segments
        .last()
        .is_some_and(|own| own.assignments.iter().any(off));
    let exported = segments.iter().rev().take(64).any(|segment| {
        let mut texts = segment.texts();
        let exports = texts.next() == Some("export");
        exports
            && texts
                .filter_map(|text| text.split_once('='))
                .any(|(name, value)| off(&(name.to_string(), value.to_string())))
    });
    asked || set || exported
}

fn off((name, value): &(alloc::string::String, alloc::string::String)) -> bool {
    OFF.iter()
        .any(|(known, wanted)| known == name && wanted.is_none_or(|wanted| wanted == value))
}

/// How a commit came out as a check; nothing if neither its hooks nor git said anything.
///
/// Passed or failed as its hooks say. Unknown by exit: the commit was made, so no hook refused
/// it, and nothing shows that there was one.
#[must_use]
pub fn judge_commit(run: &CheckRun, evidence: &Evidence<'_>) -> Option<Judged> {
    if evidence.not_run || evidence.background || run.muted {
        return None;
    }
    let mut lines = summary::window(evidence.output);
    let told = lines.iter().any(|line| tells_of_commit(line));
    lines.retain(|line| !evidence.planted.is_some_and(|planted| planted.holds(line)));
    let wanted = |family: Family| RUNNERS.contains(&family) || (run.sole && !family.only_its_own());
    let reading = summary::read(&lines, &wanted, true);
    let verdict = verdict(&reading, run.kind, true);
    let ended = run.exit_reaches && !run.optional && evidence.exit == Some(0);
    let made = told || (ended && !evidence.failed_call);
    let (outcome, basis) = if made {
        made_it(run, verdict)
    } else if speaks(&reading) || (run.sole && verdict.failed_finally()) {
        refused(verdict)?
    } else {
        return None;
    };
    let failed = outcome == Outcome::Failed;
    Some(Judged {
        outcome,
        basis,
        executed: verdict.executed,
        failing: if failed { reading.names } else { Vec::new() },
        qualifiers: run.qualifiers.clone(),
    })
}

fn made_it(run: &CheckRun, verdict: Verdict) -> (Outcome, Basis) {
    let skipped = run.qualifiers.contains(&Qualifier::HooksSkipped);
    if skipped {
        (Outcome::Unknown, Basis::None)
    } else if run.sole && verdict.passed() && verdict.executed != Some(0) && !run.rewritten {
        (Outcome::Passed, Basis::Summary)
    } else {
        (Outcome::Unknown, Basis::Exit)
    }
}

fn refused(verdict: Verdict) -> Option<(Outcome, Basis)> {
    verdict
        .failed_finally()
        .then_some((Outcome::Failed, Basis::Summary))
}

/// Whether a runner of hooks says that one refused.
fn speaks(reading: &Reading) -> bool {
    let said = reading.said.iter();
    said.filter(|(family, _)| RUNNERS.contains(family))
        .any(|(_, said)| said.failure())
}

/// `[main 1a2b3c4] Add totals`, `[main (root-commit) 1a2b3c4] Add totals`
pub(super) fn tells_of_commit(line: &str) -> bool {
    let inside = line
        .trim()
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("] "));
    let words: Vec<&str> = inside.map_or("", |(inside, _)| inside).split(' ').collect();
    words.len() > 1
        && words.last().is_some_and(|hash| {
            (7..=40).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
}
