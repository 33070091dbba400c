//! Signs of unfinished work in a line of code.

mod marker;
mod rules;

use crate::check::named::named_enum;
use crate::source::Masked;
use alloc::string::String;
use alloc::vec::Vec;

named_enum! {
    /// The kind of a stub.
    pub enum StubKind {
        /// A comment that starts with TODO, FIXME or XXX.
        Marker = "marker",
        /// Code that says it is not implemented.
        NotImplemented = "not-implemented",
        /// A test that is switched off.
        SkippedTest = "skipped-test",
        /// A test that switches all others off.
        OnlyTest = "only-test",
    }
}

/// One stub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stub {
    /// Its kind.
    pub kind: StubKind,
    /// The line it stands in, without the space around it, cut at 200 characters.
    pub line: String,
}

/// The stubs in one line of a file in `language` (a name of [`crate::path::language`]).
///
/// At most one of each kind; text in string literals and prose in comments is none.
#[must_use]
pub fn stubs(language: &str, line: &str) -> Vec<Stub> {
    let masked = Masked::new(language, line);
    let mut kinds = rules::kinds(language, &masked);
    if marker::is_marker(&masked) && !kinds.contains(&StubKind::NotImplemented) {
        kinds.push(StubKind::Marker);
    }
    kinds
        .into_iter()
        .map(|kind| Stub {
            kind,
            line: shown(line),
        })
        .collect()
}

/// Whether a stub of this kind counts even where the text before the change is not known.
#[must_use]
pub const fn unambiguous(kind: StubKind) -> bool {
    !matches!(kind, StubKind::Marker)
}

fn shown(line: &str) -> String {
    line.trim().chars().take(200).collect()
}
