//! Options that reach a runner through its environment.

use crate::shell::{Segment, Word, wrapper};
use alloc::vec::Vec;

/// Programs and the variables that add options to theirs.
const VARIABLES: &[(&[&str], &str)] = &[
    (&["pytest", "py.test"], "PYTEST_ADDOPTS"),
    (&["make", "gmake"], "MAKEFLAGS"),
    (&["go"], "GOFLAGS"),
    (&["rspec"], "SPEC_OPTS"),
    (&["mvn", "mvnw"], "MAVEN_ARGS"),
    (&["tox"], "TOX_OPTIONS"),
];

/// A variable that was set further back is not looked for.
const MAX_BACK: usize = 256;

/// The options that variables, set in this command, add to a program's words.
pub(super) fn options(segments: &[Segment], index: usize, words: &[Word]) -> Vec<Word> {
    let mut names = words.iter().map(|word| wrapper::base_name(&word.text));
    let program = names.find(|name| {
        VARIABLES
            .iter()
            .any(|(programs, _)| programs.contains(name))
    });
    let row = program.and_then(|p| VARIABLES.iter().find(|(programs, _)| programs.contains(&p)));
    let Some((_, variable)) = row else {
        return Vec::new();
    };
    let before = segments.get(..=index).unwrap_or(&[]);
    let value = before
        .iter()
        .rev()
        .take(MAX_BACK)
        .find_map(|segment| set(segment, variable));
    let value = value.unwrap_or_default();
    value.split_whitespace().map(Word::plain).collect()
}

/// What a segment sets a variable to, for itself or with `export`.
fn set<'a>(segment: &'a Segment, variable: &str) -> Option<&'a str> {
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
