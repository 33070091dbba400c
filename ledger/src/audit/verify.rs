//! What can be said of a record by itself, on all cores.

use crate::check;
use crate::error::LedgerError;
use crate::read::decode;
use receipt_core::keychain::KeyChain;
use receipt_core::record::Kind;
use receipt_core::seal::Record;
use std::num::NonZero;
use std::thread;

/// Most threads: what is read from one disk does not feed more.
const MAX_THREADS: usize = 8;

/// A record whose signature, commitments and content hold.
#[derive(Debug)]
pub(super) struct Verified {
    /// The record; its content is dropped once it was verified.
    pub(super) record: Record,
    pub(super) pruned: bool,
    /// The facts of a `Heads` record.
    pub(super) heads: Option<Vec<u8>>,
}

/// Verifies a page of records whose first has number `first`, and does
/// `meanwhile` in this thread.
pub(super) fn page<T>(
    page: &[Vec<u8>],
    first: u64,
    keys: &KeyChain,
    meanwhile: impl FnOnce() -> T,
) -> (Vec<Result<Verified, String>>, T) {
    let threads = thread::available_parallelism()
        .map_or(2, NonZero::get)
        .min(MAX_THREADS);
    let share = page.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let parts: Vec<_> = page
            .chunks(share)
            .zip((first..).step_by(share))
            .map(|(part, first)| scope.spawn(move || some(part, first, keys)))
            .collect();
        let other = meanwhile();
        let mut all = Vec::with_capacity(page.len());
        for part in parts {
            match part.join() {
                Ok(verified) => all.extend(verified),
                Err(_) => all.push(Err("its verification panicked".to_owned())),
            }
        }
        (all, other)
    })
}

fn some(part: &[Vec<u8>], first: u64, keys: &KeyChain) -> Vec<Result<Verified, String>> {
    part.iter()
        .zip(first..)
        .map(|(bytes, seq)| one(seq, bytes, keys))
        .collect()
}

fn one(seq: u64, bytes: &[u8], keys: &KeyChain) -> Result<Verified, String> {
    let mut record = decode(seq, bytes).map_err(|error| match error {
        LedgerError::Record { why, .. } => why.to_owned(),
        other => other.to_string(),
    })?;
    check::content(&record)?;
    check::signature(&record, keys)?;
    let disclosure = record.disclosure.take();
    let is_heads = record.header().kind() == Some(Kind::Heads);
    Ok(Verified {
        pruned: disclosure.is_none(),
        heads: disclosure
            .filter(|_| is_heads)
            .and_then(|d| d.content.groups.into_iter().next().flatten()),
        record,
    })
}
