//! The identity key as OpenSSH writes keys (PROTOCOL.key, RFC 8709).

use data_encoding::BASE64;
use receipt_core::key::{PrivateKey, PublicKey};

const TYPE: &[u8] = b"ssh-ed25519";

/// The whole of a private key file is in blocks of this size (no cipher).
const BLOCK: usize = 8;

fn string(out: &mut Vec<u8>, bytes: &[u8]) {
    let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&len.to_be_bytes());
    out.extend_from_slice(bytes);
}

fn public_blob(key: &PublicKey) -> Vec<u8> {
    let mut blob = Vec::new();
    string(&mut blob, TYPE);
    string(&mut blob, key.as_bytes());
    blob
}

/// `ssh-ed25519 AAAA…`.
pub(crate) fn public(key: &PublicKey) -> String {
    format!("ssh-ed25519 {}", BASE64.encode(&public_blob(key)))
}

/// An unencrypted private key file; `check` is any number.
pub(crate) fn private(key: &PrivateKey, check: u128) -> String {
    let blob = public_blob(&key.public());
    let [a, b, c, d, ..] = check.to_be_bytes();
    let mut inner = vec![a, b, c, d, a, b, c, d];
    string(&mut inner, TYPE);
    string(&mut inner, key.public().as_bytes());
    string(&mut inner, &[key.seed(), *key.public().as_bytes()].concat());
    string(&mut inner, b"receipt");
    let missing = inner
        .len()
        .next_multiple_of(BLOCK)
        .saturating_sub(inner.len());
    inner.extend((1..=u8::MAX).take(missing));
    let mut file = b"openssh-key-v1\0".to_vec();
    for part in [&b"none"[..], b"none", b""] {
        string(&mut file, part);
    }
    file.extend_from_slice(&1u32.to_be_bytes());
    string(&mut file, &blob);
    string(&mut file, &inner);
    let body = BASE64.encode(&file);
    let mut text = "-----BEGIN OPENSSH PRIVATE KEY-----\n".to_owned();
    for line in body.as_bytes().chunks(70) {
        text.push_str(&String::from_utf8_lossy(line));
        text.push('\n');
    }
    text + "-----END OPENSSH PRIVATE KEY-----\n"
}
