//! Edited files that a snapshot's tree does not show: what the client reported
//! about them is then all that is known (`spec/hook.md`, "Snapshot").

use super::git::{Missing, Repository};
use crate::wire::Diff;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// Of the edited paths those that are on disk and not in the tree. Files that the
/// repository ignored before, by rules that still stand, are not among them.
pub(super) fn find(
    repository: &Repository,
    tree: &str,
    diffs: &[Diff],
    edited: &[String],
) -> Result<Vec<String>, Missing> {
    let differing: BTreeSet<&str> = diffs
        .iter()
        .flat_map(|diff| &diff.files)
        .map(|file| file.path.as_str())
        .collect();
    let on_disk = edited.iter().filter(|path| {
        !differing.contains(path.as_str()) && repository.worktree().join(path).is_file()
    });
    let (mut unseen, mut asked) = (Vec::new(), Vec::new());
    for path in on_disk {
        match real_place(repository.worktree(), path) {
            Some(place) => asked.push((path, place)),
            None => unseen.push(path.clone()),
        }
    }
    if asked.is_empty() {
        return Ok(unseen);
    }
    let places: Vec<&str> = asked.iter().map(|(_, place)| place.as_str()).collect();
    let there = repository.holds(tree, &places)?;
    let lacking = asked.iter().zip(there).filter(|(_, there)| !there);
    let lacking: Vec<_> = lacking.map(|(asked, _)| asked).collect();
    if lacking.is_empty() {
        return Ok(unseen);
    }
    let places: Vec<&str> = lacking.iter().map(|(_, place)| place.as_str()).collect();
    let ignored = repository.ignored(&places)?;
    let old = |rule: &Option<Rule>| {
        let rule = rule.as_ref();
        rule.is_some_and(|rule| stood_before(repository, diffs, rule))
    };
    let new = lacking.iter().zip(&ignored).filter(|(_, rule)| !old(rule));
    unseen.extend(new.map(|((path, _), _)| (*path).clone()));
    Ok(unseen)
}

/// The line of a file by which a path is ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule {
    /// The file, relative to the worktree.
    pub(crate) source: String,
    /// The line.
    pub(crate) pattern: String,
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
