//! Values of assignments and headers: where they end, and whether they are secrets.

use super::scan::backslashes;
use super::token::run;

/// A value: the bytes `start..end`, without its quotes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The quote it stands in.
    pub(super) quote: Option<Quote>,
    /// It contains a space or a line end.
    pub(super) spaced: bool,
}

/// A quote and the number of backslashes before it: JSON within JSON has more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quote {
    pub(super) mark: u8,
    pub(super) depth: usize,
}

/// Backslashes before a quote in JSON within JSON, four levels down.
const MAX_DEPTH: usize = 15;

/// The quote at `at`, and the length of its backslashes and mark.
pub(super) fn quote(input: &[u8], at: usize) -> Option<(Quote, usize)> {
    let depth = backslashes(input, at);
    let mark = *input.get(at + depth)?;
    let quote = Quote { mark, depth };
    let opens = match mark {
        b'"' => depth == 0 || (depth % 2 == 1 && depth <= MAX_DEPTH),
        b'\'' => depth == 0,
        _ => false,
    };
    opens.then_some((quote, depth + 1))
}

/// The value that begins at `at`. Without quotes it is what a shell takes for one
/// word if `setting`, else a run of a key's characters, and then only a whole word.
pub(super) fn value(input: &[u8], at: usize, setting: bool) -> Option<Value> {
    if let Some((quote, len)) = quote(input, at) {
        return Some(quoted(input, at + len, quote));
    }
    let rest = input.get(at..).filter(|rest| !starts_placeholder(rest))?;
    let length = if setting {
        run(rest, in_bare)
    } else {
        key_len(rest).filter(|length| rest.get(*length).is_none_or(|next| !in_bare(*next)))?
    };
    Some(Value {
        start: at,
        end: at + length,
        quote: None,
        spaced: false,
    })
}

/// Length of a run of base64 or base64url with its padding. It ends at every
/// separator, so that looking at one value never means reading the next.
pub(super) fn key_len(rest: &[u8]) -> Option<usize> {
    let body = run(rest, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
    });
    let padding = run(rest.get(body..)?, |byte| byte == b'=').min(2);
    Some(body + padding)
}

fn quoted(input: &[u8], start: usize, quote: Quote) -> Value {
    let mut at = start;
    let mut spaced = false;
    while let Some(byte) = input.get(at) {
        let depth = if *byte == b'\\' {
            backslashes(input, at)
        } else {
            0
        };
        let Some(mark) = input.get(at + depth) else {
            break;
        };
        if closes(quote, *mark, depth) {
            break;
        }
        spaced |= mark.is_ascii_whitespace() || (depth > 0 && matches!(mark, b'n' | b'r' | b't'));
        at += depth + usize::from(depth == 0 || depth % 2 == 1);
    }
    Value {
        start,
        end: at.min(input.len()),
        quote: Some(quote),
        spaced,
    }
}

/// The same quote, or the end of a string around it.
fn closes(quote: Quote, mark: u8, depth: usize) -> bool {
    match mark {
        b'"' => depth.is_multiple_of(2) || (quote.mark == b'"' && depth <= quote.depth),
        b'\'' => quote.mark == b'\'' && depth == 0,
        _ => false,
    }
}

/// What a value without quotes is made of, in a shell and in `.env` files.
const fn in_bare(byte: u8) -> bool {
    byte > b' '
        && byte != 0x7f
        && !matches!(
            byte,
            b'"' | b'\'' | b'\\' | b';' | b',' | b'(' | b')' | b'`' | b'<' | b'>' | b'|'
        )
}

/// A variable, a template's gap, a mask, or what redaction left.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    let masks = |byte: &u8| matches!(byte, b'*' | b'.' | b'x' | b'X');
    starts_placeholder(value) || value.iter().all(masks)
}

fn starts_placeholder(value: &[u8]) -> bool {
    matches!(
        value,
        [b'$' | b'<' | b'{' | b'[' | b'(', ..] | [b'%', b'(' | b's', ..]
    )
}

/// Words that stand where a secret would and are none.
const WORDS: [&[u8]; 16] = [
    b"true",
    b"false",
    b"null",
    b"none",
    b"nil",
    b"undefined",
    b"string",
    b"required",
    b"optional",
    b"token",
    b"secret",
    b"password",
    b"bearer",
    b"basic",
    b"boolean",
    b"number",
];

/// Could be a secret, where the place says that it is one.
pub(super) fn is_plausible(value: &[u8]) -> bool {
    value.len() >= 4
        && !is_placeholder(value)
        && !value.iter().all(u8::is_ascii_digit)
        && !WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Looks like a secret wherever it stands: long, of letters and digits, and
/// neither a path, an address, a UUID nor a lock file's hash.
pub(super) fn is_random(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = value
        .iter()
        .filter(|byte| byte.is_ascii_alphabetic())
        .count();
    value.len() >= 16
        && digits >= 2
        && letters >= 2
        && value.iter().all(|byte| byte.is_ascii_graphic())
        && !is_placeholder(value)
        && !is_uuid(value)
        && !is_address(value)
        && !value.iter().any(|byte| matches!(byte, b'(' | b'{' | b'['))
}

fn is_address(value: &[u8]) -> bool {
    let starts: [&[u8]; 9] = [
        b"/", b"./", b"../", b"~", b"http", b"sha1-", b"sha256-", b"sha384-", b"sha512-",
    ];
    starts.iter().any(|start| value.starts_with(start))
        || value.windows(3).any(|part| part == b"://")
}

fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
