//! One line of an `allowed_signers` file.

use super::{Entry, Wrong, key, time};
use alloc::boxed::Box;
use alloc::string::{String, ToString};

/// What a line is.
#[derive(Debug)]
pub(super) enum Line {
    Blank,
    Skipped(&'static str),
    Key(Box<Entry>),
}

pub(super) fn parse(line: &str) -> Result<Line, Wrong> {
    let line = line.trim_matches([' ', '\t', '\r']);
    if line.is_empty() || line.starts_with('#') {
        return Ok(Line::Blank);
    }
    let (principals, rest) = word(line)?;
    let (next, after) = word(rest)?;
    let (options, (kind, rest)) = if key::is_type(next) {
        (Options::default(), (next, after))
    } else {
        (Options::parse(next)?, word(after)?)
    };
    let (blob, _comment) = word(rest)?;
    if !key::is_type(kind) || blob.is_empty() {
        return Err(Wrong::NoKey);
    }
    if kind != key::ED25519 {
        return Ok(Line::Skipped("another key type than ssh-ed25519"));
    }
    let key = key::decode(blob)?;
    if options.authority {
        return Ok(Line::Skipped("a certificate authority"));
    }
    Ok(Line::Key(Box::new(Entry {
        line: 0,
        principals: principals.trim_matches('"').to_string(),
        key,
        namespaces: options.namespaces,
        valid_after: options.valid_after,
        valid_before: options.valid_before,
    })))
}

/// The first word and the rest. Blanks inside quotation marks do not end it.
fn word(text: &str) -> Result<(&str, &str), Wrong> {
    let text = text.trim_start_matches([' ', '\t']);
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ' ' | '\t' if !quoted => return Ok(text.split_at_checked(at).unwrap_or((text, ""))),
            _ => {}
        }
    }
    if quoted {
        return Err(Wrong::Quote);
    }
    Ok((text, ""))
}

#[derive(Default)]
struct Options {
    authority: bool,
    namespaces: Option<String>,
    valid_after: Option<u64>,
    valid_before: Option<u64>,
}

impl Options {
    /// Reads comma-separated options; their names are of any case.
    fn parse(mut text: &str) -> Result<Self, Wrong> {
        let mut options = Self::default();
        while !text.is_empty() {
            let (option, rest) = first_option(text);
            options.set(option)?;
            text = rest;
        }
        Ok(options)
    }

    fn set(&mut self, option: &str) -> Result<(), Wrong> {
        if option.eq_ignore_ascii_case("cert-authority") {
            self.authority = true;
            return Ok(());
        }
        let (name, value) = option.split_once('=').ok_or(Wrong::Option)?;
        let value = value
            .strip_prefix('"')
            .and_then(|v| v.strip_suffix('"'))
            .filter(|v| !v.contains('"'))
            .ok_or(Wrong::Option)?;
        let repeated = if name.eq_ignore_ascii_case("namespaces") {
            self.namespaces.replace(value.to_string()).is_some()
        } else if name.eq_ignore_ascii_case("valid-after") {
            let (_, latest) = time::parse(value).ok_or(Wrong::Time)?;
            self.valid_after.replace(latest).is_some()
        } else if name.eq_ignore_ascii_case("valid-before") {
            let (earliest, _) = time::parse(value).ok_or(Wrong::Time)?;
            self.valid_before.replace(earliest).is_some()
        } else {
            true
        };
        if repeated { Err(Wrong::Option) } else { Ok(()) }
    }
}

/// Splits at the first comma outside quotation marks.
fn first_option(text: &str) -> (&str, &str) {
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                let (option, rest) = text.split_at_checked(at).unwrap_or((text, ""));
                return (option, rest.strip_prefix(',').unwrap_or(rest));
            }
            _ => {}
        }
    }
    (text, "")
}
