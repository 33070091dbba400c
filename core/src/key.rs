//! Keys and signatures (`spec/record.md`, "Keys").
//!
//! Only `verify_strict` is used, and a public key is vetted when it enters:
//! canonical encoding, not weak, free of torsion. One pinned *identity* key
//! signs the keys that do the daily work, one for each use.

use crate::hash::{Context, Digest, hash};
use alloc::string::String;
use alloc::vec::Vec;
use ed25519_dalek::{Signer, VerifyingKey};

/// A signature, as 64 bytes.
pub type Signature = [u8; 64];

/// What a key may sign. The number is part of the binding's signed bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// Records.
    Record,
    /// Statements about verdicts, in receipts.
    Verdict,
    /// Checkpoints.
    Checkpoint,
}

impl Use {
    /// All uses, in the order of the genesis record.
    pub const ALL: [Self; 3] = [Self::Record, Self::Verdict, Self::Checkpoint];

    /// The name in the genesis record.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Verdict => "verdict",
            Self::Checkpoint => "checkpoint",
        }
    }

    /// The use of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|u| u.name() == name)
    }

    const fn number(self) -> u8 {
        match self {
            Self::Record => 1,
            Self::Verdict => 2,
            Self::Checkpoint => 3,
        }
    }
}

/// Why a public key is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Not a canonical encoding of a curve point.
    #[error("the bytes are no canonical ed25519 public key")]
    NotCanonical,
    /// A point of small order: it would verify anything.
    #[error("the key is weak (small order)")]
    Weak,
    /// The point has a torsion component: verifiers would disagree.
    #[error("the key is of mixed order")]
    MixedOrder,
}

/// A vetted public key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl core::fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "PublicKey({})", crate::hash::hex(self.as_bytes()))
    }
}

impl PublicKey {
    /// Vets the bytes.
    ///
    /// # Errors
    /// [`KeyError`] where the key is not canonical, weak or of mixed order.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, KeyError> {
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| KeyError::NotCanonical)?;
        let point = key.to_edwards();
        if point.compress().as_bytes() != bytes {
            return Err(KeyError::NotCanonical);
        }
        if key.is_weak() {
            return Err(KeyError::Weak);
        }
        if !point.is_torsion_free() {
            return Err(KeyError::MixedOrder);
        }
        Ok(Self(key))
    }

    /// The 32 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// The key's id in record headers.
    #[must_use]
    pub fn id(&self) -> Digest {
        hash(Context::KeyId, self.as_bytes())
    }

    /// Whether the signature over the message is this key's, strictly.
    #[must_use]
    pub fn verifies(&self, message: &[u8], signature: &Signature) -> bool {
        let signature = ed25519_dalek::Signature::from_bytes(signature);
        self.0.verify_strict(message, &signature).is_ok()
    }
}

/// A private key.
#[derive(Clone)]
pub struct PrivateKey(ed25519_dalek::SigningKey);

impl core::fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("PrivateKey(..)")
    }
}

/// The bytes before the seed in a PKCS#8 version 1 file (RFC 8410, section 7).
const PKCS8_PREFIX: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];
const PEM_BEGIN: &str = "-----BEGIN PRIVATE KEY-----";
const PEM_END: &str = "-----END PRIVATE KEY-----";

/// Why a private key file is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PemError {
    /// Not one PEM block of a private key.
    #[error("not a PEM file with one PRIVATE KEY block")]
    NotPem,
    /// Not PKCS#8 version 1 with an ed25519 seed.
    #[error("not an ed25519 key in PKCS#8 version 1")]
    NotPkcs8,
    /// The seed is all zeros: the random source failed when it was made.
    #[error("the seed is all zeros")]
    ZeroSeed,
}

impl PrivateKey {
    /// The key of a 32-byte seed.
    ///
    /// # Errors
    /// [`PemError::ZeroSeed`] for the all-zero seed.
    pub fn from_seed(seed: &[u8; 32]) -> Result<Self, PemError> {
        if seed == &[0; 32] {
            return Err(PemError::ZeroSeed);
        }
        Ok(Self(ed25519_dalek::SigningKey::from_bytes(seed)))
    }

    /// The public half. Vetting is not needed: it was computed from the seed.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// The seed, for writing the key in another form.
    #[must_use]
    pub fn seed(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// Signs the message.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Signature {
        self.0.sign(message).to_bytes()
    }

    /// The PKCS#8 version 1 PEM text. Version 2 would be refused by OpenSSL.
    #[must_use]
    pub fn to_pem(&self) -> String {
        let mut der: Vec<u8> = PKCS8_PREFIX.to_vec();
        der.extend_from_slice(self.0.as_bytes());
        let mut text = String::from(PEM_BEGIN);
        text.push('\n');
        text.push_str(&data_encoding::BASE64.encode(&der));
        text.push('\n');
        text.push_str(PEM_END);
        text.push('\n');
        text
    }

    /// Reads a PKCS#8 version 1 PEM text.
    ///
    /// # Errors
    /// [`PemError`] where the text is anything else.
    pub fn from_pem(text: &str) -> Result<Self, PemError> {
        let inner = text
            .trim()
            .strip_prefix(PEM_BEGIN)
            .and_then(|t| t.strip_suffix(PEM_END))
            .ok_or(PemError::NotPem)?;
        let base64: String = inner.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        let der = data_encoding::BASE64
            .decode(base64.as_bytes())
            .map_err(|_| PemError::NotPem)?;
        let seed: &[u8] = der.strip_prefix(&PKCS8_PREFIX).ok_or(PemError::NotPkcs8)?;
        let seed: &[u8; 32] = seed.try_into().map_err(|_| PemError::NotPkcs8)?;
        Self::from_seed(seed)
    }
}

/// The identity key's word that a key serves one use in one ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// What the key may sign.
    pub key_use: Use,
    /// The bound key.
    pub key: PublicKey,
    /// The identity key's signature over [`binding_bytes`].
    pub signature: Signature,
}

impl Binding {
    /// Binds a key to an identity.
    #[must_use]
    pub fn new(identity: &PrivateKey, ledger: &Digest, key_use: Use, key: PublicKey) -> Self {
        let signature = identity.sign(&binding_bytes(ledger, key_use, &key));
        Self {
            key_use,
            key,
            signature,
        }
    }

    /// Whether the identity key signed this binding for this ledger.
    #[must_use]
    pub fn holds(&self, identity: &PublicKey, ledger: &Digest) -> bool {
        identity.verifies(
            &binding_bytes(ledger, self.key_use, &self.key),
            &self.signature,
        )
    }
}

/// The bytes an identity key signs to bind a key:
/// `"receipt-key/v1" 00 ‖ ledger id ‖ use ‖ key`.
#[must_use]
pub fn binding_bytes(ledger: &Digest, key_use: Use, key: &PublicKey) -> Vec<u8> {
    let mut bytes = b"receipt-key/v1\0".to_vec();
    bytes.extend_from_slice(ledger);
    bytes.push(key_use.number());
    bytes.extend_from_slice(key.as_bytes());
    bytes
}

/// The bytes that a new key signs to show that it is held:
/// `"receipt-key-proof/v1" 00 ‖ ledger id ‖ use ‖ key`.
#[must_use]
pub fn proof_bytes(ledger: &Digest, key_use: Use, key: &PublicKey) -> Vec<u8> {
    let mut bytes = b"receipt-key-proof/v1\0".to_vec();
    bytes.extend_from_slice(ledger);
    bytes.push(key_use.number());
    bytes.extend_from_slice(key.as_bytes());
    bytes
}
