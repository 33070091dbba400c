//! Stubs in code, by language.

use super::StubKind::{self, NotImplemented, OnlyTest, SkippedTest};
use super::marker;
use crate::source::Masked;
use alloc::vec::Vec;

/// What must follow the text of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    /// Anything.
    Anything,
    /// A string literal or a closing parenthesis.
    Name,
    /// A string literal that says that something is not implemented.
    Excuse,
}

struct Rule {
    kind: StubKind,
    languages: &'static [&'static str],
    text: &'static str,
    then: Then,
}

const fn rule(
    kind: StubKind,
    languages: &'static [&'static str],
    text: &'static str,
    then: Then,
) -> Rule {
    Rule {
        kind,
        languages,
        text,
        then,
    }
}

const JS: &[&str] = &["javascript"];
const PY: &[&str] = &["python"];
const RS: &[&str] = &["rust"];
const RB: &[&str] = &["ruby"];
const JVM: &[&str] = &["jvm"];
const NET: &[&str] = &["csharp"];
const C: &[&str] = &["c"];
const GO: &[&str] = &["go"];
const PHP: &[&str] = &["php"];
const SWIFT: &[&str] = &["swift"];

const RULES: &[Rule] = &[
    rule(NotImplemented, RS, "todo!", Then::Anything),
    rule(NotImplemented, RS, "unimplemented!", Then::Anything),
    rule(NotImplemented, RS, "panic!", Then::Excuse),
    rule(
        NotImplemented,
        PY,
        "raise NotImplementedError",
        Then::Anything,
    ),
    rule(NotImplemented, PY, "raise Exception", Then::Excuse),
    rule(
        NotImplemented,
        RB,
        "raise NotImplementedError",
        Then::Anything,
    ),
    rule(NotImplemented, RB, "raise", Then::Excuse),
    rule(NotImplemented, JS, "throw new Error", Then::Excuse),
    rule(NotImplemented, JS, "throw Error", Then::Excuse),
    rule(
        NotImplemented,
        JS,
        "throw new NotImplementedError",
        Then::Anything,
    ),
    rule(
        NotImplemented,
        JS,
        "throw new NotImplementedException",
        Then::Anything,
    ),
    rule(NotImplemented, GO, "panic", Then::Excuse),
    rule(NotImplemented, SWIFT, "fatalError", Then::Excuse),
    rule(
        NotImplemented,
        NET,
        "throw new NotImplementedException",
        Then::Anything,
    ),
    rule(
        NotImplemented,
        JVM,
        "UnsupportedOperationException",
        Then::Excuse,
    ),
    rule(NotImplemented, JVM, "RuntimeException", Then::Excuse),
    rule(NotImplemented, JVM, "NotImplementedError", Then::Anything),
    rule(
        NotImplemented,
        JVM,
        "NotImplementedException",
        Then::Anything,
    ),
    rule(NotImplemented, JVM, "TODO(", Then::Anything),
    rule(NotImplemented, JVM, "???", Then::Anything),
    rule(NotImplemented, PHP, "throw new Exception", Then::Excuse),
    rule(NotImplemented, PHP, "throw new \\Exception", Then::Excuse),
    rule(
        NotImplemented,
        PHP,
        "throw new \\RuntimeException",
        Then::Excuse,
    ),
    rule(
        NotImplemented,
        PHP,
        "throw new RuntimeException",
        Then::Excuse,
    ),
    rule(
        NotImplemented,
        PHP,
        "throw new \\BadMethodCallException",
        Then::Excuse,
    ),
    rule(NotImplemented, C, "runtime_error", Then::Excuse),
    rule(NotImplemented, C, "logic_error", Then::Excuse),
    rule(NotImplemented, C, "abort_with", Then::Excuse),
    rule(NotImplemented, &["zig"], "@panic", Then::Excuse),
    rule(
        NotImplemented,
        &["dart"],
        "UnimplementedError",
        Then::Anything,
    ),
    rule(NotImplemented, &["elixir"], "raise", Then::Excuse),
    rule(NotImplemented, &["lua"], "error", Then::Excuse),
    rule(SkippedTest, JS, "it.skip", Then::Name),
    rule(SkippedTest, JS, "test.skip", Then::Name),
    rule(SkippedTest, JS, "describe.skip", Then::Name),
    rule(SkippedTest, JS, "context.skip", Then::Name),
    rule(SkippedTest, JS, "suite.skip", Then::Name),
    rule(SkippedTest, JS, "test.describe.skip", Then::Name),
    rule(SkippedTest, JS, "it.skip.each", Then::Anything),
    rule(SkippedTest, JS, "test.skip.each", Then::Anything),
    rule(SkippedTest, JS, "describe.skip.each", Then::Anything),
    rule(SkippedTest, JS, "test.fixme", Then::Name),
    rule(SkippedTest, JS, "xit(", Then::Anything),
    rule(SkippedTest, JS, "xtest(", Then::Anything),
    rule(SkippedTest, JS, "xdescribe(", Then::Anything),
    rule(SkippedTest, JS, "xcontext(", Then::Anything),
    rule(SkippedTest, JS, "it.todo", Then::Name),
    rule(SkippedTest, JS, "test.todo", Then::Name),
    rule(SkippedTest, JS, "describe.todo", Then::Name),
    rule(SkippedTest, PY, "@pytest.mark.skip", Then::Anything),
    rule(SkippedTest, PY, "@unittest.skip", Then::Anything),
    rule(SkippedTest, PY, "pytest.skip(", Then::Anything),
    rule(SkippedTest, PY, "self.skipTest(", Then::Anything),
    rule(SkippedTest, GO, "t.Skip(", Then::Anything),
    rule(SkippedTest, GO, "t.Skipf(", Then::Anything),
    rule(SkippedTest, GO, "t.SkipNow(", Then::Anything),
    rule(SkippedTest, GO, "b.Skip(", Then::Anything),
    rule(SkippedTest, JVM, "@Ignore", Then::Anything),
    rule(SkippedTest, JVM, "@Disabled", Then::Anything),
    rule(SkippedTest, RS, "#[ignore]", Then::Anything),
    rule(SkippedTest, RS, "#[ignore =", Then::Anything),
    rule(SkippedTest, RS, "#[ignore=", Then::Anything),
    rule(SkippedTest, NET, "[Ignore]", Then::Anything),
    rule(SkippedTest, NET, "[Ignore(", Then::Anything),
    rule(SkippedTest, NET, "(Skip =", Then::Anything),
    rule(SkippedTest, NET, "(Skip=", Then::Anything),
    rule(SkippedTest, SWIFT, "XCTSkip(", Then::Anything),
    rule(SkippedTest, SWIFT, ".disabled(", Then::Anything),
    rule(SkippedTest, RB, "xit ", Then::Anything),
    rule(SkippedTest, RB, "xdescribe ", Then::Anything),
    rule(SkippedTest, RB, "xcontext ", Then::Anything),
    rule(SkippedTest, RB, "skip", Then::Name),
    rule(SkippedTest, RB, "pending", Then::Name),
    rule(SkippedTest, PHP, "markTestSkipped(", Then::Anything),
    rule(SkippedTest, PHP, "markTestIncomplete(", Then::Anything),
    rule(SkippedTest, &["elixir"], "@tag :skip", Then::Anything),
    rule(SkippedTest, C, "GTEST_SKIP(", Then::Anything),
    rule(OnlyTest, JS, "it.only", Then::Name),
    rule(OnlyTest, JS, "test.only", Then::Name),
    rule(OnlyTest, JS, "describe.only", Then::Name),
    rule(OnlyTest, JS, "context.only", Then::Name),
    rule(OnlyTest, JS, "suite.only", Then::Name),
    rule(OnlyTest, JS, "test.describe.only", Then::Name),
    rule(OnlyTest, JS, "it.only.each", Then::Anything),
    rule(OnlyTest, JS, "test.only.each", Then::Anything),
    rule(OnlyTest, JS, "describe.only.each", Then::Anything),
    rule(OnlyTest, JS, "fit", Then::Name),
    rule(OnlyTest, JS, "fdescribe", Then::Name),
    rule(OnlyTest, JS, "fcontext", Then::Name),
    rule(OnlyTest, RB, "fit", Then::Name),
    rule(OnlyTest, RB, "fdescribe", Then::Name),
    rule(OnlyTest, GO, "FIt", Then::Name),
    rule(OnlyTest, GO, "FDescribe", Then::Name),
    rule(OnlyTest, GO, "FContext", Then::Name),
];

/// Calls under a condition are no switched-off tests.
const CONDITIONS: &[&str] = &["testing.Short()", "skipif", "skipIf", "skipUnless"];

/// The kinds of stubs that the code of a line has.
pub(super) fn kinds(language: &str, line: &Masked<'_>) -> Vec<StubKind> {
    let mut kinds: Vec<StubKind> = Vec::new();
    for rule in RULES
        .iter()
        .filter(|rule| rule.languages.contains(&language))
    {
        if !kinds.contains(&rule.kind) && holds(rule, line) {
            kinds.push(rule.kind);
        }
    }
    if placeholder(language, line) && !kinds.contains(&NotImplemented) {
        kinds.push(NotImplemented);
    }
    kinds
}

fn holds(rule: &Rule, line: &Masked<'_>) -> bool {
    let conditional = || {
        CONDITIONS
            .iter()
            .any(|condition| line.from(0).contains(condition))
    };
    let places = line.behind(rule.text);
    let found = places.into_iter().any(|place| match rule.then {
        Then::Anything => true,
        Then::Name => named(line, place),
        Then::Excuse => line.literal(place).is_some_and(excuse),
    });
    found && !(rule.kind == SkippedTest && conditional())
}

/// A call with a name, or without anything.
fn named(line: &Masked<'_>, place: usize) -> bool {
    let rest = line.from(place).trim_start();
    let inner = rest.strip_prefix('(').map_or(rest, str::trim_start);
    let called = inner.len() < rest.len() || rest.starts_with(['"', '\'']);
    let end_of_line = rest == "(";
    end_of_line || (called && inner.starts_with(['"', '\'', '`', ')']))
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
    ];
    let lower = text.to_ascii_lowercase();
    let todo = lower.trim() == "todo" || text.starts_with("TODO:") || text.starts_with("TODO ");
    todo || SAYS.iter().any(|phrase| lower.contains(phrase))
}

/// `pass  # TODO` and `...  # TODO`.
fn placeholder(language: &str, line: &Masked<'_>) -> bool {
    let code = line.code();
    let empty =
        code == "pass" || code == "..." || code.ends_with(": pass") || code.ends_with(": ...");
    language == "python" && empty && marker::is_marker(line)
}
