//! The lines of an output that are worth looking at, cleaned.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// Lines looked at from the start of an output.
const HEAD: usize = 120;
/// Lines looked at from its end.
const TAIL: usize = 240;
/// Of a line, this many bytes at its start are looked at.
const WIDTH: usize = 600;
/// A last line longer than this is also looked at from its end.
const LONG: usize = 1_200;

/// The first and the last lines of `output` in order, none twice.
pub(crate) fn window(output: &str) -> Vec<&str> {
    let mut tail: Vec<&str> = Vec::new();
    let mut cut = output.len();
    for line in output.rsplit('\n').take(TAIL) {
        let start = cut.saturating_sub(line.len());
        tail.push(line);
        cut = start.saturating_sub(1);
    }
    tail.reverse();
    let before = output.get(..cut).unwrap_or("");
    let mut lines: Vec<&str> = if cut == 0 {
        Vec::new()
    } else {
        before.split('\n').take(HEAD).collect()
    };
    lines.append(&mut tail);
    lines.into_iter().flat_map(pieces).collect()
}

/// Progress lines overwrite themselves with carriage returns: only the last state is left. A
/// very long line gives its start and its end.
fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.len() <= LONG {
        let shown = line
            .rsplit('\r')
            .find(|part| !part.trim().is_empty())
            .unwrap_or(line);
        return [Some(prefix(shown)), None].into_iter().flatten();
    }
    [Some(prefix(line)), Some(suffix(line))]
        .into_iter()
        .flatten()
}

fn prefix(line: &str) -> &str {
    line.get(..floor(line, WIDTH)).unwrap_or(line)
}

fn suffix(line: &str) -> &str {
    let start = floor(line, line.len().saturating_sub(WIDTH));
    let end = line.get(start..).unwrap_or("");
    end.rsplit('\r').next().unwrap_or(end)
}

/// The largest character boundary that is not above `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at = at.saturating_sub(1);
    }
    at
}

/// A line without colours, marks and the space around it.
pub(super) fn clean(line: &str) -> Cow<'_, str> {
    if !line.contains('\u{1b}') {
        return Cow::Borrowed(undecorated(line.trim()));
    }
    let mut text = String::with_capacity(line.len());
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        if letter != '\u{1b}' {
            text.push(letter);
        } else if letters.next() == Some('[') {
            letters.by_ref().find(char::is_ascii_alphabetic);
        }
    }
    Cow::Owned(undecorated(text.trim()).into())
}

/// `==== 3 passed ====` without its bars.
fn undecorated(line: &str) -> &str {
    if line.starts_with("===") {
        line.trim_matches(['=', ' '])
    } else {
        line
    }
}

/// A line without the name of the package or service that a multi-runner puts before it:
/// `web:test: `, `packages/a test: `, `app-1  | `, `[test] `.
pub(super) fn without_prefix(line: &str) -> Option<&str> {
    const LONGEST: usize = 60;
    let near = line.get(..floor(line, LONGEST))?;
    let bar = near.find(" | ").map(|place| place.saturating_add(3));
    let colon = near.find(": ").map(|place| place.saturating_add(2));
    let bracket = near.starts_with('[').then(|| near.find("] ")).flatten();
    let bracket = bracket.map(|place| place.saturating_add(2));
    let place = [bracket, bar, colon].into_iter().flatten().min()?;
    let name = near.get(..place)?;
    let words = name.split_whitespace().count();
    let plausible = words <= 3 && !name.starts_with(|first: char| first.is_ascii_digit());
    let rest = line.get(place..)?.trim_start();
    (plausible && !rest.is_empty()).then_some(rest)
}

/// The number that stands behind `text` at the start of one of the last lines, the last such.
pub(crate) fn last_line_with(output: &str, text: &str) -> Option<i32> {
    let text = text.trim_end();
    output.rsplit('\n').take(40).find_map(|line| {
        let line = line.trim().get(..64.min(line.trim().len())).unwrap_or("");
        let rest = line.strip_prefix(text)?.trim();
        if text.is_empty() && rest.len() > 3 {
            return None;
        }
        let end = rest
            .find(|letter: char| !letter.is_ascii_digit())
            .unwrap_or(rest.len());
        rest.get(..end)?.parse().ok()
    })
}
