//! INTERIM, to be replaced: no message sounds finished yet.

pub(super) const fn completion(_: &str) -> bool {
    false
}
