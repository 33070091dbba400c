//! Lines of tests of which only literals changed.

use super::decimal::Decimal;
use super::{Counts, File, Mark, assertion, test};
use crate::path::Class;
use crate::source::Masked;
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use receipt_core::event::FileChange;

/// A line without its literals.
struct Shape {
    text: String,
    literals: Vec<String>,
}

/// Marks pairs of a removed and an added line that differ in literals alone.
pub(super) fn compare(file: File<'_>, change: &FileChange, counts: &mut Counts) {
    let both = !change.added.is_empty() && !change.removed.is_empty();
    if !both || (file.class != Class::Test && file.language != "rust") {
        return;
    }
    let mut gone: BTreeMap<String, VecDeque<(&str, Vec<String>)>> = BTreeMap::new();
    for line in &change.removed {
        if let Some(shape) = shape(file, line) {
            let lines = gone.entry(shape.text).or_default();
            lines.push_back((line.trim(), shape.literals));
        }
    }
    for line in &change.added {
        if gone.is_empty() {
            return;
        }
        let Some(shape) = shape(file, line) else {
            continue;
        };
        let Some((old, literals)) = gone.get_mut(&shape.text).and_then(VecDeque::pop_front) else {
            continue;
        };
        if literals == shape.literals || is_message(&shape.text, &literals, &shape.literals) {
            continue;
        }
        match tolerance(&shape.text, &literals, &shape.literals) {
            Some(step) => counts.add(Mark::Widened, &shape.text, step),
            None => counts.add(Mark::Value, old, 1),
        }
    }
}

/// The shape of a line that says what is expected: an assertion, a row of a
/// table, or what is named so.
fn shape(file: File<'_>, line: &str) -> Option<Shape> {
    let line = line.trim();
    let masked = Masked::new(file.language, line);
    let code = masked.code();
    let asserts = assertion::strength(file.language, &code).is_some();
    let table = file.class == Class::Test && (is_row(&code) || is_named(&code));
    if !(asserts || table) || test::name(file.language, &code, line).is_some() {
        return None;
    }
    let (text, literals) = masked.literals();
    let enough = literals.len() > usize::from(!asserts && is_row(&code));
    enough.then_some(Shape { text, literals })
}

/// `("a", 1),` and `{ in: "a", want: 1 },`: more than one value and no call.
fn is_row(code: &str) -> bool {
    let inner = code.trim_end_matches([',', ';', ' ']);
    let ends = inner.ends_with([')', ']', '}']);
    let call = inner.char_indices().skip(1).any(|(place, letter)| {
        let before = inner.get(..place).and_then(|text| text.chars().next_back());
        letter == '(' && before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    });
    ends && !call && inner.starts_with(['(', '[', '{'])
}

/// `want := 3`, `"expected": 3,`, `let expected = "a";`
fn is_named(code: &str) -> bool {
    const NAMES: &[&str] = &["expected", "want", "wanted", "wants", "golden"];
    let Some((name, _)) = code.split_once(['=', ':']) else {
        return false;
    };
    let mut words = name.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.any(|word| NAMES.contains(&word.to_ascii_lowercase().as_str()))
}

/// Whether the one literal that differs is what an assertion says when it
/// fails: a string behind what is compared.
fn is_message(shape: &str, old: &[String], new: &[String]) -> bool {
    let mut differing = old.iter().zip(new).enumerate().filter(|(_, (a, b))| a != b);
    let (Some((ordinal, (text, _))), None) = (differing.next(), differing.next()) else {
        return false;
    };
    let fails = [
        "t.Error",
        "t.Fatal",
        "t.Fail",
        "b.Fatal",
        "XCTFail",
        "pytest.fail",
        ".fail(",
    ];
    let speaks = fails.iter().any(|start| shape.contains(start));
    text.starts_with(['"', '\'', '`']) && (speaks || argument(shape, ordinal) >= compared(shape))
}

/// How many arguments an assertion compares.
fn compared(shape: &str) -> usize {
    const TRUTH: &[&str] = &[
        "assert ",
        "assert(",
        "assert!(",
        "assertTrue(",
        "assertFalse(",
        "XCTAssertTrue(",
    ];
    let truth = TRUTH.iter().any(|text| shape.contains(text));
    let handed = ["assert.", "require."]
        .iter()
        .any(|text| shape.contains(text))
        && shape.contains("(t, ");
    (if truth { 1 } else { 2_usize }).saturating_add(usize::from(handed))
}

/// In which argument of the outermost call a literal stands.
fn argument(shape: &str, ordinal: usize) -> usize {
    let base = i32::from(!shape.starts_with("assert "));
    let mut depth = 0_i32;
    let (mut index, mut seen) = (0_usize, 0_usize);
    for letter in shape.chars() {
        match letter {
            '(' | '[' | '{' => depth = depth.saturating_add(1),
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == base => index = index.saturating_add(1),
            '#' if seen == ordinal => return index,
            '#' => seen = seen.saturating_add(1),
            _ => {}
        }
    }
    index
}

/// Where the last literal says how far a value may be off.
const TOLERANCES: &[&str] = &[
    "delta=#",
    "delta: #",
    "rel=#",
    "abs=#",
    "rel_tol=#",
    "abs_tol=#",
    "rtol=#",
    "atol=#",
    "tolerance=#",
    "tolerance: #",
    "accuracy: #",
    "within(#",
    "offset(#",
    "InDelta(",
    "InEpsilon(",
    "_NEAR(",
    "closeTo(#, #",
    "isCloseTo(",
    "assert_in_delta",
    "assert_in_epsilon",
    "WithDelta(",
    "margin(#",
    "epsilon(#",
    "epsilon = #",
    "EPSILON",
];

/// Where the last literal says how many digits must be right.
const DIGITS: &[&str] = &["toBeCloseTo(#, #", "places=#", "decimal=#", "significant=#"];

/// 1 where a tolerance grew, -1 where it shrank; nothing where another literal
/// changed too.
fn tolerance(shape: &str, old: &[String], new: &[String]) -> Option<i64> {
    let mut differing = old.iter().zip(new).enumerate().filter(|(_, (a, b))| a != b);
    let (index, (before, after)) = differing.next()?;
    let one = differing.next().is_none() && old.len() == new.len();
    let has = |table: &[&str]| table.iter().any(|text| shape.contains(text));
    let last = index.saturating_add(1) == old.len();
    let digits = has(DIGITS);
    if !one || !last || !(digits || has(TOLERANCES) || by_position(shape)) {
        return None;
    }
    let order = Decimal::read(after)?.order(Decimal::read(before)?);
    let wider = if digits {
        Ordering::Less
    } else {
        Ordering::Greater
    };
    Some(if order == wider { 1 } else { -1 })
}

/// `abs(x - y) < #`, and the third argument of JUnit's equality.
fn by_position(shape: &str) -> bool {
    let ends = shape.trim_end_matches([';', ')', ' ']).ends_with(", #");
    let third = ends && shape.matches(',').count() == 2;
    (shape.contains("abs(") && shape.contains("< #")) || (shape.contains("assertEquals(") && third)
}

impl Masked<'_> {
    /// The line with `#` for each string, number and truth value, and these.
    fn literals(&self) -> (String, Vec<String>) {
        let mut shape = String::new();
        let mut literals: Vec<String> = Vec::new();
        for (text, is_text) in self.pieces() {
            if is_text {
                shape.push('#');
                literals.push(text.to_owned());
            } else {
                numbers(text, &mut shape, &mut literals);
            }
        }
        (shape, literals)
    }
}

/// Takes the numbers and truth values out of code.
fn numbers(code: &str, shape: &mut String, literals: &mut Vec<String>) {
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        if !word(first) {
            shape.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or("");
            continue;
        }
        let number = first.is_ascii_digit();
        let end = rest.find(|c: char| !(word(c) || (number && c == '.')));
        let mut length = end.unwrap_or(rest.len());
        let head = rest.get(..length).unwrap_or("");
        if number
            && head.ends_with(['e', 'E'])
            && rest
                .get(length..)
                .is_some_and(|r| r.starts_with(['-', '+']))
        {
            let tail = rest.get(length.saturating_add(1)..).unwrap_or("");
            let more = tail
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(tail.len());
            length = length.saturating_add(1).saturating_add(more);
        }
        let text = rest.get(..length).unwrap_or("");
        const TRUTH: &[&str] = &[
            "true", "false", "True", "False", "nil", "null", "None", "YES", "NO",
        ];
        if number || TRUTH.contains(&text) {
            shape.push('#');
            literals.push(text.to_owned());
        } else {
            shape.push_str(text);
        }
        rest = rest.get(length..).unwrap_or("");
    }
}
