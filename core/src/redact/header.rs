//! Credentials in headers, as sent, as given to `curl`, and as JSON members.

use super::scan::Name;
use super::token::run;
use super::value::{self, is_placeholder, is_random};
use super::{Cut, Rule};

/// The credential behind the `:` or `=` at `at`, if the name before it is a
/// header that carries one.
pub(super) fn credential(input: &[u8], name: Name, at: usize) -> Option<Cut> {
    let header = kind(input.get(name.start..name.end)?)?;
    let gap = input.get(name.end..at)?;
    let in_gap = |byte: &u8| matches!(byte, b' ' | b'\\' | b'"' | b'\'' | b']');
    if gap.len() > 12 || !gap.iter().all(in_gap) {
        return None;
    }
    let start = at + 1 + run(input.get(at + 1..)?, |byte| byte == b' ');
    let start = start + value::quote(input, start).map_or(0, |(_, len)| len);
    let (start, end) = match header {
        Header::Authorization => after_scheme(input, start)?,
        Header::Key => plain(input, start)?,
    };
    Some(Cut {
        rule: Rule::Authorization,
        start,
        end,
    })
}

enum Header {
    /// A scheme and a credential.
    Authorization,
    /// Only a credential.
    Key,
}

fn kind(name: &[u8]) -> Option<Header> {
    let is = |header: &[u8]| name.eq_ignore_ascii_case(header);
    if is(b"authorization") || is(b"proxy-authorization") {
        return Some(Header::Authorization);
    }
    let keys: [&[u8]; 5] = [
        b"x-api-key",
        b"api-key",
        b"x-auth-token",
        b"x-access-token",
        b"private-token",
    ];
    keys.into_iter().any(is).then_some(Header::Key)
}

/// Schemes followed by one credential without spaces.
const SIMPLE: [&[u8]; 7] = [
    b"bearer",
    b"basic",
    b"token",
    b"apikey",
    b"negotiate",
    b"dpop",
    b"ntlm",
];

/// Schemes followed by parameters: all of them are cut out.
const PARAMETERS: [&[u8]; 5] = [
    b"digest",
    b"aws4-hmac-sha256",
    b"hawk",
    b"signature",
    b"oauth",
];

fn after_scheme(input: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = input.get(at..)?;
    let word = rest.get(..run(rest, |byte| byte.is_ascii_alphanumeric() || byte == b'-'))?;
    let blanks = run(rest.get(word.len()..)?, |byte| byte == b' ');
    let start = at + word.len() + blanks;
    let is = |scheme: &&[u8]| word.eq_ignore_ascii_case(scheme);
    if blanks > 0 && SIMPLE.iter().any(is) {
        return simple(input, start);
    }
    if blanks > 0 && PARAMETERS.iter().any(is) {
        let end = start
            + run(input.get(start..)?, |byte| {
                !matches!(byte, b'"' | b'\'' | b'\\' | b'\n' | b'\r')
            });
        return (end >= start + 16).then_some((start, end));
    }
    plain(input, at)
}

/// A credential of a known scheme: not a mere word as in `Bearer token`.
fn simple(input: &[u8], start: usize) -> Option<(usize, usize)> {
    let (credential, next) = token68(input, start)?;
    let has = |is: fn(&u8) -> bool| credential.iter().any(is);
    let mixed =
        has(u8::is_ascii_digit) || (has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase));
    let secret =
        credential.len() >= 6 && mixed && next != Some(b'(') && !is_placeholder(credential);
    secret.then_some((start, start + credential.len()))
}

/// A credential without a scheme must look like one.
fn plain(input: &[u8], start: usize) -> Option<(usize, usize)> {
    let rest = input.get(start..)?;
    let len = value::key_len(rest)?;
    let call = rest.get(len) == Some(&b'(');
    (is_random(rest.get(..len)?) && !call).then_some((start, start + len))
}

/// The characters of credentials, and the byte after them.
fn token68(input: &[u8], start: usize) -> Option<(&[u8], Option<u8>)> {
    let rest = input.get(start..)?;
    let is = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'=' | b':')
    };
    let len = run(rest, is);
    Some((rest.get(..len)?, rest.get(len).copied()))
}
