//! Lines of a change that are code: neither blank nor comment nor docstring.
//!
//! Only the change's own lines are known. What began on a line that is not
//! among them is taken for code, so that the count is too high, never too low.

use super::directive::is_directive;
use super::mask::{Masked, Part};
use alloc::string::String;
use alloc::vec::Vec;

/// The lines that are code.
pub(super) fn code_lines<'a>(
    language: &str,
    lines: &'a [String],
) -> impl Iterator<Item = &'a String> {
    let prose = marked(language, lines);
    let both = lines.iter().zip(prose);
    both.filter(|(_, prose)| !prose).map(|(line, _)| line)
}

/// For each line whether it is prose.
fn marked(language: &str, lines: &[String]) -> Vec<bool> {
    let mut prose: Vec<bool> = lines.iter().map(|line| alone(language, line)).collect();
    let mut at = 0_usize;
    while let Some(line) = lines.get(at) {
        let rest = lines.get(at..).unwrap_or_default();
        let before = at.checked_sub(1).and_then(|i| lines.get(i));
        let length = block(language, line, before, rest);
        if let Some(range) = prose.get_mut(at..at.saturating_add(length)) {
            range.fill(true);
        }
        at = at.saturating_add(length.max(1));
    }
    prose
}

/// Whether a line by itself is blank or holds only comments.
fn alone(language: &str, line: &str) -> bool {
    if line.trim().is_empty() {
        return true;
    }
    if language.is_empty() {
        return false;
    }
    let masked = Masked::new(language, line);
    masked.comment().is_some_and(|text| !is_directive(text))
        && masked.only(|part| part == Part::Comment)
}

/// How many lines a docstring or block comment takes that begins with `line`;
/// zero if none does, or if its end is not among the lines.
fn block(language: &str, line: &str, before: Option<&String>, rest: &[String]) -> usize {
    let Some((own, close)) = opened(language, line, before) else {
        return 0;
    };
    let empty_behind = |text: &str| {
        let behind = text.split_once(close).map(|(_, behind)| behind);
        behind.is_some_and(|behind| behind.trim().is_empty())
    };
    if own.contains(close) {
        return usize::from(empty_behind(own));
    }
    let mut below = rest.iter().skip(1);
    let Some(inner) = below.position(|line| line.contains(close)) else {
        return 0;
    };
    let last = rest.get(inner.saturating_add(1));
    // Code behind the end makes that line a line of code.
    let ends = last.is_some_and(|line| empty_behind(line));
    inner.saturating_add(1).saturating_add(usize::from(ends))
}

/// What stands behind the opening of a docstring or block comment that begins
/// the line, and what closes it.
fn opened<'a>(
    language: &str,
    line: &'a str,
    before: Option<&String>,
) -> Option<(&'a str, &'static str)> {
    let text = line.trim();
    let (opener, close) = match language {
        "python" => return docstring(text, before),
        "elixir" => {
            let docs = ["@doc \"\"\"", "@moduledoc \"\"\"", "@typedoc \"\"\""];
            (docs.into_iter().find(|doc| *doc == text)?, "\"\"\"")
        }
        "ruby" if line == "=begin" => ("=begin", "=end"),
        "haskell" => ("{-", "-}"),
        "ocaml" => ("(*", "*)"),
        "rust" | "c" | "javascript" | "go" | "jvm" | "csharp" | "swift" | "php" | "dart"
        | "zig" | "solidity" | "protobuf" | "sql"
            if !is_directive(text) =>
        {
            ("/*", "*/")
        }
        _ => return None,
    };
    Some((text.strip_prefix(opener)?, close))
}

fn is_prefix(letter: char) -> bool {
    matches!(letter, 'r' | 'R' | 'u' | 'U' | 'b' | 'B')
}

/// The end of the docstring that begins with a line. A string that goes on with
/// an expression is none; bare quotes may as well be the end of one.
fn docstring<'a>(text: &'a str, before: Option<&String>) -> Option<(&'a str, &'static str)> {
    let quotes = text.trim_start_matches(is_prefix);
    let close = ["\"\"\"", "'''"]
        .into_iter()
        .find(|close| quotes.starts_with(close))?;
    let before = before.map(|line| line.trim_end());
    let within = before.is_some_and(|line| {
        line.ends_with(['(', '[', '{', ',', '=', '+', '%', '\\']) || line.ends_with("return")
    });
    let opens = before.is_some_and(|line| line.ends_with(':'));
    let own = quotes.get(close.len()..)?;
    let says = own
        .chars()
        .next()
        .is_some_and(|c| c.is_alphanumeric() || matches!(c, '`' | ' ' | '\\' | '<'));
    (!within && (says || opens)).then_some((own, close))
}
