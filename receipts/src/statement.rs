//! The signed statement: in-toto Statement v1 (`spec/receipt.md`, "Statement").

use crate::envelope::{MAX_VALUES, count_values};
use crate::tier::Tier;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use receipt_core::hash::{Digest, digest_from_hex, hex};
use receipt_core::json::strict;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The statement type.
pub const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";

/// The predicate type.
pub const PREDICATE_TYPE: &str = "urn:receipt:gate-verdict:v1";

/// What a receipt states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// What it is about: worktree, commit, records.
    pub subjects: Vec<Named>,
    /// The ledger.
    pub ledger: Digest,
    /// The stream.
    pub stream: Digest,
    /// The range of records.
    pub records: Range,
    /// The record that holds the verdict.
    pub verdict_record: u64,
    /// Size of the checkpoint's tree.
    pub size: u64,
    /// Root of the checkpoint's tree.
    pub root: Digest,
    /// How the ledger was kept.
    pub tier: Tier,
    /// The verdict record's `verdict` object, as it stands there.
    pub verdict: Value,
}

/// A subject: a name with digests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// `worktree`, `commit` or `records`.
    pub name: String,
    /// Digest by algorithm.
    pub digest: BTreeMap<String, String>,
}

/// A range of records of one stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    /// Ledger position of the first.
    pub first: u64,
    /// Ledger position of the last.
    pub last: u64,
    /// How many there are.
    pub count: u64,
}

/// Why a payload is no statement that can be judged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StatementError {
    /// Not strict JSON.
    #[error("the statement is not strict JSON: {0}")]
    Json(#[from] strict::StrictError),
    /// Another statement type, predicate type or tier.
    #[error("the {0} is not known to this version")]
    Unknown(&'static str),
    /// A member is missing or has another form.
    #[error("the statement is malformed: {0}")]
    Malformed(&'static str),
}

#[derive(Deserialize)]
struct Parsed {
    subject: Vec<Named>,
    predicate: Predicate,
}

#[derive(Deserialize)]
struct Predicate {
    ledger: String,
    stream: String,
    records: Range,
    verdict_record: u64,
    checkpoint: Tree,
    tier: String,
    verdict: Value,
}

#[derive(Deserialize)]
struct Tree {
    size: u64,
    root: String,
}

impl Statement {
    /// The payload's bytes. They are written once and never made again.
    #[must_use]
    pub fn to_payload(&self) -> Vec<u8> {
        let statement = json!({
            "_type": STATEMENT_TYPE,
            "subject": self.subjects,
            "predicateType": PREDICATE_TYPE,
            "predicate": {
                "ledger": hex(&self.ledger),
                "stream": hex(&self.stream),
                "records": self.records,
                "verdict_record": self.verdict_record,
                "checkpoint": { "size": self.size, "root": hex(&self.root) },
                "tier": self.tier.word(),
                "verdict": self.verdict,
            },
        });
        // A value made of strings and numbers: serialising it cannot fail.
        serde_json::to_vec(&statement).unwrap_or_default()
    }

    /// Reads a payload.
    ///
    /// # Errors
    /// [`StatementError`]. Unknown members are no error: they can only add.
    pub fn parse(payload: &[u8]) -> Result<Self, StatementError> {
        if count_values(payload) > MAX_VALUES {
            return Err(StatementError::Malformed("it has too many values"));
        }
        let value = strict::parse(payload)?;
        let says = |member: &str| value.get(member).and_then(Value::as_str);
        if says("_type") != Some(STATEMENT_TYPE) {
            return Err(StatementError::Unknown("statement type"));
        }
        if says("predicateType") != Some(PREDICATE_TYPE) {
            return Err(StatementError::Unknown("predicate type"));
        }
        let parsed: Parsed = serde_json::from_value(value)
            .map_err(|_| StatementError::Malformed("a member is missing or of another type"))?;
        let predicate = parsed.predicate;
        let digest =
            |text: &str, what| digest_from_hex(text).ok_or(StatementError::Malformed(what));
        Ok(Self {
            subjects: parsed.subject,
            ledger: digest(&predicate.ledger, "ledger")?,
            stream: digest(&predicate.stream, "stream")?,
            records: predicate.records,
            verdict_record: predicate.verdict_record,
            size: predicate.checkpoint.size,
            root: digest(&predicate.checkpoint.root, "checkpoint root")?,
            tier: Tier::from_word(&predicate.tier).ok_or(StatementError::Unknown("tier"))?,
            verdict: predicate.verdict,
        })
    }
}

/// The subjects that a verdict and a digest of its records call for.
///
/// `None` where the verdict names a tree or commit that is no git object id.
#[must_use]
pub fn subjects(verdict: &Value, records: &Digest) -> Option<Vec<Named>> {
    let named = |name: &str, algorithm: &str, digest: String| Named {
        name: name.to_string(),
        digest: BTreeMap::from([(algorithm.to_string(), digest)]),
    };
    let mut subjects = Vec::new();
    for (member, name, algorithm) in [
        ("tree", "worktree", "gitTree"),
        ("commit", "commit", "gitCommit"),
    ] {
        match verdict.get(member) {
            None => {}
            Some(Value::String(id)) if is_object_id(id) => {
                subjects.push(named(name, algorithm, id.clone()));
            }
            Some(_) => return None,
        }
    }
    subjects.push(named("records", "sha256", hex(records)));
    Some(subjects)
}

/// Whether a text is a git object id: 40 or 64 lower-case hexadecimal digits.
#[must_use]
pub fn is_object_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}
