//! Interpreters and the checks that they run: modules, script files, one-liners.

use super::recognise::{Found, by_row, script_found, selftest};
use super::scope::Scope;
use super::script::{self, Named};
use super::types::Kind;
use crate::shell::{Word, wrapper};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Interpreters and what they run. `None`: no interpreter; `Some(None)`: it runs no check.
pub(super) fn interpreter(
    program: &str,
    rest: &[Word],
    arguments: &[&str],
) -> Option<Option<Found>> {
    let python = program == "pypy3" || is_python(program);
    let shell = is_shell(program);
    let other = matches!(
        program,
        "node" | "tsx" | "ts-node" | "ruby" | "php" | "perl" | "deno" | "bun"
    );
    if !python && !shell && !other {
        return None;
    }
    if let Some(found) = by_row(program, arguments) {
        return Some(Some(found));
    }
    if matches!(program, "bun" | "deno") && arguments.first() != Some(&"run") {
        return None;
    }
    let skip = usize::from(matches!(program, "bun" | "deno"));
    let rest = rest.get(skip..).unwrap_or(&[]);
    let found = if python {
        python_run(rest)
    } else {
        file_run(program, rest)
    };
    match found {
        None if program == "bun" || program == "node" => None,
        None => Some(selftest(program, arguments)),
        found => Some(found),
    }
}

fn is_shell(program: &str) -> bool {
    matches!(program, "bash" | "sh" | "zsh" | "dash" | "ksh")
}

/// Whether an option of a shell keeps it from running: `-en`.
fn reads_only(option: &str) -> bool {
    let letters = option.strip_prefix('-').filter(|o| !o.starts_with('-'));
    letters.is_some_and(|letters| letters.contains('n')) || option == "noexec"
}

fn is_python(program: &str) -> bool {
    let version = program
        .strip_prefix("python")
        .or_else(|| program.strip_prefix("pypy"));
    program == "py"
        || version.is_some_and(|rest| {
            rest.chars()
                .all(|letter| letter.is_ascii_digit() || letter == '.')
        })
}

fn python_run(words: &[Word]) -> Option<Found> {
    let mut index = 0_usize;
    while let Some(word) = words.get(index) {
        let rest = words.get(index.saturating_add(1)..).unwrap_or(&[]);
        match word.text.as_str() {
            "-m" => {
                let (name, arguments) = rest.split_first()?;
                return python_module(&name.text, arguments);
            }
            "-c" => return python_line(&rest.first()?.text),
            "-V" | "-VV" | "-h" | "-?" | "--version" | "--help" => return None,
            "-W" | "-X" => index = index.saturating_add(2),
            text if text.starts_with("-m") && text.len() > 2 => {
                return python_module(text.get(2..)?, rest);
            }
            text if text.len() > 1 && text.starts_with('-') => index = index.saturating_add(1),
            "-" => return None,
            _ => return file_run("python", words.get(index..)?),
        }
    }
    None
}

fn python_module(name: &str, arguments: &[Word]) -> Option<Found> {
    if name == "coverage" {
        let place = arguments.iter().position(|word| word.text == "run")?;
        return python_run(arguments.get(place.saturating_add(1)..)?);
    }
    let texts: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
    module_run(name, &texts)
}

/// A Python module as a program; a package's own test module counts by its name.
pub(super) fn module_run(name: &str, arguments: &[&str]) -> Option<Found> {
    let program = name.split('.').next().unwrap_or(name);
    if let Some(found) = by_row(program, arguments) {
        return Some(found);
    }
    let last = name.rsplit('.').next().unwrap_or(name);
    let named = script::named(last, Kind::Test).filter(|_| name.contains('.') || last == "test");
    let found = named.map(|named| Found::by_name(format!("module:{name}"), named, Scope::Whole));
    found.or_else(|| selftest(name, arguments))
}

/// `python -c` counts if it uses something of the project and asserts.
fn python_line(text: &str) -> Option<Found> {
    let imports = text.contains("import ");
    let asserts = text
        .split(|letter: char| !letter.is_alphanumeric())
        .any(|word| word == "assert");
    let named = Named {
        kind: Kind::Selftest,
        watches: false,
        fixes: false,
    };
    (imports && asserts)
        .then(|| Found::by_name("python-c".into(), named, Scope::Selector(brief(text))))
}

fn brief(text: &str) -> String {
    text.chars().take(80).collect()
}

/// An interpreter with a script file.
fn file_run(program: &str, words: &[Word]) -> Option<Found> {
    let place = words.iter().position(|word| !word.text.starts_with('-'))?;
    let file = words.get(place)?.text.as_str();
    let rest = words.get(place.saturating_add(1)..).unwrap_or(&[]);
    let arguments: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let inline = words
        .get(..place)?
        .iter()
        .any(|word| match word.text.as_str() {
            "-c" => true,
            // To a shell these are settings.
            "-e" | "-r" | "-p" | "--eval" => !is_shell(program),
            _ => false,
        });
    if inline || (is_shell(program) && words.get(..place)?.iter().any(|w| reads_only(&w.text))) {
        return None;
    }
    let name = wrapper::base_name(file);
    if !file.contains(['/', '.']) {
        return by_row(name, &arguments);
    }
    by_row(name, &arguments)
        .or_else(|| selftest(name, &arguments))
        .or_else(|| (program == "ruby").then(|| ruby_test(file)).flatten())
        .or_else(|| script_found(file, &arguments))
}

fn ruby_test(file: &str) -> Option<Found> {
    let named = script::script_file(file)?;
    Some(Found::by_name(
        "minitest".into(),
        named,
        Scope::Paths(alloc::vec![file.to_string()]),
    ))
}
