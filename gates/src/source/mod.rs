//! Program text as lines: what of it is code, and how much a change weighs.

mod directive;
mod layout;
mod mask;
mod prose;

pub(crate) use mask::Masked;

use alloc::string::String;

/// The lines of a change that count (`spec/gates.md`, "Size"): the larger of
/// the lines of code added and removed; none where only the layout differs.
///
/// `language` is a name of [`crate::path::language`].
#[must_use]
pub fn lines(language: &str, added: &[String], removed: &[String]) -> u64 {
    if layout::same(language, added, removed) {
        return 0;
    }
    let count = |lines| prose::code_lines(language, lines).count() as u64;
    count(added).max(count(removed))
}
