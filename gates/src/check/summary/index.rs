//! Forms sorted by what they start with, so that few are tried on a line.

use super::TABLES;
use super::form::{Family, Form};
use super::template::find_text;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The forms of the families that are asked for.
#[derive(Debug, Default)]
pub(super) struct Index {
    by_letter: BTreeMap<char, Vec<&'static Form>>,
    numbers: Vec<&'static Form>,
    /// Forms that may start anywhere, with a text that must then be in the line.
    anywhere: Vec<(&'static str, &'static Form)>,
}

impl Index {
    pub(super) fn new(wanted: &dyn Fn(Family) -> bool) -> Self {
        let mut index = Self::default();
        let all = TABLES.iter().flat_map(|table| table.iter());
        for form in all.filter(|form| wanted(form.family)) {
            match index.bucket(form.pattern) {
                Some(bucket) => bucket.push(form),
                None => index.anywhere.push((needed(form.pattern), form)),
            }
        }
        index
    }

    /// Where forms that start like `pattern` are kept; none if it starts with any text.
    fn bucket(&mut self, pattern: &str) -> Option<&mut Vec<&'static Form>> {
        let mut letters = pattern.chars();
        let first = match letters.next() {
            Some('^') => letters.next().unwrap_or('^'),
            Some('#' | '{') => return Some(&mut self.numbers),
            Some('~' | '@') | None => return None,
            Some(letter) => letter,
        };
        Some(self.by_letter.entry(first).or_default())
    }

    /// The forms that may fit `line`.
    pub(super) fn of<'a>(&'a self, line: &'a str) -> impl Iterator<Item = &'static Form> + 'a {
        let first = line.chars().next();
        let numbers: &[_] = match first {
            Some('0'..='9') => &self.numbers,
            _ => &[],
        };
        let letter = first.and_then(|first| self.by_letter.get(&first));
        let likely = self
            .anywhere
            .iter()
            .filter(|(text, _)| find_text(line, text).is_some());
        letter
            .into_iter()
            .flatten()
            .chain(numbers)
            .copied()
            .chain(likely.map(|(_, form)| *form))
    }
}

/// The plain text that follows the free text at the start of a pattern.
fn needed(pattern: &'static str) -> &'static str {
    let rest = pattern.get(1..).unwrap_or("");
    let end = rest.find(['#', '{', '~', '@', '%', '$', '^', ' ']);
    rest.get(..end.unwrap_or(rest.len())).unwrap_or("")
}
