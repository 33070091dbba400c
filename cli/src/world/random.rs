//! The system's randomness.

use crate::error::Error;

/// 32 random bytes.
///
/// # Errors
/// A fault where the system has no randomness.
pub(crate) fn bytes32() -> Result<[u8; 32], Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|e| Error::fault(format!("no randomness: {e}")))?;
    Ok(bytes)
}

/// A random number.
///
/// # Errors
/// A fault where the system has no randomness.
pub(crate) fn id() -> Result<u128, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|e| Error::fault(format!("no randomness: {e}")))?;
    Ok(u128::from_le_bytes(bytes))
}
