//! Looking into a receipt without judging it. Nothing here is ever green.

use crate::encode::without_green;
use crate::envelope::Envelope;
use crate::row::{Known, State};
use crate::statement::{Statement, StatementError};
use crate::verify::open::{self, OpenError};
use crate::verify::records::{Records, assemble};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use data_encoding::BASE64;
use receipt_core::commit::Group;
use receipt_core::record::Kind;
use serde::Serialize;
use serde_json::Value;

/// What a receipt says of itself. Nothing of it was checked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shown {
    /// Always `false`: this looks, it does not judge.
    pub checked: bool,
    /// The statement.
    pub statement: Value,
    /// Key ids of the signatures.
    pub signatures: Vec<String>,
    /// The identity key that the file names.
    pub identity: String,
    /// The checkpoint's note.
    pub checkpoint: String,
    /// The profile.
    pub profile: String,
    /// The records of the range.
    pub records: Vec<ShownRecord>,
    /// Later records of the stream.
    pub tail: Vec<ShownRecord>,
}

/// A record as it can be shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownRecord {
    /// Its position in the ledger.
    pub seq: u64,
    /// Its kind.
    pub kind: String,
    /// Its flag bits.
    pub flags: u32,
    /// Wall clock, microseconds since 1970.
    pub time_us: u64,
    /// The groups, in order.
    pub groups: Vec<ShownGroup>,
    /// Evidence items that are disclosed, as text where they are text.
    pub evidence: Vec<Option<String>>,
}

/// One group of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownGroup {
    /// Its name.
    pub name: &'static str,
    /// `disclosed`, `withheld` or `absent`.
    pub state: &'static str,
    /// Its text, where disclosed.
    pub text: Option<String>,
}

/// Why a file cannot be shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShowError {
    /// It is no receipt.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Its payload is not base64.
    #[error("the payload is not canonical padded base64")]
    Payload,
    /// Its payload is no statement.
    #[error(transparent)]
    Statement(#[from] StatementError),
    /// A record cannot be put together.
    #[error("{0}")]
    Records(String),
}

/// A receipt taken apart. Nothing of it was checked.
pub(crate) struct Opened {
    pub(crate) envelope: Envelope,
    pub(crate) payload: Vec<u8>,
    pub(crate) statement: Statement,
    pub(crate) records: Records,
}

impl Opened {
    /// Takes a file apart.
    pub(crate) fn read(file: &[u8]) -> Result<Self, ShowError> {
        let envelope = open::envelope(file)?;
        let payload = BASE64
            .decode(envelope.payload.as_bytes())
            .map_err(|_| ShowError::Payload)?;
        let statement = Statement::parse(&payload)?;
        let records = assemble(&envelope.receipt, &statement).map_err(ShowError::Records)?;
        Ok(Self {
            envelope,
            payload,
            statement,
            records,
        })
    }
}

/// Looks into a receipt.
///
/// # Errors
/// [`ShowError`] where the file is too damaged to be shown.
pub fn show(file: &[u8]) -> Result<Shown, ShowError> {
    let Opened {
        envelope,
        payload,
        records,
        ..
    } = Opened::read(file)?;
    let keyids = envelope.signatures.iter().map(|s| s.keyid.clone());
    Ok(Shown {
        checked: false,
        statement: serde_json::from_slice(&payload).unwrap_or_default(),
        signatures: keyids.collect(),
        identity: envelope.receipt.identity.clone(),
        checkpoint: envelope.receipt.checkpoint.clone(),
        profile: envelope.receipt.profile.clone(),
        records: listed(&records.range),
        tail: listed(&records.tail),
    })
}

fn listed(records: &[Known]) -> Vec<ShownRecord> {
    records.iter().map(record).collect()
}

fn record(known: &Known) -> ShownRecord {
    let header = &known.signed.header;
    let kind = header.kind().map(Kind::name);
    let text = |item: &Option<Vec<u8>>| {
        let bytes = item.as_deref()?;
        Some(String::from_utf8_lossy(bytes).into_owned())
    };
    ShownRecord {
        seq: header.seq,
        kind: kind.map_or_else(|| header.kind.to_string(), str::to_string),
        flags: header.flags,
        time_us: header.wall_us,
        groups: Group::ALL.into_iter().map(|g| group(known, g)).collect(),
        evidence: known.evidence.iter().map(text).collect(),
    }
}

fn group(known: &Known, group: Group) -> ShownGroup {
    let (state, text) = match known.group(group) {
        State::Absent => ("absent", None),
        State::Withheld => ("withheld", None),
        State::Open(text) => ("disclosed", Some(text.clone())),
    };
    ShownGroup {
        name: group.name(),
        state,
        text,
    }
}

impl Shown {
    /// The receipt as text. It begins with the words that nothing was checked.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::from("NOT CHECKED: this is what the file says of itself\n");
        let pretty = serde_json::to_string_pretty(&self.statement).unwrap_or_default();
        text.push_str(&format!("identity {}\n", clean(&self.identity)));
        text.push_str(&format!("\nStatement\n{}\n", lines(&pretty)));
        text.push_str(&format!("\nCheckpoint\n{}\n", lines(&self.checkpoint)));
        text.push_str(&format!("\nProfile\n{}\n\nRecords\n", lines(&self.profile)));
        for record in &self.records {
            text.push_str(&record.text());
        }
        text.push_str(&format!("\nLater records: {}\n", self.tail.len()));
        for record in &self.tail {
            text.push_str(&record.text());
        }
        without_green(&text)
    }
}

impl ShownRecord {
    fn text(&self) -> String {
        let seconds = self.time_us / 1_000_000;
        let mut text = format!("  #{} {} at {seconds}\n", self.seq, clean(&self.kind));
        for group in self.groups.iter().filter(|g| g.state != "absent") {
            let content = group.text.as_deref().unwrap_or(group.state);
            text.push_str(&format!("     {}: {}\n", group.name, clean(content)));
        }
        for item in self.evidence.iter().flatten() {
            text.push_str(&format!("     evidence: {}\n", clean(item)));
        }
        text
    }
}

/// Text without control characters, so that no file drives a terminal.
fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if is_hidden(c) { '?' } else { c })
        .collect()
}

/// Control characters, and those that turn the direction of writing.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|l| format!("  {}", clean(l))).collect();
    lines.join("\n")
}
