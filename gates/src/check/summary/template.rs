//! Matching a line against the pattern of a form.

use core::str::Chars;

/// What the numbers of a line say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts {
    pub(crate) passed: Option<u64>,
    pub(crate) failed: Option<u64>,
    pub(crate) skipped: Option<u64>,
    pub(crate) total: Option<u64>,
}

impl Counts {
    fn add(slot: &mut Option<u64>, number: u64) {
        *slot = Some(slot.unwrap_or(0).saturating_add(number));
    }
}

/// A line that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Match<'a> {
    pub(crate) counts: Counts,
    pub(crate) name: &'a str,
}

/// Matches `pattern` at the start of `line`.
pub(crate) fn matches<'a>(pattern: &str, line: &'a str) -> Option<Match<'a>> {
    let mut found = Match::default();
    let mut pattern = pattern.chars();
    let mut line = line;
    while let Some(next) = pattern.next() {
        line = match next {
            ' ' => blanks(line)?,
            '#' => number_token(pattern.next()?, line, &mut found.counts)?,
            '{' => {
                pattern.next();
                list(line, &mut found.counts)?
            }
            '^' => line.strip_prefix(pattern.next()?)?,
            '%' => line.strip_prefix('s').unwrap_or(line),
            '$' => return line.trim().is_empty().then_some(found),
            '~' => return anywhere(pattern.as_str(), line, found),
            '@' => {
                let end = text_end(&pattern, line)?;
                found.name = line.get(..end)?.trim();
                line.get(end..)?
            }
            literal => line.strip_prefix(literal)?,
        };
    }
    Some(found)
}

fn blanks(line: &str) -> Option<&str> {
    let rest = line.trim_start();
    (rest.len() < line.len()).then_some(rest)
}

/// How long the free text before the next literal of the pattern is; at least one character.
fn text_end(pattern: &Chars<'_>, line: &str) -> Option<usize> {
    let rest = pattern.as_str();
    let stop = rest
        .find(['#', '{', '~', '@', '%', '$'])
        .unwrap_or(rest.len());
    let literal = rest.get(..stop)?;
    let end = if literal.is_empty() {
        line.len()
    } else {
        line.find(literal)?
    };
    (end > 0).then_some(end)
}

/// What the text behind a `~` starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop<'a> {
    Digit,
    Blank,
    End,
    Literal(&'a str),
}

impl<'a> Stop<'a> {
    /// What `rest`, a pattern, starts with; `None` if it is empty.
    fn of(rest: &'a str) -> Option<Self> {
        Some(match rest.chars().next()? {
            '#' | '{' => Self::Digit,
            ' ' => Self::Blank,
            '$' => Self::End,
            '^' => Self::Literal(rest.get(1..2)?),
            _ => {
                let end = rest.find(['#', '{', '~', '@', '%', '$', '^', ' ']);
                Self::Literal(rest.get(..end.unwrap_or(rest.len()))?)
            }
        })
    }

    /// Where it comes next in `line`.
    fn find(self, line: &str) -> Option<usize> {
        match self {
            Self::Digit => line.find(|letter: char| letter.is_ascii_digit()),
            Self::Blank => line.find(char::is_whitespace),
            Self::End => Some(line.len()),
            Self::Literal(text) => find_text(line, text),
        }
    }

    /// How far to step to find it again.
    fn step(self, line: &str) -> usize {
        let kind: fn(char) -> bool = match self {
            Self::Digit => |letter| letter.is_ascii_digit(),
            Self::Blank => char::is_whitespace,
            Self::End | Self::Literal(_) => {
                return line.chars().next().map_or(1, char::len_utf8);
            }
        };
        line.find(|letter| !kind(letter)).unwrap_or(line.len())
    }
}

/// `str::find` without its preparation, which costs more than the search in short lines.
pub(super) fn find_text(line: &str, text: &str) -> Option<usize> {
    let Some(first) = text.chars().next() else {
        return Some(0);
    };
    let mut from = 0_usize;
    loop {
        let tail = line.get(from..)?;
        let place = tail.find(first)?;
        from = from.saturating_add(place);
        if tail.get(place..)?.starts_with(text) {
            return Some(from);
        }
        from = from.saturating_add(first.len_utf8());
    }
}

/// Tries the rest of the pattern wherever its start stands, a bounded number of times.
fn anywhere<'a>(rest: &str, line: &'a str, found: Match<'a>) -> Option<Match<'a>> {
    const TRIES: usize = 12;
    let Some(stop) = Stop::of(rest) else {
        return Some(found);
    };
    let mut from = 0_usize;
    for _ in 0..TRIES {
        let tail = line.get(from..)?;
        let place = stop.find(tail)?;
        let candidate = tail.get(place..)?;
        if let Some(mut inner) = matches(rest, candidate) {
            inner.counts = merged(found.counts, inner.counts);
            if inner.name.is_empty() {
                inner.name = found.name;
            }
            return Some(inner);
        }
        from = from
            .saturating_add(place)
            .saturating_add(stop.step(candidate));
    }
    None
}

fn merged(mut counts: Counts, later: Counts) -> Counts {
    counts.passed = later.passed.or(counts.passed);
    counts.failed = later.failed.or(counts.failed);
    counts.skipped = later.skipped.or(counts.skipped);
    counts.total = later.total.or(counts.total);
    counts
}

fn number_token<'a>(which: char, line: &'a str, counts: &mut Counts) -> Option<&'a str> {
    let (number, rest) = number(line)?;
    match which {
        'p' => Counts::add(&mut counts.passed, number),
        'f' => Counts::add(&mut counts.failed, number),
        's' => Counts::add(&mut counts.skipped, number),
        't' => Counts::add(&mut counts.total, number),
        _ => {}
    }
    Some(rest)
}

/// Reads a whole number; thousands may be set apart by commas.
pub(crate) fn number(line: &str) -> Option<(u64, &str)> {
    let mut value = 0_u64;
    let mut end = 0_usize;
    let bytes = line.as_bytes();
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'0'..=b'9' => {
                let digit = u64::from(byte.saturating_sub(b'0'));
                value = value.saturating_mul(10).saturating_add(digit);
            }
            b',' if end > 0 && thousands(bytes, end) => {}
            _ => break,
        }
        end = end.saturating_add(1);
    }
    (end > 0).then_some((value, line.get(end..)?))
}

/// Whether exactly three digits follow the comma at `at`.
fn thousands(bytes: &[u8], at: usize) -> bool {
    let digit = |offset: usize| {
        bytes
            .get(at.saturating_add(offset))
            .is_some_and(u8::is_ascii_digit)
    };
    digit(1) && digit(2) && digit(3) && !digit(4)
}

/// Words in lists of counts and what they count.
const WORDS: &[(&str, char)] = &[
    ("passed", 'p'),
    ("passing", 'p'),
    ("passes", 'p'),
    ("pass", 'p'),
    ("succeeded", 'p'),
    ("successes", 'p'),
    ("successful", 'p'),
    ("ok", 'p'),
    ("xpassed", 'p'),
    ("flaky", 'p'),
    ("failed", 'f'),
    ("failing", 'f'),
    ("failures", 'f'),
    ("failure", 'f'),
    ("fail", 'f'),
    ("errored", 'f'),
    ("errors", 'f'),
    ("error", 'f'),
    ("broken", 'f'),
    ("interrupted", 'f'),
    ("skipped", 's'),
    ("skips", 's'),
    ("skip", 's'),
    ("pending", 's'),
    ("todo", 's'),
    ("ignored", 's'),
    ("xfailed", 's'),
    ("deselected", '_'),
    ("disabled", 's'),
    ("excluded", 's'),
    ("invalid", 's'),
    ("cancelled", 's'),
    ("canceled", 's'),
    ("did not run", 's'),
    ("filtered out", 's'),
    ("omissions", 's'),
    ("pendings", 's'),
    ("total", 't'),
    ("tests", 't'),
    ("test", 't'),
    ("examples", 't'),
    ("example", 't'),
    ("runs", 't'),
    ("doctests", 't'),
    ("doctest", 't'),
    ("properties", 't'),
    ("property", 't'),
    ("subtests passed", '_'),
    ("measured", '_'),
    ("warnings", '_'),
    ("warning", '_'),
    ("informations", '_'),
    ("notes", '_'),
    ("rerun", '_'),
    ("assertions", '_'),
    ("assertion", '_'),
    ("notifications", '_'),
    ("obsolete", '_'),
    ("written", '_'),
    ("expect() calls", '_'),
];

/// Reads `1 failed, 2 passed` and the like; at least one item.
fn list<'a>(line: &'a str, counts: &mut Counts) -> Option<&'a str> {
    let mut rest = item(line, counts)?;
    loop {
        let next = rest.trim_start_matches([' ', ',', '|', ';', '\u{b7}', '\t']);
        match item(next, counts) {
            Some(after) => rest = after,
            None => return Some(rest),
        }
    }
}

fn item<'a>(line: &'a str, counts: &mut Counts) -> Option<&'a str> {
    let (number, rest) = number(line)?;
    let rest = blanks(rest)?;
    let (word, what) = WORDS.iter().find(|(word, _)| {
        rest.strip_prefix(word)
            .is_some_and(|after| !after.starts_with(|letter: char| letter.is_alphanumeric()))
    })?;
    match what {
        'p' => Counts::add(&mut counts.passed, number),
        'f' => Counts::add(&mut counts.failed, number),
        's' => Counts::add(&mut counts.skipped, number),
        't' => Counts::add(&mut counts.total, number),
        _ => {}
    }
    rest.strip_prefix(word)
}
