//! Comments that start with TODO, FIXME or XXX.

use crate::source::Masked;

/// Words of which a comment must start with one.
const MARKERS: &[&str] = &["TODO", "FIXME", "XXX"];

/// Whether the first comment of the line is a marker.
pub(super) fn is_marker(line: &Masked<'_>) -> bool {
    line.comment().is_some_and(starts_with_marker)
}

fn starts_with_marker(comment: &str) -> bool {
    let text = comment.trim_start_matches(|letter: char| {
        letter.is_whitespace() || "/*#!-<;%({@|>".contains(letter)
    });
    let leader = comment.get(..comment.len().saturating_sub(text.len()));
    if leader.is_some_and(|leader| leader.ends_with('@')) {
        return text
            .get(..4)
            .is_some_and(|word| word.eq_ignore_ascii_case("todo"))
            && text
                .get(4..)
                .is_some_and(|rest| rest.starts_with([' ', ':', '(']) || rest.is_empty());
    }
    MARKERS.iter().any(|marker| {
        let Some(head) = text.get(..marker.len()) else {
            return false;
        };
        let rest = text.get(marker.len()..).unwrap_or("");
        if head == *marker {
            ends_word(rest)
                && !(*marker == "XXX" && rest.starts_with(['-', '.', ',', '@']))
                && !is_topic(rest)
        } else {
            head.eq_ignore_ascii_case(marker) && rest.starts_with(':')
        }
    })
}

/// `TODO list` and `TODO comments` are what the code is about.
fn is_topic(rest: &str) -> bool {
    const NOUNS: &[&str] = &[
        "list", "lists", "item", "items", "app", "comment", "comments", "marker", "markers",
        "entry", "entries", "task", "tasks", "tag", "tags",
    ];
    let word = rest
        .strip_prefix(' ')
        .and_then(|rest| rest.split([' ', ',', '.', ')']).next());
    word.is_some_and(|word| NOUNS.contains(&word))
}

/// `TODO/FIXME` in a comment talks about markers; `XXXX` is a redaction.
fn ends_word(rest: &str) -> bool {
    rest.chars().next().is_none_or(|next| {
        !next.is_alphanumeric() && !matches!(next, '_' | '/' | '|' | '"' | '\'' | '`')
    })
}
