//! The envelope: DSSE 1.0.2 with one extra member (`spec/receipt.md`, "Envelope").

use crate::bundle::Bundle;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The payload type of every receipt.
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// Most signatures in one envelope.
pub const MAX_SIGNATURES: usize = 64;

/// Most JSON values in one file, counted before any is decoded.
pub const MAX_VALUES: usize = 1 << 21;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Envelope {
    #[serde(rename = "payloadType")]
    pub(crate) payload_type: String,
    pub(crate) payload: String,
    pub(crate) signatures: Vec<Signature>,
    pub(crate) receipt: Bundle,
    /// Members that other tools put beside ours. They mean nothing here.
    #[serde(flatten)]
    pub(crate) other: Map<String, Value>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Signature {
    #[serde(default)]
    pub(crate) keyid: String,
    pub(crate) sig: String,
}

impl Envelope {
    /// The file: one line and a final newline.
    pub(crate) fn to_file(&self) -> Vec<u8> {
        // Strings, numbers and lists: serialising them cannot fail.
        let mut file = serde_json::to_vec(self).unwrap_or_default();
        file.push(b'\n');
        file
    }
}

/// The bytes that are signed: DSSE's pre-authentication encoding.
#[must_use]
pub fn pre_authentication(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes = b"DSSEv1 ".to_vec();
    bytes.extend_from_slice(payload_type.len().to_string().as_bytes());
    bytes.push(b' ');
    bytes.extend_from_slice(payload_type.as_bytes());
    bytes.push(b' ');
    bytes.extend_from_slice(payload.len().to_string().as_bytes());
    bytes.push(b' ');
    bytes.extend_from_slice(payload);
    bytes
}

/// How many JSON values a text can hold at most: it counts brackets, colons and
/// commas outside strings, so that nothing is allocated for a hostile file.
pub(crate) fn count_values(text: &[u8]) -> usize {
    let (mut count, mut quoted, mut escaped) = (1usize, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' | b':' | b',' if !quoted => count = count.saturating_add(1),
            _ => {}
        }
    }
    count
}
