//! The record header and its bytes (`spec/record.md`, "Header").
//!
//! A header is a fixed layout of little-endian integers and 32-byte arrays:
//! exactly what bincode 2 with fixed-width integers yields for [`Header`], and
//! documented byte by byte so that ten lines of any language read it.

use crate::hash::{Context, Digest, Hasher};
use crate::key::{PrivateKey, PublicKey, Signature};
use alloc::vec::Vec;

/// Length of an encoded header.
pub const HEADER_LEN: usize = 336;

/// Length of a leaf: header and signature.
pub const LEAF_LEN: usize = HEADER_LEN + 64;

/// The format version this code writes and reads.
pub const VERSION: u16 = 1;

/// Before the header in the bytes that are signed.
pub const SIGNING_PREFIX: &[u8] = b"receipt-record/v1\0";

/// The stream of records that belong to the ledger itself and to no session.
pub const LEDGER_STREAM: Digest = [0; 32];

/// The fixed part of a record. It stays in clear for ever.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Header {
    /// Format version, [`VERSION`].
    pub version: u16,
    /// What the record is, a [`Kind`] number. Unknown numbers are carried.
    pub kind: u16,
    /// [`Flags`] bits.
    pub flags: u32,
    /// The ledger's id.
    pub ledger: Digest,
    /// Position in the ledger, from 0.
    pub seq: u64,
    /// Link to the record before in the ledger; zeros in the genesis record.
    pub prev: Digest,
    /// The stream: hash of agent and session id, or [`LEDGER_STREAM`].
    pub stream: Digest,
    /// Position in the stream, from 0.
    pub stream_seq: u64,
    /// Link to the record before in the stream; zeros in its first record.
    pub stream_prev: Digest,
    /// The service's wall clock, microseconds since 1970.
    pub wall_us: u64,
    /// The service's monotonic clock, nanoseconds since boot.
    pub mono_ns: u64,
    /// The boot during which `mono_ns` counts.
    pub boot: u128,
    /// When the hook process began, microseconds since 1970, by its own word.
    pub client_us: u64,
    /// Random id of the hook process's event; zero where no hook was involved.
    pub client_event: u128,
    /// Root over the four body group commitments.
    pub body_root: Digest,
    /// Root over the evidence commitments.
    pub evidence_root: Digest,
    /// Digest of the redaction policy applied at capture.
    pub policy: Digest,
    /// Id of the signing key.
    pub key: Digest,
}

/// What a record is. Numbers are never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u16)]
#[allow(
    missing_docs,
    reason = "the names are the glossary's; spec/record.md lists them"
)]
pub enum Kind {
    Genesis = 1,
    Profile = 2,
    Key = 3,
    Heads = 4,
    Gap = 5,
    Recovery = 6,
    Service = 7,
    Prune = 8,
    SessionStarted = 16,
    SessionEnded = 17,
    PromptHuman = 18,
    PromptMachine = 19,
    ToolRequested = 20,
    ToolSucceeded = 21,
    ToolFailed = 22,
    ToolDenied = 23,
    BatchEnded = 24,
    SubagentStarted = 25,
    SubagentStopped = 26,
    StopRequested = 27,
    StopFailed = 28,
    ConfigChanged = 29,
    Compacted = 30,
    Notified = 31,
    Other = 32,
    StopUnanswered = 33,
    Duplicate = 34,
    Snapshot = 48,
    Transcript = 49,
    Judgement = 50,
    VerdictStop = 64,
    VerdictInterim = 65,
}

/// Every kind with its name, in the order of the numbers.
const KINDS: [(Kind, &str); 32] = [
    (Kind::Genesis, "genesis"),
    (Kind::Profile, "profile"),
    (Kind::Key, "key"),
    (Kind::Heads, "heads"),
    (Kind::Gap, "gap"),
    (Kind::Recovery, "recovery"),
    (Kind::Service, "service"),
    (Kind::Prune, "prune"),
    (Kind::SessionStarted, "session-started"),
    (Kind::SessionEnded, "session-ended"),
    (Kind::PromptHuman, "prompt-human"),
    (Kind::PromptMachine, "prompt-machine"),
    (Kind::ToolRequested, "tool-requested"),
    (Kind::ToolSucceeded, "tool-succeeded"),
    (Kind::ToolFailed, "tool-failed"),
    (Kind::ToolDenied, "tool-denied"),
    (Kind::BatchEnded, "batch-ended"),
    (Kind::SubagentStarted, "subagent-started"),
    (Kind::SubagentStopped, "subagent-stopped"),
    (Kind::StopRequested, "stop-requested"),
    (Kind::StopFailed, "stop-failed"),
    (Kind::ConfigChanged, "config-changed"),
    (Kind::Compacted, "compacted"),
    (Kind::Notified, "notified"),
    (Kind::Other, "other"),
    (Kind::StopUnanswered, "stop-unanswered"),
    (Kind::Duplicate, "duplicate"),
    (Kind::Snapshot, "snapshot"),
    (Kind::Transcript, "transcript"),
    (Kind::Judgement, "judgement"),
    (Kind::VerdictStop, "verdict-stop"),
    (Kind::VerdictInterim, "verdict-interim"),
];

impl Kind {
    /// The number in the header.
    #[must_use]
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// The kind of that number, if this version knows it.
    #[must_use]
    pub fn from_number(number: u16) -> Option<Self> {
        KINDS.iter().map(|(k, _)| *k).find(|k| k.number() == number)
    }

    /// The kind's name in the log.
    #[must_use]
    pub fn name(self) -> &'static str {
        KINDS
            .iter()
            .find(|(k, _)| *k == self)
            .map_or("unknown", |(_, name)| name)
    }

    /// The kind of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        KINDS.iter().find(|(_, n)| *n == name).map(|(k, _)| *k)
    }
}

/// Bits of [`Header::flags`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flags;

impl Flags {
    /// Recorded after its time: it came through the spool.
    pub const LATE: u32 = 1;
    /// Taken from the client's transcript, not from a hook.
    pub const FROM_TRANSCRIPT: u32 = 1 << 1;
    /// Reported by the hook process (snapshot, transcript, judgement).
    pub const CLIENT_REPORTED: u32 = 1 << 2;
    /// Happened inside a subagent.
    pub const SUBAGENT: u32 = 1 << 3;
    /// The payload was larger than the limit and cut.
    pub const CUT: u32 = 1 << 4;
    /// The payload was no JSON object.
    pub const MALFORMED: u32 = 1 << 5;
    /// Opens a turn: its facts hold what is carried from the turn before.
    pub const OPENS_TURN: u32 = 1 << 6;
}

/// Why bytes are no header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// Not exactly [`HEADER_LEN`] bytes.
    #[error("a header has {HEADER_LEN} bytes, not {0}")]
    Length(usize),
    /// Written by a later format.
    #[error("header format version {0} is not known here")]
    Version(u16),
}

impl Header {
    /// The header's bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; HEADER_LEN] {
        let mut out = [0; HEADER_LEN];
        // The layout is fixed: encoding into HEADER_LEN bytes cannot fail, which
        // `header_len_is_the_encoded_length` in the tests holds.
        let _ = bincode::encode_into_slice(self, &mut out, config());
        out
    }

    /// Reads a header.
    ///
    /// # Errors
    /// [`HeaderError`] for another length or an unknown version.
    pub fn decode(bytes: &[u8]) -> Result<Self, HeaderError> {
        if bytes.len() != HEADER_LEN {
            return Err(HeaderError::Length(bytes.len()));
        }
        let (header, used): (Self, usize) = bincode::decode_from_slice(bytes, config())
            .map_err(|_| HeaderError::Length(bytes.len()))?;
        if used != bytes.len() {
            return Err(HeaderError::Length(used));
        }
        if header.version != VERSION {
            return Err(HeaderError::Version(header.version));
        }
        Ok(header)
    }

    /// The kind, if this version knows it.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        Kind::from_number(self.kind)
    }

    /// Whether all the given flag bits are set.
    #[must_use]
    pub const fn has(&self, flag: u32) -> bool {
        self.flags & flag == flag
    }
}

/// The one configuration for encoding: fixed-width, little-endian, limited.
#[must_use]
pub const fn config() -> impl bincode::config::Config {
    bincode::config::standard()
        .with_fixed_int_encoding()
        .with_little_endian()
        .with_limit::<{ crate::limits::MAX_RECORD }>()
}

/// A header with its signature: what is chained, and a leaf of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// The header.
    pub header: Header,
    /// The record key's signature over prefix and header.
    pub signature: Signature,
}

impl Signed {
    /// Signs a header.
    #[must_use]
    pub fn sign(header: Header, key: &PrivateKey) -> Self {
        let signature = key.sign(&signing_bytes(&header));
        Self { header, signature }
    }

    /// Whether the key signed this header.
    #[must_use]
    pub fn verifies(&self, key: &PublicKey) -> bool {
        self.header.key == key.id() && key.verifies(&signing_bytes(&self.header), &self.signature)
    }

    /// Header ‖ signature: the leaf of the tree.
    #[must_use]
    pub fn leaf(&self) -> Vec<u8> {
        let mut leaf = self.header.encode().to_vec();
        leaf.extend_from_slice(&self.signature);
        leaf
    }

    /// Reads a leaf.
    ///
    /// # Errors
    /// [`HeaderError`] where the bytes are no leaf.
    pub fn from_leaf(bytes: &[u8]) -> Result<Self, HeaderError> {
        let (head, rest) = bytes
            .split_at_checked(HEADER_LEN)
            .ok_or(HeaderError::Length(bytes.len()))?;
        let signature = rest
            .try_into()
            .map_err(|_| HeaderError::Length(bytes.len()))?;
        let header = Header::decode(head)?;
        Ok(Self { header, signature })
    }

    /// The link that the next record holds.
    #[must_use]
    pub fn link(&self) -> Digest {
        Hasher::new(Context::RecordLink)
            .fixed(&self.leaf())
            .finish()
    }
}

fn signing_bytes(header: &Header) -> Vec<u8> {
    let mut bytes = SIGNING_PREFIX.to_vec();
    bytes.extend_from_slice(&header.encode());
    bytes
}

/// The id of a session's stream.
#[must_use]
pub fn stream_id(agent: &str, session: &str) -> Digest {
    Hasher::new(Context::StreamId)
        .sized(agent.as_bytes())
        .sized(session.as_bytes())
        .finish()
}

/// The id of a ledger.
#[must_use]
pub fn ledger_id(random: &[u8; 32], identity: &PublicKey) -> Digest {
    Hasher::new(Context::LedgerId)
        .fixed(random)
        .fixed(identity.as_bytes())
        .finish()
}
