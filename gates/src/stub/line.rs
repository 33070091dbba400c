//! The stubs of one line of code.

use super::StubKind::{self, NotImplemented, SkippedTest};
use super::marker;
use super::rules::{TESTS, Then, UNFINISHED};
use crate::source::Masked;
use alloc::vec::Vec;

/// Calls under a condition are no switched-off tests.
const CONDITIONS: &[&str] = &[
    "testing.Short()",
    "skipif",
    "skipIf",
    "skipUnless",
    " if ",
    " unless ",
    "if (",
];

/// The kinds of stubs that the code of a line has.
pub(super) fn kinds(language: &str, line: &Masked<'_>) -> Vec<StubKind> {
    let mut kinds: Vec<StubKind> = Vec::new();
    for rule in UNFINISHED
        .iter()
        .chain(TESTS)
        .filter(|r| r.languages.contains(&language))
    {
        let mut texts = rule.texts.iter();
        if !kinds.contains(&rule.kind) && texts.any(|text| holds(rule.then, text, line)) {
            kinds.push(rule.kind);
        }
    }
    let code = line.code();
    if CONDITIONS.iter().any(|text| code.contains(text)) {
        kinds.retain(|kind| *kind != SkippedTest);
    }
    if !kinds.contains(&NotImplemented) && placeholder(language, line, &code) {
        kinds.push(NotImplemented);
    }
    kinds
}

/// Whether a rule's text stands in a line with what must follow it.
fn holds(then: Then, text: &str, line: &Masked<'_>) -> bool {
    let mut places = match then {
        Then::Prefix => line.starting(text),
        _ => line.behind(text),
    }
    .into_iter();
    let excused = |place| line.literal(place).is_some_and(excuse);
    places.any(|place| match then {
        Then::Anything | Then::Prefix => true,
        Then::Name => named(line, place),
        Then::Excuse => excused(place),
        Then::Thrown => thrown(line, place).is_some_and(excused),
        Then::Returned => line.from(0).trim_start().starts_with("return") && excused(place),
        Then::Unconditional => unconditional(line.from(place)),
    })
}

/// A call with a name, or without anything.
fn named(line: &Masked<'_>, place: usize) -> bool {
    let rest = line.from(place).trim_start();
    let inner = rest.strip_prefix('(').map_or(rest, str::trim_start);
    let called = inner.len() < rest.len() || rest.starts_with(['"', '\'']);
    let end_of_line = rest == "(";
    end_of_line || (called && inner.starts_with(['"', '\'', '`', ')']))
}

/// The place of the arguments of what is thrown.
fn thrown(line: &Masked<'_>, place: usize) -> Option<usize> {
    let rest = line.from(place);
    let open = rest.find('(')?;
    let name = rest.get(..open)?;
    let fits = |c: char| c.is_alphanumeric() || " _.:\\<>".contains(c);
    name.chars().all(fits).then(|| place.saturating_add(open))
}

/// No argument, or nothing but a reason.
fn unconditional(rest: &str) -> bool {
    let Some(inner) = rest.trim_start().strip_prefix('(') else {
        return true;
    };
    let inner = inner.trim_start();
    ["reason", "strict", "raises", "run", ")"]
        .iter()
        .any(|start| inner.starts_with(start))
}

/// Whether a message says that something is still to be written.
fn excuse(text: &str) -> bool {
    const SAYS: &[&str] = &[
        "not implemented",
        "not yet implemented",
        "unimplemented",
        "implement me",
        "to be implemented",
        "notimplemented",
        "not_implemented",
        "implementation missing",
        "implementation pending",
    ];
    let lower = text.to_ascii_lowercase();
    let todo = lower.trim() == "todo"
        || ["TODO:", "TODO ", "TODO("]
            .iter()
            .any(|start| text.starts_with(start));
    (todo || SAYS.iter().any(|phrase| lower.contains(phrase))) && !is_abstract(&lower)
}

/// Whether a message, in lower case, says that others are to write it, or that
/// it is left out on purpose.
pub(super) fn is_abstract(lower: &str) -> bool {
    const SAYS: &[&str] = &[
        "subclass",
        "sub-class",
        "derived class",
        "child class",
        "must implement",
        "should implement",
        "must be implemented",
        "should be implemented",
        "must override",
        "must be overridden",
        "should be overridden",
        "override",
        "abstract",
        "implement this method",
        "init(coder:)",
    ];
    let left_out = lower.contains("support") && !lower.contains("yet");
    left_out || SAYS.iter().any(|phrase| lower.contains(phrase))
}

/// `pass  # TODO` and `...  # TODO`.
fn placeholder(language: &str, line: &Masked<'_>, code: &str) -> bool {
    let empty =
        code == "pass" || code == "..." || code.ends_with(": pass") || code.ends_with(": ...");
    language == "python" && empty && marker::is_marker(line)
}
