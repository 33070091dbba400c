//! What a verification is asked for.

use crate::statement::is_object_id;
use crate::tier::Tier;
use crate::trust::Revoked;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use receipt_core::hash::Digest;
use receipt_gates::verdict::Basis;

/// What a verification is asked for. The default asks for the strictest that
/// needs no knowledge of the verifier's own: basis `checked`, nothing more.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// The verifier's clock, microseconds since 1970.
    pub now_us: u64,
    /// What the receipt is compared with.
    pub subject: Option<Subject>,
    /// Bases of a pass that are accepted besides `checked`.
    pub accept: Vec<Basis>,
    /// Gates that must have decided, in block mode.
    pub require: Vec<String>,
    /// Greatest age of the verdict, by the signer's own clock.
    pub max_age_us: Option<u64>,
    /// Keys that are believed no more.
    pub revoked: Revoked,
    /// The weakest tier that is enough.
    pub tier: Option<Tier>,
    /// A checkpoint that the verifier has from elsewhere.
    pub known: Option<Known>,
}

/// A checkpoint that the verifier has from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The signed note.
    pub note: String,
    /// Proof that the larger tree, its own or the receipt's, continues the
    /// smaller one; at most 63 hashes are of use.
    pub proof: Vec<Digest>,
}

/// A git tree with which a receipt is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject(String);

impl Subject {
    /// The subject of a tree id; `None` unless it is 40 or 64 lower-case
    /// hexadecimal digits.
    #[must_use]
    pub fn tree(id: &str) -> Option<Self> {
        is_object_id(id).then(|| Self(id.to_string()))
    }

    /// The tree id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
