//! Values assigned to names that say they are secret.

use super::scan::Name;
use super::token::run;
use super::value::{self, Quote, Value, is_plausible, is_random};
use super::{Cut, Rule};
use alloc::vec::Vec;

/// A name and the separator behind it.
struct Place<'a> {
    name: &'a [u8],
    /// The quote around the name.
    quote: Option<Quote>,
    /// `=` rather than `:`.
    equals: bool,
    /// A space stands beside the separator.
    spaced: bool,
    /// Where the value begins.
    value: usize,
    /// The byte before the name.
    before: Option<u8>,
}

/// The secret assigned by the `=` or `:` at `at` to the name before it.
pub(super) fn value(input: &[u8], name: Name, at: usize) -> Option<Cut> {
    let place = place(input, name, at)?;
    if !is_secret_name(place.name) {
        return None;
    }
    let value = value::value(input, place.value, place.is_setting())?;
    let text = input.get(value.start..value.end)?;
    let aws = is_aws_secret(place.name, text);
    if !aws && !place.holds_secret(value, text, input.get(value.end).copied()) {
        return None;
    }
    Some(Cut {
        rule: if aws {
            Rule::AwsSecretKey
        } else {
            Rule::Assignment
        },
        start: value.start,
        end: value.end,
    })
}

/// Reads what stands between name and separator and behind it.
fn place(input: &[u8], name: Name, at: usize) -> Option<Place<'_>> {
    let equals = input.get(at) == Some(&b'=');
    let (quote, quote_len) = match value::quote(input, name.end) {
        Some((quote, len)) if name.end + len <= at => (Some(quote), len),
        _ => (None, 0),
    };
    let gap = input.get(name.end + quote_len..at)?;
    if gap.len() > 8
        || !gap
            .iter()
            .all(|byte| matches!(byte, b' ' | b'\t' | b']' | b':'))
    {
        return None;
    }
    let behind = input.get(at + 1..)?;
    if behind.first() == Some(&b'=') || behind.starts_with(b":") {
        return None;
    }
    let arrow = usize::from(equals && behind.first() == Some(&b'>'));
    let blanks = run(behind.get(arrow..)?, |byte| matches!(byte, b' ' | b'\t'));
    Some(Place {
        name: input.get(name.start..name.end)?,
        quote,
        equals: equals && arrow == 0,
        spaced: !gap.is_empty() || blanks > 0,
        value: at + 1 + arrow + blanks,
        before: name
            .start
            .checked_sub(1)
            .and_then(|before| input.get(before))
            .copied(),
    })
}

/// Longest name of a function that is called.
const MAX_CALL: usize = 256;

impl Place<'_> {
    fn holds_secret(&self, value: Value, text: &[u8], next: Option<u8>) -> bool {
        let call = value.quote.is_none() && next == Some(b'(');
        if call && text.len() <= MAX_CALL {
            return false;
        }
        match (self.quote, value.quote) {
            // A member of the payload itself: whatever it is, it is the secret.
            (Some(name), Some(text_quote)) if name == text_quote && is_outermost(name) => {
                !text.is_empty() && !text.starts_with(b"[redacted:")
            }
            (Some(name), Some(quote)) if name == quote => !value.spaced && is_plausible(text),
            (None, Some(_)) if self.is_setting() => is_plausible(text),
            (None, None) if self.is_setting() => is_plausible(text),
            (_, Some(_)) => !value.spaced && is_random(text),
            (None, None) => is_random(text) && !is_constant(text) && self.before != Some(b'$'),
            (Some(_), None) => false,
        }
    }

    /// `NAME=value` as in a shell or `.env` file, or `--name=value`.
    fn is_setting(&self) -> bool {
        let is_upper =
            |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
        self.equals
            && !self.spaced
            && (self.name.iter().all(is_upper) || self.name.starts_with(b"--"))
    }
}

/// The name of a constant, as in `token: MAX_TOKEN_V2`.
fn is_constant(text: &[u8]) -> bool {
    let upper = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    text.contains(&b'_') && text.iter().all(upper)
}

fn is_outermost(quote: Quote) -> bool {
    quote.mark == b'"' && quote.depth == 0
}

/// 40 base64 characters for a name like `aws_secret_access_key`.
fn is_aws_secret(name: &[u8], text: &[u8]) -> bool {
    let words = words(name);
    let has = |word: &[u8]| words.split(|byte| *byte == b'_').any(|part| part == word);
    text.len() == 40
        && has(b"SECRET")
        && has(b"KEY")
        && text
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'+' | b'='))
}

/// Words that make a name secret, alone or as two in a row.
const SECRET: [&[u8]; 11] = [
    b"SECRET",
    b"TOKEN",
    b"PASSWORD",
    b"PASSWD",
    b"PASSPHRASE",
    b"APIKEY",
    b"API_KEY",
    b"PRIVATE_KEY",
    b"ACCESS_KEY",
    b"CREDENTIAL",
    b"CREDENTIALS",
];

/// Last words of names that only speak about a secret.
const ABOUT: [&[u8]; 38] = [
    b"LIMIT",
    b"COUNT",
    b"TYPE",
    b"KIND",
    b"URL",
    b"URI",
    b"PATH",
    b"FILE",
    b"DIR",
    b"ID",
    b"IDS",
    b"TTL",
    b"LENGTH",
    b"LEN",
    b"SIZE",
    b"NAME",
    b"HEADER",
    b"ENDPOINT",
    b"EXPIRY",
    b"EXPIRES",
    b"EXPIRATION",
    b"REGEX",
    b"PATTERN",
    b"PREFIX",
    b"SUFFIX",
    b"BUDGET",
    b"POLICY",
    b"FIELD",
    b"INDEX",
    b"USAGE",
    b"SOURCE",
    b"STATUS",
    b"MODE",
    b"FORMAT",
    b"LABEL",
    b"PLACEHOLDER",
    b"ERROR",
    b"MESSAGE",
];

fn is_secret_name(name: &[u8]) -> bool {
    if name.len() < 5 || name.len() > 80 || !may_be_secret(name) {
        return false;
    }
    let words = words(name);
    let last = words
        .rsplit(|byte| *byte == b'_')
        .next()
        .unwrap_or_default();
    !ABOUT.contains(&last) && SECRET.iter().any(|secret| has_words(&words, secret))
}

/// A quick look that spares most names the close one.
fn may_be_secret(name: &[u8]) -> bool {
    let starts: [&[u8]; 5] = [b"TOKE", b"SECR", b"PASS", b"KEY", b"CRED"];
    (0..name.len()).filter_map(|at| name.get(at..)).any(|rest| {
        starts.iter().any(|start| {
            rest.get(..start.len())
                .is_some_and(|part| part.eq_ignore_ascii_case(start))
        })
    })
}

/// The name in capitals, with `_` between its words: `apiKey` is `API_KEY`.
fn words(name: &[u8]) -> Vec<u8> {
    let mut words = Vec::with_capacity(name.len() + 4);
    let mut before_lower = false;
    for byte in name {
        if byte.is_ascii_uppercase() && before_lower {
            words.push(b'_');
        }
        before_lower = byte.is_ascii_lowercase();
        words.push(if byte.is_ascii_alphanumeric() {
            byte.to_ascii_uppercase()
        } else {
            b'_'
        });
    }
    words
}

/// True if `wanted` stands in `words` with a word boundary on both sides.
fn has_words(words: &[u8], wanted: &[u8]) -> bool {
    words.windows(wanted.len()).enumerate().any(|(at, part)| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let after = words.get(at + wanted.len());
        part == wanted
            && before.is_none_or(|byte| *byte == b'_')
            && after.is_none_or(|byte| *byte == b'_')
    })
}
