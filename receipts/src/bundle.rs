//! The `receipt` member of the envelope (`spec/receipt.md`, "Bundle").
//!
//! Everything in it is bound by the signed statement; nothing in it is believed
//! for being there. Unknown members are refused, so that no reader overlooks
//! what another one acts on.

use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version that is written and read.
pub(crate) const VERSION: u64 = 1;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bundle {
    pub(crate) version: u64,
    /// The identity key in hexadecimal: a convenience, never trusted.
    pub(crate) identity: String,
    /// The signed note.
    pub(crate) checkpoint: String,
    /// The bytes of the profile in force, as text.
    pub(crate) profile: String,
    pub(crate) genesis: Proved,
    /// Every key record below the checkpoint, in order.
    pub(crate) keys: Vec<Proved>,
    pub(crate) heads: HeadsProved,
    pub(crate) verdict_proof: Vec<String>,
    pub(crate) defaults: Defaults,
    pub(crate) first: First,
    pub(crate) records: Vec<Row>,
    pub(crate) tail: Vec<Row>,
}

/// A record with its inclusion proof.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Proved {
    pub(crate) record: Row,
    pub(crate) proof: Vec<String>,
}

/// The `Heads` record of the checkpoint, with the stream's own entry.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeadsProved {
    pub(crate) record: Row,
    pub(crate) proof: Vec<String>,
    pub(crate) entry: Entry,
}

/// The stream's place in the map of heads.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) stream_seq: u64,
    pub(crate) seq: u64,
    pub(crate) link: String,
    pub(crate) index: u64,
    pub(crate) count: u64,
    pub(crate) proof: Vec<String>,
}

/// Header fields that a listed record has unless it says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Defaults {
    pub(crate) policy: String,
    pub(crate) key: String,
    pub(crate) boot: String,
}

/// Where the range begins in its stream.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct First {
    pub(crate) stream_seq: u64,
    pub(crate) stream_prev: String,
}

/// A record without what is constant or can be computed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) seq: u64,
    pub(crate) kind: u16,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) flags: u32,
    /// `wall_us ‖ mono_ns ‖ client_us ‖ client_event`, as in the header.
    pub(crate) time: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) prev: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stream: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stream_seq: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stream_prev: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) policy: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) boot: Option<String>,
    pub(crate) sig: String,
    /// The four groups, `null` where absent. Not in the tail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) groups: Option<[Option<Part>; 4]>,
    /// The body root, in the tail alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<String>,
    /// Absent where the record has no evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) evidence: Option<Evidence>,
}

/// A group or an evidence item: its commitment, or what opens it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Part {
    Withheld(String),
    Open(Opening),
}

/// Salt and content: `text` for a group, `bytes` in base64url for evidence.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Opening {
    pub(crate) salt: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<String>,
}

/// A record's evidence: its root, or its items.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Evidence {
    Root(String),
    Items(Vec<Part>),
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_zero(flags: &u32) -> bool {
    *flags == 0
}

/// Whether an object in it has a member that is `null`: a member is there with
/// a value or it is not there. Items of a list may be `null`.
pub(crate) fn has_null_member(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.values().any(|v| v.is_null() || has_null_member(v)),
        Value::Array(items) => items.iter().any(has_null_member),
        _ => false,
    }
}
