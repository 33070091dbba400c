//! Edited files that a snapshot's tree does not show: what the client reported
//! about them is then all that is known (`spec/hook.md`, "Snapshot").

use super::file::read_text;
use super::git::{Missing, Repository};
use crate::wire::Diff;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// An edited path, and where it really lies in the worktree.
struct Placed<'a> {
    path: &'a String,
    place: String,
}

/// Of the edited paths those that are on disk and not in the tree. Files that the
/// repository ignored before, by rules that still stand, are not among them.
pub(super) fn find(
    repository: &Repository,
    tree: &str,
    diffs: &[Diff],
    edited: &[String],
) -> Result<Vec<String>, Missing> {
    let files = diffs.iter().flat_map(|diff| &diff.files);
    let differing: BTreeSet<&str> = files.map(|file| file.path.as_str()).collect();
    let worktree = repository.worktree();
    let mut unseen = Vec::new();
    let mut placed = Vec::new();
    for path in edited {
        if differing.contains(path.as_str()) || !worktree.join(path).is_file() {
            continue;
        }
        match real_place(worktree, path) {
            Some(place) => placed.push(Placed { path, place }),
            None => unseen.push(path.clone()),
        }
    }
    let lacking = lacking(repository, tree, placed)?;
    let hidden = newly_ignored(repository, diffs, lacking)?;
    unseen.extend(hidden.into_iter().map(|placed| placed.path.clone()));
    Ok(unseen)
}

/// Those that the tree does not hold.
fn lacking<'a>(
    repository: &Repository,
    tree: &str,
    mut placed: Vec<Placed<'a>>,
) -> Result<Vec<Placed<'a>>, Missing> {
    if placed.is_empty() {
        return Ok(placed);
    }
    let places: Vec<&str> = placed.iter().map(|p| p.place.as_str()).collect();
    let mut there = repository.holds(tree, &places)?.into_iter();
    placed.retain(|_| there.next() == Some(false));
    Ok(placed)
}

/// Those that no rule ignores which stood before.
fn newly_ignored<'a>(
    repository: &Repository,
    diffs: &[Diff],
    mut placed: Vec<Placed<'a>>,
) -> Result<Vec<Placed<'a>>, Missing> {
    if placed.is_empty() {
        return Ok(placed);
    }
    let places: Vec<&str> = placed.iter().map(|p| p.place.as_str()).collect();
    let mut rules = repository.ignored(&places)?.into_iter();
    placed.retain(|placed| {
        let rule = rules.next().flatten();
        let stood = |rule: &Rule| {
            stood_before(repository, diffs, rule)
                && !diffs
                    .iter()
                    .any(|diff| lost_exception(repository, diff, rule, &placed.place))
        };
        !rule.as_ref().is_some_and(stood)
    });
    Ok(placed)
}

/// The line of a file by which a path is ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule {
    /// The file, relative to the worktree.
    pub(crate) source: String,
    /// The line.
    pub(crate) pattern: String,
    /// Its number, from 1 on.
    pub(crate) line: usize,
}

/// Where a path really lies, relative to the worktree: through symlinks. `None`
/// outside, within a repository of its own, or where its name is no text.
fn real_place(worktree: &Path, path: &str) -> Option<String> {
    let root = worktree.canonicalize().ok()?;
    let real = root.join(path).canonicalize().ok()?;
    let place = real.strip_prefix(&root).ok()?;
    if place.as_os_str().as_encoded_bytes().contains(&b'\n') {
        return None;
    }
    let mut folder = root.clone();
    for part in place.parent()?.components() {
        let Component::Normal(name) = part else {
            return None;
        };
        folder.push(name);
        if folder.join(".git").symlink_metadata().is_ok() {
            return None;
        }
    }
    PathBuf::from(place).into_os_string().into_string().ok()
}

/// Whether an ignore rule stood in its file in each of the earlier trees. A file
/// outside of the worktree is our own copy, made at the session's first snapshot.
fn stood_before(repository: &Repository, diffs: &[Diff], rule: &Rule) -> bool {
    Path::new(&rule.source).is_absolute()
        || diffs.iter().all(|diff| {
            let text = repository.text(&diff.from, &rule.source);
            text.is_ok_and(|text| text.lines().any(|line| line.trim_end() == rule.pattern))
        })
}

/// Whether a file of rules above a path has changed that held an exception: the
/// path may have been excepted from the rule. Lines added to the rule's own file
/// take no exception away from what an older line ignores.
fn lost_exception(repository: &Repository, diff: &Diff, rule: &Rule, place: &str) -> bool {
    let files = diff.files.iter().map(|file| file.path.as_str());
    let mut above = files.filter(|path| {
        let folder = path.strip_suffix(".gitignore");
        folder.is_some_and(|f| (f.is_empty() || f.ends_with('/')) && place.starts_with(f))
    });
    above.any(|path| {
        let Ok(old) = repository.text(&diff.from, path) else {
            return false;
        };
        let now = || read_text(&repository.worktree().join(path)).unwrap_or_default();
        let older = path == rule.source && rule.line <= old.lines().count();
        old.lines().any(|line| line.starts_with('!')) && !(older && now().starts_with(&old))
    })
}
