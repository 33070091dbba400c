//! Paths as a shell would understand them, component by component.

use super::Protected;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Components of a path that are looked at; what is deeper matches as well.
const MAX_DEPTH: usize = 64;

/// An absolute path; its components may hold `*`, `?` and `[...]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern(Vec<String>);

impl Pattern {
    /// A path without special characters.
    pub(super) fn literal(path: &str) -> Self {
        Self(components(path))
    }

    /// A component further down.
    pub(super) fn below(mut self, name: &str) -> Self {
        self.0.push(name.to_string());
        self
    }

    /// A path as it is written in a command that runs in `cwd`; nothing where it
    /// begins with what is not known.
    pub(super) fn written(path: &str, cwd: &str, protected: &Protected<'_>) -> Option<Self> {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let absolute = match expanded(path, protected)? {
            path if path.starts_with('/') => path,
            relative => format!("{}/{relative}", expanded(cwd, protected)?),
        };
        absolute
            .starts_with('/')
            .then(|| Self(components(&absolute)))
    }

    /// Whether it is that place or lies below it.
    pub(super) fn is_within(&self, place: &Self) -> bool {
        self.0.len() >= place.0.len()
            && self.0.iter().zip(&place.0).all(|(mine, theirs)| {
                matches(mine.as_bytes(), theirs.as_bytes())
                    || matches(theirs.as_bytes(), mine.as_bytes())
            })
    }
}

/// The path with a leading `~` or a known variable put in its place.
fn expanded(path: &str, protected: &Protected<'_>) -> Option<String> {
    let user = protected.user;
    let below = |folder: Option<&str>, more: &str, rest: &str| {
        folder.map(|folder| format!("{folder}{more}{rest}"))
    };
    if let Some(rest) = path.strip_prefix('~') {
        // `~name` is another user's.
        let own = rest.is_empty() || rest.starts_with('/');
        return if own { below(user, "", rest) } else { None };
    }
    let Some(rest) = path.strip_prefix('$') else {
        return Some(path.to_string());
    };
    let (name, rest) = match rest.strip_prefix('{') {
        Some(rest) => rest.split_once('}')?,
        None => {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            rest.split_at_checked(end.unwrap_or(rest.len()))?
        }
    };
    let name = name.split([':', '-']).next().unwrap_or_default();
    match name {
        "HOME" => below(user, "", rest),
        "RECEIPT_HOME" => below(protected.home, "", rest),
        "XDG_DATA_HOME" => below(user, "/.local/share", rest),
        "CLAUDE_CONFIG_DIR" => below(user, "/.claude", rest),
        _ => None,
    }
}

fn components(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ if parts.len() >= MAX_DEPTH => {}
            // A list of alternatives, or a value that is not known here.
            _ if part.contains(['{', '$', '`']) => parts.push("*".to_string()),
            _ => parts.push(part.to_string()),
        }
    }
    parts
}

/// Whether a pattern matches a name. Linear but for the newest `*`.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut here) = (0usize, 0usize);
    let mut star: Option<(usize, usize)> = None;
    while here < name.len() {
        match one(pattern, at, name.get(here).copied()) {
            Some(One::Star) => {
                star = Some((at, here));
                at = at.saturating_add(1);
            }
            Some(One::Letter(next)) => {
                at = next;
                here = here.saturating_add(1);
            }
            None => {
                let Some((from, seen)) = star else {
                    return false;
                };
                star = Some((from, seen.saturating_add(1)));
                at = from.saturating_add(1);
                here = seen.saturating_add(1);
            }
        }
    }
    pattern
        .get(at..)
        .is_none_or(|rest| rest.iter().all(|b| *b == b'*'))
}

/// What a piece of a pattern takes.
enum One {
    Star,
    /// One letter; the pattern goes on there.
    Letter(usize),
}

fn one(pattern: &[u8], at: usize, letter: Option<u8>) -> Option<One> {
    let next = at.saturating_add(1);
    match pattern.get(at)? {
        b'*' => Some(One::Star),
        b'?' => Some(One::Letter(next)),
        b'[' => {
            // Whatever set it is, it may match.
            let rest = pattern.get(next..)?;
            let end = rest.iter().position(|b| *b == b']')?;
            Some(One::Letter(next.saturating_add(end).saturating_add(1)))
        }
        byte if Some(*byte) == letter => Some(One::Letter(next)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_match_as_a_shell_would() {
        for (pattern, name, wanted) in [
            ("rec*", "receipt", true),
            ("*", "receipt", true),
            ("r?c*t", "receipt", true),
            ("[a-z]eceipt", "receipt", true),
            ("rec", "receipt", false),
            ("*x", "receipt", false),
            ("receipt*", "receipt", true),
            ("", "", true),
            ("*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaa", false),
        ] {
            let found = matches(pattern.as_bytes(), name.as_bytes());
            assert_eq!(found, wanted, "{pattern} {name}");
        }
    }
}
