//! Comments and attributes that silence a check in one place.

use crate::source::Masked;

/// What such a comment says, wherever it stands in it.
const IN_COMMENTS: &[&str] = &[
    "eslint-disable",
    "oxlint-disable",
    "tslint:disable",
    "stylelint-disable",
    "biome-ignore",
    "deno-lint-ignore",
    "@ts-ignore",
    "@ts-expect-error",
    "@ts-nocheck",
    "$FlowFixMe",
    "istanbul ignore",
    "c8 ignore",
    "v8 ignore",
    "type: ignore",
    "type:ignore",
    "pyright: ignore",
    "pyre-ignore",
    "pyre-fixme",
    "ty: ignore",
    "mypy: ignore-errors",
    "pylint: disable",
    "pylint:disable",
    "ruff: noqa",
    "flake8: noqa",
    "pragma: no cover",
    "pragma: no branch",
    "nolint",
    "NOLINT",
    "#nosec",
    "lint:ignore",
    "lint:file-ignore",
    "rubocop:disable",
    "rubocop:todo",
    ":nocov:",
    "steep:ignore",
    "@phpstan-ignore",
    "@psalm-suppress",
    "phpcs:ignore",
    "phpcs:disable",
    "@codeCoverageIgnore",
    "@infection-ignore",
    "swiftlint:disable",
    "shellcheck disable",
    "ktlint-disable",
    "noinspection",
    "scalafix:off",
    "scalastyle:off",
    "CHECKSTYLE:OFF",
    "CHECKSTYLE.OFF",
    "NOSONAR",
    "ReSharper disable",
    "credo:disable",
    "cppcheck-suppress",
    "coverity[",
    "GCOV_EXCL",
    "LCOV_EXCL",
    "slither-disable",
    "solhint-disable",
    "tfsec:ignore",
    "checkov:skip",
    "tflint-ignore",
    "luacheck: ignore",
    "no critic",
    "coverage:ignore",
    "ignore_for_file:",
    "hlint ignore",
];

/// What such a comment starts with.
const STARTS: &[&str] = &["noqa", "nosec", "NOSONAR", "NOLINT", "ignore:"];

/// Code that does the same, by language.
const IN_CODE: &[(&str, &[&str])] = &[
    (
        "rust",
        &[
            "#[allow(",
            "#![allow(",
            "#[expect(",
            "#![expect(",
            "coverage(off)",
        ],
    ),
    (
        "jvm",
        &[
            "@SuppressWarnings",
            "@Suppress(",
            "@file:Suppress(",
            "@SuppressLint",
            "@nowarn",
        ],
    ),
    (
        "csharp",
        &[
            "#pragma warning disable",
            "SuppressMessage(",
            "[ExcludeFromCodeCoverage",
            "#nullable disable",
        ],
    ),
    (
        "c",
        &[
            "#pragma GCC diagnostic ignored",
            "#pragma clang diagnostic ignored",
            "#pragma warning(disable",
            "#pragma warning( disable",
            "__attribute__((no_sanitize",
        ],
    ),
    ("python", &["@no_type_check", "@typing.no_type_check"]),
    ("elixir", &["@dialyzer"]),
];

/// Whether a line silences a check.
pub(super) fn is_suppression(language: &str, line: &Masked<'_>) -> bool {
    if let Some(comment) = line.comment() {
        let text = comment.trim_start_matches(|letter: char| {
            letter.is_whitespace() || "/*#-<!{%;(".contains(letter)
        });
        if STARTS.iter().any(|word| text.starts_with(word))
            || IN_COMMENTS.iter().any(|word| comment.contains(word))
        {
            return true;
        }
    }
    let code = IN_CODE.iter().find(|(name, _)| *name == language);
    let words = code.map_or(&[][..], |(_, words)| words);
    words.iter().any(|word| line.begins(word))
}
