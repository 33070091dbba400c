//! Whether a clause says that a check was run.

use super::phrases::{
    AFTER, BETWEEN, HELPERS, JOINERS, NOT_ME, PART_BEFORE, RAN, RUN_BY, RUN_NOUNS, SINGLE, TOOLS,
    has,
};
use super::subject::{Subject, before, word};
use alloc::string::String;

/// Where a clause says so: "ran the tests", "were run", "by a full test run".
pub(super) fn ran(words: &[String], subjects: &[Subject]) -> Option<usize> {
    (0..words.len()).find(|place| match word(words, *place) {
        "run" => was_run(words, *place, subjects) || is_noun(words, *place),
        "running" => {
            let after = (1..=2).any(|back| has(AFTER, before(words, *place, back)));
            after && has_object(words, *place, subjects)
        }
        verb => {
            let mine = !has(NOT_ME, before(words, *place, 1));
            has(RAN, verb)
                && mine
                && (has_object(words, *place, subjects) || is_said_of(words, *place, subjects))
        }
    })
}

/// "have run the tests", "the tests were run".
fn was_run(words: &[String], place: usize, subjects: &[Subject]) -> bool {
    let helped = (1..=3).any(|back| has(HELPERS, before(words, place, back)));
    helped && (has_object(words, place, subjects) || is_said_of(words, place, subjects))
}

/// "verified by full test run".
fn is_noun(words: &[String], place: usize) -> bool {
    has(RUN_NOUNS, before(words, place, 1))
        && (2..=4).any(|back| has(RUN_BY, before(words, place, back)))
}

/// Whether what follows a verb is a check.
fn has_object(words: &[String], place: usize, subjects: &[Subject]) -> bool {
    let mut at = place.saturating_add(1);
    while let Some(found) = words.get(at) {
        if let Some(subject) = subjects.iter().find(|s| s.place == at) {
            return runs(words, subject);
        }
        let passed = has(JOINERS, found) || has(BETWEEN, found) || has(PART_BEFORE, found);
        if !passed && !TOOLS.iter().any(|(known, _)| known == found) {
            return false;
        }
        at = at.saturating_add(1);
    }
    false
}

/// Whether what stands before a verb is a check ("the linter and the tests were run").
fn is_said_of(words: &[String], place: usize, subjects: &[Subject]) -> bool {
    let near = |s: &&Subject| s.place < place && place.saturating_sub(s.place) <= 4;
    subjects
        .iter()
        .filter(near)
        .any(|subject| runs(words, subject))
}

/// Whether a subject is something that runs; "a test query" and "a few checks" are not.
fn runs(words: &[String], subject: &Subject) -> bool {
    let name = word(words, subject.place);
    let single = has(SINGLE, name) && subject.part;
    let loose = subject.kind.is_none() && !matches!(before(words, subject.place, 1), "the" | "all");
    !single && !loose
}
