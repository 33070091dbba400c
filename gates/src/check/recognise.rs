//! From a command to the checks it runs.

use super::arguments;
use super::context;
use super::environment;
use super::interpreter::{interpreter, module_run};
use super::package;
use super::runner::{Positional, Runner};
use super::scope::Scope;
use super::script::{self, Named};
use super::standin;
use super::tables::TABLES;
use super::targets;
use super::types::{CheckRun, Filter, Kind, Qualifier};
use crate::shell::{self, Segment, Word, wrapper};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What a segment turned out to be, before its surroundings are looked at.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) scope: Scope,
    pub(super) row: Option<&'static Runner>,
    pub(super) languages: &'static [&'static str],
    pub(super) qualifiers: Vec<Qualifier>,
    pub(super) never_fails: bool,
    pub(super) dir: Option<String>,
}

impl Found {
    /// A check known by its name alone.
    pub(super) fn by_name(name: String, named: Named, scope: Scope) -> Self {
        let mut qualifiers = Vec::new();
        if named.watches {
            qualifiers.push(Qualifier::WatchMode);
        }
        if named.fixes {
            qualifiers.push(Qualifier::Autofix);
        }
        Self {
            name,
            kind: named.kind,
            scope,
            row: None,
            languages: &[],
            qualifiers,
            never_fails: false,
            dir: None,
        }
    }
}

/// The checks that `command` runs, in order.
#[must_use]
pub fn runs(command: &str) -> Vec<CheckRun> {
    runs_in(&shell::segments(command))
}

/// The checks among `segments`, in order.
#[must_use]
pub fn runs_in(segments: &[Segment]) -> Vec<CheckRun> {
    let failing = context::may_fail(segments);
    let found = segments.iter().enumerate();
    let mut runs: Vec<CheckRun> = found
        .filter_map(|(index, segment)| run(segments, index, segment, failing))
        .collect();
    let reaching = runs.iter().filter(|run| run.exit_reaches).count();
    for run in &mut runs {
        run.rivals = failing.saturating_sub(reaching);
    }
    runs
}

fn run(segments: &[Segment], index: usize, segment: &Segment, failing: usize) -> Option<CheckRun> {
    let stripped = wrapper::strip(&segment.words);
    let texts: Vec<&str> = stripped
        .words
        .iter()
        .map(|word| word.text.as_str())
        .collect();
    let mut words = stripped.words.to_vec();
    words.extend(environment::options(segments, index, &words));
    let mut found = recognise(&words, stripped.module, stripped.tool)?;
    if standin::stands(segments, index, segment) {
        return None;
    }
    if stripped.watches {
        found.qualifiers.push(Qualifier::WatchMode);
    }
    let lost = stripped.loses_exit || found.never_fails;
    let exit_reaches = !segment.exit_masked && !segment.background && !segment.negated && !lost;
    context::qualify(segment, exit_reaches, &found.scope, &mut found.qualifiers);
    let filter = context::filter(segments, segment);
    Some(CheckRun {
        runner: found.name,
        kind: found.kind,
        scope: found.scope,
        languages: found.languages,
        words: texts.iter().map(ToString::to_string).collect(),
        autofix: found.qualifiers.contains(&Qualifier::Autofix),
        qualifiers: found.qualifiers,
        exit_reaches,
        rivals: 0,
        sole: exit_reaches && failing == usize::from(context::can_fail(segment)),
        dir: context::directory(segment, found.dir),
        segment: index,
        families: found.row.map_or(&[], |row| row.families),
        filter,
        muted: segment.output_hidden && segment.errors_hidden && !segment.redirect_out,
        rewritten: context::rewritten(segments, segment),
        silent: found.row.is_some_and(|row| row.silent) && filter != Filter::Opaque,
        status_text: if found.never_fails {
            None
        } else {
            segment.status_text.clone()
        },
        spoken: segment.spoken.clone(),
        // A check that prints nothing when all is well prints as much for no files.
        optional: segment.optional || (stripped.maybe && found.kind == Kind::Test),
    })
}

/// What the words of a command run, wrappers already taken off.
pub(super) fn recognise(words: &[Word], module: bool, tool: Option<&str>) -> Option<Found> {
    let (first, rest) = words.split_first()?;
    let arguments: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    if asks_for_help(&arguments) {
        return None;
    }
    let program = wrapper::base_name(&first.text);
    let program = program.split_once('@').map_or(program, |(name, _)| name);
    if module {
        return module_run(program, &arguments);
    }
    if let Some(found) = interpreter(program, rest, &arguments) {
        return found;
    }
    by_row(program, &arguments)
        .or_else(|| package::script(program, rest))
        .or_else(|| tool_script(tool, program))
        .or_else(|| selftest(program, &arguments))
        .or_else(|| own_script(&first.text, &arguments))
}

/// A script of the tool that ran it: `pdm run test`, `hatch run lint`.
fn tool_script(tool: Option<&str>, name: &str) -> Option<Found> {
    let named = script::named(name, Kind::Test)?;
    Some(Found::by_name(
        format!("{}:{name}", tool?),
        named,
        Scope::Whole,
    ))
}

/// A script of the repository, called by its path.
fn own_script(path: &str, arguments: &[&str]) -> Option<Found> {
    if !path.contains('/') {
        return None;
    }
    script_found(path, arguments)
}

pub(super) fn script_found(path: &str, arguments: &[&str]) -> Option<Found> {
    let named = script::script_file(path)?;
    let scope = arguments::plain_scope(arguments);
    let name = format!("script:{}", path.trim_start_matches("./"));
    Some(Found::by_name(name, named, scope))
}

pub(super) fn selftest(program: &str, arguments: &[&str]) -> Option<Found> {
    const FLAGS: &[&str] = &["--selftest", "--self-test", "--self_test", "-selftest"];
    let asked = arguments.iter().any(|word| FLAGS.contains(word));
    if !asked || context::only_reads(program) {
        return None;
    }
    let named = Named {
        kind: Kind::Selftest,
        watches: false,
        fixes: false,
    };
    Some(Found::by_name(
        format!("selftest:{program}"),
        named,
        Scope::Whole,
    ))
}

/// Looks the program up in the tables.
pub(super) fn by_row(program: &str, arguments: &[&str]) -> Option<Found> {
    let rows = TABLES.iter().flat_map(|table| table.iter());
    rows.filter(|row| row.programs.contains(&program))
        .find_map(|row| from_row(row, arguments))
}

fn from_row(row: &'static Runner, arguments: &[&str]) -> Option<Found> {
    let rest = if row.sub.is_empty() {
        arguments
    } else {
        behind_sub(row, arguments)?
    };
    let has = |list: &[&str]| {
        arguments
            .iter()
            .any(|word| list.contains(&option_name(word)) || list.contains(word))
    };
    if has(row.refuses) || (!row.needs.is_empty() && !has(row.needs)) {
        return None;
    }
    let mut found = Found {
        name: row.name.to_string(),
        kind: if has(row.builds_only) {
            Kind::Build
        } else {
            row.kind
        },
        scope: Scope::Whole,
        row: Some(row),
        languages: row.languages,
        qualifiers: Vec::new(),
        never_fails: has(row.never_fails),
        dir: arguments::directory(row.name, arguments),
    };
    for (list, qualifier) in [
        (row.fixes, Qualifier::Autofix),
        (row.watches, Qualifier::WatchMode),
    ] {
        if has(list) {
            found.qualifiers.push(qualifier);
        }
    }
    if has(&["--passWithNoTests", "--pass-with-no-tests", "--if-present"]) {
        found.qualifiers.push(Qualifier::PassWithNoTests);
    }
    if row.positional == Positional::Targets {
        return targets::refine(row, rest, found);
    }
    found.scope = arguments::scope(row, rest);
    Some(found)
}

/// The words behind the subcommand, which stands after options and `+toolchain`.
fn behind_sub<'a>(row: &Runner, arguments: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let mut index = 0_usize;
    while let Some(word) = arguments.get(index) {
        let option = word.starts_with('-') || word.starts_with('+') || word.contains('=');
        if !option {
            let rest = arguments.get(index.saturating_add(1)..)?;
            return row.sub.contains(word).then_some(rest);
        }
        let valued =
            row.valued.contains(word) || matches!(*word, "-C" | "--prefix" | "--manifest-path");
        index = index.saturating_add(if valued { 2 } else { 1 });
    }
    None
}

/// `--name=value` without its value.
pub(super) fn option_name(word: &str) -> &str {
    if word.starts_with('-') {
        word.split_once('=').map_or(word, |(name, _)| name)
    } else {
        word
    }
}

/// Whether only a description is asked for.
fn asks_for_help(arguments: &[&str]) -> bool {
    let flagged = arguments
        .iter()
        .take_while(|word| **word != "--")
        .any(|word| {
            matches!(
                *word,
                "--help" | "--version" | "--collect-only" | "--co" | "--list-tests" | "--listTests"
            )
        });
    let alone = arguments.len() == 1
        && matches!(
            arguments.first(),
            Some(&("-h" | "-V" | "-v" | "help" | "version" | "-help" | "-version" | "--list"))
        );
    let short_help = arguments.last().is_some_and(|word| *word == "-h");
    flagged || short_help || (alone && arguments.first() != Some(&"-v")) || lists(arguments)
}

fn lists(arguments: &[&str]) -> bool {
    arguments.contains(&"--list")
}
