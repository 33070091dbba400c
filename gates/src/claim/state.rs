//! What a clause says of its subjects: well or ill.

use super::phrases::{
    BAD_THINGS, ENDED, ILL, JOINERS, NAMES, NONE, OBJECTS, PAST, SAYING, TOOLS, WELL, WELL_BEFORE,
    find_any, has,
};
use super::subject::{Subject, before, word};
use alloc::string::String;
use alloc::vec::Vec;

/// How far a word reaches.
pub(super) const REACH: usize = 8;

/// A state that a clause gives to a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// Where its word stands.
    pub(super) place: usize,
    /// It says that the subject is not well.
    pub(super) ill: bool,
}

/// The subjects of which a clause says something, each with what is said.
pub(super) fn said(words: &[String], subjects: &[Subject]) -> Vec<(Subject, State)> {
    let mut bound: Vec<(Subject, Vec<State>)> = subjects.iter().map(|s| (*s, Vec::new())).collect();
    for state in states(words) {
        for at in meant(words, subjects, state.place) {
            if let Some((_, states)) = bound.get_mut(at) {
                states.push(state);
            }
        }
    }
    let taken = |place| {
        bound
            .iter()
            .any(|(_, states)| states.iter().any(|s| s.place == place))
    };
    let settled = bound.iter().filter_map(|(subject, states)| {
        let state = match states.as_slice() {
            [] => by_itself(words, subject).filter(|state| !taken(state.place)),
            states => settle(words, states),
        };
        state.map(|state| (*subject, state))
    });
    settled.collect()
}

fn states(words: &[String]) -> Vec<State> {
    let state = |place| {
        let none = is_none(words, place);
        let well = is_well(words, place) || (none && has(BAD_THINGS, word(words, place)));
        let ill = !none && is_ill(words, place);
        (well || ill).then_some(State { place, ill })
    };
    (0..words.len()).filter_map(state).collect()
}

fn is_well(words: &[String], place: usize) -> bool {
    let name = word(words, place);
    let next = word(words, place.saturating_add(1));
    match name {
        "successfully" => has(ENDED, next) || has(ENDED, before(words, place, 1)),
        name if name.starts_with("pass") || name == "clean" => {
            has(WELL, name) && !has(OBJECTS, next)
        }
        name => has(WELL, name) || is_all_of(name),
    }
}

/// `54/54`.
fn is_all_of(name: &str) -> bool {
    name.split_once('/').is_some_and(|(some, all)| {
        some == all && !some.is_empty() && some.chars().all(|letter| letter.is_ascii_digit())
    })
}

fn is_ill(words: &[String], place: usize) -> bool {
    let next = word(words, place.saturating_add(1));
    has(ILL, word(words, place)) && !has(NAMES, next)
}

/// "no failures", "0 errors".
fn is_none(words: &[String], place: usize) -> bool {
    has(NONE, before(words, place, 1)) || has(NONE, before(words, place, 2))
}

/// The subjects that a state belongs to: the nearest one before it, and those joined to that.
fn meant(words: &[String], subjects: &[Subject], place: usize) -> Vec<usize> {
    let near = |s: &Subject| s.place < place && place.saturating_sub(s.place) <= REACH;
    let Some(nearest) = subjects.iter().rposition(near) else {
        return Vec::new();
    };
    let mut group = Vec::from([nearest]);
    let mut last = subjects.get(nearest);
    for (at, subject) in subjects.iter().enumerate().take(nearest).rev() {
        let from = subject.place.saturating_add(1);
        let between = last
            .and_then(|last| words.get(from..last.place))
            .unwrap_or(&[]);
        let joined = between.iter().all(|w| has(JOINERS, w) || is_tool(w));
        let alike = last.is_some_and(|last| {
            last.kind.is_none() || last.tool.is_some() == subject.tool.is_some()
        });
        let beside = subject.place.saturating_add(1) == last.map_or(0, |last| last.place);
        if !joined || subject.object || !(alike || beside) {
            break;
        }
        group.push(at);
        last = Some(subject);
    }
    // "ruff: all checks passed": what stands for everything is what was named.
    let named = |at: &usize| subjects.get(*at).is_some_and(|s| s.kind.is_some());
    if group.iter().any(named) {
        group.retain(named);
    }
    group
}

fn is_tool(word: &String) -> bool {
    word == "run" || TOOLS.iter().any(|(known, _)| known == word)
}

/// One state of several: what is ill outweighs what is well, unless it is past.
fn settle(words: &[String], states: &[State]) -> Option<State> {
    let ill = states.iter().find(|s| s.ill);
    let well = states.iter().rfind(|s| !s.ill);
    let past = find_any(words, PAST).is_some();
    match (ill, well) {
        (None, well) => well.copied(),
        (Some(_), None) if past => None,
        (Some(ill), None) => Some(*ill),
        (Some(ill), Some(well)) => {
            let after = words.get(ill.place..well.place).unwrap_or(&[]);
            let now = after.iter().any(|w| w == "now") || past;
            Some(if well.place > ill.place && now {
                *well
            } else {
                *ill
            })
        }
    }
}

/// "passing tests", "it compiles".
fn by_itself(words: &[String], subject: &Subject) -> Option<State> {
    let from = subject.place.saturating_sub(3);
    let mut places = from..subject.place;
    let place = places.find(|place| has(WELL_BEFORE, word(words, *place)));
    let said = has(SAYING, word(words, subject.place)).then_some(subject.place);
    place.or(said).map(|place| State { place, ill: false })
}
