//! Steps 1 to 3: from bytes to an envelope, within limits.

use super::log::{Checked, Failure, seen};
use super::outcome::Fault;
use crate::bundle::{VERSION, has_null_member};
use crate::encode::shown;
use crate::envelope::{Envelope, MAX_VALUES, count_values};
use alloc::format;
use alloc::string::{String, ToString};
use receipt_core::json::strict::{self, StrictError};
use receipt_core::limits::MAX_RECEIPT;
use serde_json::Value;

/// Why bytes are no receipt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// Larger than the limit. It was not looked at.
    #[error("{0} bytes or more, larger than a receipt can be")]
    TooLarge(usize),
    /// More JSON values than the limit.
    #[error("up to {0} JSON values, more than a receipt can have")]
    TooMany(usize),
    /// Not one line with a final newline.
    #[error("not one line with a final newline")]
    Line,
    /// Not strict JSON.
    #[error("{0}")]
    Json(#[from] StrictError),
    /// Another version of the receipt member.
    #[error("receipt version {0}")]
    Version(u64),
    /// A member is missing, unknown or of another form.
    #[error("{0}")]
    Shape(String),
}

/// The envelope of a file.
pub(crate) fn envelope(file: &[u8]) -> Result<Envelope, OpenError> {
    check_size(file)?;
    shape(value(file)?)
}

/// Checked before anything is decoded or allocated.
fn check_size(file: &[u8]) -> Result<(), OpenError> {
    if file.len() > MAX_RECEIPT {
        return Err(OpenError::TooLarge(file.len()));
    }
    Ok(())
}

fn value(file: &[u8]) -> Result<Value, OpenError> {
    let line = file.strip_suffix(b"\n").ok_or(OpenError::Line)?;
    let framed = line.starts_with(b"{") && line.ends_with(b"}");
    if !framed || line.iter().any(|b| matches!(b, b'\n' | b'\r')) {
        return Err(OpenError::Line);
    }
    let count = count_values(line);
    if count > MAX_VALUES {
        return Err(OpenError::TooMany(count));
    }
    Ok(strict::parse(line)?)
}

fn shape(value: Value) -> Result<Envelope, OpenError> {
    let bundle = value.get("receipt").unwrap_or(&Value::Null);
    match bundle.get("version").and_then(Value::as_u64) {
        Some(VERSION) | None => {}
        Some(other) => return Err(OpenError::Version(other)),
    }
    if has_null_member(bundle) {
        return Err(OpenError::Shape("a member of the receipt is null".into()));
    }
    serde_json::from_value(value).map_err(|e| OpenError::Shape(shown(&e.to_string())))
}

/// Step 1.
pub(super) fn step_size(file: &[u8]) -> Checked<()> {
    check_size(file).map_err(|e| Failure::new(Fault::Unreadable, e.to_string()))?;
    seen((), format!("{} bytes", file.len()))
}

/// Step 2.
pub(super) fn step_json(file: &[u8]) -> Checked<Value> {
    match value(file) {
        Ok(value) => seen(value, "strict JSON"),
        Err(error) => Err(Failure::invalid(error.to_string())),
    }
}

/// Step 3.
pub(super) fn step_envelope(value: Value) -> Checked<Envelope> {
    match shape(value) {
        Ok(envelope) => seen(envelope, "an envelope of version 1"),
        Err(error @ OpenError::Version(_)) => {
            Err(Failure::new(Fault::Unsupported, error.to_string()))
        }
        Err(error) => Err(Failure::invalid(error.to_string())),
    }
}
