//! The difference of two texts in lines.
//!
//! Common lines at both ends are cut off; the rest is compared by the greedy
//! O(ND) method, so that two far-apart edits in a long file stay small. Beyond
//! [`MAX_EDITS`] the whole rest counts as replaced.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Most added and removed lines that are told apart from a whole replacement.
pub const MAX_EDITS: usize = 400;

/// The lines of a text, without their line ends.
#[must_use]
pub fn of(text: &str) -> Vec<String> {
    text.lines().map(ToOwned::to_owned).collect()
}

/// The lines added and removed between two texts. Line ends are not compared.
#[must_use]
pub fn diff(old: &str, new: &str) -> (Vec<String>, Vec<String>) {
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&str> = new.lines().collect();
    let (old, new) = without_common_ends(&old, &new);
    let kept = common(old, new);
    let kept_old = kept.iter().map(|pair| pair.0);
    let kept_new = kept.iter().map(|pair| pair.1);
    (leftover(new, kept_new), leftover(old, kept_old))
}

fn without_common_ends<'a, 'b>(
    old: &'a [&'b str],
    new: &'a [&'b str],
) -> (&'a [&'b str], &'a [&'b str]) {
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = old.iter().zip(new).take_while(same).count();
    let old = old.get(head..).unwrap_or_default();
    let new = new.get(head..).unwrap_or_default();
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count();
    let cut = |lines: &'a [&'b str]| lines.get(..lines.len() - tail).unwrap_or_default();
    (cut(old), cut(new))
}

/// The lines whose index is not among `kept` (ascending).
fn leftover(lines: &[&str], kept: impl Iterator<Item = usize>) -> Vec<String> {
    let mut kept = kept.peekable();
    let mut left = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if kept.next_if_eq(&index).is_none() {
            left.push((*line).to_owned());
        }
    }
    left
}

/// Index pairs of a longest common subsequence, ascending; none over the bound.
fn common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    if old.is_empty() || new.is_empty() {
        return Vec::new();
    }
    let mut ids = BTreeMap::new();
    let old = numbered(old, &mut ids);
    let new = numbered(new, &mut ids);
    match trace(&old, &new) {
        Some(rounds) => walk_back(&old, &new, &rounds),
        None => Vec::new(),
    }
}

/// Equal lines get equal numbers, so that comparing two is cheap.
fn numbered<'a>(lines: &[&'a str], ids: &mut BTreeMap<&'a str, usize>) -> Vec<usize> {
    lines
        .iter()
        .map(|line| {
            let next = ids.len();
            *ids.entry(line).or_insert(next)
        })
        .collect()
}

/// Furthest old index per diagonal of one round; diagonal `k` is at `k + round`.
struct Round(Vec<usize>);

impl Round {
    /// The furthest old index on diagonal `k`, where that diagonal was reached.
    fn at(&self, k: isize) -> Option<usize> {
        let middle = isize::try_from(self.0.len() / 2).ok()?;
        self.0.get(usize::try_from(k + middle).ok()?).copied()
    }
}

/// Runs the rounds until both ends are reached; `None` over the bound.
fn trace(old: &[usize], new: &[usize]) -> Option<Vec<Round>> {
    let mut rounds: Vec<Round> = Vec::new();
    for edits in 0..=MAX_EDITS.min(old.len() + new.len()) {
        let (round, done) = advance(old, new, edits, rounds.last())?;
        rounds.push(round);
        if done {
            return Some(rounds);
        }
    }
    None
}

fn advance(
    old: &[usize],
    new: &[usize],
    edits: usize,
    before: Option<&Round>,
) -> Option<(Round, bool)> {
    let reach = isize::try_from(edits).ok()?;
    let mut furthest = vec![0; 2 * edits + 1];
    let mut done = false;
    for (k, slot) in (-reach..=reach).zip(furthest.iter_mut()) {
        if (k - reach) % 2 != 0 {
            continue;
        }
        let from = before.map_or(0, |round| step(round, k, reach).0);
        let x = slide(old, new, from, k);
        *slot = x;
        done |= x >= old.len() && below(x, k) >= new.len();
    }
    Some((Round(furthest), done))
}

/// Where a path on diagonal `k` starts after one more edit, and whether that
/// edit took a line of the new text (moving down from diagonal `k + 1`).
fn step(before: &Round, k: isize, reach: isize) -> (usize, bool) {
    let down = before.at(k + 1).unwrap_or(0);
    let right = before.at(k - 1).unwrap_or(0);
    if k == -reach || (k != reach && right < down) {
        (down, true)
    } else {
        (right + 1, false)
    }
}

/// The new index on diagonal `k` at old index `x`; beyond any text if negative.
fn below(x: usize, k: isize) -> usize {
    x.checked_add_signed(-k).unwrap_or(usize::MAX)
}

/// Follows equal lines as far as they go.
fn slide(old: &[usize], new: &[usize], from: usize, k: isize) -> usize {
    let old_rest = old.get(from..).unwrap_or_default();
    let new_rest = new.get(below(from, k)..).unwrap_or_default();
    let equal = old_rest.iter().zip(new_rest).take_while(|(a, b)| a == b);
    from + equal.count()
}

/// Reads the kept pairs off the rounds, from the end.
fn walk_back(old: &[usize], new: &[usize], rounds: &[Round]) -> Vec<(usize, usize)> {
    let mut kept = Vec::new();
    let mut x = old.len();
    let mut y = new.len();
    for (edits, before) in rounds
        .iter()
        .enumerate()
        .skip(1)
        .map(|(edits, _)| edits)
        .rev()
        .filter_map(|edits| Some((edits, rounds.get(edits - 1)?)))
    {
        let signed = |value: usize| isize::try_from(value).unwrap_or(isize::MAX);
        let k = signed(x) - signed(y);
        let (start, down) = step(before, k, signed(edits));
        while x > start {
            x -= 1;
            y = y.saturating_sub(1);
            kept.push((x, y));
        }
        if down {
            y = y.saturating_sub(1);
        } else {
            x = x.saturating_sub(1);
        }
    }
    while x > 0 && y > 0 {
        x -= 1;
        y -= 1;
        kept.push((x, y));
    }
    kept.reverse();
    kept
}
