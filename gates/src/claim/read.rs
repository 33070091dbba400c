//! INTERIM, to be replaced: no claim is read yet.

use super::Claim;
use alloc::vec::Vec;

pub(super) const fn claims(_: &str) -> Vec<Claim> {
    Vec::new()
}
