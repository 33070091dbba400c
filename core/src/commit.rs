//! Commitments to a record's content (`spec/record.md`, "Body", "Evidence").
//!
//! Content is committed part by part under salts that one 32-byte secret per
//! record yields. A part can be disclosed with its salt and checked; dropping
//! the secret erases the content while every proof stays valid. Salts matter:
//! commands and exit codes can be guessed.

use crate::hash::{Context, Digest, Hasher};
use alloc::vec::Vec;

/// One of the four groups a body has, in their fixed order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// What the built-in gates read.
    Facts,
    /// Paths behind the path ids.
    Paths,
    /// Commands behind the runs.
    Commands,
    /// Prompts, messages, other prose.
    Texts,
}

impl Group {
    /// The groups in order.
    pub const ALL: [Self; 4] = [Self::Facts, Self::Paths, Self::Commands, Self::Texts];

    /// The group's place, and its number in commitments.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The group's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Facts => "facts",
            Self::Paths => "paths",
            Self::Commands => "commands",
            Self::Texts => "texts",
        }
    }

    /// The group of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|g| g.name() == name)
    }
}

/// The salt of one group.
#[must_use]
pub fn group_salt(secret: &Digest, group: Group) -> Digest {
    Hasher::new(Context::GroupSalt)
        .fixed(secret)
        .number(group.index() as u64)
        .finish()
}

/// The commitment to one group; `None` is an absent group, which differs from
/// an empty one.
#[must_use]
pub fn group_commitment(salt: &Digest, group: Group, bytes: Option<&[u8]>) -> Digest {
    match bytes {
        None => absent_group(group),
        Some(bytes) => Hasher::new(Context::GroupCommitment)
            .fixed(salt)
            .number(group.index() as u64)
            .sized(bytes)
            .finish(),
    }
}

/// The commitment to an absent group. It is not salted: absence is no secret.
#[must_use]
pub fn absent_group(group: Group) -> Digest {
    Hasher::new(Context::GroupAbsent)
        .number(group.index() as u64)
        .finish()
}

/// The root over the four commitments.
#[must_use]
pub fn body_root(commitments: &[Digest; 4]) -> Digest {
    commitments
        .iter()
        .fold(Hasher::new(Context::BodyRoot), |h, c| h.fixed(c))
        .finish()
}

/// The salt of one evidence item.
#[must_use]
pub fn evidence_salt(secret: &Digest, index: u64) -> Digest {
    Hasher::new(Context::EvidenceSalt)
        .fixed(secret)
        .number(index)
        .finish()
}

/// The commitment to one evidence item, uncompressed and after redaction.
#[must_use]
pub fn evidence_commitment(salt: &Digest, index: u64, bytes: &[u8]) -> Digest {
    Hasher::new(Context::EvidenceCommitment)
        .fixed(salt)
        .number(index)
        .sized(bytes)
        .finish()
}

/// The root over the evidence commitments, their count first.
#[must_use]
pub fn evidence_root(commitments: &[Digest]) -> Digest {
    commitments
        .iter()
        .fold(
            Hasher::new(Context::EvidenceRoot).number(commitments.len() as u64),
            |h, c| h.fixed(c),
        )
        .finish()
}

/// What a record holds besides its header.
#[derive(Debug, Clone, PartialEq, Eq, Default, bincode::Encode, bincode::Decode)]
pub struct Content {
    /// The groups, `None` where absent. Each is UTF-8 JSON, stored verbatim.
    pub groups: [Option<Vec<u8>>; 4],
    /// Raw payloads and excerpts, uncompressed.
    pub evidence: Vec<Vec<u8>>,
}

impl Content {
    /// Content with facts alone.
    #[must_use]
    pub fn of_facts(facts: Vec<u8>) -> Self {
        Self {
            groups: [Some(facts), None, None, None],
            evidence: Vec::new(),
        }
    }

    /// One group's bytes.
    #[must_use]
    pub fn group(&self, group: Group) -> Option<&[u8]> {
        self.groups.get(group.index())?.as_deref()
    }

    /// The commitments that this content has under a secret.
    #[must_use]
    pub fn commitments(&self, secret: &Digest) -> Commitments {
        let group = |g: Group| group_commitment(&group_salt(secret, g), g, self.group(g));
        let evidence = self
            .evidence
            .iter()
            .zip(0u64..)
            .map(|(bytes, i)| evidence_commitment(&evidence_salt(secret, i), i, bytes))
            .collect();
        Commitments {
            groups: Group::ALL.map(group),
            evidence,
        }
    }
}

/// Commitments to one record's content: what stays when content is erased.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Commitments {
    /// Of the four groups.
    pub groups: [Digest; 4],
    /// Of each evidence item.
    pub evidence: Vec<Digest>,
}

impl Commitments {
    /// The header's body root.
    #[must_use]
    pub fn body_root(&self) -> Digest {
        body_root(&self.groups)
    }

    /// The header's evidence root.
    #[must_use]
    pub fn evidence_root(&self) -> Digest {
        evidence_root(&self.evidence)
    }
}
