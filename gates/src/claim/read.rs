//! Finding claims in clauses.

use super::phrases::{
    BAD_THINGS, CONDITIONS, COUNTED, GROUPS, HEDGES, HELPERS, ILL, NEGATIONS, NOT_BEFORE, RAN,
    RUNNABLE, SUBJECTS, WELL, WELL_BEFORE, WORDS, find,
};
use super::sentence::{clauses, sentences};
use super::{Claim, ClaimKind};
use alloc::string::String;
use alloc::vec::Vec;

/// Claims kept of one message.
const MAX_CLAIMS: usize = 100;
/// How far a word reaches.
const REACH: usize = 8;

pub(super) fn claims(message: &str) -> Vec<Claim> {
    let mut claims = Vec::new();
    for sentence in sentences(message) {
        for words in clauses(&sentence.text) {
            for found in in_clause(&words) {
                claims.push(Claim {
                    kind: found.kind,
                    negated: found.ill || negated(&words, &found),
                    hedged: sentence.question || hedged(&words, &found),
                    count: count(&words),
                    text: sentence.text.chars().take(200).collect(),
                });
            }
        }
        if claims.len() >= MAX_CLAIMS {
            break;
        }
    }
    claims.truncate(MAX_CLAIMS);
    claims
}

/// A claim within a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    kind: ClaimKind,
    /// Where the claiming word stands.
    place: usize,
    /// Where the claim starts: its subject if that comes first.
    start: usize,
    /// It says that the subject is not well.
    ill: bool,
}

impl Found {
    /// A claim that its word makes alone.
    fn word(kind: ClaimKind, place: usize) -> Self {
        Self {
            kind,
            place,
            start: place,
            ill: false,
        }
    }
}

fn in_clause(words: &[String]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut add = |claim: Found| {
        if !found.iter().any(|known| known.kind == claim.kind) {
            found.push(claim);
        }
    };
    for (kinds, subjects) in SUBJECTS {
        if let Some((start, place, ill)) = state(words, subjects) {
            kinds.iter().for_each(|kind| {
                add(Found {
                    kind: *kind,
                    place,
                    start,
                    ill,
                })
            });
        }
    }
    if let Some(place) = bare_count(words) {
        add(Found::word(ClaimKind::TestsPass, place));
    }
    if let Some(place) = ran(words) {
        add(Found::word(ClaimKind::RanCheck, place));
    }
    for (kind, list) in WORDS {
        if let Some(place) = words.iter().position(|word| list.contains(&word.as_str()))
            && claims_by_itself(words, place)
        {
            add(Found::word(*kind, place));
        }
    }
    for (kind, group) in GROUPS {
        if let Some(place) = find(words, group) {
            add(Found::word(*kind, place));
        }
    }
    found
}

/// What a clause says of one of `subjects`: where subject and state stand, and whether it is ill.
fn state(words: &[String], subjects: &[&str]) -> Option<(usize, usize, bool)> {
    let is = |place: usize, list: &[&str]| {
        words
            .get(place)
            .is_some_and(|word| list.contains(&word.as_str()))
    };
    let mut subject_places = (0..words.len()).filter(|place| is(*place, subjects));
    let subject = subject_places.next()?;
    let after = (subject.saturating_add(1)..words.len()).take(REACH);
    let well = after.clone().find(|place| is(*place, WELL));
    let ill = after
        .clone()
        .find(|place| is(*place, ILL) && !good_news(words, *place));
    let free = after
        .clone()
        .find(|place| is(*place, ILL) && good_news(words, *place));
    match (well, ill) {
        (Some(well), Some(ill)) if ill < well && !is(ill, &["failing", "failed"]) => {
            return Some((subject, ill, true));
        }
        (Some(well), Some(ill)) if ill > well => return Some((subject, well, true)),
        (Some(well), _) => return Some((subject, well, false)),
        (None, Some(ill)) if is(subject, &["everything", "ci"]) => {
            return Some((subject, ill, true));
        }
        (None, Some(ill)) => return Some((subject, ill, true)),
        (None, None) => {}
    }
    if let Some(free) = free {
        return Some((subject, free, false));
    }
    let self_said = is(subject, &["compiles", "typechecks", "type-checks"]);
    let before = (subject.saturating_sub(3)..subject).find(|place| is(*place, WELL_BEFORE));
    match before {
        Some(place) => Some((place, place, false)),
        None if self_said => Some((subject, subject, false)),
        None => None,
    }
}

/// "no failures", "0 errors".
fn good_news(words: &[String], place: usize) -> bool {
    let before = place.checked_sub(1).and_then(|before| words.get(before));
    let second = place.checked_sub(2).and_then(|before| words.get(before));
    [before, second]
        .into_iter()
        .flatten()
        .any(|word| matches!(word.as_str(), "no" | "0" | "zero" | "without"))
}

/// `128 passed`, `12/12 passed`, without a subject.
fn bare_count(words: &[String]) -> Option<usize> {
    words.windows(2).position(|pair| {
        let number = pair.first().is_some_and(|word| number(word).is_some());
        number
            && pair
                .get(1)
                .is_some_and(|word| matches!(word.as_str(), "passed" | "passing" | "green"))
    })
}

/// "ran the tests", "were run".
fn ran(words: &[String]) -> Option<usize> {
    let runnable = |word: &String| {
        RUNNABLE.contains(&word.as_str())
            || SUBJECTS
                .iter()
                .any(|(_, list)| list.contains(&word.as_str()))
    };
    (0..words.len()).find(|place| {
        let Some(word) = words.get(*place) else {
            return false;
        };
        let before = words.get(place.saturating_sub(3)..*place).unwrap_or(&[]);
        let after = words.get(place.saturating_add(1)..).unwrap_or(&[]);
        let past = RAN.contains(&word.as_str())
            || (word == "run"
                && before
                    .iter()
                    .any(|word| HELPERS.contains(&word.as_str()) || word == "not"));
        past && (after.iter().take(6).any(runnable) || before.iter().any(runnable))
    })
}

/// Whether the word at `place` claims something and is no adjective or part of a plan.
fn claims_by_itself(words: &[String], place: usize) -> bool {
    let next = words
        .get(place.saturating_add(1))
        .map_or("", String::as_str);
    let before = place
        .checked_sub(1)
        .and_then(|before| words.get(before))
        .map_or("", String::as_str);
    let word = words.get(place).map_or("", String::as_str);
    let adjective =
        NOT_BEFORE.contains(&next) || (matches!(before, "a" | "an" | "the") && word != "done");
    let ahead = word == "complete" && matches!(before, "to" | "will" | "the");
    !adjective && !ahead
}

fn negated(words: &[String], found: &Found) -> bool {
    let from = found.start.min(found.place).saturating_sub(REACH);
    let until = found.place.saturating_add(1).min(words.len());
    let mut indexed = words.get(from..until).unwrap_or(&[]).iter().enumerate();
    let turned = indexed.any(|(offset, word)| turns(words, from.saturating_add(offset), word));
    let partly = partial(words)
        || find(words, &["all", "but"]).is_some()
        || words.iter().any(|word| word == "except");
    turned || partly || find(words, &["yet", "to"]).is_some()
}

fn turns(words: &[String], place: usize, word: &str) -> bool {
    let next = words
        .get(place.saturating_add(1))
        .map_or("", String::as_str);
    let second = words
        .get(place.saturating_add(2))
        .map_or("", String::as_str);
    match word {
        "not" if next == "only" => false,
        "no" => !BAD_THINGS.contains(&next) && !BAD_THINGS.contains(&second),
        "without" => !BAD_THINGS.contains(&next) && !BAD_THINGS.contains(&second),
        "failed" => next == "to",
        word => NEGATIONS.contains(&word),
    }
}

/// `127/128` or `127 of 128`.
fn partial(words: &[String]) -> bool {
    let fraction = words.iter().any(|word| {
        let Some((some, all)) = word.split_once('/') else {
            return false;
        };
        matches!((number(some), number(all)), (Some(some), Some(all)) if some < all)
    });
    let of = words.windows(3).any(|window| match window {
        [some, of, all] if of == "of" || of == "out" => {
            matches!((number(some), number(all)), (Some(some), Some(all)) if some < all)
        }
        _ => false,
    });
    fraction || of
}

fn hedged(words: &[String], found: &Found) -> bool {
    let before = words.get(..found.place).unwrap_or(&[]);
    let after = words.get(found.place.saturating_add(1)..).unwrap_or(&[]);
    let directly = before.last().is_some_and(|word| word == "to");
    directly
        || before.iter().any(|word| HEDGES.contains(&word.as_str()))
        || after
            .iter()
            .take(4)
            .any(|word| CONDITIONS.contains(&word.as_str()))
}

/// The number of tests that a clause names.
fn count(words: &[String]) -> Option<u64> {
    (0..words.len()).find_map(|place| {
        let value = number(words.get(place)?)?;
        let after = words.get(place.saturating_add(1)..)?;
        after
            .iter()
            .take(3)
            .any(|word| COUNTED.contains(&word.as_str()))
            .then_some(value)
    })
}

/// A number, or the first one of `12/12`.
fn number(word: &str) -> Option<u64> {
    let first = word.split('/').next().unwrap_or(word);
    let digits: String = first.chars().filter(|letter| *letter != ',').collect();
    if digits.is_empty() || !digits.chars().all(|letter| letter.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}
