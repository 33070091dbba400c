//! Finding the end of `$(...)`, `` `...` ``, `${...}` and `$((...))`.

use super::cursor::Cursor;
use super::heredoc;
use alloc::string::String;
use alloc::vec::Vec;

/// What a `$` or a back quote stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Expansion {
    /// A command that runs; its text.
    Command(String),
    /// A parameter or arithmetic, or a plain `$`.
    Value,
}

/// Reads the expansion at the cursor, which stands on `$` or a back quote.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Expansion {
    if cursor.eat("`") {
        return Expansion::Command(back_quoted(cursor));
    }
    if cursor.eat("$((") {
        parentheses(cursor, 2);
        return Expansion::Value;
    }
    if cursor.eat("$(") {
        return Expansion::Command(inside(cursor));
    }
    if cursor.eat("${") {
        braces(cursor);
        return Expansion::Value;
    }
    cursor.bump();
    Expansion::Value
}

/// The text up to the matching parenthesis, which is read too.
pub(super) fn inside(cursor: &mut Cursor<'_>) -> String {
    let text = parentheses(cursor, 1);
    text.strip_suffix(')').unwrap_or(text).into()
}

fn back_quoted(cursor: &mut Cursor<'_>) -> String {
    let mut text = String::new();
    while let Some(next) = cursor.bump() {
        match next {
            '`' => break,
            '\\' if matches!(cursor.peek(), Some('`' | '\\' | '$')) => text.extend(cursor.bump()),
            other => text.push(other),
        }
    }
    text
}

fn braces(cursor: &mut Cursor<'_>) {
    let mut open = 1_usize;
    while let Some(next) = cursor.bump() {
        match next {
            '\\' => {
                cursor.bump();
            }
            '\'' => {
                cursor.until('\'');
            }
            '{' => open = open.saturating_add(1),
            '}' => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return;
        }
    }
}

/// Reads until as many parentheses are closed as `open` says, through quotes and heredocs.
fn parentheses<'a>(cursor: &mut Cursor<'a>, open: usize) -> &'a str {
    let start = cursor.position();
    let mut inside: Vec<char> = alloc::vec!['('; open];
    let mut heredocs: Vec<heredoc::Start> = Vec::new();
    while let Some(context) = inside.last().copied() {
        let Some(next) = cursor.peek() else { break };
        if context == '(' && open == 1 && cursor.looks_at("<<") && !cursor.looks_at("<<<") {
            heredocs.extend(heredoc::start(cursor));
            continue;
        }
        if cursor.eat("<<<") {
            continue;
        }
        cursor.bump();
        if next == '\n' && context == '(' {
            for start in heredocs.drain(..) {
                heredoc::body(cursor, &start);
            }
        }
        step(cursor, &mut inside, context, next);
    }
    cursor.since(start)
}

fn step(cursor: &mut Cursor<'_>, inside: &mut Vec<char>, context: char, next: char) {
    match (context, next) {
        (_, '\\') => {
            cursor.bump();
        }
        ('(', '\'') => {
            cursor.until('\'');
        }
        ('"', '"') | ('(', ')') => {
            inside.pop();
        }
        ('(', '"' | '(') => inside.push(next),
        ('"', '$') if cursor.eat("(") => inside.push('('),
        _ => {}
    }
}
