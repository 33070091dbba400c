//! Text forms of bytes inside a receipt, and of foreign text in a report.

use alloc::string::String;
use alloc::vec::Vec;
use data_encoding::BASE64URL_NOPAD;
use receipt_core::hash::Digest;

/// Unpadded base64url.
pub(crate) fn base64url(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
}

/// The bytes of unpadded base64url; `None` for anything not canonical.
pub(crate) fn bytes(text: &str) -> Option<Vec<u8>> {
    BASE64URL_NOPAD.decode(text.as_bytes()).ok()
}

/// Exactly `N` bytes of unpadded base64url. Longer text is not even decoded.
pub(crate) fn array<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != BASE64URL_NOPAD.encode_len(N) {
        return None;
    }
    bytes(text)?.try_into().ok()
}

/// A list of hashes.
pub(crate) fn hashes(proof: &[Digest]) -> Vec<String> {
    proof.iter().map(|hash| base64url(hash)).collect()
}

/// Longest foreign text shown, in characters.
const MAX_SHOWN: usize = 64;

/// Foreign text as a report shows it: short, printable, and never the green word.
pub(crate) fn shown(text: &str) -> String {
    let mut out: String = text.chars().take(MAX_SHOWN).map(printable).collect();
    if text.chars().nth(MAX_SHOWN).is_some() {
        out.push('~');
    }
    without_green(&out)
}

fn printable(c: char) -> char {
    if c.is_ascii_graphic() || c == ' ' {
        c
    } else {
        '?'
    }
}

/// The text with the result word of a good receipt in small letters.
pub(crate) fn without_green(text: &str) -> String {
    text.replace("VERIFIED", "verified")
}
