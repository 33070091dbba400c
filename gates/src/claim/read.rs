//! Finding claims in clauses.

use super::phrases::{
    ACTIONS, BAD_THINGS, CONDITIONS, COUNTED, GROUPS, HEDGES, ILL, NEGATIONS, NONE, NOT_BEFORE,
    OTHERS, PAST, PRONOUNS, TARGETS, THINGS, WORDS, find, find_any, has,
};
use super::ran::ran;
use super::sentence::{Sentence, clauses, sentences};
use super::state::{REACH, said};
use super::subject::{Subject, before, subjects, word};
use super::{Claim, ClaimKind};
use alloc::string::String;
use alloc::vec::Vec;

/// Claims kept of one message.
const MAX_CLAIMS: usize = 100;

pub(super) fn claims(message: &str) -> Vec<Claim> {
    let mut claims = Vec::new();
    for sentence in sentences(message) {
        of_sentence(&sentence, &mut claims);
        if claims.len() >= MAX_CLAIMS {
            break;
        }
    }
    claims.truncate(MAX_CLAIMS);
    claims
}

fn of_sentence(sentence: &Sentence, claims: &mut Vec<Claim>) {
    let mut last: Option<Subject> = None;
    for words in clauses(&sentence.text) {
        let mut spoken = subjects(&words);
        if spoken.is_empty() {
            spoken.extend(taken_up(&words, last));
        }
        for found in in_clause(&words, &spoken) {
            claims.push(Claim {
                kind: found.kind,
                negated: found.ill || negated(&words, &found),
                hedged: sentence.unsaid || hedged(&words, &found),
                part: found.part,
                tool: found.tool,
                count: count(&words),
                text: sentence.text.chars().take(200).collect(),
            });
        }
        last = spoken.last().copied().or(last);
    }
}

/// The subject of the clause before, where this one takes it up ("they now pass").
fn taken_up(words: &[String], last: Option<Subject>) -> Option<Subject> {
    let place = words.iter().position(|word| has(PRONOUNS, word))?;
    last.map(|last| Subject { place, ..last })
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
    /// It speaks of a part of the checks.
    part: bool,
    /// The runner it names.
    tool: Option<&'static str>,
}

impl Found {
    /// A claim that its word makes alone.
    fn word(kind: ClaimKind, place: usize) -> Self {
        Self {
            kind,
            place,
            start: place,
            ill: false,
            part: false,
            tool: None,
        }
    }
}

fn in_clause(words: &[String], subjects: &[Subject]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for (subject, state) in said(words, subjects) {
        let claims = subject.kinds().iter().map(|kind| Found {
            kind: *kind,
            place: state.place,
            start: subject.place.min(state.place),
            ill: state.ill,
            part: subject.part || subject.object,
            tool: subject.tool,
        });
        found.extend(claims);
    }
    if subjects.is_empty()
        && let Some((place, ill)) = bare_count(words)
    {
        let bare = Found::word(ClaimKind::TestsPass, place);
        found.push(Found { ill, ..bare });
    }
    found.extend(ran(words, subjects).map(|place| Found::word(ClaimKind::RanCheck, place)));
    for (kind, list) in WORDS {
        let place = words.iter().position(|word| has(list, word));
        let place = place.filter(|place| claims_by_itself(words, *place));
        found.extend(place.map(|place| Found::word(*kind, place)));
    }
    for (kind, groups) in GROUPS {
        found.extend(find_any(words, groups).map(|place| Found::word(*kind, place)));
    }
    let mut once: Vec<Found> = Vec::new();
    for claim in found {
        let alike = |known: &Found| (known.kind, known.tool) == (claim.kind, claim.tool);
        if !once
            .iter()
            .any(|known| alike(known) && known.ill == claim.ill)
        {
            once.push(claim);
        }
    }
    once
}

/// `128 passed`, `12/12 passed`, `2 failed` without a subject, and whether it is bad news.
fn bare_count(words: &[String]) -> Option<(usize, bool)> {
    let counted = |list: &str| {
        words.windows(2).position(|pair| match pair {
            [some, what] => number(some).is_some_and(|n| n > 0) && has(list, what),
            _ => false,
        })
    };
    let past = find_any(words, PAST).is_some();
    let ill = counted(ILL).filter(|_| !past).map(|place| (place, true));
    ill.or_else(|| counted("passed passing green").map(|place| (place, false)))
}

/// Whether the word at `place` claims something and is no adjective or part of a plan.
fn claims_by_itself(words: &[String], place: usize) -> bool {
    let next = word(words, place.saturating_add(1));
    let before = before(words, place, 1);
    let word = word(words, place);
    let adjective =
        has(NOT_BEFORE, next) || (matches!(before, "a" | "an" | "the") && word != "done");
    let ahead = word == "complete" && matches!(before, "to" | "will" | "the");
    !adjective && !ahead
}

fn negated(words: &[String], found: &Found) -> bool {
    let from = found.start.min(found.place).saturating_sub(REACH);
    let mut places = from..found.place.saturating_add(1).min(words.len());
    let turned = places.any(|place| turns(words, place));
    let partly = partial(words)
        || find(words, &["all", "but"]).is_some()
        || words.iter().any(|word| word == "except");
    turned || partly || find(words, &["yet", "to"]).is_some()
}

fn turns(words: &[String], place: usize) -> bool {
    let next = word(words, place.saturating_add(1));
    let second = word(words, place.saturating_add(2));
    match word(words, place) {
        "not" if next == "only" => false,
        "no" | "without" => !has(BAD_THINGS, next) && !has(BAD_THINGS, second),
        "failed" => next == "to",
        word => has(NEGATIONS, word),
    }
}

/// `127/128` or `127 of 128`.
fn partial(words: &[String]) -> bool {
    let fewer = |some: &str, all: &str| matches!((number(some), number(all)), (Some(some), Some(all)) if some < all);
    let fraction = words.iter().any(|word| {
        word.split_once('/')
            .is_some_and(|(some, all)| fewer(some, all))
    });
    let of = words.windows(3).any(|window| match window {
        [some, of, all] if of == "of" || of == "out" => fewer(some, all),
        _ => false,
    });
    fraction || of
}

fn hedged(words: &[String], found: &Found) -> bool {
    let after = words.get(found.place.saturating_add(1)..).unwrap_or(&[]);
    let conditional = after.iter().take(4).any(|word| has(CONDITIONS, word));
    before(words, found.place, 1) == "to"
        || conditional
        || (0..found.place).any(|place| hedges(words, place, found.place))
        || find_any(words, OTHERS).is_some()
}

fn hedges(words: &[String], place: usize, claim: usize) -> bool {
    let next = word(words, place.saturating_add(1));
    match word(words, place) {
        "make" if has(TARGETS, next) => false,
        "when" | "once" if next == "i" => false,
        "had" if place == 0 => true,
        "going" if next != "to" => false,
        "until" if word(words, claim).ends_with("ed") => false,
        word => has(HEDGES, word),
    }
}

/// The number of passing tests that a clause names.
fn count(words: &[String]) -> Option<u64> {
    (0..words.len()).find_map(|place| {
        let text = word(words, place);
        let value = number(text)?;
        let whole = text.split_once('/').is_some_and(|(some, all)| some == all);
        let after = words.get(place.saturating_add(1)..)?;
        let between = after.iter().take_while(|word| has(THINGS, word)).count();
        let passed = after.get(between).is_some_and(|word| has(COUNTED, word));
        let acted = (1..=2).any(|back| has(ACTIONS, before(words, place, back)));
        let none = has(NONE, before(words, place, 1));
        let told = (1..=2).any(|back| has(COUNTED, before(words, place, back))) && between > 0;
        ((passed || told || whole) && !acted && !none).then_some(value)
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
