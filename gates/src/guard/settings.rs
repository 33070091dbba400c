//! Edits of settings that would take our hooks out, or make them inert.

use super::{Found, Guard, What};
use alloc::string::String;

/// What occurs once in every hook line of ours.
const MARK: &str = "claude-code";

/// The program's name in such a line.
const PROGRAM: &str = "receipt";

/// Settings that make hooks inert, or send them to another ledger.
const INERT: [&str; 3] = [
    "\"disableAllHooks\"",
    "\"RECEIPT_HOME\"",
    "\"RECEIPT_SYSTEM\"",
];

/// Names of files that hold settings of the client.
const FILES: [&str; 2] = [".claude/settings.json", ".claude/settings.local.json"];

/// An edit of part of a file.
pub(super) fn edited(
    path: &str,
    cwd: &str,
    replacements: &[(String, String)],
    guard: &Guard<'_>,
) -> Option<Found> {
    let wired = is_wired(path, cwd, guard);
    let count = |text: &str, what: &str| text.matches(what).count();
    let drops = |(old, new): &(String, String)| {
        count(new, MARK) < count(old, MARK) || count(new, PROGRAM) < count(old, PROGRAM)
    };
    let switches = |(old, new): &(String, String)| {
        INERT.iter().any(|name| count(new, name) > count(old, name))
    };
    let taken_out = wired.is_some() && replacements.iter().any(drops);
    let made_inert = is_settings(path) && replacements.iter().any(switches);
    (taken_out || made_inert).then_some((What::Wiring.word(), "write"))
}

/// A whole file, written anew.
pub(super) fn written(path: &str, cwd: &str, text: &str, guard: &Guard<'_>) -> Option<Found> {
    let wired = is_wired(path, cwd, guard).unwrap_or(0) as usize;
    let taken_out = text.matches(MARK).count() < wired || text.matches(PROGRAM).count() < wired;
    let made_inert = is_settings(path) && INERT.iter().any(|name| text.contains(name));
    (taken_out || made_inert).then_some((What::Wiring.word(), "write"))
}

/// How many hooks of ours a file holds; nothing where it holds none.
fn is_wired(path: &str, cwd: &str, guard: &Guard<'_>) -> Option<u32> {
    let path = guard.resolve(path, cwd)?;
    let mut files = guard.protected.wired.iter();
    let (_, hooks) = files.find(|(file, _)| super::Pattern::literal(file) == path)?;
    Some(*hooks)
}

fn is_settings(path: &str) -> bool {
    FILES.iter().any(|name| path.ends_with(name))
}
