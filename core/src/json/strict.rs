//! Reads the JSON that is signed: anything two readers could disagree on is refused.
//!
//! Refused are invalid UTF-8, a byte order mark, trailing bytes, duplicate keys,
//! floats and exponents, integers beyond ±2^53, escapes of half a surrogate pair
//! and nesting deeper than [`MAX_JSON_DEPTH`] (spec/record.md, "Body").

use crate::limits::MAX_JSON_DEPTH;
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::{Map, Value};

/// Largest magnitude of an integer: what every JSON reader holds exactly.
pub const MAX_INTEGER: i64 = 1 << 53;

/// Why signed JSON was refused; offsets count bytes from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StrictError {
    /// The bytes are not UTF-8.
    #[error("invalid UTF-8 at byte {at}")]
    NotUtf8 {
        /// Where the first invalid sequence begins.
        at: usize,
    },
    /// The text begins with a byte order mark.
    #[error("byte order mark")]
    ByteOrderMark,
    /// The text ended inside a value.
    #[error("unexpected end at byte {at}")]
    Truncated {
        /// Length of the text.
        at: usize,
    },
    /// A byte that cannot stand here.
    #[error("unexpected byte at {at}")]
    Unexpected {
        /// Where it stands.
        at: usize,
    },
    /// A string with a control character, a bad escape or half a surrogate pair.
    #[error("malformed string at byte {at}")]
    BadString {
        /// Where its opening quote stands.
        at: usize,
    },
    /// A number that is no integer within ±2^53 in its shortest form.
    #[error("number at byte {at} is not an integer within 2^53")]
    BadNumber {
        /// Where it begins.
        at: usize,
    },
    /// The same key twice in one object.
    #[error("duplicate key at byte {at}")]
    DuplicateKey {
        /// Where the second one begins.
        at: usize,
    },
    /// Nested deeper than [`MAX_JSON_DEPTH`].
    #[error("nested too deep at byte {at}")]
    TooDeep {
        /// Where the offending bracket stands.
        at: usize,
    },
    /// Bytes after the value.
    #[error("trailing bytes from byte {at}")]
    Trailing {
        /// Where they begin.
        at: usize,
    },
}

/// Reads one JSON value, strictly.
///
/// # Errors
///
/// The first thing found that is not allowed.
pub fn parse(bytes: &[u8]) -> Result<Value, StrictError> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(StrictError::ByteOrderMark);
    }
    core::str::from_utf8(bytes).map_err(|error| StrictError::NotUtf8 {
        at: error.valid_up_to(),
    })?;
    let mut scanner = Scanner { bytes, at: 0 };
    scanner.skip_space();
    let value = scanner.value(0)?;
    scanner.skip_space();
    match scanner.peek() {
        None => Ok(value),
        Some(_) => Err(StrictError::Trailing { at: scanner.at }),
    }
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn unexpected(&self) -> StrictError {
        match self.peek() {
            Some(_) => StrictError::Unexpected { at: self.at },
            None => StrictError::Truncated { at: self.at },
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), StrictError> {
        if self.peek() == Some(byte) {
            self.at += 1;
            return Ok(());
        }
        Err(self.unexpected())
    }

    fn value(&mut self, depth: usize) -> Result<Value, StrictError> {
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.integer(),
            Some(b't') => self.word(b"true", Value::Bool(true)),
            Some(b'f') => self.word(b"false", Value::Bool(false)),
            Some(b'n') => self.word(b"null", Value::Null),
            _ => Err(self.unexpected()),
        }
    }

    fn word(&mut self, word: &[u8], value: Value) -> Result<Value, StrictError> {
        word.iter().try_for_each(|byte| self.expect(*byte))?;
        Ok(value)
    }

    fn enter(&mut self, depth: usize) -> Result<usize, StrictError> {
        if depth >= MAX_JSON_DEPTH {
            return Err(StrictError::TooDeep { at: self.at });
        }
        self.at += 1;
        self.skip_space();
        Ok(depth + 1)
    }

    fn array(&mut self, depth: usize) -> Result<Value, StrictError> {
        let depth = self.enter(depth)?;
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(items));
        }
        loop {
            items.push(self.value(depth)?);
            if self.closed_by(b']')? {
                return Ok(Value::Array(items));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, StrictError> {
        let depth = self.enter(depth)?;
        let mut members = Map::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(members));
        }
        loop {
            let at = self.at;
            let key = self.string()?;
            self.skip_space();
            self.expect(b':')?;
            self.skip_space();
            let value = self.value(depth)?;
            if members.insert(key, value).is_some() {
                return Err(StrictError::DuplicateKey { at });
            }
            if self.closed_by(b'}')? {
                return Ok(Value::Object(members));
            }
        }
    }

    /// After an item: true at the closing bracket, false after a comma.
    fn closed_by(&mut self, bracket: u8) -> Result<bool, StrictError> {
        self.skip_space();
        if self.peek() == Some(bracket) {
            self.at += 1;
            return Ok(true);
        }
        self.expect(b',')?;
        self.skip_space();
        Ok(false)
    }

    fn string(&mut self) -> Result<String, StrictError> {
        let start = self.at;
        self.expect(b'"')?;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(_) => self.at += 1,
                None => {
                    return Err(StrictError::Truncated {
                        at: self.bytes.len(),
                    });
                }
            }
        }
        self.at += 1;
        let token = self.bytes.get(start..self.at).unwrap_or_default();
        serde_json::from_slice(token).map_err(|_| StrictError::BadString { at: start })
    }

    fn integer(&mut self) -> Result<Value, StrictError> {
        let start = self.at;
        let bad = StrictError::BadNumber { at: start };
        while matches!(
            self.peek(),
            Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')
        ) {
            self.at += 1;
        }
        let token = self.bytes.get(start..self.at).unwrap_or_default();
        let digits = token.strip_prefix(b"-").unwrap_or(token);
        let shortest = match digits {
            [b'0'] => token.len() == 1,
            [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
            _ => false,
        };
        if !shortest {
            return Err(bad);
        }
        let text = core::str::from_utf8(token).map_err(|_| bad)?;
        let number: i64 = text.parse().map_err(|_| bad)?;
        if number.unsigned_abs() > MAX_INTEGER.unsigned_abs() {
            return Err(bad);
        }
        Ok(Value::from(number))
    }
}
