//! Passwords in addresses: `scheme://user:password@host`.

use super::token::run;
use super::value::is_placeholder;
use super::{Cut, Rule};

/// The password of the address whose `://` begins at `at`.
pub(super) fn password(input: &[u8], at: usize) -> Option<Cut> {
    let rest = input.get(at..)?.strip_prefix(b"://")?;
    let scheme = at.checked_sub(1).and_then(|before| input.get(before));
    if !scheme.is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let authority = rest.get(..run(rest, in_authority))?;
    let end = authority.iter().rposition(|byte| *byte == b'@')?;
    let userinfo = authority.get(..end)?;
    let start = userinfo.iter().position(|byte| *byte == b':')? + 1;
    let password = userinfo.get(start..)?;
    if password.is_empty() || is_placeholder(password) {
        return None;
    }
    let base = at + 3;
    Some(Cut {
        rule: Rule::UrlPassword,
        start: base + start,
        end: base + end,
    })
}

/// Up to the path; an address never holds quotes, spaces or backslashes.
const fn in_authority(byte: u8) -> bool {
    byte > b' '
        && byte < 0x7f
        && !matches!(
            byte,
            b'/' | b'?' | b'#' | b'"' | b'\'' | b'\\' | b'<' | b'>' | b'`' | b','
        )
}
