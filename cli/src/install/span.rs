//! Where the members of a JSON text stand, so that it can be edited in place.
//!
//! The text has been parsed as JSON before: this walks it, it does not judge it.

use std::ops::Range;

/// A member of an object: its key, and where key and value stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    /// The key, as written between the quotes.
    pub(crate) key: String,
    /// From the key's quote to the value's end.
    pub(crate) whole: Range<usize>,
    /// The value.
    pub(crate) value: Range<usize>,
}

/// The first byte at or after `at` that is no white space.
fn solid(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(u8::is_ascii_whitespace) {
        at = at.saturating_add(1);
    }
    at
}

/// The end of the string that begins at `at`.
fn string_end(text: &[u8], at: usize) -> usize {
    let mut at = at.saturating_add(1);
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => return at.saturating_add(1),
            b'\\' => at = at.saturating_add(2),
            _ => at = at.saturating_add(1),
        }
    }
    text.len()
}

/// The end of the value that begins at `at`.
fn value_end(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(b'"') => string_end(text, at),
        Some(b'{' | b'[') => container_end(text, at),
        _ => {
            let mut end = at;
            while text.get(end).is_some_and(|b| !b",]} \t\r\n".contains(b)) {
                end = end.saturating_add(1);
            }
            end
        }
    }
}

fn container_end(text: &[u8], at: usize) -> usize {
    let (mut depth, mut at) = (0usize, at);
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => {
                at = string_end(text, at);
                continue;
            }
            b'{' | b'[' => depth = depth.saturating_add(1),
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at = at.saturating_add(1);
        if depth == 0 {
            break;
        }
    }
    at
}

/// The whole top-level value.
pub(crate) fn top(text: &str) -> Range<usize> {
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let start = solid(text.as_bytes(), mark);
    start..value_end(text.as_bytes(), start)
}

/// The members of the object that stands at `object`.
pub(crate) fn members(text: &str, object: &Range<usize>) -> Vec<Member> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = solid(bytes, object.start.saturating_add(1));
    while at < object.end && bytes.get(at) == Some(&b'"') {
        let key_end = string_end(bytes, at);
        let colon = solid(bytes, key_end);
        let value = solid(bytes, colon.saturating_add(1));
        let end = value_end(bytes, value);
        let key = text
            .get(at.saturating_add(1)..key_end.saturating_sub(1))
            .unwrap_or_default();
        found.push(Member {
            key: key.to_owned(),
            whole: at..end,
            value: value..end,
        });
        let next = solid(bytes, end);
        if bytes.get(next) != Some(&b',') {
            break;
        }
        at = solid(bytes, next.saturating_add(1));
    }
    found
}

/// The elements of the array that stands at `array`.
pub(crate) fn elements(text: &str, array: &Range<usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = solid(bytes, array.start.saturating_add(1));
    while at < array.end && bytes.get(at) != Some(&b']') {
        let end = value_end(bytes, at);
        found.push(at..end);
        let next = solid(bytes, end);
        if bytes.get(next) != Some(&b',') {
            break;
        }
        at = solid(bytes, next.saturating_add(1));
    }
    found
}

/// The text with an item put last into the container at `container`.
pub(crate) fn insert_last(
    text: &str,
    container: &Range<usize>,
    item: &str,
    indent: &str,
) -> String {
    let inner_start = container.start.saturating_add(1);
    let close = container.end.saturating_sub(1);
    let inner = text.get(inner_start..close).unwrap_or_default();
    let outer = indent
        .get(..indent.len().saturating_sub(2))
        .unwrap_or_default();
    let kept = inner.trim_end();
    let comma = if kept.trim().is_empty() { "" } else { "," };
    let head = text.get(..inner_start).unwrap_or_default();
    let tail = text.get(close..).unwrap_or_default();
    format!("{head}{kept}{comma}\n{indent}{item}\n{outer}{tail}")
}

/// The text without the item at `item`, one comma and the space around it.
pub(crate) fn remove(text: &str, item: &Range<usize>) -> String {
    let bytes = text.as_bytes();
    let before = text.get(..item.start).unwrap_or_default();
    let after = solid(bytes, item.end);
    if let Some(kept) = before.trim_end().strip_suffix(',') {
        return format!("{kept}{}", text.get(item.end..).unwrap_or_default());
    }
    let rest = if bytes.get(after) == Some(&b',') {
        text.get(solid(bytes, after.saturating_add(1))..)
    } else {
        return format!(
            "{}{}",
            before.trim_end(),
            text.get(after..).unwrap_or_default()
        );
    };
    format!("{before}{}", rest.unwrap_or_default())
}
