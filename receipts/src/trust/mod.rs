//! The trust file: OpenSSH `allowed_signers` (`spec/trust.md`).
//!
//! It pins identity keys. A key inside a receipt never makes anything green.

mod key;
mod line;
mod pattern;
mod revoked;
mod time;

pub use revoked::Revoked;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use receipt_core::key::{KeyError, PublicKey};
use receipt_core::limits::MAX_TRUST_FILE;

/// The namespace that a line must allow if it names any.
pub const NAMESPACE: &str = "receipt";

/// A parsed trust file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrustFile {
    entries: Vec<Entry>,
    notes: Vec<Note>,
}

/// One pinned key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The line, from 1.
    pub line: usize,
    /// The principals, as the file has them.
    pub principals: String,
    /// The key.
    pub key: PublicKey,
    /// Namespace patterns, if the line names any.
    pub namespaces: Option<String>,
    /// Seconds since 1970 from which the line is valid.
    pub valid_after: Option<u64>,
    /// Seconds since 1970 up to which the line is valid.
    pub valid_before: Option<u64>,
}

/// A line that pins nothing, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The line, from 1.
    pub line: usize,
    /// Why it was skipped.
    pub why: &'static str,
}

/// A trust file that is refused as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("trust file, line {line}: {why}")]
pub struct TrustError {
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong with it.
    pub why: Wrong,
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// The file is larger than the limit.
    #[error("the file is larger than {MAX_TRUST_FILE} bytes")]
    TooLarge,
    /// No key stands where one must.
    #[error("no key")]
    NoKey,
    /// An option that OpenSSH does not know, or one given twice.
    #[error("an unknown or repeated option")]
    Option,
    /// A quotation mark is missing.
    #[error("an unclosed quotation")]
    Quote,
    /// A time is not `YYYYMMDD[HHMM[SS]][Z]`.
    #[error("a malformed time")]
    Time,
    /// The key's base64 or its inner form is malformed.
    #[error("a malformed ssh-ed25519 key")]
    Encoding,
    /// The key is refused by the vetting of `spec/record.md`.
    #[error("a refused key: {0}")]
    Key(KeyError),
}

/// What a trust file says about a key at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pin {
    /// It is pinned; these are its principals.
    Valid(String),
    /// There is no key in the file at all.
    Empty,
    /// The file does not have the key.
    Unknown,
    /// The file has it, but not for the namespace `receipt`.
    OtherNamespace,
    /// The file has it, but it is not valid yet.
    Early,
    /// The file has it, but it is no longer valid.
    Late,
}

impl TrustFile {
    /// Reads a trust file. A file without keys is no error: it trusts nobody.
    ///
    /// # Errors
    /// [`TrustError`] naming the first line that cannot be understood, and any
    /// line with a weak or malformed ed25519 key.
    pub fn parse(text: &str) -> Result<Self, TrustError> {
        if text.len() > MAX_TRUST_FILE {
            let why = Wrong::TooLarge;
            return Err(TrustError { line: 0, why });
        }
        let mut file = Self::default();
        for (content, number) in text.lines().zip(1..) {
            match line::parse(content) {
                Ok(line::Line::Blank) => {}
                Ok(line::Line::Skipped(why)) => file.notes.push(Note { line: number, why }),
                Ok(line::Line::Key(entry)) => file.entries.push(Entry {
                    line: number,
                    ..*entry
                }),
                Err(why) => return Err(TrustError { line: number, why }),
            }
        }
        Ok(file)
    }

    /// The pinned keys, in the order of the file.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The lines that pin nothing.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// What the file says about a key at a time. One valid line is enough.
    #[must_use]
    pub fn pin(&self, key: &PublicKey, now_us: u64) -> Pin {
        if self.entries.is_empty() {
            return Pin::Empty;
        }
        let mut best = Pin::Unknown;
        for entry in self.entries.iter().filter(|e| &e.key == key) {
            match entry.pin(now_us / 1_000_000) {
                valid @ Pin::Valid(_) => return valid,
                other => best = other,
            }
        }
        best
    }
}

impl Entry {
    fn pin(&self, now: u64) -> Pin {
        let namespaces = self.namespaces.as_deref();
        if namespaces.is_some_and(|list| !pattern::list_matches(list, NAMESPACE)) {
            Pin::OtherNamespace
        } else if self.valid_after.is_some_and(|after| now < after) {
            Pin::Early
        } else if self.valid_before.is_some_and(|before| now > before) {
            Pin::Late
        } else {
            Pin::Valid(crate::encode::shown(&self.principals))
        }
    }
}

/// A line that pins an identity key for receipts.
///
/// Characters that OpenSSH could not read back are left out of the principal.
#[must_use]
pub fn allowed_signers_line(identity: &PublicKey, principal: &str) -> String {
    let clean: String = principal
        .chars()
        .filter(|c| !c.is_control() && !matches!(c, '"' | '\\'))
        .collect();
    let clean = clean.trim();
    let name = match clean {
        "" => NAMESPACE.to_string(),
        name if name.starts_with('#') || name.contains(char::is_whitespace) => {
            format!("\"{name}\"")
        }
        name => name.to_string(),
    };
    format!(
        "{name} namespaces=\"{NAMESPACE}\" {} {}\n",
        key::ED25519,
        key::encode(identity)
    )
}
