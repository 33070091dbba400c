//! The facts of a `prune` record (`spec/record.md`, "Prune").
//!
//! They say by a rule whose content was erased, so that an audit can tell
//! erased content from lost content, however many records the rule names.

use crate::hash::{Digest, digest_from_hex, hex};
use crate::json::strict;
use crate::record::{Header, LEDGER_STREAM};
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// Which records' content goes. The ledger's own stream is never named: its
/// facts are needed to verify others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PruneRule {
    /// Records with `wall_us` below this.
    pub before_us: u64,
    /// Records with `seq` below this: the size when the rule was written.
    pub up_to: u64,
    /// Only records of these streams; of all where empty.
    pub streams: Vec<Digest>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    prune: Body,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    before_us: u64,
    up_to: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    streams: Vec<String>,
}

impl PruneRule {
    /// Whether the rule names this record.
    #[must_use]
    pub fn names(&self, header: &Header) -> bool {
        header.stream != LEDGER_STREAM
            && header.wall_us < self.before_us
            && header.seq < self.up_to
            && (self.streams.is_empty() || self.streams.contains(&header.stream))
    }

    /// The facts of the record that tells of it.
    #[must_use]
    pub fn facts(&self) -> Vec<u8> {
        let facts = Facts {
            prune: Body {
                before_us: self.before_us,
                up_to: self.up_to,
                streams: self.streams.iter().map(|s| hex(s)).collect(),
            },
        };
        // Integers and strings: serialising them cannot fail.
        serde_json::to_vec(&facts).unwrap_or_default()
    }

    /// Reads such facts; `None` where they are anything else.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        strict::parse(bytes).ok()?;
        let Facts { prune } = serde_json::from_slice(bytes).ok()?;
        Some(Self {
            before_us: prune.before_us,
            up_to: prune.up_to,
            streams: prune
                .streams
                .iter()
                .map(|s| digest_from_hex(s))
                .collect::<Option<_>>()?,
        })
    }
}
