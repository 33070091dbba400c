//! Comments that programs read.

/// What comes right behind the leader of a comment that a compiler or the
/// system reads.
const BEHIND_LEADER: &[&str] = &["go:", "export ", "line "];

/// What such a comment may start with after blanks.
const STARTS: &[&str] = &[
    "+build",
    "<reference",
    "-*-",
    "@ts-",
    "@jsx",
    "@flow",
    "@vitest-environment",
    "@jest-environment",
    "eslint",
    "biome-ignore",
    "tslint:",
    "prettier-ignore",
    "istanbul ignore",
    "c8 ignore",
    "v8 ignore",
    "noqa",
    "type:",
    "pyright:",
    "mypy:",
    "pylint:",
    "ruff:",
    "flake8:",
    "pragma:",
    "cython:",
    "distutils:",
    "nosec",
    "fmt:",
    "isort:",
    "nolint",
    "lint:",
    "NOLINT",
    "clang-format",
    "rubocop:",
    "frozen_string_literal:",
    "encoding:",
    "coding:",
    "typed:",
    "shellcheck",
    "swiftlint:",
    "ktlint",
    "phpcs:",
    "@phpstan-",
    "@psalm-",
    "@codeCoverageIgnore",
    "@test",
    "@dataProvider",
    "@group",
    "credo:",
    "language=",
    "webpackChunkName",
    "@__PURE__",
    "#region",
];

/// Whether a comment, given with its leader, is read by a program.
pub(crate) fn is_directive(comment: &str) -> bool {
    if comment.starts_with("#!") {
        return true;
    }
    let text = comment.trim_start_matches(['/', '*', '#', '-', '%', ';', '<', '!', '(', '{']);
    let leader = comment.len().saturating_sub(text.len());
    let close = BEHIND_LEADER.iter().any(|word| text.starts_with(word));
    let blanks = text.trim_start();
    (close && leader > 0 && comment.starts_with("//"))
        || STARTS.iter().any(|word| blanks.starts_with(word))
}
