//! Reads the JSON of agents, which now and then is not quite JSON.
//!
//! A strict reader would drop exactly the results that matter: the output of a
//! failing command is where broken text stands. So what can be mended is mended
//! before parsing, in linear time: a byte order mark, invalid UTF-8, and escapes
//! of half a surrogate pair (spec/event.md, "Leniency").

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::Value;

/// What reading leniently gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Lenient {
    /// The value; `None` if the text is no JSON or is nested absurdly deep.
    pub value: Option<Value>,
    /// Something had to be mended first.
    pub repaired: bool,
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Reads one JSON value. Never fails and never panics.
#[must_use]
pub fn parse(bytes: &[u8]) -> Lenient {
    let (body, had_bom) = match bytes.strip_prefix(BOM) {
        Some(rest) => (rest, true),
        None => (bytes, false),
    };
    let text = String::from_utf8_lossy(body);
    let mended = mend_surrogates(&text);
    let repaired = had_bom || matches!(text, Cow::Owned(_)) || matches!(mended, Cow::Owned(_));
    let value = serde_json::from_slice(&mended).ok();
    Lenient { value, repaired }
}

/// Replaces every `\uXXXX` that is half a surrogate pair by `\ufffd`.
fn mend_surrogates(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    let lone = lone_surrogates(bytes);
    if lone.is_empty() {
        return Cow::Borrowed(bytes);
    }
    let mut out = bytes.to_vec();
    for at in lone {
        if let Some(escape) = out.get_mut(at..at.saturating_add(6)) {
            escape.copy_from_slice(b"\\ufffd");
        }
    }
    Cow::Owned(out)
}

/// Offsets of the backslashes of lone surrogate escapes.
fn lone_surrogates(bytes: &[u8]) -> Vec<usize> {
    let mut lone = Vec::new();
    let mut at = 0;
    while let Some(step) = bytes.get(at..).and_then(next_backslash) {
        at += step;
        at += match surrogate_at(bytes, at) {
            Some(Half::Low) => {
                lone.push(at);
                6
            }
            Some(Half::High) if matches!(surrogate_at(bytes, at + 6), Some(Half::Low)) => 12,
            Some(Half::High) => {
                lone.push(at);
                6
            }
            None => 2,
        };
    }
    lone
}

fn next_backslash(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| *byte == b'\\')
}

enum Half {
    High,
    Low,
}

/// The half of a surrogate pair that the escape at `at` stands for.
fn surrogate_at(bytes: &[u8], at: usize) -> Option<Half> {
    let digits = bytes.get(at..at.checked_add(6)?)?.strip_prefix(b"\\u")?;
    let digits = core::str::from_utf8(digits).ok()?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}
