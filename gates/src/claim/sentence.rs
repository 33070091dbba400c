//! Cutting a message into the author's own sentences and clauses.

use super::context::Context;
use super::phrases::{ACTIONS, EXITS, ILL, JOINED, STATUS, WELL, has};
use alloc::string::String;
use alloc::vec::Vec;

/// Sentences looked at.
const MAX_SENTENCES: usize = 400;
/// Of a sentence, this many characters are looked at.
const MAX_LENGTH: usize = 600;

/// A sentence of the author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    /// As it is shown.
    pub(super) text: String,
    /// It is a question, or part of a plan.
    pub(super) unsaid: bool,
}

/// The sentences of a message, without code blocks and quoted lines.
pub(super) fn sentences(message: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut fenced = false;
    let mut context = Context::default();
    for line in message.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        if fenced || line.starts_with('>') {
            continue;
        }
        split(line, context.takes(line), &mut found);
        if found.len() >= MAX_SENTENCES {
            break;
        }
    }
    found
}

fn split(line: &str, plan: bool, found: &mut Vec<Sentence>) {
    let mut text = String::new();
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        if text.len() < MAX_LENGTH {
            text.push(letter);
        }
        let ends = matches!(letter, '.' | '!' | '?' | '\u{3002}')
            && letters.peek().is_none_or(|next| next.is_whitespace());
        if ends {
            close(&mut text, plan || letter == '?', found);
        }
    }
    close(&mut text, plan, found);
}

fn close(text: &mut String, unsaid: bool, found: &mut Vec<Sentence>) {
    let taken = core::mem::take(text);
    let trimmed = taken.trim();
    if trimmed.chars().any(char::is_alphanumeric) || trimmed.contains('✅') {
        found.push(Sentence {
            text: trimmed.into(),
            unsaid,
        });
    }
}

/// The clauses of a sentence, each as words in lower case, quotations taken out.
pub(super) fn clauses(sentence: &str) -> Vec<Vec<String>> {
    let mut clauses = Vec::new();
    let mut clause = Vec::new();
    for word in words(sentence) {
        let turns = matches!(
            word.as_str(),
            "but" | "however" | "although" | "though" | ";" | "whereas" | "yet"
        );
        // "not yet" is a negation and "all but one" a count, neither is a turn.
        let last = clause.last().map_or("", String::as_str);
        let negation = match word.as_str() {
            "yet" => last == "not" || last.ends_with("n't"),
            "but" => last == "all",
            _ => false,
        };
        if turns && !negation {
            clauses.push(core::mem::take(&mut clause));
        } else {
            clause.push(word);
        }
    }
    clauses.push(clause);
    clauses.retain(|clause| !clause.is_empty());
    clauses
}

/// Words in lower case; `12/12` and `don't` stay whole, marks that mean something are words.
pub(super) fn words(sentence: &str) -> Vec<String> {
    let text = unquoted(&without_spoken_code(sentence));
    let mut words = Vec::new();
    let mut word = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let next_alphanumeric = letters.peek().is_some_and(|next| next.is_alphanumeric());
        let joins = matches!(letter, '\'' | '’' | '/' | '-' | '.' | ',')
            && !word.is_empty()
            && next_alphanumeric;
        let joins = joins && (letter != ',' || word.ends_with(|last: char| last.is_ascii_digit()));
        if letter.is_alphanumeric() || letter == '_' || joins {
            word.extend(if letter == '’' { '\'' } else { letter }.to_lowercase());
            continue;
        }
        if !word.is_empty() {
            words.push(core::mem::take(&mut word));
        }
        match letter {
            '✅' | '✓' | '✔' => words.push("✅".into()),
            '❌' | '✗' | '✘' | '✖' => words.push("❌".into()),
            ';' | '—' | '–' => words.push(";".into()),
            '%' => words.push("%".into()),
            // What was done ends here: what follows is not its object.
            ',' if words.last().is_some_and(|last| has(ACTIONS, last)) => words.push(",".into()),
            _ => {}
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    joined(words)
}

/// The words with those of one meaning made one: "type check", "exits with 0".
fn joined(words: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut rest = words.as_slice();
    while let Some((word, after)) = rest.split_first() {
        let (meant, taken) = one(word, after);
        out.push(meant.unwrap_or(word).into());
        rest = after.get(taken..).unwrap_or(&[]);
    }
    out
}

/// What a word means with those after it, and how many of these it takes with it.
fn one<'a>(word: &str, after: &[String]) -> (Option<&'a str>, usize) {
    let next = after.first().map_or("", String::as_str);
    if let Some((_, _, whole)) = JOINED
        .iter()
        .find(|(first, second, _)| *first == word && has(second, next))
    {
        return (Some(whole), usize::from(!has(ILL, next)));
    }
    let between = after.iter().take_while(|word| has(STATUS, word)).count();
    let status = after.get(between).filter(|_| has(EXITS, word));
    match status.map(|status| status.parse::<u8>()) {
        Some(Ok(0)) => (Some("succeeds"), between.saturating_add(1)),
        Some(Ok(_)) => (Some("fails"), between.saturating_add(1)),
        _ => (None, 0),
    }
}

/// The sentence without code that itself speaks ("prints `All tests passed`").
fn without_spoken_code(sentence: &str) -> String {
    let mut text = String::new();
    for (at, piece) in sentence.split('`').enumerate() {
        let is_code = at % 2 == 1;
        if !(is_code && speaks(piece)) {
            text.push_str(piece);
        }
        text.push(' ');
    }
    text
}

fn speaks(code: &str) -> bool {
    let many = code.split_whitespace().count() >= 3;
    let counted = code.starts_with(|first: char| first.is_ascii_digit());
    let letters = |word: &str| {
        word.trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase()
    };
    many && !counted
        && code
            .split_whitespace()
            .any(|word| has(WELL, &letters(word)))
}

/// The sentence without what stands in double quotes over several words.
fn unquoted(sentence: &str) -> String {
    let mut text = String::new();
    let mut rest = sentence;
    while let Some((before, opened)) = split_at_quote(rest, &['"', '“']) {
        text.push_str(before);
        match split_at_quote(opened, &['"', '”']) {
            Some((quoted, after)) => {
                if !quoted.trim().contains(' ') {
                    text.push_str(quoted);
                }
                text.push(' ');
                rest = after;
            }
            None => rest = opened,
        }
    }
    text.push_str(rest);
    text
}

fn split_at_quote<'a>(text: &'a str, quotes: &[char]) -> Option<(&'a str, &'a str)> {
    let place = text.find(quotes)?;
    let length = text.get(place..)?.chars().next()?.len_utf8();
    Some((
        text.get(..place)?,
        text.get(place.saturating_add(length)..)?,
    ))
}
