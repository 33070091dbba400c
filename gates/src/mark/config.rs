//! Settings of checks: required numbers, and rules that are switched off.

use super::decimal::Decimal;
use super::rule;
use super::{Counts, File, Mark};
use crate::path::Class;
use alloc::format;
use alloc::string::String;
use receipt_core::event::FileChange;

/// Beginnings of the names of settings that are programs.
const PROGRAMS: &[&str] = &[
    "jest.config",
    "vitest.config",
    "vite.config",
    "eslint.config",
    ".eslintrc",
    "karma.conf",
    "stylelint.config",
    ".nycrc",
    "playwright.config",
    "cypress.config",
    "noxfile",
    "rakefile",
    "spec_helper",
    "test_helper",
    ".simplecov",
    "build.gradle",
    "build.sbt",
    "mix.exs",
];

/// Other names of settings.
const NAMES: &[&str] = &[
    ".coveragerc",
    ".flake8",
    ".pylintrc",
    "pylintrc",
    "phpstan.neon",
    "phpstan.neon.dist",
    ".editorconfig",
    ".swiftlint.yml",
    ".luacheckrc",
    ".perlcriticrc",
    "pom.xml",
];

/// Required numbers; less is asked where they fall. With the names of the only
/// files where the word means that, if it says too little.
const FLOORS: &[(&str, &[&str])] = &[
    ("failunder", &[]),
    ("covfailunder", &[]),
    ("coveragefailunder", &[]),
    ("failunderlines", &[]),
    ("failunderfunctions", &[]),
    ("failunderregions", &[]),
    ("minimumcoverage", &[]),
    ("minimumcoveragebyfile", &[]),
    ("coverageminimumstmttotal", &[]),
    ("minmsi", &[]),
    ("mincoveredmsi", &[]),
    ("branches", COVERAGE),
    ("lines", COVERAGE),
    ("functions", COVERAGE),
    ("statements", COVERAGE),
    ("minimum", &["build.gradle", "pom.xml"]),
    ("level", &["phpstan"]),
    ("target", &["codecov"]),
    ("threshold", &[".csproj", "directory.build"]),
];

const COVERAGE: &[&str] = &[
    "jest",
    "vitest",
    "vite.",
    "nyc",
    "c8rc",
    "package.json",
    "karma",
];

/// Numbers that must not be passed; less is asked where they rise.
const CEILINGS: &[(&str, &[&str])] = &[
    ("maxwarnings", &[]),
    ("maxcomplexity", &[]),
    ("errorlevel", &["psalm"]),
    ("cognitivecomplexitythreshold", &["clippy"]),
];

/// Whether a file may hold settings of checks.
pub(super) fn is_config(file: File<'_>) -> bool {
    let name = name(file);
    file.class == Class::Config
        || NAMES.contains(&name.as_str())
        || name.ends_with(".props")
        || name.ends_with(".targets")
        || PROGRAMS.iter().any(|start| name.starts_with(start))
}

fn name(file: File<'_>) -> String {
    let name = file.path.rsplit('/').next().unwrap_or(file.path);
    name.to_ascii_lowercase()
}

/// Marks what changed in the settings.
pub(super) fn compare(file: File<'_>, change: &FileChange, counts: &mut Counts) {
    let name = name(file);
    for (lines, step) in [(&change.added, 1_i64), (&change.removed, -1_i64)] {
        for line in lines.iter().map(|line| line.trim()) {
            if line.is_empty() || line.starts_with(['#', ';']) || line.starts_with("//") {
                continue;
            }
            numbers(&name, line, step, counts);
            if rule::is_off(&name, line) {
                counts.add(Mark::RuleOff, line, step);
            }
            for item in rule::ignored(&name, line) {
                counts.add(Mark::RuleOff, &format!("ignore {item}"), step);
            }
        }
    }
}

/// The numbers that a line asks for.
fn numbers(name: &str, line: &str, step: i64, counts: &mut Counts) {
    let mut rest = line;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic()) {
        let tail = rest.get(start..).unwrap_or("");
        let end = tail.find(|c| !is_word(c)).unwrap_or(tail.len());
        let word = tail.get(..end).unwrap_or("");
        rest = tail.get(end..).unwrap_or("");
        let key: String = word.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
        let key = key.to_ascii_lowercase();
        let means = |table: &[(&str, &[&str])]| {
            let found = table.iter().find(|(word, _)| *word == key);
            found.is_some_and(|(_, files)| {
                files.is_empty() || files.iter().any(|f| name.contains(f))
            })
        };
        let (floor, ceiling) = (means(FLOORS), means(CEILINGS));
        if !floor && !ceiling {
            continue;
        }
        let value = rest.trim_start_matches([' ', '=', ':', '"', '\'', '>', '(', ',', '[', '.']);
        let value = value.trim_start_matches("value=\"");
        let end = value.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_'));
        let number = value.get(..end.unwrap_or(value.len())).unwrap_or("");
        let number = Decimal::read(number.trim_end_matches('.'));
        if let Some(number) = number.and_then(Decimal::hundredths) {
            let fall = if floor { -step } else { step };
            counts.add(Mark::Threshold, &key, number.saturating_mul(fall));
        }
    }
}
