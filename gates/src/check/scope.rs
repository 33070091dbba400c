//! How much of a project a check looked at.

use alloc::string::String;
use alloc::vec::Vec;

/// The part of the project that a run was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    /// Everything the runner finds.
    #[default]
    Whole,
    /// Only these paths, as written.
    Paths(Vec<String>),
    /// Only what a selector such as `-k expr` picks, in canonical text (paths included).
    Selector(String),
}

impl Scope {
    /// Whether a run of this scope looked at everything that a run of `other` looks at.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Whole, _) => true,
            (Self::Paths(mine), Self::Paths(theirs)) => theirs
                .iter()
                .all(|path| mine.iter().any(|wide| within(wide, path))),
            (Self::Selector(mine), Self::Selector(theirs)) => mine == theirs,
            _ => false,
        }
    }
}

/// Whether `path` is `wide` or lies below it; a test id (`file::name`) lies below its file.
fn within(wide: &str, path: &str) -> bool {
    let wide = wide
        .trim_start_matches("./")
        .trim_end_matches("...")
        .trim_end_matches('/');
    let path = path.trim_start_matches("./");
    match path.strip_prefix(wide) {
        Some(rest) => {
            wide.is_empty() || rest.is_empty() || rest.starts_with('/') || rest.starts_with("::")
        }
        None => false,
    }
}
