//! Named environment variables, one at a time. The whole environment holds secrets.

use std::ffi::OsString;

/// The value of a variable, if set and not empty.
#[allow(clippy::disallowed_methods, reason = "this is the one place")]
pub(crate) fn get(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|v| !v.is_empty())
}
