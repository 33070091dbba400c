//! The pass over the input: keeps track of escapes, words and names.

use super::{Cut, assign, header, pem, token, url};
use alloc::vec::Vec;

/// The secrets of `input`, ascending and apart from each other.
pub(super) fn cuts(input: &[u8]) -> Vec<Cut> {
    let mut scan = Scan {
        input,
        at: 0,
        in_word: false,
        name: Name::default(),
        after_escape: false,
        pem: pem::Marks::new(input),
        jwt_from: 0,
    };
    let mut cuts = Vec::new();
    while let Some(byte) = input.get(scan.at) {
        match scan.cut_here(*byte) {
            Some(cut) => {
                cuts.push(cut);
                scan.jump(cut.end);
            }
            None => scan.step(*byte),
        }
    }
    cuts
}

struct Scan<'a> {
    input: &'a [u8],
    at: usize,
    /// The byte before belongs to the same word.
    in_word: bool,
    /// The latest name before this place.
    name: Name,
    /// Just behind backslashes that escape each other: the letter here may be
    /// the rest of an escape of JSON within JSON.
    after_escape: bool,
    pem: pem::Marks<'a>,
    /// No web token begins before this place.
    jwt_from: usize,
}

/// Where a name (of a variable, key or header) stands in the input.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Name {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Scan<'_> {
    fn cut_here(&mut self, byte: u8) -> Option<Cut> {
        match byte {
            b':' => url::password(self.input, self.at)
                .or_else(|| header::credential(self.input, self.name, self.at))
                .or_else(|| assign::value(self.input, self.name, self.at)),
            b'=' => header::credential(self.input, self.name, self.at)
                .or_else(|| assign::value(self.input, self.name, self.at)),
            b'-' => self.pem.block(self.at),
            b'e' => self.jwt(),
            _ => {
                let next = self.input.get(self.at + 1).copied().unwrap_or_default();
                if token::may_begin(byte, next) {
                    return token::at(self.input, self.at, self.in_word);
                }
                None
            }
        }
    }

    fn jwt(&mut self) -> Option<Cut> {
        let rest = self.input.get(self.at..)?;
        if self.at < self.jwt_from || !rest.starts_with(b"eyJ") {
            return None;
        }
        match token::jwt(self.input, self.at) {
            Ok(cut) => Some(cut),
            Err(next) => {
                self.jwt_from = next;
                None
            }
        }
    }

    fn jump(&mut self, to: usize) {
        self.at = to;
        self.in_word = false;
        self.after_escape = false;
        self.name = Name { start: to, end: to };
    }

    fn step(&mut self, byte: u8) {
        let second_half = self.after_escape && matches!(byte, b'n' | b'r' | b't' | b'b' | b'f');
        self.after_escape = false;
        if byte == b'\\' {
            self.escape();
        } else if is_name(byte) && !second_half {
            if self.name.end != self.at {
                self.name.start = self.at;
            }
            self.at += 1;
            self.name.end = self.at;
            self.in_word = is_word(byte);
        } else {
            self.at += 1;
            self.in_word = false;
        }
    }

    /// Passes a run of backslashes and, where their number is odd, what they escape.
    fn escape(&mut self) {
        let run = backslashes(self.input, self.at);
        self.in_word = false;
        self.after_escape = run.is_multiple_of(2);
        self.at += run
            + if self.after_escape {
                0
            } else {
                escaped_len(self.input, self.at + run)
            };
    }
}

/// Number of backslashes from `at` on.
pub(super) fn backslashes(input: &[u8], at: usize) -> usize {
    let rest = input.get(at..).unwrap_or_default();
    rest.iter().take_while(|byte| **byte == b'\\').count()
}

/// Length of what a backslash escapes: a byte, or `u` and four digits.
fn escaped_len(input: &[u8], at: usize) -> usize {
    match input.get(at..) {
        Some([b'u', digits @ ..]) => {
            let hex = |byte: &&u8| byte.is_ascii_hexdigit();
            1 + digits.iter().take(4).take_while(hex).count()
        }
        Some([_, ..]) => 1,
        _ => 0,
    }
}

/// Letters, digits and the underscore: what a bounded token may not touch.
pub(super) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// What names of variables, keys and headers are made of.
const fn is_name(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'-' | b'.')
}
