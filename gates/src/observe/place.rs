//! What a path is called in the ledger.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A path's name in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Relative to the repository's root if inside, else absolute.
    pub name: String,
    /// Whether it lies inside the repository (or, without one, the working directory).
    pub inside: bool,
}

/// Names a path: made absolute, `.` and `..` resolved by text alone.
#[must_use]
pub fn place(path: &str, cwd: &str, root: Option<&str>) -> Place {
    let path = path.replace('\\', "/");
    let joined = if path.starts_with('/') {
        path
    } else {
        format!("{cwd}/{path}")
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let absolute = format!("/{}", parts.join("/"));
    let root = root.unwrap_or(cwd).trim_end_matches('/');
    let inside = absolute
        .strip_prefix(root)
        .and_then(|rest| rest.strip_prefix('/'))
        .filter(|_| !root.is_empty());
    match inside {
        Some(relative) => Place {
            name: relative.to_string(),
            inside: true,
        },
        None => Place {
            name: absolute,
            inside: false,
        },
    }
}

/// A path as written in a directory.
pub(super) fn below(dir: Option<&str>, path: &str) -> String {
    match dir {
        Some(dir) if !path.starts_with('/') => format!("{dir}/{path}"),
        _ => path.to_owned(),
    }
}
