//! INTERIM, to be replaced: comments that start with TODO, FIXME or XXX.

use super::mask::Masked;

pub(super) fn is_marker(_: &str, masked: &Masked) -> bool {
    let Some(comment) = &masked.comment else { return false };
    let text = comment.trim_start_matches(|c: char| !c.is_alphanumeric());
    ["TODO", "FIXME", "XXX"].iter().any(|word| {
        text.strip_prefix(word)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}
