//! The payload: read to its end, kept up to the limit.

use receipt_core::limits::MAX_PAYLOAD;
use std::io::Read;

/// What came in.
pub(crate) struct Input {
    /// The payload, up to the limit.
    pub(crate) bytes: Vec<u8>,
    /// There was more.
    pub(crate) cut: bool,
}

/// Reads standard input to its end, so that the agent never meets a closed pipe.
pub(crate) fn read() -> Input {
    let mut stdin = std::io::stdin().lock();
    let mut bytes = Vec::with_capacity(16 << 10);
    // An error ends the input: what came before it is kept.
    let _ = stdin
        .by_ref()
        .take(MAX_PAYLOAD as u64)
        .read_to_end(&mut bytes);
    let rest = std::io::copy(&mut stdin, &mut std::io::sink()).unwrap_or(0);
    Input {
        bytes,
        cut: rest > 0,
    }
}
