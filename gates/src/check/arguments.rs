//! How much of a project the arguments of a runner ask for.

use super::recognise::option_name;
use super::runner::{Positional, Runner};
use super::scope::Scope;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Paths and selectors kept of one run.
const MAX_PARTS: usize = 64;

/// The scope that `arguments` (without the subcommand) give.
pub(super) fn scope(row: &Runner, arguments: &[&str]) -> Scope {
    let mut paths: Vec<&str> = Vec::new();
    let mut picks: Vec<String> = Vec::new();
    let mut only_values = false;
    let mut words = arguments.iter().copied().peekable();
    while let Some(word) = words.next() {
        if word == "--" {
            only_values = true;
            continue;
        }
        if word.starts_with('-') && word.len() > 1 {
            option(row, word, &mut words, &mut picks);
            continue;
        }
        let narrows = row.positional != Positional::Ignored && !row.whole.contains(&word);
        if !narrows || (only_values && row.positional != Positional::Selector && word.contains('='))
        {
            continue;
        }
        match row.positional {
            Positional::Selector => picks.push(word.to_string()),
            _ => paths.push(word),
        }
    }
    assemble(paths, picks)
}

/// Reads one option, with its value where it has one.
fn option<'a>(
    row: &Runner,
    word: &'a str,
    words: &mut core::iter::Peekable<impl Iterator<Item = &'a str>>,
    picks: &mut Vec<String>,
) {
    let name = option_name(word);
    let selects = row.selectors.contains(&name);
    if !selects {
        let joined = name.len() < word.len();
        if row.valued.contains(&name) && !joined {
            words.next();
        }
        return;
    }
    if name.len() < word.len() || flag_only(name) {
        picks.push(word.to_string());
        return;
    }
    match words.next_if(|next| !next.starts_with('-') || next.contains(' ')) {
        Some(value) => picks.push(alloc::format!("{word} {value}")),
        None => picks.push(word.to_string()),
    }
}

/// Selecting options that take no value.
fn flag_only(name: &str) -> bool {
    const FLAGS: &[&str] = &[
        "--lf",
        "--last-failed",
        "--ff",
        "--lib",
        "--bins",
        "--tests",
        "--doc",
        "--examples",
        "--benches",
        "--exact",
        "--ignored",
        "--onlyChanged",
        "-o",
        "--onlyFailures",
        "--only-failures",
        "--test-only",
        "--failed",
        "--stale",
        "--affected",
    ];
    FLAGS.contains(&name)
}

fn assemble(mut paths: Vec<&str>, mut picks: Vec<String>) -> Scope {
    paths.truncate(MAX_PARTS);
    picks.truncate(MAX_PARTS);
    if picks.is_empty() && paths.is_empty() {
        return Scope::Whole;
    }
    if picks.is_empty() {
        return Scope::Paths(paths.into_iter().map(ToString::to_string).collect());
    }
    let mut parts: Vec<String> = paths.into_iter().map(ToString::to_string).collect();
    parts.append(&mut picks);
    Scope::Selector(parts.join(" "))
}

/// The scope of a run whose options are not known: words that look like paths or selectors.
pub(super) fn plain_scope(arguments: &[&str]) -> Scope {
    const PICKS: &[&str] = &[
        "-t",
        "-k",
        "--grep",
        "-g",
        "--filter",
        "--testNamePattern",
        "--testPathPattern",
        "-run",
        "--spec",
        "--tests",
        "--test",
        "--only",
    ];
    let mut paths = Vec::new();
    let mut picks = Vec::new();
    let mut words = arguments.iter().copied().peekable();
    let mut option_before = false;
    while let Some(word) = words.next() {
        let option = word.starts_with('-');
        if PICKS.contains(&option_name(word)) {
            let value = words.next_if(|next| !next.starts_with('-')).unwrap_or("");
            picks.push(alloc::format!("{word} {value}").trim_end().to_string());
        } else if !option && word != "." && !word.contains('=') {
            // A word behind an unknown option may be its value; a path tells by itself.
            let path = word.contains('/') || word.contains('.');
            if path || !option_before {
                paths.push(word);
            }
        }
        option_before = option && word != "--" && !word.contains('=');
    }
    assemble(paths, picks)
}

/// The directory that an option sends the runner to.
pub(super) fn directory(name: &str, arguments: &[&str]) -> Option<String> {
    let options: &[&str] = match name {
        "make" => &["-C", "--directory", "-f", "--file", "--makefile"],
        "ninja" | "go-test" | "go-build" | "go-vet" | "meson-test" | "meson-build" => {
            &["-C", "--directory"]
        }
        "just" => &["-d", "--working-directory"],
        "task" => &["-d", "--dir"],
        "gradle" => &["-p", "--project-dir"],
        "cargo-test" | "cargo-build" | "cargo-clippy" | "cargo-nextest" | "cargo-fmt" => {
            &["--manifest-path"]
        }
        "package" => &["--prefix", "-C", "--dir", "--cwd"],
        "ctest" => &["--test-dir"],
        "cmake-build" => &["--build"],
        _ => return None,
    };
    let place = arguments
        .iter()
        .position(|word| options.contains(&option_name(word)))?;
    let word = arguments.get(place)?;
    let value = word.split_once('=').map(|(_, value)| value);
    let value = value.or_else(|| arguments.get(place.saturating_add(1)).copied())?;
    if matches!(option_name(word), "-f" | "--file" | "--makefile") {
        // The targets are those of a file that lies there.
        return value.rsplit_once('/').map(|(dir, _)| dir.to_string());
    }
    Some(
        value
            .trim_end_matches("/Cargo.toml")
            .trim_end_matches("Cargo.toml")
            .to_string(),
    )
    .filter(|dir| !dir.is_empty())
}
