//! The worktree snapshot: the one function that everything uses.

use super::git::{Missing, Repository};
use super::patch;
use super::unseen;
use crate::wire::{Diff, DiffEntry, Snapshot};
use crate::world::clock::Deadline;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// After this long a snapshot is cut off, and says so.
const TIME: Duration = Duration::from_millis(300);

/// Most files listed in one difference.
const MAX_FILES: usize = 5_000;

/// What is asked of a snapshot beside its tree.
#[derive(Debug, Default)]
pub(crate) struct Wish {
    /// Trees to compare with.
    pub(crate) diff_from: Vec<String>,
    /// Edited paths, relative to the worktree, that the tree should show.
    pub(crate) edited: Vec<String>,
}

/// Takes a snapshot of a worktree with its differences from earlier trees.
pub(crate) fn take(worktree: Option<&Path>, scratch: &Path, wish: &Wish) -> Snapshot {
    let deadline = Deadline::after(TIME);
    let answer = worktree
        .ok_or(Missing::NoRepository)
        .and_then(|root| Repository::open(root, scratch, deadline))
        .and_then(|repository| look(&repository, wish));
    answer.unwrap_or_else(|missing| Snapshot {
        tree: None,
        missing: Some(missing.as_str().to_owned()),
        commit: None,
        diffs: Vec::new(),
        unseen: Vec::new(),
    })
}

fn look(repository: &Repository, wish: &Wish) -> Result<Snapshot, Missing> {
    let tree = repository.write_tree()?;
    let mut diffs = Vec::new();
    for from in &wish.diff_from {
        let raw = if *from == tree {
            Vec::new()
        } else {
            repository.diff(from, &tree)?
        };
        diffs.push(parse_diff(from, &raw));
    }
    let unseen = unseen::find(repository, &tree, &diffs, &wish.edited)?;
    for diff in &mut diffs {
        patch::weigh(repository, &tree, diff);
    }
    Ok(Snapshot {
        unseen,
        commit: repository.commit(),
        tree: Some(tree),
        missing: None,
        diffs,
    })
}

/// Reads `git diff-tree --raw --numstat -z`: first the raw entries
/// (`:mode mode blob blob status NUL path NUL`), then `added TAB removed TAB path NUL`.
/// Names are told apart by their bytes, which need not be text.
fn parse_diff(from: &str, raw: &[u8]) -> Diff {
    let mut files: BTreeMap<&[u8], DiffEntry> = BTreeMap::new();
    let mut fields = raw.split(|b| *b == 0).filter(|f| !f.is_empty());
    while let Some(field) = fields.next() {
        if let Some(entry) = field.strip_prefix(b":") {
            let Some(path) = fields.next() else { break };
            files.insert(path, changed(path, entry));
        } else {
            count_lines(field, &mut files);
        }
    }
    let more = files.len() > MAX_FILES;
    Diff {
        from: from.to_owned(),
        files: files.into_values().take(MAX_FILES).collect(),
        more,
    }
}

fn changed(path: &[u8], entry: &[u8]) -> DiffEntry {
    let entry = String::from_utf8_lossy(entry);
    let blob = entry.split(' ').nth(3).map(str::to_owned);
    DiffEntry {
        path: String::from_utf8_lossy(path).into_owned(),
        added: 0,
        removed: 0,
        lines: 0,
        blob: blob.filter(|id| id.bytes().any(|b| b != b'0')),
    }
}

fn count_lines(field: &[u8], files: &mut BTreeMap<&[u8], DiffEntry>) {
    let mut parts = field.splitn(3, |b| *b == b'\t');
    let (Some(added), Some(removed), Some(path)) = (parts.next(), parts.next(), parts.next())
    else {
        return;
    };
    if let Some(file) = files.get_mut(path) {
        file.added = number(added);
        file.removed = number(removed);
        file.lines = file.added.max(file.removed);
    }
}

fn number(digits: &[u8]) -> u64 {
    let text = std::str::from_utf8(digits).ok();
    text.and_then(|t| t.parse().ok()).unwrap_or(0)
}
