//! Runners: which command words run a check, as data.

use super::summary::Family;
use super::types::Kind;

/// What words that are no options mean to a runner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Positional {
    /// Files and folders.
    Paths,
    /// Names of tests or targets.
    Selector,
    /// Nothing that narrows the run.
    Ignored,
    /// Targets of a build tool, each with a kind of its own; the first known one counts.
    Targets,
}

/// One way of running a check.
#[derive(Debug, Clone, Copy)]
pub(super) struct Runner {
    /// Canonical name.
    pub(super) name: &'static str,
    /// Programs, or Python modules, that are it.
    pub(super) programs: &'static [&'static str],
    /// Words of which one must follow; none needed if empty.
    pub(super) sub: &'static [&'static str],
    pub(super) kind: Kind,
    pub(super) languages: &'static [&'static str],
    pub(super) families: &'static [Family],
    /// Words of which one must occur.
    pub(super) needs: &'static [&'static str],
    /// Words with which it is no check.
    pub(super) refuses: &'static [&'static str],
    /// Options that take the next word.
    pub(super) valued: &'static [&'static str],
    /// Options whose value selects tests.
    pub(super) selectors: &'static [&'static str],
    pub(super) positional: Positional,
    /// Positional words that mean everything.
    pub(super) whole: &'static [&'static str],
    /// Whether it prints nothing when all is well.
    pub(super) silent: bool,
    /// Options with which it changes files.
    pub(super) fixes: &'static [&'static str],
    /// Options with which it waits for changes.
    pub(super) watches: &'static [&'static str],
    /// Options with which it only compiles.
    pub(super) builds_only: &'static [&'static str],
    /// Options with which it never fails.
    pub(super) never_fails: &'static [&'static str],
}

/// A runner with a subcommand, or none needed if `sub` is empty.
pub(super) const fn runner(
    name: &'static str,
    programs: &'static [&'static str],
    sub: &'static [&'static str],
    kind: Kind,
) -> Runner {
    Runner {
        name,
        programs,
        sub,
        kind,
        languages: &[],
        families: &[],
        needs: &[],
        refuses: &[],
        valued: &[],
        selectors: &[],
        positional: Positional::Paths,
        whole: &[],
        silent: false,
        fixes: &[
            "--fix",
            "--write",
            "--apply",
            "--fix-only",
            "--unsafe-fixes",
            "--fix-dry-run",
        ],
        watches: &["--watch", "--watchAll", "--watch-all"],
        builds_only: &[],
        never_fails: &[],
    }
}

impl Runner {
    pub(super) const fn languages(mut self, languages: &'static [&'static str]) -> Self {
        self.languages = languages;
        self
    }
    pub(super) const fn prints(mut self, families: &'static [Family]) -> Self {
        self.families = families;
        self
    }
    pub(super) const fn needs(mut self, words: &'static [&'static str]) -> Self {
        self.needs = words;
        self
    }
    pub(super) const fn refuses(mut self, words: &'static [&'static str]) -> Self {
        self.refuses = words;
        self
    }
    pub(super) const fn valued(mut self, options: &'static [&'static str]) -> Self {
        self.valued = options;
        self
    }
    pub(super) const fn selects(mut self, options: &'static [&'static str]) -> Self {
        self.selectors = options;
        self
    }
    pub(super) const fn takes(mut self, positional: Positional) -> Self {
        self.positional = positional;
        self
    }
    pub(super) const fn whole(mut self, words: &'static [&'static str]) -> Self {
        self.whole = words;
        self
    }
    pub(super) const fn silent(mut self) -> Self {
        self.silent = true;
        self
    }
    pub(super) const fn fixes(mut self, options: &'static [&'static str]) -> Self {
        self.fixes = options;
        self
    }
    pub(super) const fn watches(mut self, options: &'static [&'static str]) -> Self {
        self.watches = options;
        self
    }
    pub(super) const fn builds_only(mut self, options: &'static [&'static str]) -> Self {
        self.builds_only = options;
        self
    }
    pub(super) const fn never_fails(mut self, options: &'static [&'static str]) -> Self {
        self.never_fails = options;
        self
    }
}
