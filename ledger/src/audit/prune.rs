//! Erased content must have been erased by a rule that a record tells.

use super::Fault;
use crate::read::decode;
use crate::store::Store;
use receipt_core::prune::PruneRule;
use receipt_core::record::{Header, Kind, LEDGER_STREAM};

/// The rules of all `prune` records, read when the first is needed.
#[derive(Debug, Default)]
pub(super) struct Rules(Option<Vec<PruneRule>>);

impl Rules {
    /// Whether a record may be without content.
    pub(super) fn allow(
        &mut self,
        store: &dyn Store,
        size: u64,
        header: &Header,
    ) -> Result<(), Fault> {
        if self.0.is_none() {
            self.0 = Some(read(store, size)?);
        }
        let rules = self.0.as_deref().unwrap_or_default();
        if rules.iter().any(|rule| rule.names(header)) {
            return Ok(());
        }
        Err(Fault::at(
            header.seq,
            "its content is gone, and no `prune` record says so",
        ))
    }
}

/// The rules below `size`: what comes after it is no part of a view, and its
/// index goes on while the view is read.
fn read(store: &dyn Store, size: u64) -> Result<Vec<PruneRule>, Fault> {
    let mut rules = Vec::new();
    let mut next = 0;
    loop {
        let page = store.stream_entries(&LEDGER_STREAM, next..u64::MAX);
        let page = page.map_err(Fault::of)?;
        if page.is_empty() {
            return Ok(rules);
        }
        next = next.saturating_add(page.len() as u64);
        for seq in page {
            if seq >= size {
                return Ok(rules);
            }
            let bytes = store.record(seq).map_err(Fault::of)?;
            let record = decode(seq, &bytes.unwrap_or_default()).map_err(Fault::of)?;
            if record.header().kind() == Some(Kind::Prune) {
                rules.extend(record.facts().and_then(PruneRule::parse));
            }
        }
    }
}
