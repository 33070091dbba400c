//! Facts of a stop request, and of what a model says of its message.

use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A stop request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StopSeen {
    /// A stop hook blocked earlier for this prompt.
    pub active: bool,
    /// Background tasks still running.
    pub background: u64,
    /// Claims of the final message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<ClaimSeen>,
    /// The message ends by asking the user.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub question: bool,
    /// The message has a phrase of completion.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub completion: bool,
}

/// Claims of one kind in the final message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimSeen {
    /// `tests-pass`, `build-passes`, ...
    pub kind: String,
    /// It says that it is not so.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub negated: bool,
    /// It is a plan, a condition, a guess, or somebody else's word.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub hedged: bool,
    /// It speaks of a part of the checks only.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub part: bool,
    /// The runner it names, as far as a runner's canonical name begins so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// A number it names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
}

/// A model's judgement of the final message (`spec/judge.md`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Judged {
    /// `pass`, `fail`, `unparseable` or `error`.
    pub verdict: String,
    /// Of an error, which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The model's name.
    pub model: String,
    /// The model's digest, by the backend's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Digest of the prompt, hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// From the call to the reply.
    pub milliseconds: u64,
    /// Tokens of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<u64>,
    /// Tokens of the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<u64>,
}
