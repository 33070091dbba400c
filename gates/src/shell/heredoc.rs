//! Here-documents: text that is handed to a program, not run by this shell.

use super::cursor::Cursor;
use alloc::string::String;

/// The start of a here-document: `<<E`, `<<-E`, `<<'E'`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Start {
    delimiter: String,
    /// Whether expansions in the body are left alone.
    pub(super) quoted: bool,
    tabs_stripped: bool,
}

/// Reads `<<` and the delimiter.
pub(super) fn start(cursor: &mut Cursor<'_>) -> Option<Start> {
    cursor.eat("<<");
    let tabs_stripped = cursor.eat("-");
    cursor.skip_while(|next| next == ' ' || next == '\t');
    let mut delimiter = String::new();
    let mut quoted = false;
    while let Some(next) = cursor.peek() {
        if next.is_whitespace() || matches!(next, ';' | '&' | '|' | '<' | '>' | '(' | ')') {
            break;
        }
        cursor.bump();
        match next {
            '\'' | '"' => {
                quoted = true;
                delimiter.push_str(cursor.until(next));
            }
            '\\' => {
                quoted = true;
                delimiter.extend(cursor.bump());
            }
            other => delimiter.push(other),
        }
    }
    let empty = delimiter.is_empty() && !quoted;
    (!empty).then_some(Start {
        delimiter,
        quoted,
        tabs_stripped,
    })
}

/// Reads the lines of the body up to the delimiter; the cursor stands at the start of a line.
pub(super) fn body<'a>(cursor: &mut Cursor<'a>, start: &Start) -> &'a str {
    let from = cursor.position();
    loop {
        let before = cursor.since(from);
        if cursor.peek().is_none() {
            return before;
        }
        let line = cursor.until('\n');
        let line = line.strip_suffix('\r').unwrap_or(line);
        let line = if start.tabs_stripped {
            line.trim_start_matches('\t')
        } else {
            line
        };
        if line == start.delimiter {
            return before;
        }
    }
}
