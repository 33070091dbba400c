//! Pruning: content is erased by writing the journal anew without it
//! (`spec/ledger.md`, "Pruning").
//!
//! sled never shrinks and a journal is never rewritten in place, so both are
//! made anew beside the old ones. A file that lists the new segments is the
//! point of no return: before it nothing has changed, after it any later
//! opening finishes the exchange.

use crate::disk::{Disk, Under};
use crate::error::{LedgerError, io};
use crate::intake::journal::{self, Journal};
use crate::intake::segment;
use crate::layout::{INTAKE, PRUNED, PRUNING, ROOT, replace};
use crate::ledger::Ledger;
use crate::refill::refill;
use crate::resume::{Resume, Trouble};
use crate::store::Stores;
use crate::stored::encode;
use receipt_core::commit::Content;
use receipt_core::hash::Digest;
use receipt_core::prune::PruneRule;
use receipt_core::record::{Flags, Kind, LEDGER_STREAM};
use receipt_core::seal::{Draft, Record, Time};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Longest list of segments: room for half a terabyte of journal.
const MAX_LIST: u64 = 1 << 20;

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
        let told = Draft {
            kind: Kind::Prune,
            flags: 0,
            stream: LEDGER_STREAM,
            client_event: 0,
            client_us: 0,
            policy,
            secret,
            content: Content::of_facts(rule.facts()),
        };
        self.append_with_checkpoint(vec![told], heads_secret, time)?;
        self.publish_head()?;
        self.settle()?;
        clear(&*self.disk)?;
        let under: Arc<dyn Disk> = Arc::new(Under::new(Arc::clone(&self.disk), PRUNING));
        let mut fresh = Journal::open(Arc::clone(&under), *self.id())?;
        under
            .create_dir_all(INTAKE)
            .map_err(io("create", PRUNING))?;
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
        for folder in [&*format!("{PRUNING}/{INTAKE}"), PRUNING, ROOT] {
            self.disk.sync_dir(folder).map_err(io("sync", folder))?;
        }
        let names: Vec<String> = fresh.segments().iter().map(|n| n.to_string()).collect();
        replace(&*self.disk, PRUNED, names.join("\n").as_bytes())
    }

    /// The new journal holds the same ledger, from its first record to its last.
    fn verify(&self, under: &Arc<dyn Disk>) -> Result<(), LedgerError> {
        let resume = Resume {
            disk: under,
            id: *self.id(),
            ring: &self.ring,
            options: crate::Options::default(),
        };
        let (_, reached) = resume.dry_run("it is being pruned")?;
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

/// Removes what an attempt left that came to nothing.
fn clear(disk: &dyn Disk) -> Result<(), LedgerError> {
    let folder = format!("{PRUNING}/{INTAKE}");
    for name in disk.list(&folder).map_err(io("list", PRUNING))? {
        let file = format!("{folder}/{name}");
        disk.remove(&file).map_err(io("remove", &file))?;
    }
    Ok(())
}

/// Finishes an exchange, if one is under way: the new segments take the place
/// of the old ones, and every store goes. Can be cut short anywhere and done
/// again. Returns whether there was one.
pub(crate) fn finish(disk: &dyn Disk, stores: &mut dyn Stores) -> Result<bool, LedgerError> {
    if disk.len(PRUNED).map_err(io("look at", PRUNED))?.is_none() {
        return Ok(false);
    }
    let new = listed(disk)?;
    for old in journal::list(disk)?.iter().filter(|old| !new.contains(old)) {
        let file = segment::name(*old);
        disk.remove(&file).map_err(io("remove", &file))?;
    }
    for first in &new {
        let file = segment::name(*first);
        let from = format!("{PRUNING}/{file}");
        if disk.len(&from).map_err(io("look at", &from))?.is_some() {
            disk.rename(&from, &file).map_err(io("rename", &from))?;
        }
    }
    for folder in [INTAKE, &*format!("{PRUNING}/{INTAKE}")] {
        disk.sync_dir(folder).map_err(io("sync", folder))?;
    }
    stores.erase()?;
    disk.remove(PRUNED).map_err(io("remove", PRUNED))?;
    disk.sync_dir(ROOT).map_err(io("sync", ROOT))?;
    Ok(true)
}

/// The first records of the new segments.
fn listed(disk: &dyn Disk) -> Result<Vec<u64>, LedgerError> {
    let bytes = disk.read(PRUNED, MAX_LIST).map_err(io("read", PRUNED))?;
    let numbers = std::str::from_utf8(&bytes)
        .ok()
        .and_then(|text| text.lines().map(|n| n.parse().ok()).collect());
    numbers
        .filter(|numbers: &Vec<u64>| !numbers.is_empty())
        .ok_or_else(|| LedgerError::Malformed {
            file: PRUNED.to_owned(),
            why: "it is no list of segments".to_owned(),
        })
}
