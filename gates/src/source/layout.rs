//! Changes of layout alone: other blanks, other line breaks, the same program.

use super::directive::is_directive;
use super::mask::{Masked, Part};
use alloc::string::String;

/// Languages in which blanks and line breaks between words mean nothing.
const FREE: &[&str] = &[
    "rust",
    "c",
    "go",
    "javascript",
    "jvm",
    "csharp",
    "swift",
    "php",
    "dart",
    "zig",
    "solidity",
    "protobuf",
];

/// Whether both sides are the same but for blanks outside of string literals,
/// line breaks, comments and commas before a closing bracket.
pub(super) fn same(language: &str, added: &[String], removed: &[String]) -> bool {
    FREE.contains(&language)
        && !added.is_empty()
        && !removed.is_empty()
        && bare(language, added) == bare(language, removed)
}

/// The text without its layout.
fn bare(language: &str, lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        let masked = Masked::new(language, line);
        // What a program reads in a comment is no layout.
        let directive = masked.comment().is_some_and(is_directive);
        let mut gap = true;
        for (letter, part) in masked.letters() {
            match part {
                Part::Comment if !directive => gap = true,
                Part::Text => push(&mut text, letter, &mut gap),
                Part::Code | Part::Comment if letter.is_whitespace() => gap = true,
                Part::Code | Part::Comment => {
                    if matches!(letter, ')' | ']' | '}') && text.ends_with(',') {
                        text.pop();
                    }
                    push(&mut text, letter, &mut gap);
                }
            }
        }
        text.push_str(masked.beyond());
    }
    text
}

/// Adds a letter; a gap that keeps two words or signs apart is one blank.
fn push(text: &mut String, letter: char, gap: &mut bool) {
    let word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let bracket = |letter: char| "()[]{}\"'`".contains(letter);
    let apart =
        |before: char| (word(before) && word(letter)) || (before == letter && !bracket(letter));
    if *gap && text.chars().next_back().is_some_and(apart) {
        text.push(' ');
    }
    *gap = false;
    text.push(letter);
}
