//! The words that claims are made of, as data. Another language adds its words here.

use super::ClaimKind::{self, BuildPasses, LintClean, TestsPass, TypesClean};

/// Subjects of which something can be said to be well, and the claim that makes.
pub(super) const SUBJECTS: &[(&[ClaimKind], &[&str])] = &[
    (
        &[TestsPass],
        &[
            "test",
            "tests",
            "suite",
            "specs",
            "spec",
            "pytest",
            "vitest",
            "jest",
            "mocha",
            "rspec",
            "phpunit",
            "unittest",
            "e2e",
            "testsuite",
            "playwright",
            "assertions",
        ],
    ),
    (
        &[BuildPasses],
        &[
            "build",
            "builds",
            "compilation",
            "compile",
            "compiles",
            "bundle",
        ],
    ),
    (
        &[LintClean],
        &[
            "lint",
            "linter",
            "linting",
            "eslint",
            "clippy",
            "ruff",
            "biome",
            "golangci-lint",
            "flake8",
            "rubocop",
            "lints",
        ],
    ),
    (
        &[TypesClean],
        &[
            "typecheck",
            "typechecks",
            "type-check",
            "type-checks",
            "typechecking",
            "type-checking",
            "types",
            "tsc",
            "mypy",
            "pyright",
            "typescript",
            "typecheck/lint",
        ],
    ),
    (
        &[TestsPass, BuildPasses, LintClean, TypesClean],
        &["checks", "everything", "ci"],
    ),
];

/// Words that say that a subject is well.
pub(super) const WELL: &[&str] = &[
    "pass",
    "passes",
    "passed",
    "passing",
    "green",
    "succeed",
    "succeeds",
    "succeeded",
    "success",
    "successful",
    "successfully",
    "clean",
    "cleanly",
    "✅",
    "ok",
    "happy",
];

/// Words of [`WELL`] that may stand before their subject ("passing tests").
pub(super) const WELL_BEFORE: &[&str] =
    &["passing", "passed", "green", "clean", "✅", "successful"];

/// Words that say that a subject is not well.
pub(super) const ILL: &[&str] = &[
    "fail", "fails", "failed", "failing", "failure", "failures", "broken", "red", "❌", "errors",
    "error",
];

/// Single words that claim something by themselves.
pub(super) const WORDS: &[(ClaimKind, &[&str])] = &[
    (
        ClaimKind::Fixed,
        &["fixed", "resolved", "solved", "repaired"],
    ),
    (
        ClaimKind::Done,
        &["done", "complete", "completed", "finished", "implemented"],
    ),
    (
        ClaimKind::Verified,
        &[
            "verified",
            "confirmed",
            "validated",
            "tested",
            "double-checked",
            "unverified",
            "untested",
        ],
    ),
    (
        ClaimKind::Deployed,
        &["deployed", "shipped", "released", "published"],
    ),
];

/// Groups of words that claim something.
pub(super) const GROUPS: &[(ClaimKind, &[&str])] = &[
    (ClaimKind::Fixed, &["now", "works"]),
    (ClaimKind::Fixed, &["works", "now"]),
    (ClaimKind::Fixed, &["works", "correctly"]),
    (ClaimKind::Fixed, &["working", "correctly"]),
    (ClaimKind::Fixed, &["no", "longer", "fails"]),
    (ClaimKind::Fixed, &["no", "longer", "crashes"]),
    (ClaimKind::Fixed, &["no", "longer", "happens"]),
    (ClaimKind::Fixed, &["no", "longer", "occurs"]),
    (ClaimKind::Done, &["all", "set"]),
    (ClaimKind::Done, &["good", "to", "go"]),
    (ClaimKind::Done, &["everything", "is", "in", "place"]),
    (ClaimKind::Deployed, &["is", "live"]),
    (ClaimKind::Deployed, &["now", "live"]),
];

/// Words after which a claiming word is an adjective ("fixed width") or an infinitive's part.
pub(super) const NOT_BEFORE: &[&str] = &[
    "width",
    "size",
    "sized",
    "length",
    "point",
    "number",
    "set",
    "position",
    "header",
    "price",
    "seed",
    "amount",
    "array",
    "list",
    "rewrite",
    "example",
    "guide",
    "overview",
    "version",
    "html",
    "layout",
    "rate",
    "interval",
    "value",
    "values",
    "address",
    "addresses",
    "in",
    "picture",
    "url",
    "date",
];

/// Words that turn a claim round.
pub(super) const NEGATIONS: &[&str] = &[
    "not",
    "never",
    "cannot",
    "unable",
    "without",
    "neither",
    "nor",
    "nothing",
    "none",
    "isn't",
    "aren't",
    "wasn't",
    "weren't",
    "don't",
    "doesn't",
    "didn't",
    "haven't",
    "hasn't",
    "hadn't",
    "can't",
    "couldn't",
    "won't",
    "wouldn't",
    "shouldn't",
    "unverified",
    "untested",
    "skipped",
    "partially",
    "incomplete",
    "nobody",
];

/// What "no" and "without" may stand before and still be good news.
pub(super) const BAD_THINGS: &[&str] = &[
    "error",
    "errors",
    "warning",
    "warnings",
    "issue",
    "issues",
    "problem",
    "problems",
    "failure",
    "failures",
    "regression",
    "regressions",
    "longer",
    "failing",
    "failed",
    "complaints",
    "offenses",
    "findings",
];

/// Words that make a claim a plan, a wish, a condition or a guess.
pub(super) const HEDGES: &[&str] = &[
    "should",
    "would",
    "could",
    "might",
    "may",
    "will",
    "shall",
    "if",
    "once",
    "when",
    "whenever",
    "until",
    "unless",
    "assuming",
    "likely",
    "probably",
    "presumably",
    "hopefully",
    "expect",
    "expected",
    "think",
    "believe",
    "suspect",
    "guess",
    "seems",
    "appears",
    "please",
    "let's",
    "let",
    "need",
    "needs",
    "want",
    "ensure",
    "ensures",
    "ensuring",
    "make",
    "makes",
    "making",
    "next",
    "plan",
    "going",
    "try",
    "wait",
    "waiting",
    "before",
    "goal",
    "must",
    "i'll",
    "we'll",
    "you'll",
    "it'll",
    "they'll",
    "can",
    "whether",
    "until",
    "i'd",
    "to-do",
    "in-progress",
    "remaining",
];

/// Conditions that may also follow a claim ("passes if you set X").
pub(super) const CONDITIONS: &[&str] = &[
    "if", "unless", "once", "assuming", "provided", "until", "except",
];

/// Verbs of having run something.
pub(super) const RAN: &[&str] = &["ran", "reran", "re-ran", "executed", "running", "rerunning"];

/// Helpers with which "run" is in the past ("were run").
pub(super) const HELPERS: &[&str] = &["have", "has", "was", "were", "been", "i've", "we've", "had"];

/// What can be run, besides the subjects.
pub(super) const RUNNABLE: &[&str] = &[
    "check",
    "checks",
    "npm",
    "cargo",
    "go",
    "make",
    "yarn",
    "pnpm",
    "bun",
    "gradle",
    "mvn",
    "verification",
    "selftest",
];

/// What is counted in claims.
pub(super) const COUNTED: &[&str] = &[
    "test",
    "tests",
    "specs",
    "passed",
    "passing",
    "pass",
    "passes",
    "cases",
    "examples",
    "unit",
    "assertions",
    "green",
];

/// The place of a group of words.
pub(super) fn find(words: &[alloc::string::String], phrase: &[&str]) -> Option<usize> {
    words.windows(phrase.len().max(1)).position(|window| {
        window
            .iter()
            .zip(phrase)
            .all(|(word, wanted)| word == wanted)
    })
}
