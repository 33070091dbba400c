//! Forms: what a summary line looks like and what it means.

use crate::check::types::Kind;

/// Whose summary a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each value is the name of a tool")]
pub enum Family {
    Pytest,
    Unittest,
    Tox,
    Nox,
    Ruff,
    Black,
    Flake8,
    Pylint,
    Mypy,
    Pyright,
    PythonCompile,
    Cargo,
    Nextest,
    Rustc,
    Rustfmt,
    Jest,
    Vitest,
    Mocha,
    Playwright,
    Cypress,
    Ava,
    Tap,
    Bun,
    Deno,
    Tsc,
    Eslint,
    Biome,
    Prettier,
    Bundler,
    Npm,
    Turbo,
    Nx,
    Go,
    GoBuild,
    Golangci,
    Gradle,
    Maven,
    Sbt,
    Dotnet,
    Rspec,
    Minitest,
    Rubocop,
    Phpunit,
    Phpstan,
    Swift,
    Xcode,
    Ctest,
    Gtest,
    Compiler,
    Make,
    Bazel,
    Mix,
    Zig,
    Dart,
    Terraform,
    Shellcheck,
    PreCommit,
    /// What husky, lint-staged, lefthook and overcommit say about git's hooks.
    Hooks,
    Script,
}

impl Family {
    /// Whether a run prints several summaries of equal standing, so that they add up.
    pub(crate) const fn adds_up(self) -> bool {
        matches!(
            self,
            Self::Cargo
                | Self::Go
                | Self::Dotnet
                | Self::Ruff
                | Self::PreCommit
                | Self::Hooks
                | Self::Npm
                | Self::Make
                | Self::Compiler
                | Self::Gtest
                | Self::Script
                | Self::Swift
                | Self::Tox
                | Self::Nox
        )
    }

    /// Whether its words are so common that they count only for its own runners.
    pub(crate) const fn only_its_own(self) -> bool {
        matches!(self, Self::Terraform | Self::PythonCompile | Self::Hooks)
    }

    /// Whether a name that a line gives can be that of one of its tests.
    pub(crate) fn plausible(self, name: &str) -> bool {
        match self {
            Self::Pytest => name.contains(".py"),
            Self::Unittest => name.starts_with("test") || name.contains("Class"),
            Self::Vitest => {
                name.contains(" > ") || name.contains(".test.") || name.contains(".spec.")
            }
            _ => true,
        }
    }

    /// The kinds of checks that print it.
    pub(crate) const fn kinds(self) -> &'static [Kind] {
        use Kind::{Build, Format, Lint, Selftest, Test, Typecheck};
        match self {
            Self::Ruff | Self::Flake8 | Self::Pylint | Self::Eslint | Self::Golangci => {
                &[Lint, Format]
            }
            Self::Rubocop | Self::Phpstan | Self::Shellcheck => &[Lint, Format],
            Self::Biome | Self::Prettier | Self::Black | Self::Rustfmt => &[Lint, Format],
            Self::Mypy | Self::Pyright | Self::Tsc => &[Typecheck, Build, Lint],
            Self::Rustc | Self::Compiler | Self::GoBuild | Self::Bundler => {
                &[Build, Lint, Typecheck, Test, Selftest]
            }
            Self::Npm | Self::Turbo | Self::Nx | Self::Make | Self::Gradle | Self::Maven => {
                Kind::ALL
            }
            Self::Sbt | Self::Dotnet | Self::Bazel | Self::Swift | Self::Xcode | Self::Zig => {
                &[Build, Test, Lint]
            }
            Self::Script | Self::PreCommit | Self::Hooks | Self::Tox | Self::Nox => Kind::ALL,
            Self::PythonCompile | Self::Terraform => &[Build, Lint],
            _ => &[Test, Selftest],
        }
    }
}

/// What a line that has a form says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Means {
    /// A whole summary: forget the counts before, take these.
    Count,
    /// A part of a summary that spans lines.
    Part,
    /// Failures of another kind, which decide only if there are any.
    Extra,
    /// The first part: forget the counts before. Counts files, so they decide but are not tests.
    Files,
    /// The first part, counting tests.
    Start,
    /// The run ended well.
    Pass,
    /// The run ended badly.
    Fail,
    /// A sign of failure that a summary outranks.
    Detail,
    /// The name of a failing test.
    Name,
    /// Nothing was tested.
    NoTests,
    /// A part of the run had no tests.
    SomeNoTests,
    /// The result was replayed.
    Cached,
    /// The runner waits for changes.
    Watch,
    /// The runner stopped before the end.
    Stopped,
    /// The runner ran out of time.
    TimedOut,
    /// The program could not be started.
    NotRun,
}

/// A line that means something.
///
/// The pattern is matched at the start of a line. Letters stand for themselves, a blank for one
/// or more blanks. `#p` `#f` `#s` `#t` `#_` are numbers: passed, failed, skipped, all, any.
/// `{}` is a list such as `1 failed, 2 passed`. `~` is any text, `@` the name of a failing test,
/// `%` an optional plural s, `$` the end of the line; `^` takes the next character as it is.
///
/// Of the forms of one family, which stand together, the first that fits a line counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Form {
    pub(crate) family: Family,
    pub(crate) pattern: &'static str,
    pub(crate) means: Means,
}

/// A form.
pub(crate) const fn form(family: Family, pattern: &'static str, means: Means) -> Form {
    Form {
        family,
        pattern,
        means,
    }
}
