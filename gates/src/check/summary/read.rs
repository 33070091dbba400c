//! Reading an output into what each family of tools says about its run.

use super::form::{Family, Form, Means};
use super::index::Index;
use super::lines::{clean, without_prefix};
use super::template::{Counts, Match, matches};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Names of failing tests kept.
const MAX_NAMES: usize = 50;

/// What one family says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
    pub(crate) total: Option<u64>,
    /// Tests, not only files or findings, were counted.
    pub(crate) counted: bool,
    /// The last explicit word on the outcome.
    pub(crate) verdict: Option<bool>,
    /// A file or a part failed as a whole.
    pub(crate) part_failed: bool,
    /// Signs of failure without a summary.
    pub(crate) detail: bool,
    pub(crate) no_tests: bool,
    /// Some part had no tests.
    pub(crate) some_no_tests: bool,
    /// Place of its last line among the lines looked at.
    pub(crate) last: usize,
}

impl Said {
    /// Whether a final summary says failure.
    pub(crate) fn failure(&self) -> bool {
        self.failed > 0 || self.part_failed || self.verdict == Some(false)
    }

    /// Whether a final summary says success.
    pub(crate) fn success(&self) -> bool {
        !self.failure() && (self.verdict == Some(true) || self.counted)
    }

    /// Tests that were executed, if counted.
    pub(crate) fn executed(&self) -> Option<u64> {
        if !self.counted {
            return self.no_tests.then_some(0);
        }
        let seen = self.passed.saturating_add(self.failed);
        let rest = self.total.map(|total| total.saturating_sub(self.skipped));
        Some(rest.unwrap_or(0).max(seen))
    }

    fn forget(&mut self) {
        let kept = Self {
            detail: self.detail,
            ..Self::default()
        };
        *self = kept;
    }

    fn take(&mut self, counts: Counts) {
        self.counted = true;
        let set = |slot: &mut u64, value: Option<u64>| *slot = value.unwrap_or(*slot);
        set(&mut self.passed, counts.passed);
        set(&mut self.failed, counts.failed);
        set(&mut self.skipped, counts.skipped);
        self.total = counts.total.or(self.total);
    }

    fn add(&mut self, counts: Counts) {
        self.counted = true;
        self.passed = self.passed.saturating_add(counts.passed.unwrap_or(0));
        self.failed = self.failed.saturating_add(counts.failed.unwrap_or(0));
        self.skipped = self.skipped.saturating_add(counts.skipped.unwrap_or(0));
        if let Some(total) = counts.total {
            self.total = Some(self.total.unwrap_or(0).saturating_add(total));
        }
    }
}

/// What an output says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    pub(crate) said: Vec<(Family, Said)>,
    pub(crate) names: Vec<String>,
    pub(crate) cached: bool,
    pub(crate) watch: bool,
    pub(crate) stopped: bool,
    pub(crate) timed_out: bool,
    pub(crate) not_run: bool,
}

/// Reads `lines`. `families` limits whose forms count; empty means all.
pub(crate) fn read(lines: &[&str], families: &dyn Fn(Family) -> bool, prefixed: bool) -> Reading {
    let index = Index::new(families);
    let mut reading = Reading::default();
    for (place, line) in lines.iter().enumerate() {
        let line = clean(line);
        if line.is_empty() {
            continue;
        }
        let found = reading.line(&index, &line, place);
        if !found
            && prefixed
            && let Some(rest) = without_prefix(&line)
        {
            reading.line(&index, rest, place);
        }
    }
    reading
}

impl Reading {
    /// Notes what a line says; of each family the first form that fits counts.
    fn line(&mut self, index: &Index, line: &str, place: usize) -> bool {
        let mut fitted: Vec<Family> = Vec::new();
        for form in index.of(line) {
            if !fitted.contains(&form.family)
                && let Some(found) = matches(form.pattern, line)
            {
                fitted.push(form.family);
                self.note(form, found, place);
            }
        }
        !fitted.is_empty()
    }

    fn note(&mut self, form: &Form, found: Match<'_>, place: usize) {
        if form.means == Means::Name && !form.family.plausible(found.name) {
            return;
        }
        if !found.name.is_empty() && self.names.len() < MAX_NAMES {
            self.change(form.family, |said| said.detail = true);
            let name: String = found.name.chars().take(200).collect();
            if !self.names.contains(&name) {
                self.names.push(name.to_string());
            }
        }
        match form.means {
            Means::Cached => self.cached = true,
            Means::Watch => self.watch = true,
            Means::Stopped => self.stopped = true,
            Means::TimedOut => self.timed_out = true,
            Means::NotRun => self.not_run = true,
            means => self.change(form.family, |said| {
                said.last = place;
                apply(said, form.family.adds_up(), means, found.counts);
            }),
        }
    }

    /// Changes what is known of a family.
    fn change(&mut self, family: Family, change: impl FnOnce(&mut Said)) {
        if let Some((_, said)) = self.said.iter_mut().find(|(known, _)| *known == family) {
            return change(said);
        }
        let mut said = Said::default();
        change(&mut said);
        self.said.push((family, said));
    }
}

fn apply(said: &mut Said, adds_up: bool, means: Means, counts: Counts) {
    match means {
        Means::Count | Means::Part if adds_up => said.add(counts),
        Means::Count | Means::Start => {
            said.forget();
            said.take(counts);
        }
        Means::Part => said.take(counts),
        Means::Extra => said.part_failed |= counts.failed.is_some_and(|failed| failed > 0),
        Means::Files => {
            said.forget();
            said.part_failed = counts.failed.is_some_and(|failed| failed > 0);
        }
        Means::Pass if adds_up && said.verdict == Some(false) => {}
        Means::Pass => said.verdict = Some(true),
        Means::Fail => said.verdict = Some(false),
        Means::Detail => said.detail = true,
        Means::NoTests => said.no_tests = true,
        Means::SomeNoTests => said.some_no_tests = true,
        _ => {}
    }
}
