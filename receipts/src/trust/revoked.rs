//! A list of keys that are believed no more (`spec/trust.md`, "Revocation").

use super::key;
use super::line::{self, Line};
use super::{MAX_TRUST_FILE, TrustError, Wrong};
use alloc::format;
use alloc::vec::Vec;
use receipt_core::key::PublicKey;

/// Keys that are believed no more, whoever pins them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Revoked(Vec<PublicKey>);

impl Revoked {
    /// Reads a list of public keys, one a line, as `ssh-keygen -Y verify -r` does.
    ///
    /// # Errors
    /// [`TrustError`] naming the first line that cannot be understood: it might
    /// have been a revocation.
    pub fn parse(text: &str) -> Result<Self, TrustError> {
        if text.len() > MAX_TRUST_FILE {
            let why = Wrong::TooLarge;
            return Err(TrustError { line: 0, why });
        }
        let mut keys = Vec::new();
        for (content, number) in text.lines().zip(1..) {
            let refused = |why| TrustError { line: number, why };
            if content.trim_start().starts_with('#') || content.trim().is_empty() {
                continue;
            }
            let first = content.split_whitespace().next().unwrap_or_default();
            if !key::is_type(first) {
                return Err(refused(Wrong::NoKey));
            }
            // A signer's line without the signer.
            match line::parse(&format!("* {}", content.trim_start())) {
                Ok(Line::Key(entry)) => keys.push(entry.key),
                // Of another type: no such key signs a receipt.
                Ok(Line::Blank | Line::Skipped(_)) => {}
                Err(why) => return Err(refused(why)),
            }
        }
        Ok(Self(keys))
    }

    /// Whether a key is in the list.
    #[must_use]
    pub fn has(&self, key: &PublicKey) -> bool {
        self.0.contains(key)
    }
}
