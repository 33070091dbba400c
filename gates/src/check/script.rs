//! The kind of a check by its name: package scripts, make targets, scripts of a repository.

use super::types::Kind;
use alloc::string::String;
use alloc::vec::Vec;

/// Words of a name that make it no check, whatever else it says.
const NEVER: &[&str] = &[
    "install",
    "uninstall",
    "setup",
    "clean",
    "distclean",
    "clear",
    "reset",
    "seed",
    "deps",
    "dev",
    "serve",
    "server",
    "start",
    "stop",
    "up",
    "down",
    "deploy",
    "publish",
    "release",
    "push",
    "generate",
    "gen",
    "codegen",
    "help",
    "list",
    "docs",
    "doc",
    "data",
    "fixtures",
    "fixture",
    "helpers",
    "helper",
    "utils",
    "util",
    "env",
    "image",
    "docker",
    "download",
    "upload",
    "update",
    "upgrade",
    "create",
    "init",
    "report",
    "open",
    "preview",
    "show",
    "prepare",
    "bootstrap",
    "teardown",
    "logs",
    "shell",
    "run-dev",
    "migrate",
    "storybook",
    "watchman",
    "bump",
    "version",
    "changelog",
    "config",
    "cleanup",
    "template",
];

/// Words of a name and the kinds that they name, the weightiest first.
const KINDS: &[(Kind, &[&str])] = &[
    (Kind::Selftest, &["selftest", "self-test"]),
    (
        Kind::Test,
        &[
            "test",
            "tests",
            "testing",
            "spec",
            "specs",
            "unit",
            "e2e",
            "integration",
            "smoke",
            "jest",
            "vitest",
            "mocha",
            "playwright",
            "cypress",
            "pytest",
            "rspec",
            "phpunit",
            "regression",
            "acceptance",
            "ut",
            "coverage",
            "testall",
            "unittest",
            "unittests",
        ],
    ),
    (
        Kind::Typecheck,
        &[
            "typecheck",
            "typechecks",
            "tsc",
            "types",
            "type",
            "typing",
            "mypy",
            "pyright",
            "typescript",
            "svelte",
            "typed",
        ],
    ),
    (
        Kind::Lint,
        &[
            "lint",
            "linting",
            "linter",
            "eslint",
            "stylelint",
            "clippy",
            "vet",
            "ruff",
            "rubocop",
            "phpstan",
            "biome",
            "shellcheck",
            "oxlint",
            "standard",
            "staticcheck",
            "detekt",
            "checkstyle",
            "ktlint",
            "spotless",
            "credo",
            "analyze",
            "analyse",
            "flake8",
            "pylint",
            "golangci",
        ],
    ),
    (
        Kind::Build,
        &[
            "build", "compile", "bundle", "dist", "assemble", "package", "make",
        ],
    ),
];

/// Names that ask for everything a project checks.
const ALL_CHECKS: &[&str] = &[
    "check",
    "checks",
    "ci",
    "verify",
    "validate",
    "preflight",
    "precommit",
    "prepush",
    "qa",
    "all-checks",
];

/// Words that make a formatter's name a check.
const FORMATS: &[&str] = &[
    "format",
    "fmt",
    "prettier",
    "formatting",
    "black",
    "rustfmt",
    "gofmt",
    "style",
];

/// What a name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) kind: Kind,
    pub(super) watches: bool,
    pub(super) fixes: bool,
}

/// The kind of check that `name` names, if any. `general` is the kind of a bare `check`.
pub(super) fn named(name: &str, general: Kind) -> Option<Named> {
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if words.is_empty() || has(NEVER) {
        return None;
    }
    let watches = has(&["watch"]);
    let fixes = has(&["fix", "write", "autofix", "apply"]);
    if has(FORMATS) {
        let checks = has(ALL_CHECKS) || has(&["lint", "diff"]);
        return checks.then_some(Named {
            kind: Kind::Format,
            watches,
            fixes,
        });
    }
    let kind = KINDS
        .iter()
        .find(|(_, list)| has(list))
        .map(|(kind, _)| *kind);
    let kind = kind.or_else(|| has(ALL_CHECKS).then_some(general))?;
    Some(Named {
        kind,
        watches,
        fixes,
    })
}

/// The words of a name in lower case, split at marks and before capitals.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut small_before = false;
    for letter in name.chars().take(120) {
        let mark = !letter.is_alphanumeric();
        if (mark || (letter.is_uppercase() && small_before)) && !word.is_empty() {
            words.push(core::mem::take(&mut word));
        }
        if !mark {
            word.extend(letter.to_lowercase());
        }
        small_before = letter.is_lowercase();
    }
    if !word.is_empty() {
        words.push(word);
    }
    let split_in_two = |first: &str, second: &str| {
        words.windows(2).any(|pair| {
            pair.first().is_some_and(|word| word == first)
                && pair.get(1).is_some_and(|word| word == second)
        })
    };
    for (first, second, whole) in [
        ("self", "test", "selftest"),
        ("type", "check", "typecheck"),
        ("check", "types", "typecheck"),
        ("pre", "commit", "precommit"),
    ] {
        if split_in_two(first, second) {
            words.push(whole.into());
            words.retain(|word| !(whole == "selftest" && (word == "self" || word == "test")));
            break;
        }
    }
    words
}

/// The kind of check that a script file is by its name: `scripts/test.sh`, `bin/check`.
pub(super) fn script_file(path: &str) -> Option<Named> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let system = ["/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/"]
        .iter()
        .any(|root| path.starts_with(root));
    let scratch = crate::path::classify(path, false) == crate::path::Class::Scratch;
    if system || scratch {
        return None;
    }
    let dotted = [".test.", ".spec."]
        .iter()
        .any(|piece| name.contains(piece));
    if dotted {
        return Some(Named {
            kind: Kind::Test,
            watches: false,
            fixes: false,
        });
    }
    named(stem, Kind::Test)
}
