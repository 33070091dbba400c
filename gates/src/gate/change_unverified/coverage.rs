//! How much of a turn's change is covered by a passing check.

use super::State;
use crate::facts::DiffSeen;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};

/// Most languages told apart in one turn; real turns have a handful.
const MAX_LANGUAGES: usize = 64;

/// How much of the turn's change is covered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Uncovered lines by language.
    pub lines: BTreeMap<String, u64>,
    /// Files with uncovered lines.
    pub files: u64,
    /// Lines that differ although no call of the agent's could have written them.
    pub outside: u64,
    /// A passing check covers something that changed.
    pub passed: bool,
    /// Every changed language is tied to a tree.
    pub anchored: bool,
    /// Code differs from the turn's start; `None` where no tree tells.
    pub changed: Option<bool>,
    /// Code differs from what it was at the newest human prompt; `None` where
    /// no tree tells.
    pub changed_since_prompt: Option<bool>,
    /// The tree before the newest covering check.
    pub checked_tree: Option<String>,
}

impl Coverage {
    /// All uncovered lines.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.lines.values().fold(0, |sum, n| sum.saturating_add(*n))
    }
}

impl State {
    fn diff_from(&self, tree: &str) -> Option<&DiffSeen> {
        let stop = self.stop.as_ref()?;
        stop.tree.as_ref()?;
        stop.diffs.iter().find(|d| d.from == tree)
    }

    /// The difference that counts for a language: since its pass, else since
    /// the turn's first write. `None` where no tree ties it down.
    fn diff_for(&self, language: &str) -> Option<&DiffSeen> {
        match self.pass_for(language) {
            Some(pass) => self.diff_from(pass.tree.as_deref()?),
            None => self.diff_from(self.base.as_deref()?),
        }
        .filter(|diff| !diff.more)
    }

    fn languages(&self) -> BTreeSet<String> {
        let diffs = self
            .stop
            .iter()
            .flat_map(|s| &s.diffs)
            .flat_map(|d| &d.files);
        self.edits
            .iter()
            .map(|e| e.language.clone())
            .chain(diffs.map(|f| f.language.clone()))
            .collect()
    }

    /// Adds one language's uncovered lines: the difference between trees inside
    /// the repository, the reported edits outside of it or without trees.
    fn measure(&self, language: &str, coverage: &mut Coverage) {
        let Some(diff) = self.diff_for(language) else {
            coverage.anchored = false;
            self.measure_edits(language, false, coverage);
            return;
        };
        self.measure_edits(language, true, coverage);
        let by_agent = self.wrote_since_pass(language);
        for file in diff.files.iter().filter(|f| f.language == language) {
            if by_agent {
                coverage.add(language, file.lines);
                coverage.files = coverage.files.saturating_add(1);
            } else {
                coverage.outside = coverage.outside.saturating_add(file.lines);
            }
        }
    }

    /// Whether any call that may write was at work after the request of the
    /// pass for a language.
    fn wrote_since_pass(&self, language: &str) -> bool {
        let since = self.pass_for(language).map_or(0, |p| p.requested);
        self.last_write > since
            || self.writing_behind
            || !self.writing.is_empty()
            || self.edits.iter().any(|e| e.language == language)
    }

    /// Whether the stop's tree does not show a path that is there.
    fn is_unseen(&self, path: &str) -> bool {
        let stop = self.stop.as_ref();
        stop.is_some_and(|stop| stop.unseen.iter().any(|unseen| unseen == path))
    }

    fn measure_edits(&self, language: &str, outside_only: bool, coverage: &mut Coverage) {
        let mut files = BTreeSet::new();
        for edit in self.edits.iter().filter(|e| e.language == language) {
            if !outside_only || edit.outside || self.is_unseen(&edit.path) {
                coverage.add(language, edit.lines);
                files.insert(&edit.path);
            }
        }
        coverage.files = coverage.files.saturating_add(files.len() as u64);
    }

    /// What differs since the turn's first write, where a tree tells.
    #[must_use]
    pub fn since_start(&self) -> Option<&DiffSeen> {
        self.diff_from(self.base.as_deref()?)
    }

    /// Whether a code file that was edited is as it was before the turn.
    #[must_use]
    pub fn is_as_before(&self, path: &str) -> bool {
        let seen = self
            .touched
            .get(path)
            .is_some_and(|touched| !touched.outside);
        let diff = self.since_start().filter(|diff| !diff.more);
        let same = diff.is_some_and(|diff| diff.files.iter().all(|file| file.path != path));
        seen && same && !self.is_unseen(path)
    }

    /// Whether code differs from a tree, or lies where no tree sees it.
    fn changed_since(&self, tree: Option<&str>, recently: bool) -> Option<bool> {
        let diff = self.diff_from(tree?)?;
        let mut touched = self.touched.iter();
        let beyond = touched.any(|(path, touched)| {
            (touched.recently || !recently) && (touched.outside || self.is_unseen(path))
        });
        Some(diff.more || !diff.files.is_empty() || beyond)
    }

    /// How much of the change is covered, as far as the records tell.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        let mut coverage = Coverage {
            anchored: self
                .stop
                .as_ref()
                .is_some_and(|s| s.tree.is_some() && !s.unasked),
            ..Coverage::default()
        };
        let languages = self.languages();
        if languages.len() > MAX_LANGUAGES {
            coverage.anchored = false;
            let lines = self.edits.iter().map(|e| e.lines);
            coverage.add("", lines.fold(0, u64::saturating_add));
        } else {
            for language in languages {
                self.measure(&language, &mut coverage);
            }
        }
        coverage.lines.retain(|_, lines| *lines > 0);
        coverage.changed = self.changed_since(self.base.as_deref(), false);
        coverage.changed_since_prompt = self.changed_since(self.recent.as_deref(), true);
        let newest = self.passes.iter().max_by_key(|p| p.requested);
        coverage.passed = newest.is_some();
        coverage.checked_tree = newest.and_then(|p| p.tree.clone());
        coverage.anchored &= newest.is_none_or(|p| p.tree.is_some());
        coverage
    }
}

impl Coverage {
    fn add(&mut self, language: &str, lines: u64) {
        let sum = self.lines.entry(language.to_string()).or_default();
        *sum = sum.saturating_add(lines);
    }
}
