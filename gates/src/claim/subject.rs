//! What a clause speaks of: which checks, all or a part of them, by which runner.

use super::ClaimKind::{self, BuildPasses, LintClean, TestsPass, TypesClean};
use super::phrases::{
    ACTIONS, COMPOUNDS, ENDINGS, EVERYTHING, JOINERS, PART_AFTER, PART_BEFORE, SCRIPTS, SINGLE,
    SUBJECTS, TOOLS, WHOLE, has,
};
use alloc::string::String;
use alloc::vec::Vec;

/// Every kind that a check's outcome can deny.
const ALL: [ClaimKind; 4] = [TestsPass, BuildPasses, LintClean, TypesClean];

/// A subject of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Subject {
    /// Where it stands.
    pub(super) place: usize,
    /// What it is; none for a word that stands for every check.
    pub(super) kind: Option<ClaimKind>,
    /// It is a part of the checks only.
    pub(super) part: bool,
    /// The runner, as the beginning of its canonical name.
    pub(super) tool: Option<&'static str>,
    /// It is what was worked on ("updated the tests").
    pub(super) object: bool,
}

impl Subject {
    /// The claims that a state of it makes.
    pub(super) fn kinds(&self) -> &[ClaimKind] {
        match &self.kind {
            Some(kind) => core::slice::from_ref(kind),
            None => &ALL,
        }
    }
}

/// The word at a place, or none.
pub(super) fn word(words: &[String], place: usize) -> &str {
    words.get(place).map_or("", String::as_str)
}

/// The word `back` places before one.
pub(super) fn before(words: &[String], place: usize, back: usize) -> &str {
    place.checked_sub(back).map_or("", |at| word(words, at))
}

/// The subjects of a clause, in order.
pub(super) fn subjects(words: &[String]) -> Vec<Subject> {
    (0..words.len())
        .filter_map(|place| subject(words, place))
        .collect()
}

fn subject(words: &[String], place: usize) -> Option<Subject> {
    let name = word(words, place);
    let known = SUBJECTS.iter().find(|(_, list)| has(list, name));
    let every = has(EVERYTHING, name) || is_script(name);
    let half = has(COMPOUNDS, word(words, place.saturating_add(1)));
    if half || (known.is_none() && !every) {
        return None;
    }
    let tool = tool(words, place).filter(|_| known.is_some());
    Some(Subject {
        place,
        kind: known.map(|(kind, _)| *kind),
        part: is_part(words, place, tool),
        tool,
        object: is_object(words, place),
    })
}

/// "updated the tests"; not "updated, tests pass".
fn is_object(words: &[String], place: usize) -> bool {
    let mut back = (1..=3).map(|back| before(words, place, back));
    let mut near = back.by_ref().take_while(|word| *word != ",");
    near.any(|word| has(ACTIONS, word))
}

/// `check.sh`, `scripts/run-tests.sh`.
fn is_script(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return false;
    };
    let file = stem.rsplit('/').next().unwrap_or(stem);
    has(ENDINGS, ending) && file.split(['-', '_']).any(|part| has(SCRIPTS, part)) && {
        // `test_api.py` and `api.test.ts` hold tests and are no scripts that run them all.
        ending.ends_with("sh") && !file.contains('.')
    }
}

/// The runner that a subject names, or that stands before it (`cargo test`, `npm run build`).
fn tool(words: &[String], place: usize) -> Option<&'static str> {
    let named = |name: &str| {
        TOOLS
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, tool)| *tool)
    };
    let second = match before(words, place, 1) {
        "run" => before(words, place, 2),
        other => other,
    };
    named(word(words, place)).or_else(|| named(second))
}

fn is_part(words: &[String], place: usize, tool: Option<&str>) -> bool {
    let name = word(words, place);
    let next = word(words, place.saturating_add(1));
    let single = has(SINGLE, name) && tool.is_none() && !has(WHOLE, next);
    let mut modifiers = (1..=5).map(|back| before(words, place, back));
    let modifiers = modifiers
        .by_ref()
        .take_while(|w| has(JOINERS, w) || has(PART_BEFORE, w));
    single || has(PART_AFTER, next) || modifiers.into_iter().any(|w| has(PART_BEFORE, w))
}
