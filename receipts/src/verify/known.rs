//! Comparing a receipt with a checkpoint that the verifier has from elsewhere.

use super::log::{Checked, Failure, seen};
use super::options::Known;
use super::outcome::Fault;
use crate::statement::Statement;
use alloc::format;
use receipt_core::checkpoint::Checkpoint;
use receipt_core::hash::hex;
use receipt_core::key::Use;
use receipt_core::keychain::KeyChain;
use receipt_core::tree::verify_consistency;

/// The second half of step 16, of a receipt that hangs together. Only two roots
/// at one size contradict each other: a proof that fails may be of anything.
pub(super) fn step_known(known: &Known, keys: &KeyChain, statement: &Statement) -> Checked<()> {
    let mut signers = keys.of_use(Use::Checkpoint);
    let opened = signers.find_map(|key| Checkpoint::open(&known.note, key).ok());
    let Some(other) = opened.filter(|other| other.ledger == statement.ledger) else {
        let what = "the known checkpoint is not signed by a key of this ledger that is bound here";
        return Err(Failure::new(Fault::Policy, what));
    };
    let own = (statement.size, &statement.root);
    let other = (other.size, &other.root);
    if own.0 == other.0 {
        if own.1 == other.1 {
            return seen((), format!("size {}, the root that is known", own.0));
        }
        let found = format!("at size {}: root {}", own.0, hex(own.1));
        return Err(Failure::new(Fault::Contradicted, found)
            .expected(format!("root {}, as is known", hex(other.1))));
    }
    let (old, new) = if own.0 < other.0 {
        (own, other)
    } else {
        (other, own)
    };
    if verify_consistency(old, new, &known.proof) {
        return seen(
            (),
            format!("size {}, one tree with the known {}", own.0, other.0),
        );
    }
    let found = format!(
        "size {}, not shown to be one tree with the known {}",
        own.0, other.0
    );
    Err(Failure::new(Fault::Policy, found))
}
