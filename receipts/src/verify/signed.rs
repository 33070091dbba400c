//! Steps 4 to 6 and 10: the payload, the statement and its signature.

use super::log::{Checked, Failure, seen};
use super::outcome::Fault;
use crate::encode::shown;
use crate::envelope::{Envelope, MAX_SIGNATURES, PAYLOAD_TYPE, pre_authentication};
use crate::statement::{Statement, StatementError};
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use data_encoding::BASE64;
use receipt_core::hash::hex;
use receipt_core::key::{Signature, Use};
use receipt_core::keychain::KeyChain;

/// Step 4.
pub(super) fn step_payload(envelope: &Envelope) -> Checked<Vec<u8>> {
    match BASE64.decode(envelope.payload.as_bytes()) {
        Ok(payload) => {
            let found = format!("{} bytes", payload.len());
            seen(payload, found)
        }
        Err(_) => Err(Failure::invalid("not canonical padded base64")),
    }
}

/// Step 5.
pub(super) fn step_payload_type(envelope: &Envelope) -> Checked<()> {
    if envelope.payload_type != PAYLOAD_TYPE {
        return Err(Failure::invalid(shown(&envelope.payload_type)));
    }
    seen((), PAYLOAD_TYPE)
}

/// Step 6.
pub(super) fn step_statement(payload: &[u8]) -> Checked<Statement> {
    match Statement::parse(payload) {
        Ok(statement) => {
            let range = statement.records;
            let found = format!("a verdict on records #{} to #{}", range.first, range.last);
            seen(statement, found)
        }
        Err(error @ StatementError::Unknown(_)) => {
            Err(Failure::new(Fault::Unsupported, error.to_string()))
        }
        Err(error) => Err(Failure::invalid(error.to_string())),
    }
}

/// Step 10. The key id only selects the signature; the bound key decides.
pub(super) fn step_signature(
    envelope: &Envelope,
    payload: &[u8],
    keys: &KeyChain,
    size: u64,
) -> Checked<()> {
    if envelope.signatures.len() > MAX_SIGNATURES {
        return Err(Failure::invalid("too many signatures"));
    }
    let key = keys
        .at(Use::Verdict, size.saturating_sub(1))
        .ok_or_else(|| Failure::invalid("no verdict key"))?;
    let id = hex(&key.id());
    let mut by_key = envelope.signatures.iter().filter(|s| s.keyid == id);
    let (Some(line), None) = (by_key.next(), by_key.next()) else {
        return Err(Failure::invalid("not exactly one signature by that key").expected(id));
    };
    let signature: Option<Signature> = BASE64
        .decode(line.sig.as_bytes())
        .ok()
        .and_then(|bytes| bytes.try_into().ok());
    let message = pre_authentication(PAYLOAD_TYPE, payload);
    match signature {
        Some(signature) if key.verifies(&message, &signature) => seen((), format!("key {id}")),
        _ => Err(Failure::invalid("the signature does not hold").expected(format!("key {id}"))),
    }
}
