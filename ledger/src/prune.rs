//! Pruning: content is erased by writing the journal anew without it
//! (`spec/ledger.md`, "Pruning").
//!
//! sled never shrinks and a journal is never rewritten in place, so both are
//! made anew beside the old ones.

use crate::append::own_draft;
use crate::disk::Disk;
use crate::error::LedgerError;
use crate::exchange::{self, Old};
use crate::intake::journal::Journal;
use crate::ledger::Ledger;
use crate::refill::refill;
use crate::resume::{Resume, Trouble};
use crate::stored::encode;
use receipt_core::hash::Digest;
use receipt_core::prune::PruneRule;
use receipt_core::record::{Flags, Kind};
use receipt_core::seal::{Record, Time};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a rule would erase.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prunable {
    /// Records whose content is there and would go.
    pub records: u64,
    /// Records that the rule names but that stay: the newest turn of a session
    /// that went on after the rule's time.
    pub kept: u64,
    /// First record of what stays so, by stream.
    stays: BTreeMap<Digest, u64>,
}

impl Ledger {
    /// What a rule would erase; changes nothing.
    ///
    /// # Errors
    /// [`LedgerError::Store`], [`LedgerError::Record`].
    pub fn prunable(&self, rule: &PruneRule) -> Result<Prunable, LedgerError> {
        let mut found = Prunable {
            stays: self.newest_turns(rule)?,
            ..Prunable::default()
        };
        for record in self.range(0, rule.up_to) {
            let record = record?;
            if record.disclosure.is_some() && rule.names(record.header()) {
                if found.goes(rule, &record) {
                    found.records = found.records.saturating_add(1);
                } else {
                    found.kept = found.kept.saturating_add(1);
                }
            }
        }
        Ok(found)
    }

    /// Where the newest turn begins of each stream that went on after the
    /// rule's time: the stream may go on, and is folded from there.
    fn newest_turns(&self, rule: &PruneRule) -> Result<BTreeMap<Digest, u64>, LedgerError> {
        let mut turns = BTreeMap::new();
        for (stream, head) in self.streams() {
            for position in (0..=head.stream_seq).rev() {
                let Some(record) = self.stream_record(stream, position)? else {
                    break;
                };
                let newest = position == head.stream_seq;
                if newest && rule.names(record.header()) {
                    break;
                }
                turns.insert(*stream, record.header().seq);
                if record.header().has(Flags::OPENS_TURN) {
                    break;
                }
            }
        }
        Ok(turns)
    }

    /// Erases what [`Ledger::prunable`] found: appends a `prune` record and a
    /// checkpoint, writes the journal anew without that content, verifies it,
    /// and leaves the exchange to the next opening, in a new process, because a
    /// store is never opened twice in one. `progress` is told the records done
    /// and the records in all.
    ///
    /// # Errors
    /// [`LedgerError`]; until the new journal is whole and verified nothing of
    /// the old content is gone, and a new attempt begins afresh.
    pub fn prune(
        mut self,
        rule: &PruneRule,
        found: &Prunable,
        policy: Digest,
        secrets: [Digest; 2],
        time: Time,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), LedgerError> {
        let [secret, heads_secret] = secrets;
        let told = own_draft(Kind::Prune, rule.facts(), policy, secret);
        self.append_with_checkpoint(vec![told], heads_secret, time)?;
        self.publish_head()?;
        self.settle()?;
        let under = exchange::begin(&self.disk)?;
        let mut fresh = Journal::open(Arc::clone(&under), *self.id())?;
        let all = self.size();
        let mut rewrite = |record: &mut Record, bytes: Vec<u8>| {
            progress(record.header().seq.saturating_add(1), all);
            if rule.names(record.header()) && found.goes(rule, record) {
                record.disclosure = None;
                return encode(record).map_err(crate::append::too_large);
            }
            Ok(bytes)
        };
        refill(
            &mut fresh,
            &*self.store,
            &self.state,
            &self.keys,
            0,
            &mut rewrite,
        )
        .map_err(blame)?;
        self.verify(&under)?;
        exchange::decide(&*self.disk, fresh.segments(), Old::Erased)
    }

    /// The new journal holds the same ledger, from its first record to its last.
    fn verify(&self, under: &Arc<dyn Disk>) -> Result<(), LedgerError> {
        let resume = Resume {
            disk: under,
            id: *self.id(),
            ring: &self.ring,
            options: crate::Options::default(),
        };
        let reached = resume.dry_run("it is being pruned")?.state.size();
        if reached == self.size() {
            Ok(())
        } else {
            Err(LedgerError::Missing {
                from: reached,
                to: self.size(),
            })
        }
    }
}

impl Prunable {
    fn goes(&self, rule: &PruneRule, record: &Record) -> bool {
        let header = record.header();
        rule.names(header)
            && self
                .stays
                .get(&header.stream)
                .is_none_or(|n| header.seq < *n)
    }
}

fn blame(trouble: Trouble) -> LedgerError {
    match trouble {
        Trouble::Ledger(error) => error,
        Trouble::Store(why) => LedgerError::Unusable { why },
    }
}
