//! Making a record out of a draft and a place in the chain.

use crate::commit::{Commitments, Content};
use crate::hash::Digest;
use crate::key::PrivateKey;
use crate::record::{Header, Kind, Signed, VERSION};

/// What is to be recorded, before it has a place.
#[derive(Debug, Clone)]
pub struct Draft {
    /// What the record is.
    pub kind: Kind,
    /// Flag bits.
    pub flags: u32,
    /// The stream it belongs to.
    pub stream: Digest,
    /// The hook process's event id, or zero.
    pub client_event: u128,
    /// When the hook process began, microseconds since 1970, or zero.
    pub client_us: u64,
    /// Digest of the redaction policy applied at capture.
    pub policy: Digest,
    /// 32 random bytes from which all salts of this record come.
    pub secret: Digest,
    /// The content.
    pub content: Content,
}

/// Where a record goes, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The ledger.
    pub ledger: Digest,
    /// Position in the ledger.
    pub seq: u64,
    /// Link to the record before.
    pub prev: Digest,
    /// Position in the stream.
    pub stream_seq: u64,
    /// Link to the record before in the stream.
    pub stream_prev: Digest,
    /// The service's clocks.
    pub time: Time,
}

/// One reading of the clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Time {
    /// Wall clock, microseconds since 1970.
    pub wall_us: u64,
    /// Monotonic clock, nanoseconds since boot.
    pub mono_ns: u64,
    /// Which boot.
    pub boot: u128,
}

/// A whole record, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Header and signature.
    pub signed: Signed,
    /// Commitments to the content.
    pub commitments: Commitments,
    /// The content and its secret; `None` once pruned.
    pub disclosure: Option<Disclosure>,
}

/// A record's content with the secret that opens its commitments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disclosure {
    /// The secret.
    pub secret: Digest,
    /// The content.
    pub content: Content,
}

/// Why a record does not hang together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The commitments do not yield the header's roots.
    #[error("the commitments do not match the header")]
    Roots,
    /// The content does not yield the commitments.
    #[error("the content does not match its commitments")]
    Content,
}

/// Seals a draft at a place with the record key.
#[must_use]
pub fn seal(draft: Draft, place: Place, key: &PrivateKey) -> Record {
    let commitments = draft.content.commitments(&draft.secret);
    let header = Header {
        version: VERSION,
        kind: draft.kind.number(),
        flags: draft.flags,
        ledger: place.ledger,
        seq: place.seq,
        prev: place.prev,
        stream: draft.stream,
        stream_seq: place.stream_seq,
        stream_prev: place.stream_prev,
        wall_us: place.time.wall_us,
        mono_ns: place.time.mono_ns,
        boot: place.time.boot,
        client_us: draft.client_us,
        client_event: draft.client_event,
        body_root: commitments.body_root(),
        evidence_root: commitments.evidence_root(),
        policy: draft.policy,
        key: key.public().id(),
    };
    Record {
        signed: Signed::sign(header, key),
        commitments,
        disclosure: Some(Disclosure {
            secret: draft.secret,
            content: draft.content,
        }),
    }
}

impl Record {
    /// The header.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.signed.header
    }

    /// The facts, unless pruned or absent.
    #[must_use]
    pub fn facts(&self) -> Option<&[u8]> {
        let disclosure = self.disclosure.as_ref()?;
        disclosure.content.group(crate::commit::Group::Facts)
    }

    /// Checks content against commitments, and commitments against the header.
    ///
    /// # Errors
    /// [`RecordError`] naming which of the two does not match.
    pub fn check(&self) -> Result<(), RecordError> {
        let header = self.header();
        if self.commitments.body_root() != header.body_root
            || self.commitments.evidence_root() != header.evidence_root
        {
            return Err(RecordError::Roots);
        }
        match &self.disclosure {
            Some(d) if d.content.commitments(&d.secret) != self.commitments => {
                Err(RecordError::Content)
            }
            _ => Ok(()),
        }
    }
}
