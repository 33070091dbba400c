//! PEM private key blocks, in plain text and with escaped line ends.

use super::scan::backslashes;
use super::token::run;
use super::{Cut, Rule, value};

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";

/// Base64 characters in a row that make a text a key and not talk about keys.
const KEY_RUN: usize = 24;

/// Finds blocks. Both positions only move forward, so that a text full of
/// beginnings is still read in linear time.
pub(super) struct Marks<'a> {
    input: &'a [u8],
    /// The first end mark at or after the latest place asked for.
    end: usize,
    /// The first unescaped quote likewise.
    quote: usize,
}

impl<'a> Marks<'a> {
    pub(super) const fn new(input: &'a [u8]) -> Self {
        Self {
            input,
            end: 0,
            quote: 0,
        }
    }

    /// The private key block that begins at `at`.
    pub(super) fn block(&mut self, at: usize) -> Option<Cut> {
        let rest = self.input.get(at..)?.strip_prefix(BEGIN)?;
        let title = run(rest, |byte| byte.is_ascii_alphanumeric() || byte == b' ');
        let label = rest.get(..title)?;
        if !(label.ends_with(b"PRIVATE KEY") || label.ends_with(b"PRIVATE KEY BLOCK")) {
            return None;
        }
        let body = at + BEGIN.len() + title + run(rest.get(title..)?, |byte| byte == b'-');
        let end = self.closed(body).or_else(|| cut_off(self.input, body))?;
        Some(Cut {
            rule: Rule::PrivateKey,
            start: at,
            end,
        })
    }

    /// The end of a block that is whole: within one string, and with a key in it.
    fn closed(&mut self, body: usize) -> Option<usize> {
        self.advance(body);
        if self.end >= self.quote.min(self.input.len()) {
            return None;
        }
        let inner = self.input.get(body..self.end)?;
        if !begins_with_key(inner) || inner.windows(BEGIN.len()).any(|part| part == BEGIN) {
            return None;
        }
        let line = self.input.get(self.end + END.len()..)?;
        let title = run(line, |byte| byte.is_ascii_alphanumeric() || byte == b' ');
        let dashes = run(line.get(title..)?, |byte| byte == b'-').min(5);
        Some(self.end + END.len() + title + dashes)
    }

    fn advance(&mut self, from: usize) {
        if self.end < from || !self.at(self.end).starts_with(END) {
            self.end = self.find_end(self.end.max(from));
        }
        if self.quote < from || self.at(self.quote).first() != Some(&b'"') {
            self.quote = self.find_quote(self.quote.max(from));
        }
    }

    fn at(&self, place: usize) -> &'a [u8] {
        self.input.get(place..).unwrap_or_default()
    }

    fn find_end(&self, from: usize) -> usize {
        let found = self
            .at(from)
            .windows(END.len())
            .position(|part| part == END);
        found.map_or(self.input.len(), |step| from + step)
    }

    /// The first quote from `from` on that no backslash escapes.
    fn find_quote(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            match self.input.get(at) {
                None | Some(b'"') => return at,
                Some(b'\\') => {
                    let run = backslashes(self.input, at);
                    at += run + run % 2;
                }
                Some(_) => at += 1,
            }
        }
    }
}

/// The first line is a key's, perhaps as a quoted string or with a diff's sign.
fn begins_with_key(inner: &[u8]) -> bool {
    let mut at = 0;
    loop {
        let Some(start) = line_start(inner, at) else {
            return false;
        };
        let rest = inner.get(start..).unwrap_or_default();
        let signs = match (value::quote(rest, 0), rest.first()) {
            (Some((_, len)), _) => len,
            (None, Some(b',' | b'-' | b'+')) => 1,
            _ => return run(rest, is_base64) >= KEY_RUN,
        };
        at = start + signs;
    }
}

/// The end of a block without an end mark: as far as its lines look like a key.
fn cut_off(input: &[u8], body: usize) -> Option<usize> {
    let mut at = body;
    let mut end = None;
    let mut full = 0;
    loop {
        at = line_start(input, at)?;
        let line = input.get(at..).unwrap_or_default();
        let length = run(line, is_base64);
        if length < KEY_RUN {
            let last = full >= KEY_RUN && length > 0 && ends_line(line.get(length..));
            return if last { Some(at + length) } else { end };
        }
        at += length;
        full = length;
        end = Some(at);
    }
}

/// The last, short line of a key is followed by a line end, a quote or nothing.
fn ends_line(rest: Option<&[u8]>) -> bool {
    matches!(
        rest,
        None | Some([] | [b'\\' | b'"' | b'\n' | b'\r' | b'\'', ..])
    )
}

/// Passes line ends (also escaped), indentation, line numbers and the headers of
/// encrypted keys.
fn line_start(input: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = input.get(at..)?;
        let step = line_end(rest)
            .or_else(|| line_number(rest))
            .or_else(|| key_header(rest))
            .unwrap_or(0);
        if step == 0 {
            return Some(at);
        }
        at += step;
    }
}

fn line_end(rest: &[u8]) -> Option<usize> {
    match rest.first()? {
        b' ' | b'\t' | b'\n' | b'\r' | b'>' => Some(1),
        b'\\' => {
            let slashes = backslashes(rest, 0);
            matches!(rest.get(slashes), Some(b'n' | b'r' | b't')).then_some(slashes + 1)
        }
        _ => None,
    }
}

fn line_number(rest: &[u8]) -> Option<usize> {
    let digits = run(rest, |byte| byte.is_ascii_digit());
    let tab = line_end(rest.get(digits..)?)?;
    (1..=6).contains(&digits).then_some(digits + tab)
}

fn key_header(rest: &[u8]) -> Option<usize> {
    let names: [&[u8]; 4] = [b"Proc-Type: ", b"DEK-Info: ", b"Version: ", b"Comment: "];
    names.iter().find(|name| rest.starts_with(name))?;
    let in_line = |byte: u8| !matches!(byte, b'\\' | b'"' | b'\n' | b'\r');
    Some(run(rest, in_line))
}

const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}
