//! Signs of unfinished work in a line of code.

mod asked;
mod context;
mod line;
mod marker;
mod rules;

use crate::check::named::named_enum;
use crate::source::Masked;
use alloc::string::String;
use alloc::vec::Vec;
pub use asked::asked;

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

/// The stubs in the added or the removed lines of a change to a file in
/// `language` (a name of [`crate::path::language`]).
///
/// At most one of each kind in a line; text in string literals and prose in
/// comments is none.
#[must_use]
pub fn stubs(language: &str, lines: &[String]) -> Vec<Stub> {
    let each = lines.iter().enumerate();
    each.flat_map(|(at, line)| in_line(language, lines, at, line))
        .collect()
}

fn in_line(language: &str, lines: &[String], at: usize, line: &str) -> Vec<Stub> {
    let masked = Masked::new(language, line);
    let mut kinds = line::kinds(language, &masked);
    if marker::is_marker(&masked) && !kinds.contains(&StubKind::NotImplemented) {
        kinds.push(StubKind::Marker);
    }
    kinds.retain(|kind| match kind {
        StubKind::NotImplemented => !context::is_left_to_others(language, lines, at),
        StubKind::SkippedTest => !context::is_conditional(lines, at),
        StubKind::Marker | StubKind::OnlyTest => true,
    });
    let shown = || line.trim().chars().take(200).collect();
    let stub = |kind| Stub {
        kind,
        line: shown(),
    };
    kinds.into_iter().map(stub).collect()
}

/// Whether a stub of this kind counts even where the text before the change is not known.
#[must_use]
pub const fn unambiguous(kind: StubKind) -> bool {
    !matches!(kind, StubKind::Marker)
}
