//! Rules of linters and type checkers that are switched off in settings.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// For files whose name has one of the first, the endings of lines that switch
/// a rule off.
const OFF: &[(&[&str], &[&str])] = &[
    (
        &[
            "eslint",
            "oxlint",
            "biome",
            "stylelint",
            "tslint",
            "solhint",
            "package.json",
        ],
        &[
            ": \"off\"",
            ": 'off'",
            ": [\"off\"",
            ": ['off'",
            ": \"off\"}",
            ": \"off\" }",
        ],
    ),
    (&["eslint", "oxlint"], &[": 0", ": [0"]),
    (&["stylelint"], &[": null"]),
    (
        &["cargo.toml", "clippy.toml", "lints.toml"],
        &["= \"allow\"", "level = \"allow\""],
    ),
    (&["rubocop"], &["Enabled: false"]),
    (
        &[".editorconfig", ".globalconfig"],
        &["severity = none", "severity = silent", "severity=none"],
    ),
    (&["credo"], &[", false}"]),
    (&["analysis_options"], &[": ignore", ": false"]),
    (
        &[".yml", ".yaml"],
        &["continue-on-error: true", "allow_failure: true"],
    ),
    (
        &[".csproj", ".props"],
        &[
            "<TreatWarningsAsErrors>false</TreatWarningsAsErrors>",
            "<Nullable>disable</Nullable>",
        ],
    ),
];

/// Settings that ask for less where they are false, by the name of the file.
const WANTED: &[(&[&str], &[&str])] = &[
    (
        &["tsconfig", "jsconfig"],
        &[
            "strict",
            "noImplicitAny",
            "strictNullChecks",
            "strictFunctionTypes",
            "strictBindCallApply",
            "strictPropertyInitialization",
            "noImplicitThis",
            "useUnknownInCatchVariables",
            "alwaysStrict",
            "noUnusedLocals",
            "noUnusedParameters",
            "noImplicitReturns",
            "noFallthroughCasesInSwitch",
            "noUncheckedIndexedAccess",
            "exactOptionalPropertyTypes",
            "checkJs",
            "noImplicitOverride",
        ],
    ),
    (
        &["pyproject", "mypy", "setup.cfg", "tox.ini", "pyright"],
        &[
            "strict",
            "disallow_untyped_defs",
            "disallow_incomplete_defs",
            "disallow_untyped_calls",
            "disallow_any_generics",
            "check_untyped_defs",
            "warn_return_any",
            "warn_unused_ignores",
            "warn_unreachable",
            "strict_optional",
            "no_implicit_optional",
            "strict_equality",
        ],
    ),
];

/// Settings that ask for less where they are true.
const UNWANTED: &[(&[&str], &[&str])] = &[(
    &["pyproject", "mypy", "setup.cfg", "tox.ini"],
    &[
        "ignore_errors",
        "ignore_missing_imports",
        "implicit_optional",
    ],
)];

/// Lists of rules that are not asked.
const LISTS: &[&str] = &[
    "ignore",
    "extend-ignore",
    "extend_ignore",
    "disable",
    "disabled_rules",
    "nowarn",
    "disable_error_code",
];

/// Files with such lists.
const LIST_FILES: &[&str] = &[
    "pyproject",
    "ruff",
    "flake8",
    "pylint",
    "setup.cfg",
    "tox.ini",
    "mypy",
    "swiftlint",
    ".csproj",
    ".props",
];

/// Words that a command with a check has.
const CHECKS: &[&str] = &[
    "test", "lint", "check", "pytest", "jest", "vitest", "tsc", "mypy", "clippy", "eslint", "ruff",
];

/// Whether a trimmed line of a file of that name, both as written but the name
/// in lower case, switches a rule off.
pub(super) fn is_off(name: &str, line: &str) -> bool {
    let files = |files: &[&str]| files.iter().any(|part| name.contains(part));
    let text = line.trim_end_matches([',', ' ', ';']);
    let by_end = OFF.iter().any(|(names, ends)| {
        files(names)
            && ends
                .iter()
                .any(|end| text.ends_with(end) || open(end) && text.contains(end))
    });
    by_end
        || WANTED
            .iter()
            .any(|(names, keys)| files(names) && sets(line, keys, "false"))
        || UNWANTED
            .iter()
            .any(|(names, keys)| files(names) && sets(line, keys, "true"))
        || (name.contains("pyright") || name.contains("pyproject")) && level_off(line)
        || unfailing(line)
}

/// An ending that opens a list goes on.
fn open(end: &str) -> bool {
    end.contains('[')
}

/// `key = value` or `"key": value`, with one of the keys, anywhere in the line.
fn sets(line: &str, keys: &[&str], value: &str) -> bool {
    let mut parts = line.split([',', '{', '}']);
    parts.any(|part| {
        let Some((key, found)) = part.split_once([':', '=']) else {
            return false;
        };
        let key = key.trim().trim_matches(['"', '\'']);
        let found = found.trim().to_ascii_lowercase();
        keys.contains(&key) && found == value
    })
}

/// Pyright's levels.
fn level_off(line: &str) -> bool {
    let Some((key, value)) = line.split_once([':', '=']) else {
        return false;
    };
    let key = key.trim().trim_matches('"');
    let value = value.trim().trim_end_matches(',').trim_matches('"');
    (key == "typeCheckingMode" && value == "off")
        || (key.starts_with("report") && matches!(value, "none" | "false"))
}

/// A command with a check that cannot fail.
fn unfailing(line: &str) -> bool {
    let never = ["|| true", "|| exit 0", "|| :", "--passWithNoTests"];
    never.iter().any(|text| line.contains(text)) && CHECKS.iter().any(|word| line.contains(word))
}

/// The rules that a line lists as not asked.
pub(super) fn ignored(name: &str, line: &str) -> Vec<String> {
    if !LIST_FILES.iter().any(|part| name.contains(part)) {
        return Vec::new();
    }
    let Some((key, list)) = line.split_once(['=', ':']) else {
        return Vec::new();
    };
    if !LISTS.contains(&key.trim().trim_matches('"').to_ascii_lowercase().as_str()) {
        return Vec::new();
    }
    let items = list.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'));
    items
        .filter(|item| !item.is_empty())
        .map(ToOwned::to_owned)
        .collect()
}
