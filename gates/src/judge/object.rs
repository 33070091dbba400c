//! Objects in a text that is not quite JSON.
//!
//! Models write fences and prose around an object, quote with apostrophes and
//! leave commas behind. What is read here is only: where an object begins and
//! ends, and the members of its outermost level.

use alloc::string::String;
use alloc::vec::Vec;
use core::str::Chars;

/// Objects that are read of one text.
const MAX_OBJECTS: usize = 16;

/// One member of the outermost level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member {
    name: String,
    /// The value, where it is a string.
    pub(super) text: Option<String>,
}

impl Member {
    /// Whether it has that name, in whatever case.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

/// The text ended within an object, or has too many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut;

/// The outermost objects of a text.
pub(super) fn objects(text: &str) -> Result<Vec<Vec<Member>>, Cut> {
    let mut found = Vec::new();
    let mut rest = text.chars();
    while rest.any(|c| c == '{') {
        if found.len() >= MAX_OBJECTS {
            return Err(Cut);
        }
        found.push(object(&mut rest)?);
    }
    Ok(found)
}

/// Where a reader stands in the outermost level of an object.
enum At {
    /// Before a name.
    Name,
    /// After a name, before its value.
    Value(String),
    /// After a value's first piece: more pieces make it no string.
    After,
}

fn object(rest: &mut Chars<'_>) -> Result<Vec<Member>, Cut> {
    let mut members: Vec<Member> = Vec::new();
    let mut at = At::Name;
    let mut depth = 0usize;
    loop {
        let next = rest.next().ok_or(Cut)?;
        match next {
            '"' | '\'' => {
                let text = string(rest, next)?;
                if depth == 0 {
                    at = piece(at, Some(text), &mut members);
                }
            }
            '{' | '[' => {
                if depth == 0 {
                    at = piece(at, None, &mut members);
                }
                depth = depth.saturating_add(1);
            }
            '}' if depth == 0 => return Ok(members),
            '}' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => at = At::Name,
            c if c.is_whitespace() || c == ':' || depth > 0 => {}
            _ => at = piece(at, None, &mut members),
        }
    }
}

/// Takes a string, or something else, of the outermost level.
fn piece(at: At, text: Option<String>, members: &mut Vec<Member>) -> At {
    match (at, text) {
        (At::Name, Some(name)) => At::Value(name),
        (At::Value(name), text) => {
            members.push(Member { name, text });
            At::After
        }
        (At::After, _) => {
            if let Some(last) = members.last_mut() {
                last.text = None;
            }
            At::After
        }
        (At::Name, None) => At::Name,
    }
}

/// The rest of a string, up to the quote that began it.
fn string(rest: &mut Chars<'_>, quote: char) -> Result<String, Cut> {
    let mut text = String::new();
    loop {
        match rest.next().ok_or(Cut)? {
            c if c == quote => return Ok(text),
            '\\' => match rest.next().ok_or(Cut)? {
                'n' | 't' | 'r' => text.push(' '),
                c => text.push(c),
            },
            c => text.push(c),
        }
    }
}
