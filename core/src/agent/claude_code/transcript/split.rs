//! Cuts a transcript into JSON objects: lines, array items, welded lines.

use super::MAX_LINE;
use crate::json::lenient;
use alloc::vec::Vec;
use serde_json::Value;

/// Collects lines, or the items of a file that is one JSON array.
#[derive(Debug, Default)]
pub(super) struct Lines {
    form: Form,
    buffer: Vec<u8>,
    overlong: bool,
    skipped: u64,
    nesting: Nesting,
}

/// How the file is laid out; told by its first byte.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Form {
    #[default]
    Untold,
    Lines,
    Array,
}

impl Lines {
    /// Takes bytes in and calls `each` with every piece that is complete.
    pub(super) fn push(&mut self, chunk: &[u8], mut each: impl FnMut(&[u8])) {
        let chunk = self.tell_form(chunk);
        if self.form == Form::Array {
            self.push_items(chunk, &mut each);
            return;
        }
        for part in chunk.split_inclusive(|byte| *byte == b'\n') {
            self.keep(part);
            if part.ends_with(b"\n") {
                self.flush(&mut each);
            }
        }
    }

    /// Hands out the last piece and tells how many were too long.
    pub(super) fn finish(mut self, mut each: impl FnMut(&[u8])) -> u64 {
        self.flush(&mut each);
        self.skipped
    }

    /// Decides the form at the first byte that is neither space nor byte order mark.
    fn tell_form<'a>(&mut self, chunk: &'a [u8]) -> &'a [u8] {
        if self.form != Form::Untold {
            return chunk;
        }
        let blank = |byte: &u8| byte.is_ascii_whitespace() || b"\xef\xbb\xbf".contains(byte);
        let start = chunk.iter().take_while(|byte| blank(byte)).count();
        let rest = chunk.get(start..).unwrap_or_default();
        self.form = match rest.first() {
            None => Form::Untold,
            Some(b'[') => Form::Array,
            Some(_) => Form::Lines,
        };
        rest
    }

    fn keep(&mut self, part: &[u8]) {
        if self.buffer.len() + part.len() > MAX_LINE {
            self.overlong = true;
            self.buffer.clear();
        }
        if !self.overlong {
            self.buffer.extend_from_slice(part);
        }
    }

    fn flush(&mut self, each: &mut impl FnMut(&[u8])) {
        if self.overlong {
            self.skipped += 1;
        } else if !self.buffer.trim_ascii().is_empty() {
            each(self.buffer.trim_ascii());
        }
        self.buffer.clear();
        self.overlong = false;
    }

    fn push_items(&mut self, chunk: &[u8], each: &mut impl FnMut(&[u8])) {
        let mut start = 0;
        for (at, byte) in chunk.iter().enumerate() {
            let was_inside = self.nesting.inside();
            self.nesting.step(*byte);
            match (was_inside, self.nesting.inside()) {
                (false, true) => start = at,
                (true, false) => {
                    self.keep(chunk.get(start..=at).unwrap_or_default());
                    self.flush(each);
                }
                _ => {}
            }
        }
        if self.nesting.inside() {
            self.keep(chunk.get(start..).unwrap_or_default());
        }
    }
}

/// Follows braces outside of strings.
#[derive(Debug, Default, Clone, Copy)]
struct Nesting {
    depth: u32,
    in_string: bool,
    escaped: bool,
}

impl Nesting {
    fn inside(self) -> bool {
        self.depth > 0
    }

    fn step(&mut self, byte: u8) {
        if self.escaped {
            self.escaped = false;
        } else if self.in_string {
            self.escaped = byte == b'\\';
            self.in_string = byte != b'"';
        } else {
            match byte {
                b'"' => self.in_string = self.inside(),
                b'{' => self.depth += 1,
                b'}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
    }
}

/// The objects of one line: usually one, two where lines were welded, none
/// where it was cut. A cut beginning does not hide a whole object after it.
pub(super) fn objects(line: &[u8]) -> Vec<Value> {
    if let Some(object) = object(line) {
        return Vec::from([object]);
    }
    let whole: Vec<Value> = top_level(line).into_iter().filter_map(object).collect();
    if whole.is_empty() {
        return after_seam(line).into_iter().collect();
    }
    whole
}

fn object(bytes: &[u8]) -> Option<Value> {
    lenient::parse(bytes).value.filter(Value::is_object)
}

/// The slices of a line that are complete objects by their braces.
fn top_level(line: &[u8]) -> Vec<&[u8]> {
    let mut nesting = Nesting::default();
    let mut found = Vec::new();
    let mut start = 0;
    for (at, byte) in line.iter().enumerate() {
        let was_inside = nesting.inside();
        nesting.step(*byte);
        match (was_inside, nesting.inside()) {
            (false, true) => start = at,
            (true, false) => found.extend(line.get(start..=at)),
            _ => {}
        }
    }
    found
}

/// Most places at which a whole object is looked for behind a cut one.
const MAX_SEAMS: usize = 8;

/// The object that ends a line whose beginning was cut: tried from the last
/// place where an entry can begin.
fn after_seam(line: &[u8]) -> Option<Value> {
    let places = (1..line.len())
        .rev()
        .filter_map(|at| line.split_at_checked(at));
    places
        .filter(|(before, rest)| rest.starts_with(b"{\"") && !expects_value(before))
        .take(MAX_SEAMS)
        .filter_map(|(_, rest)| object(rest))
        .find(|entry| ENTRY_FIELDS.iter().any(|field| entry.get(field).is_some()))
}

/// True where an object would stand inside of another one, or in a string.
fn expects_value(before: &[u8]) -> bool {
    matches!(before.last(), Some(b':' | b',' | b'[' | b' ' | b'\\'))
}

/// Fields that tell an entry from an object inside of one.
const ENTRY_FIELDS: [&str; 3] = ["message", "sessionId", "leafUuid"];
