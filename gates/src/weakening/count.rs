//! What the marks of a turn come to at its stop.

use super::{ASSERTIONS, Marked, State};
use crate::facts::DiffFile;
use crate::mark::Mark;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

/// One way in which checks ask for less.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weakened {
    /// Its code.
    pub code: &'static str,
    /// How often.
    pub count: i64,
    /// In how many files, where it happened in files.
    pub files: u64,
    /// The records.
    pub records: BTreeSet<u64>,
}

/// Files as they count: those that are as they were before are left out.
type Files<'a> = Vec<(&'a String, &'a Marked)>;

impl State {
    /// What there is to tell. `reverted` says that a path is as it was before
    /// the turn; `diff` lists what differs since, where a tree tells.
    #[must_use]
    pub fn weakened(&self, reverted: impl Fn(&str) -> bool, diff: &[DiffFile]) -> Vec<Weakened> {
        let files: Files<'_> = self
            .files
            .iter()
            .filter(|(path, _)| !reverted(path))
            .collect();
        let mut all = Vec::from([
            removed("assertions-removed", &files, &ASSERTIONS),
            loosened(&files),
            removed("tests-removed", &files, &[Mark::Test]),
            deleted(diff),
            values(&files),
            self.snapshots(&files),
            thresholds(&files),
            added("rules-off", &files, Mark::RuleOff),
            added("suppressions-added", &files, Mark::Suppression),
        ]);
        all.retain(|weakened| weakened.count > 0);
        all
    }

    fn snapshots(&self, files: &Files<'_>) -> Weakened {
        let mut found = added("snapshots-updated", files, Mark::Snapshot);
        found.count = i64::try_from(found.files).unwrap_or(i64::MAX);
        found.count = found
            .count
            .saturating_add(i64::try_from(self.updates.len()).unwrap_or(0));
        found.records.extend(&self.updates);
        found
    }
}

impl Weakened {
    const fn new(code: &'static str) -> Self {
        Self {
            code,
            count: 0,
            files: 0,
            records: BTreeSet::new(),
        }
    }

    fn take(&mut self, file: &Marked, marks: &[Mark], count: i64) {
        if count <= 0 {
            return;
        }
        self.count = self.count.saturating_add(count);
        self.files = self.files.saturating_add(1);
        let records = marks
            .iter()
            .filter_map(|mark| file.records.get(mark.as_str()));
        self.records.extend(records.flatten());
    }
}

/// Lines of one kind in each file without those that moved between files.
fn without_moves<'a>(files: &Files<'a>, mark: Mark) -> Vec<BTreeMap<&'a String, i64>> {
    let mut sides: BTreeMap<&String, (i64, i64)> = BTreeMap::new();
    let nets = |file: &'a Marked| file.nets.get(mark.as_str()).into_iter().flatten();
    for (line, net) in files.iter().flat_map(|(_, file)| nets(file)) {
        let (more, less) = sides.entry(line).or_default();
        *more = more.saturating_add((*net).max(0));
        *less = less.saturating_add((*net).min(0).saturating_neg());
    }
    // What is both more here and less there has moved, the first files first.
    let mut left: BTreeMap<&String, (i64, i64)> = sides
        .into_iter()
        .map(|(line, (more, less))| (line, (more.min(less), more.min(less))))
        .collect();
    let mut stay = |line: &'a String, net: i64| {
        let Some((more, less)) = left.get_mut(line) else {
            return net;
        };
        let moved = if net > 0 { more } else { less };
        let part = (*moved).min(net.saturating_abs());
        *moved = moved.saturating_sub(part);
        net.saturating_sub(part.saturating_mul(net.signum()))
    };
    let each = files.iter().map(|(_, file)| {
        let lines = nets(file).map(|(line, net)| (line, stay(line, *net)));
        lines.collect()
    });
    each.collect()
}

fn sum(lines: &BTreeMap<&String, i64>) -> i64 {
    lines.values().fold(0, |sum, net| sum.saturating_add(*net))
}

/// Files that have fewer lines of these kinds, taken together.
fn removed(code: &'static str, files: &Files<'_>, marks: &[Mark]) -> Weakened {
    let mut found = Weakened::new(code);
    let kinds: Vec<_> = marks
        .iter()
        .map(|mark| without_moves(files, *mark))
        .collect();
    for (at, (_, file)) in files.iter().enumerate() {
        let nets = kinds.iter().filter_map(|kind| kind.get(at)).map(sum);
        let net: i64 = nets.fold(0, i64::saturating_add);
        found.take(file, marks, net.saturating_neg());
    }
    found
}

/// Files that have more lines of a kind.
fn added(code: &'static str, files: &Files<'_>, mark: Mark) -> Weakened {
    let mut found = Weakened::new(code);
    for ((_, file), lines) in files.iter().zip(without_moves(files, mark)) {
        found.take(file, &[mark], sum(&lines));
    }
    found
}

fn loosened(files: &Files<'_>) -> Weakened {
    let mut found = Weakened::new("assertions-loosened");
    for (_, file) in files {
        let widened = file.nets.get(Mark::Widened.as_str());
        let widened = widened.into_iter().flat_map(BTreeMap::values);
        let widened = widened
            .filter(|net| **net > 0)
            .fold(0, |sum: i64, net| sum.saturating_add(*net));
        let marks = [Mark::Exact, Mark::Loose, Mark::Widened];
        found.take(file, &marks, file.loosened.max(0).saturating_add(widened));
    }
    found
}

/// Literals that changed while tests stood failed, where the old line is gone.
fn values(files: &Files<'_>) -> Weakened {
    let mut found = Weakened::new("values-changed");
    for (_, file) in files {
        let listed = |line: &str| {
            let mut kinds = ASSERTIONS
                .iter()
                .filter_map(|kind| file.nets.get(kind.as_str()));
            kinds.any(|lines| lines.contains_key(line))
        };
        let standing = file
            .values
            .iter()
            .filter(|line| file.net(line) < 0 || !listed(line));
        let count = i64::try_from(standing.count()).unwrap_or(i64::MAX);
        found.take(file, &[Mark::Value], count);
        if count > 0 {
            found.records.extend(&file.failed);
        }
    }
    found
}

/// Required numbers over all files: one that moved has not fallen.
fn thresholds(files: &Files<'_>) -> Weakened {
    let mut found = Weakened::new("threshold-lowered");
    let mut falls: BTreeMap<&String, i64> = BTreeMap::new();
    let name = Mark::Threshold.as_str();
    let all: Vec<_> = files
        .iter()
        .map(|(_, file)| (*file, file.nets.get(name)))
        .collect();
    for (key, fall) in all.iter().filter_map(|(_, lines)| *lines).flatten() {
        let sum = falls.entry(key).or_default();
        *sum = sum.saturating_add(*fall);
    }
    falls.retain(|_, fall| *fall > 0);
    found.count = i64::try_from(falls.len()).unwrap_or(i64::MAX);
    for (file, lines) in all {
        let falls_here = lines
            .into_iter()
            .flatten()
            .any(|(key, fall)| *fall > 0 && falls.contains_key(key));
        if falls_here {
            found.files = found.files.saturating_add(1);
            found
                .records
                .extend(file.records.get(name).into_iter().flatten());
        }
    }
    found
}

/// Files of tests that are gone, unless others of their language gained at
/// least half of their lines.
fn deleted(diff: &[DiffFile]) -> Weakened {
    let mut found = Weakened::new("test-files-removed");
    let tests = || diff.iter().filter(|file| file.test);
    let languages: BTreeSet<&String> = tests().map(|file| &file.language).collect();
    for language in languages {
        let own = || tests().filter(|file| file.language == *language);
        let gone = || own().filter(|file| file.blob.is_none());
        let sum = |numbers: &mut dyn Iterator<Item = u64>| numbers.fold(0, u64::saturating_add);
        let lost = sum(&mut gone().map(|file| file.removed));
        let gained = sum(&mut own()
            .filter(|file| file.blob.is_some())
            .map(|file| file.added));
        if lost > gained.saturating_mul(2) {
            let count = gone().count();
            found.count = found
                .count
                .saturating_add(i64::try_from(count).unwrap_or(i64::MAX));
            found.files = found.files.saturating_add(count as u64);
        }
    }
    found
}
