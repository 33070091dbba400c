//! Every bound on input, in one place. All are checked before decoding.

/// Largest hook payload that is recorded whole; the rest is cut and flagged.
/// 50 MB payloads have been seen; a record must stay quick to hash and send.
pub const MAX_PAYLOAD: usize = 16 << 20;

/// Largest body group, in bytes. Facts of a 10,000-segment command stay below.
pub const MAX_GROUP: usize = 4 << 20;

/// Largest encoded record with content, in bytes.
pub const MAX_RECORD: usize = 64 << 20;

/// Most evidence items in one record.
pub const MAX_EVIDENCE_ITEMS: usize = 64;

/// Largest receipt file, in bytes (`spec/receipt.md`, "Limits").
pub const MAX_RECEIPT: usize = 16 << 20;

/// Most records in one receipt.
pub const MAX_RECEIPT_RECORDS: usize = 65_536;

/// Deepest nesting of JSON that is signed or verified.
pub const MAX_JSON_DEPTH: usize = 32;

/// Largest signed note, in bytes.
pub const MAX_NOTE: usize = 64 << 10;

/// Most signature lines in one note (C2SP signed-note asks for at least 16).
pub const MAX_NOTE_SIGNATURES: usize = 64;

/// Most hashes in one Merkle proof: a tree of 2^63 leaves needs 63.
pub const MAX_PROOF: usize = 63;

/// Largest trust file, in bytes.
pub const MAX_TRUST_FILE: usize = 1 << 20;

/// Largest profile file, in bytes.
pub const MAX_PROFILE: usize = 256 << 10;
