//! Takes secrets out of what an agent reports, before anything is stored.
//!
//! A byte scanner without regular expressions: one pass, linear time, on the
//! raw payload. It knows JSON's escapes, since in a payload a quote inside of a
//! string is `\"` and a newline `\n`, and since tools print JSON within JSON.
//! What it cuts never crosses an unescaped quote, so JSON stays JSON.
//!
//! It is precise rather than thorough: code that merely names a token is left
//! alone, because a changed line would falsify the difference of two versions
//! (spec/record.md, "Redaction").

mod assign;
mod header;
mod pem;
mod rule;
mod scan;
mod token;
mod url;
mod value;

pub use rule::Rule;

use alloc::borrow::Cow;
use alloc::vec::Vec;

/// A payload without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// The bytes; borrowed where nothing was found.
    pub bytes: Cow<'a, [u8]>,
    /// How often each rule cut something out, in the order of [`Rule::ALL`];
    /// rules that did not are left out.
    pub counts: Vec<(Rule, u32)>,
}

/// One secret: the bytes `start..end` of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cut {
    rule: Rule,
    start: usize,
    end: usize,
}

/// Replaces every secret by `[redacted:<rule>]`.
#[must_use]
pub fn redact(input: &[u8]) -> Redacted<'_> {
    let cuts = scan::cuts(input);
    let counts = counted(&cuts);
    let bytes = if cuts.is_empty() {
        Cow::Borrowed(input)
    } else {
        Cow::Owned(replaced(input, &cuts))
    };
    Redacted { bytes, counts }
}

/// The rules and their versions, as text. Its digest in a record says what was
/// looked for, so that "withheld" differs from "absent".
#[must_use]
pub const fn policy() -> &'static str {
    rule::POLICY
}

fn counted(cuts: &[Cut]) -> Vec<(Rule, u32)> {
    let count = |rule| cuts.iter().filter(|cut| cut.rule == rule).count();
    Rule::ALL
        .iter()
        .map(|rule| (*rule, u32::try_from(count(*rule)).unwrap_or(u32::MAX)))
        .filter(|(_, count)| *count > 0)
        .collect()
}

fn replaced(input: &[u8], cuts: &[Cut]) -> Vec<u8> {
    let mut out = Vec::with_capacity(input.len());
    let mut kept_to = 0;
    for cut in cuts {
        out.extend_from_slice(input.get(kept_to..cut.start).unwrap_or_default());
        out.extend_from_slice(b"[redacted:");
        out.extend_from_slice(cut.rule.name().as_bytes());
        out.push(b']');
        kept_to = cut.end;
    }
    out.extend_from_slice(input.get(kept_to..).unwrap_or_default());
    out
}
