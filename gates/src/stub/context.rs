//! What the lines above a stub say: that others are to write it, or that it
//! runs only sometimes.

use super::line::is_abstract;
use alloc::string::String;

/// Most lines that are looked back.
const MAX_BACK: usize = 60;

/// Words that begin a branch.
const BRANCHES: &[&str] = &[
    "if", "elif", "else", "elsif", "unless", "except", "rescue", "catch", "case", "when", "switch",
    "guard", "default", "} else", "} catch",
];

/// Whether a not-implemented line at `at` stands in a method that its class
/// leaves to others, as far as the change's own lines tell.
pub(super) fn is_left_to_others(language: &str, lines: &[String], at: usize) -> bool {
    let line = lines.get(at).map_or("", String::as_str);
    if line
        .split(['"', '\''])
        .skip(1)
        .any(|text| is_abstract(&text.to_ascii_lowercase()))
    {
        return true;
    }
    match language {
        "python" => is_abstract_python(lines, at),
        "ruby" => enclosing(lines, at, "class ").is_some_and(is_base_name),
        _ => false,
    }
}

/// A method with `@abstractmethod`, in a class that is abstract by its bases or
/// its name, or whose docstring says so.
fn is_abstract_python(lines: &[String], at: usize) -> bool {
    let Some(def) = above(lines, at, |line| {
        line.starts_with("def ") || line.starts_with("async def ")
    }) else {
        return false;
    };
    let decorators = lines.get(..def).unwrap_or_default().iter().rev();
    let mut decorators = decorators
        .map(|line| line.trim())
        .take_while(|line| line.starts_with('@'));
    let body = lines.get(def..at).unwrap_or_default();
    let says = body.iter().any(|line| {
        let lower = line.to_ascii_lowercase();
        ["subclass", "override", "abstract"]
            .iter()
            .any(|word| lower.contains(word))
    });
    decorators.any(|line| line.contains("abstract"))
        || says
        || enclosing(lines, def, "class ").is_some_and(is_base_class)
}

fn is_base_class(class: &str) -> bool {
    ["ABC", "ABCMeta", "Protocol", "Interface"]
        .iter()
        .any(|word| {
            class
                .split(|c: char| !c.is_alphanumeric())
                .any(|found| found == *word)
        })
        || is_base_name(class)
}

/// `class BaseStore`, `class AbstractStore`, `class StoreInterface`.
fn is_base_name(class: &str) -> bool {
    let name = class.trim().strip_prefix("class ").unwrap_or("");
    let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    let name = name.get(..end.unwrap_or(name.len())).unwrap_or("");
    let name = name.trim_start_matches('_');
    ["Base", "Abstract"]
        .iter()
        .any(|word| name.starts_with(word) || name.ends_with(word))
        || ["Interface", "Mixin", "Protocol"]
            .iter()
            .any(|word| name.ends_with(word))
}

/// Whether a skip at `at` stands in a branch: the line above with less
/// indentation begins one.
pub(super) fn is_conditional(lines: &[String], at: usize) -> bool {
    let above = above(lines, at, |_| true).and_then(|i| lines.get(i));
    above.is_some_and(|line| {
        let text = line.trim();
        BRANCHES.iter().any(|word| {
            text.strip_prefix(word)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    })
}

/// The line that encloses `at` and begins with a word, by its indentation.
fn enclosing<'a>(lines: &'a [String], at: usize, start: &str) -> Option<&'a str> {
    let found = above(lines, at, |line| line.starts_with(start))?;
    lines.get(found).map(String::as_str)
}

/// The nearest line above with less indentation that fits.
fn above(lines: &[String], at: usize, fits: impl Fn(&str) -> bool) -> Option<usize> {
    let mut depth = indentation(lines.get(at)?);
    let before = lines.get(..at)?.iter().enumerate().rev().take(MAX_BACK);
    for (index, line) in before.filter(|(_, line)| !line.trim().is_empty()) {
        let own = indentation(line);
        if own < depth {
            if fits(line.trim()) {
                return Some(index);
            }
            depth = own;
        }
    }
    None
}

fn indentation(line: &str) -> usize {
    line.len().saturating_sub(line.trim_start().len())
}
