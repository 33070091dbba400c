//! OpenSSH's encoding of ed25519 public keys (RFC 4253, section 6.6; RFC 8709).

use super::Wrong;
use alloc::string::String;
use alloc::vec::Vec;
use data_encoding::BASE64;
use receipt_core::key::PublicKey;

/// The key type.
pub(super) const ED25519: &str = "ssh-ed25519";

/// Before the 32 bytes of the key: two length-prefixed strings.
const PREFIX: &[u8; 19] = b"\0\0\0\x0bssh-ed25519\0\0\0\x20";

/// The key as base64.
pub(super) fn encode(key: &PublicKey) -> String {
    let mut blob: Vec<u8> = PREFIX.to_vec();
    blob.extend_from_slice(key.as_bytes());
    BASE64.encode(&blob)
}

/// The key of canonical base64, vetted.
pub(super) fn decode(text: &str) -> Result<PublicKey, Wrong> {
    let blob = BASE64
        .decode(text.as_bytes())
        .map_err(|_| Wrong::Encoding)?;
    let bytes = blob.strip_prefix(PREFIX).ok_or(Wrong::Encoding)?;
    let bytes: &[u8; 32] = bytes.try_into().map_err(|_| Wrong::Encoding)?;
    PublicKey::from_bytes(bytes).map_err(Wrong::Key)
}

/// Whether a word is the name of a key type rather than a list of options.
pub(super) fn is_type(word: &str) -> bool {
    let known = ["ssh-", "ecdsa-", "sk-", "webauthn-"];
    !word.contains(['=', ',', '"']) && known.iter().any(|prefix| word.starts_with(prefix))
}
