//! What the hook process saw of the world: worktree and transcript.

use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The worktree at one moment, as the hook process saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotSeen {
    /// Why it was taken.
    pub moment: Moment,
    /// Git tree id, hexadecimal; absent where none could be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
    /// Why there is no tree: `no-repository`, `time`, `git`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Commit that the worktree stands on, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// What changed since earlier trees of this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diffs: Vec<DiffSeen>,
    /// Path ids of edited code files that are there and not in the tree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<String>,
    /// Not all edited paths were looked for.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub unasked: bool,
}

/// What the client's transcript of the turn confirms, as the hook process read
/// it at a stop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranscriptSeen {
    /// It was read from the turn's beginning to its end; else nothing follows
    /// from what is missing.
    pub whole: bool,
    /// Records of passes whose call has no result there, or another one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unconfirmed: Vec<u64>,
    /// No prompt there waives verification.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub no_waiver: bool,
}

/// When a snapshot was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// Before the turn's first call that may write.
    Write,
    /// Before a call that contains a check.
    Check,
    /// At a stop request.
    Stop,
}

/// The difference from an earlier tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffSeen {
    /// The earlier tree.
    pub from: String,
    /// Code files that differ. Files that are no code are left out.
    pub files: Vec<DiffFile>,
    /// More files differ than are listed.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub more: bool,
}

/// One differing code file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffFile {
    /// Path id.
    pub path: String,
    /// Language family.
    pub language: String,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
    /// Lines that count ([`crate::source::lines`]), the larger of both where
    /// the text was not looked at.
    pub lines: u64,
    /// It is a file of tests.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub test: bool,
    /// Git blob id of the new content; absent for a deleted file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
}
