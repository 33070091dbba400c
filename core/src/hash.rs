//! Purpose-separated hashing (`spec/record.md`, "Contexts").
//!
//! Every blake3 hash in a ledger is made in key-derivation mode under a
//! context of its own, so that a value made for one purpose can never pass
//! for another.

use alloc::string::String;

/// 32 bytes of blake3 or SHA-256.
pub type Digest = [u8; 32];

/// What a hash is for. The string is the blake3 context, fixed for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// Ledger id from randomness and identity key.
    LedgerId,
    /// Stream id from agent and session id.
    StreamId,
    /// Link to the record before: its header and signature.
    RecordLink,
    /// Salt of one body group, from the record's secret.
    GroupSalt,
    /// Commitment to one body group that is present.
    GroupCommitment,
    /// Commitment to one body group that is absent.
    GroupAbsent,
    /// Root over the four group commitments.
    BodyRoot,
    /// Salt of one evidence item, from the record's secret.
    EvidenceSalt,
    /// Commitment to one evidence item.
    EvidenceCommitment,
    /// Root over all evidence commitments.
    EvidenceRoot,
    /// Key id from a public key.
    KeyId,
    /// Digest of a redaction policy's text.
    RedactionPolicy,
    /// Digest of a profile's bytes.
    Profile,
    /// Secret of one stream, from the ledger's secret.
    StreamSecret,
    /// Keyed id of a path component, a test name, a stub line or a call.
    KeyedId,
    /// Repository id from the absolute path of its worktree.
    RepositoryId,
    /// Name of a socket or folder, from the path it stands for.
    ShortName,
    /// Equality of redacted payloads when duplicates are looked for.
    Payload,
    /// Digest of one note in a receipt's bundle or a journal frame.
    Frame,
    /// Digest of what a judge was asked.
    JudgePrompt,
}

impl Context {
    /// The context string.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::LedgerId => "receipt 2026-11 ledger-id v1",
            Self::StreamId => "receipt 2026-11 stream-id v1",
            Self::RecordLink => "receipt 2026-11 record-link v1",
            Self::GroupSalt => "receipt 2026-11 group-salt v1",
            Self::GroupCommitment => "receipt 2026-11 group-commitment v1",
            Self::GroupAbsent => "receipt 2026-11 group-absent v1",
            Self::BodyRoot => "receipt 2026-11 body-root v1",
            Self::EvidenceSalt => "receipt 2026-11 evidence-salt v1",
            Self::EvidenceCommitment => "receipt 2026-11 evidence-commitment v1",
            Self::EvidenceRoot => "receipt 2026-11 evidence-root v1",
            Self::KeyId => "receipt 2026-11 key-id v1",
            Self::RedactionPolicy => "receipt 2026-11 redaction-policy v1",
            Self::Profile => "receipt 2026-11 profile v1",
            Self::StreamSecret => "receipt 2026-11 stream-secret v1",
            Self::KeyedId => "receipt 2026-11 keyed-id v1",
            Self::RepositoryId => "receipt 2026-11 repository-id v1",
            Self::ShortName => "receipt 2026-11 short-name v1",
            Self::Payload => "receipt 2026-11 payload v1",
            Self::Frame => "receipt 2026-11 frame v1",
            Self::JudgePrompt => "receipt 2026-11 judge-prompt v1",
        }
    }
}

/// A hash under a context, fed part by part.
#[derive(Debug, Clone)]
pub struct Hasher(blake3::Hasher);

impl Hasher {
    /// Starts a hash for this purpose.
    #[must_use]
    pub fn new(context: Context) -> Self {
        Self(blake3::Hasher::new_derive_key(context.as_str()))
    }

    /// Adds bytes of a fixed, known length.
    #[must_use]
    pub fn fixed(mut self, bytes: &[u8]) -> Self {
        self.0.update(bytes);
        self
    }

    /// Adds an integer as eight little-endian bytes.
    #[must_use]
    pub fn number(self, value: u64) -> Self {
        self.fixed(&value.to_le_bytes())
    }

    /// Adds bytes of any length, their length first.
    #[must_use]
    pub fn sized(self, bytes: &[u8]) -> Self {
        self.number(bytes.len() as u64).fixed(bytes)
    }

    /// The hash.
    #[must_use]
    pub fn finish(self) -> Digest {
        *self.0.finalize().as_bytes()
    }
}

/// Hash of one fixed-length value.
#[must_use]
pub fn hash(context: Context, bytes: &[u8]) -> Digest {
    Hasher::new(context).fixed(bytes).finish()
}

/// Lower-case hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(bytes)
}

/// The 32 bytes of 64 lower-case hexadecimal digits.
#[must_use]
pub fn digest_from_hex(text: &str) -> Option<Digest> {
    if text.len() != 64 {
        return None;
    }
    data_encoding::HEXLOWER
        .decode(text.as_bytes())
        .ok()?
        .try_into()
        .ok()
}
