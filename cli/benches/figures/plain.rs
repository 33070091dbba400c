//! The least a signing hook could do: read, hash, sign, exit. The same binary
//! and linking as the benchmark, without a service, a ledger or a sync.

use receipt_core::hash::{Context, hash};
use receipt_core::key::PrivateKey;
use std::io::Read;

/// The argument that makes the benchmark do just this.
pub const ARGUMENT: &str = "plain-process";

/// Reads stdin, hashes and signs it.
pub fn run() {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).unwrap();
    let key = PrivateKey::from_seed(&[7; 32]).unwrap();
    let signature = key.sign(&hash(Context::Payload, &bytes));
    assert_ne!(signature, [0; 64]);
}
