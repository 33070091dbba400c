//! What stubs look like, by language.

mod tests;

pub(super) use tests::TESTS;

use super::StubKind::{self, NotImplemented};
use Then::{Anything, Excuse, Returned, Thrown};

/// What must follow the text of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    /// Anything.
    Anything,
    /// The rest of a longer word.
    Prefix,
    /// A string literal or a closing parenthesis.
    Name,
    /// A string literal that says that something is not implemented.
    Excuse,
    /// The same, behind the name of what is thrown.
    Thrown,
    /// The same, in a line that returns it: a declared error is no stub.
    Returned,
    /// Nothing, or arguments that are no condition.
    Unconditional,
}

/// Texts of one kind with what must follow them.
pub(super) struct Rules {
    pub(super) kind: StubKind,
    pub(super) languages: &'static [&'static str],
    pub(super) then: Then,
    pub(super) texts: &'static [&'static str],
}

const fn rules(
    kind: StubKind,
    languages: &'static [&'static str],
    then: Then,
    texts: &'static [&'static str],
) -> Rules {
    Rules {
        kind,
        languages,
        then,
        texts,
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
const DART: &[&str] = &["dart"];
const ELIXIR: &[&str] = &["elixir"];
const THROWS: &[&str] = &["javascript", "php", "jvm", "csharp", "c"];

/// Code that says it is not implemented.
pub(super) const UNFINISHED: &[Rules] = &[
    rules(NotImplemented, RS, Anything, &["todo!", "unimplemented!"]),
    rules(
        NotImplemented,
        RS,
        Excuse,
        &["panic!", "unreachable!", "bail!", "anyhow!", "eyre!", "Err"],
    ),
    rules(NotImplemented, THROWS, Thrown, &["throw"]),
    rules(NotImplemented, JS, Excuse, &["new Error", "Error"]),
    rules(
        NotImplemented,
        JS,
        Anything,
        &[
            "throw new NotImplementedError",
            "throw new NotImplementedException",
        ],
    ),
    rules(
        NotImplemented,
        PY,
        Anything,
        &["raise NotImplementedError", "raise NotImplemented"],
    ),
    rules(
        NotImplemented,
        PY,
        Excuse,
        &[
            "raise Exception",
            "raise RuntimeError",
            "raise AssertionError",
            "assert False,",
            "pytest.fail",
        ],
    ),
    rules(
        NotImplemented,
        RB,
        Anything,
        &[
            "raise NotImplementedError",
            "raise NotImplementedError.new",
            "fail NotImplementedError",
        ],
    ),
    rules(NotImplemented, RB, Excuse, &["raise", "fail"]),
    rules(
        NotImplemented,
        GO,
        Excuse,
        &[
            "panic",
            "log.Fatal",
            "log.Fatalf",
            "panic(errors.New",
            "panic(fmt.Sprintf",
        ],
    ),
    rules(NotImplemented, GO, Returned, &["errors.New", "fmt.Errorf"]),
    rules(
        NotImplemented,
        SWIFT,
        Excuse,
        &["fatalError", "preconditionFailure", "assertionFailure"],
    ),
    rules(NotImplemented, NET, Anything, &["NotImplementedException"]),
    rules(
        NotImplemented,
        JVM,
        Anything,
        &[
            "NotImplementedError",
            "NotImplementedException",
            "TODO(",
            "???",
        ],
    ),
    rules(
        NotImplemented,
        JVM,
        Excuse,
        &[
            "UnsupportedOperationException",
            "RuntimeException",
            "IllegalStateException",
            "error",
            "fail",
        ],
    ),
    rules(
        NotImplemented,
        C,
        Excuse,
        &[
            "runtime_error",
            "logic_error",
            "abort_with",
            "assert(false &&",
            "assert(0 &&",
            "assert(!",
            "#error",
            "NSAssert(NO, @",
            "qFatal",
            "die",
        ],
    ),
    rules(
        NotImplemented,
        C,
        Anything,
        &[
            "NOT_IMPLEMENTED(",
            "UNIMPLEMENTED(",
            "NOTIMPLEMENTED(",
            "NYI(",
        ],
    ),
    rules(
        NotImplemented,
        &["zig"],
        Excuse,
        &["@panic", "@compileError"],
    ),
    rules(NotImplemented, DART, Anything, &["UnimplementedError"]),
    rules(NotImplemented, ELIXIR, Excuse, &["raise"]),
    rules(
        NotImplemented,
        &["lua", "julia", "haskell"],
        Excuse,
        &["error"],
    ),
    rules(NotImplemented, &["haskell"], Anything, &["= undefined"]),
    rules(NotImplemented, &["ocaml"], Excuse, &["failwith"]),
    rules(
        NotImplemented,
        &["perl"],
        Excuse,
        &["die", "croak", "confess"],
    ),
    rules(NotImplemented, &["r"], Excuse, &["stop"]),
    rules(NotImplemented, &["solidity"], Excuse, &["revert"]),
    rules(
        NotImplemented,
        &["erlang"],
        Anything,
        &["error(not_implemented)", "exit(not_implemented)"],
    ),
];
