//! Which lines of a difference count (`spec/gates.md`, "Size").

use super::git::Repository;
use crate::wire::{Diff, DiffEntry};
use receipt_gates::{path, source};

/// Most code files whose text is looked at; of more all lines count.
const MAX_FILES: usize = 500;

/// Most lines that are looked at; of more all count.
const MAX_LINES: u64 = 50_000;

/// Looks at the text of the code files of a difference. Where that cannot be
/// had, every line of theirs counts, as it did before.
pub(super) fn weigh(repository: &Repository, tree: &str, diff: &mut Diff) {
    let mut files: Vec<&mut DiffEntry> = diff.files.iter_mut().filter(|f| is_code(f)).collect();
    let all = files.iter().fold(0_u64, |sum, file| {
        sum.saturating_add(file.added).saturating_add(file.removed)
    });
    if files.is_empty() || files.len() > MAX_FILES || all > MAX_LINES {
        return;
    }
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let Ok(patch) = repository.patch(&diff.from, tree, &paths) else {
        return;
    };
    let sections = sections(&String::from_utf8_lossy(&patch));
    if sections.len() != files.len() {
        return;
    }
    for (file, (added, removed)) in files.iter_mut().zip(sections) {
        if (added.len() as u64, removed.len() as u64) == (file.added, file.removed) {
            file.lines = source::lines(path::language(&file.path), &added, &removed);
        }
    }
}

fn is_code(file: &DiffEntry) -> bool {
    path::is_code(path::classify(&file.path, true))
}

/// Added and removed lines.
type Sides = (Vec<String>, Vec<String>);

/// The sides of each file in a patch without context.
fn sections(patch: &str) -> Vec<Sides> {
    let mut files: Vec<Sides> = Vec::new();
    let mut in_hunk = false;
    for line in patch.split('\n') {
        if line.starts_with("diff --git ") {
            files.push(Sides::default());
            in_hunk = false;
        } else if line.starts_with("@@ ") {
            in_hunk = true;
        } else if let Some((added, removed)) = files.last_mut().filter(|_| in_hunk) {
            let text = |line: &str| line.strip_suffix('\r').unwrap_or(line).to_owned();
            if let Some(line) = line.strip_prefix('+') {
                added.push(text(line));
            } else if let Some(line) = line.strip_prefix('-') {
                removed.push(text(line));
            }
        }
    }
    files
}
