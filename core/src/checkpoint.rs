//! Checkpoints: C2SP signed notes over the tree's size and root
//! (`spec/checkpoint.md`; C2SP signed-note v1.0.0 and tlog-checkpoint v1.0.0).

use crate::hash::{Digest, digest_from_hex, hex};
use crate::key::{PrivateKey, PublicKey, Signature};
use crate::limits::{MAX_NOTE, MAX_NOTE_SIGNATURES};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use data_encoding::BASE64;
use sha2::{Digest as _, Sha256};

/// What every origin begins with.
pub const ORIGIN_PREFIX: &str = "receipt-ledger/";

/// The signature type of an ed25519 note signature (C2SP signed-note).
const NOTE_ED25519: u8 = 1;

/// Size and root of a ledger's tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checkpoint {
    /// The ledger.
    pub ledger: Digest,
    /// Number of records.
    pub size: u64,
    /// Root of the tree.
    pub root: Digest,
}

/// Why a note is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    /// Larger than the limit.
    #[error("the note is larger than {MAX_NOTE} bytes")]
    TooLarge,
    /// Not UTF-8, a control character, no blank line, or no final newline.
    #[error("the note's text is malformed")]
    Text,
    /// A signature line is malformed, or there are too many.
    #[error("a signature line of the note is malformed")]
    SignatureLine,
    /// The three checkpoint lines are not origin, size and root.
    #[error("the note is no checkpoint of a receipt ledger")]
    Checkpoint,
    /// The expected key's signature is missing.
    #[error("the note is not signed by the expected checkpoint key")]
    Unsigned,
    /// The expected key's signature does not verify.
    #[error("the expected key's signature does not verify")]
    BadSignature,
}

impl Checkpoint {
    /// The origin line of a ledger, also the name of its checkpoint key.
    #[must_use]
    pub fn origin(ledger: &Digest) -> String {
        format!("{ORIGIN_PREFIX}{}", hex(ledger))
    }

    /// The note's text, which is what is signed.
    #[must_use]
    pub fn text(&self) -> String {
        let origin = Self::origin(&self.ledger);
        format!("{origin}\n{}\n{}\n", self.size, BASE64.encode(&self.root))
    }

    /// The signed note.
    #[must_use]
    pub fn sign(&self, key: &PrivateKey) -> String {
        let text = self.text();
        let name = Self::origin(&self.ledger);
        let mut blob = key_id(&name, &key.public()).to_vec();
        blob.extend_from_slice(&key.sign(text.as_bytes()));
        format!("{text}\n\u{2014} {name} {}\n", BASE64.encode(&blob))
    }

    /// Reads a note and checks the checkpoint key's signature on it.
    ///
    /// Signatures by other keys are ignored, as C2SP asks.
    ///
    /// # Errors
    /// [`NoteError`] where the note is malformed or that key did not sign it.
    pub fn open(note: &str, key: &PublicKey) -> Result<Self, NoteError> {
        let (text, signatures) = parse_note(note)?;
        let checkpoint = Self::parse(text)?;
        let name = Self::origin(&checkpoint.ledger);
        let id = key_id(&name, key);
        let mut found = false;
        for line in signatures
            .iter()
            .filter(|s| s.name == name && s.key_id == id)
        {
            if !key.verifies(text.as_bytes(), &line.signature) {
                return Err(NoteError::BadSignature);
            }
            found = true;
        }
        if found {
            Ok(checkpoint)
        } else {
            Err(NoteError::Unsigned)
        }
    }

    /// Reads the three lines of a checkpoint, without trusting them.
    ///
    /// # Errors
    /// [`NoteError::Checkpoint`] where they are anything else.
    pub fn parse(text: &str) -> Result<Self, NoteError> {
        let body = text.strip_suffix('\n').ok_or(NoteError::Checkpoint)?;
        let mut lines = body.split('\n');
        let (Some(origin), Some(size), Some(root), None) =
            (lines.next(), lines.next(), lines.next(), lines.next())
        else {
            return Err(NoteError::Checkpoint);
        };
        let ledger = origin
            .strip_prefix(ORIGIN_PREFIX)
            .and_then(crate::hash::digest_from_hex)
            .ok_or(NoteError::Checkpoint)?;
        let number: u64 = size.parse().map_err(|_| NoteError::Checkpoint)?;
        if number.to_string() != size || number > i64::MAX.unsigned_abs() {
            return Err(NoteError::Checkpoint);
        }
        let root = BASE64
            .decode(root.as_bytes())
            .ok()
            .and_then(|bytes| Digest::try_from(bytes).ok())
            .ok_or(NoteError::Checkpoint)?;
        Ok(Self {
            ledger,
            size: number,
            root,
        })
    }
}

/// The C2SP key id: SHA-256(name, LF, type, key), first four bytes. A hint.
#[must_use]
pub fn key_id(name: &str, key: &PublicKey) -> [u8; 4] {
    let hash: Digest = Sha256::new()
        .chain_update(name)
        .chain_update([b'\n', NOTE_ED25519])
        .chain_update(key.as_bytes())
        .finalize()
        .into();
    let [a, b, c, d, ..] = hash;
    [a, b, c, d]
}

/// The C2SP verifier key text: name, key id and typed key.
#[must_use]
pub fn verifier_key(ledger: &Digest, key: &PublicKey) -> String {
    let name = Checkpoint::origin(ledger);
    let mut typed = Vec::from([NOTE_ED25519]);
    typed.extend_from_slice(key.as_bytes());
    format!(
        "{name}+{}+{}",
        hex(&key_id(&name, key)),
        BASE64.encode(&typed)
    )
}

/// A C2SP verifier key of a ledger's checkpoints: what others pin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifierKey {
    ledger: Digest,
    key: PublicKey,
}

impl VerifierKey {
    /// Reads the text of [`verifier_key`]; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (name, rest) = text.split_once('+')?;
        let (_, typed) = rest.split_once('+')?;
        let ledger = digest_from_hex(name.strip_prefix(ORIGIN_PREFIX)?)?;
        let typed = BASE64.decode(typed.as_bytes()).ok()?;
        let (NOTE_ED25519, key) = typed.split_first().map(|(t, key)| (*t, key))? else {
            return None;
        };
        let key = PublicKey::from_bytes(key.try_into().ok()?).ok()?;
        (verifier_key(&ledger, &key) == text).then_some(Self { ledger, key })
    }

    /// Opens a note of this ledger that this key signed.
    ///
    /// # Errors
    /// As [`Checkpoint::open`]; [`NoteError::Checkpoint`] for another ledger's.
    pub fn open(&self, note: &str) -> Result<Checkpoint, NoteError> {
        let checkpoint = Checkpoint::open(note, &self.key)?;
        if checkpoint.ledger == self.ledger {
            Ok(checkpoint)
        } else {
            Err(NoteError::Checkpoint)
        }
    }
}

impl core::fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&verifier_key(&self.ledger, &self.key))
    }
}

struct SignatureLine {
    name: String,
    key_id: [u8; 4],
    signature: Signature,
}

/// Splits a note into its text (with the final newline) and signature lines.
fn parse_note(note: &str) -> Result<(&str, Vec<SignatureLine>), NoteError> {
    if note.len() > MAX_NOTE {
        return Err(NoteError::TooLarge);
    }
    if note.chars().any(|c| c.is_control() && c != '\n') {
        return Err(NoteError::Text);
    }
    let middle = note.rfind("\n\n").ok_or(NoteError::Text)?;
    let (text, rest) = note
        .split_at_checked(middle.saturating_add(1))
        .ok_or(NoteError::Text)?;
    let lines = rest
        .strip_prefix('\n')
        .and_then(|r| r.strip_suffix('\n'))
        .ok_or(NoteError::Text)?;
    if lines.split('\n').count() > MAX_NOTE_SIGNATURES {
        return Err(NoteError::SignatureLine);
    }
    let signatures = lines
        .split('\n')
        .filter_map(|line| signature_line(line).transpose())
        .collect::<Result<_, _>>()?;
    Ok((text, signatures))
}

/// One signature line; `None` for a well-formed line of another type or length.
fn signature_line(line: &str) -> Result<Option<SignatureLine>, NoteError> {
    let body = line
        .strip_prefix("\u{2014} ")
        .ok_or(NoteError::SignatureLine)?;
    let (name, blob) = body.split_once(' ').ok_or(NoteError::SignatureLine)?;
    if name.is_empty() || name.contains('+') || name.chars().any(char::is_whitespace) {
        return Err(NoteError::SignatureLine);
    }
    let blob = BASE64
        .decode(blob.as_bytes())
        .map_err(|_| NoteError::SignatureLine)?;
    let Some((key_id, signature)) = blob.split_first_chunk::<4>() else {
        return Err(NoteError::SignatureLine);
    };
    Ok(signature.try_into().ok().map(|signature| SignatureLine {
        name: name.to_string(),
        key_id: *key_id,
        signature,
    }))
}
