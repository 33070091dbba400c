//! Options that reach a runner through its environment.

use crate::shell::{Segment, Word, wrapper};
use alloc::vec::Vec;

/// Programs and the variables that add options to theirs.
const VARIABLES: &[(&[&str], &str)] = &[
    (&["pytest", "py.test"], "PYTEST_ADDOPTS"),
    (&["make", "gmake"], "MAKEFLAGS"),
    (&["make", "gmake"], "GNUMAKEFLAGS"),
    (&["go"], "GOFLAGS"),
    (&["rspec"], "SPEC_OPTS"),
    (&["mvn", "mvnw"], "MAVEN_ARGS"),
    (&["mvn", "mvnw"], "MAVEN_OPTS"),
    (&["tox"], "TOX_OPTIONS"),
];

/// A variable that was set further back is not looked for.
const MAX_BACK: usize = 256;

/// The options that variables, set in this command, add to a program's words.
pub(super) fn options(segments: &[Segment], index: usize, words: &[Word]) -> Vec<Word> {
    let mut names = words.iter().map(|word| wrapper::base_name(&word.text));
    let Some(program) = names.find(|name| VARIABLES.iter().any(|(all, _)| all.contains(name)))
    else {
        return Vec::new();
    };
    let before = segments.get(..=index).unwrap_or(&[]);
    let rows = VARIABLES.iter().filter(|(all, _)| all.contains(&program));
    let values = rows.filter_map(|(_, variable)| {
        let mut near = before.iter().rev().take(MAX_BACK);
        Some((*variable, near.find_map(|segment| set(segment, variable))?))
    });
    let mut added: Vec<Word> = values
        .flat_map(|(variable, value)| split(variable, value))
        .collect();
    added.extend(words.iter().flat_map(|word| configured(&word.text)));
    added
}

/// The options in a variable. The first word of make's may lack its dash.
fn split(variable: &str, value: &str) -> Vec<Word> {
    let mut words: Vec<Word> = value.split_whitespace().map(Word::plain).collect();
    let short = |text: &str| !text.starts_with('-') && !text.contains('=');
    if let Some(first) = words
        .first_mut()
        .filter(|w| variable.ends_with("MAKEFLAGS") && short(&w.text))
    {
        first.text.insert(0, '-');
    }
    words
}

/// `-o addopts=--co`, `--override-ini=addopts=--co`: options by way of pytest's settings.
fn configured(word: &str) -> Vec<Word> {
    let value = word.strip_prefix("--override-ini=").unwrap_or(word);
    let value = value.strip_prefix("-o").unwrap_or(value);
    let options = value.strip_prefix("addopts=").unwrap_or("");
    options.split_whitespace().map(Word::plain).collect()
}

/// What a segment sets a variable to, for itself or with `export`.
pub(super) fn set<'a>(segment: &'a Segment, variable: &str) -> Option<&'a str> {
    let of_word = |text: &'a str| {
        let (name, value) = text.split_once('=')?;
        (name == variable).then_some(value)
    };
    let own = segment
        .assignments
        .iter()
        .find(|(name, _)| name == variable);
    let exported = segment.texts().next() == Some("export");
    let words = segment.texts().skip(1).filter(|_| exported);
    own.map(|(_, value)| value.as_str())
        .or_else(|| words.filter_map(of_word).last())
}
