//! The power goes at each disk call in turn.

use crate::common::{create, draft, large_draft, open, time};
use receipt_core::hash::Digest;
use receipt_core::seal::Record;
use receipt_ledger::testing::{FaultDisk, Kept};
use receipt_ledger::{Disk, LedgerError, MemoryStores};
use std::sync::Arc;

/// What the caller was told is safe.
#[derive(Default)]
pub(crate) struct Acked {
    pub(crate) created: bool,
    links: Vec<(u64, Digest)>,
    published: u64,
}

impl Acked {
    fn took(&mut self, records: &[Arc<Record>]) {
        let links = records.iter().map(|r| (r.header().seq, r.signed.link()));
        self.links.extend(links);
    }
}

/// Creates a ledger and appends to it, until the first error.
pub(crate) fn scenario(
    disk: &FaultDisk,
    stores: &mut MemoryStores,
    acked: &mut Acked,
) -> Result<(), LedgerError> {
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let mut ledger = create(&shared, stores)?;
    acked.created = true;
    acked
        .links
        .push((0, ledger.record(0)?.unwrap().signed.link()));
    for n in 0..4 {
        let drafts = vec![draft("a", n), draft("b", n), draft("c", n)];
        let records = ledger.append(drafts, time(n))?;
        acked.took(&records);
        ledger.settle()?;
        let made = ledger.append_with_checkpoint(vec![large_draft("a", 9000)], [1; 32], time(n))?;
        acked.took(&made.records);
        ledger.publish_head()?;
        acked.published = made.note.size;
    }
    ledger.settle()
}

/// What was acknowledged is there, the ledger is sound, and it goes on.
pub(crate) fn verify(disk: &FaultDisk, mut stores: MemoryStores, acked: &Acked, when: &str) {
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let mut ledger = match open(&shared, &mut stores) {
        Ok((ledger, _)) => ledger,
        Err(LedgerError::NoLedger | LedgerError::Unfinished) if !acked.created => {
            create(&shared, &mut stores).unwrap_or_else(|e| panic!("{when}: begin again: {e}"))
        }
        Err(error) => panic!("{when}: {error}"),
    };
    for (seq, link) in &acked.links {
        let record = ledger
            .record(*seq)
            .unwrap_or_else(|e| panic!("{when}: {e}"));
        let record = record.unwrap_or_else(|| panic!("{when}: record {seq} is lost"));
        assert_eq!(record.signed.link(), *link, "{when}: record {seq}");
    }
    assert!(ledger.size() >= acked.published, "{when}");
    ledger.append(vec![draft("z", 0)], time(99)).unwrap();
    ledger
        .append_with_checkpoint(Vec::new(), [2; 32], time(99))
        .unwrap();
    ledger.publish_head().unwrap();
    let report = ledger.audit(&mut |_, _| {});
    assert_eq!(report.fault, None, "{when}");
    assert_eq!(report.records, ledger.size(), "{when}");
    drop(ledger);
    let (_, report) = open(&shared, &mut stores).unwrap_or_else(|e| panic!("{when}: again: {e}"));
    assert_eq!(
        (report.torn, report.rebuilt, report.refilled),
        (None, None, 0),
        "{when}"
    );
}

/// Calls of the whole scenario.
fn calls() -> u64 {
    let disk = FaultDisk::new();
    scenario(&disk, &mut MemoryStores::new(), &mut Acked::default()).unwrap();
    disk.calls()
}

#[test]
fn a_power_cut_at_any_call_loses_nothing_that_was_acknowledged() {
    let kept = [Kept::Synced, Kept::All]
        .into_iter()
        .chain((0..6).map(Kept::Some));
    let kept: Vec<_> = kept.collect();
    for call in 0..=calls() {
        let disk = FaultDisk::new();
        disk.stop(call);
        let mut stores = MemoryStores::new();
        let mut acked = Acked::default();
        let _ = scenario(&disk, &mut stores, &mut acked);
        for kept in &kept {
            for (store, name) in [
                (stores.power_cut(), "synced"),
                (stores.copy(), "all"),
                (MemoryStores::new(), "none"),
            ] {
                let when = format!("call {call}, disk {kept:?}, store {name}");
                verify(&disk.power_cut(*kept), store, &acked, &when);
            }
        }
    }
}

/// Batches of a megabyte and more, cut at every call and in any part.
#[test]
fn a_power_cut_in_large_writes_loses_nothing_that_was_acknowledged() {
    let large = |disk: &FaultDisk, stores: &mut MemoryStores, acked: &mut Acked| {
        let shared: Arc<dyn Disk> = Arc::new(disk.clone());
        let mut ledger = create(&shared, stores)?;
        acked.created = true;
        for n in 0..2 {
            let drafts = vec![large_draft("a", 1 << 20), draft("b", n)];
            acked.took(&ledger.append(drafts, time(n))?);
            // The second one begins another segment.
            let drafts = (0..4).map(|_| large_draft("c", 1 << 20)).collect();
            let made = ledger.append_with_checkpoint(drafts, [1; 32], time(n))?;
            acked.took(&made.records);
            ledger.publish_head()?;
            acked.published = made.note.size;
        }
        ledger.settle()
    };
    let whole = FaultDisk::new();
    let run = large(&whole, &mut MemoryStores::new(), &mut Acked::default());
    run.unwrap();
    let segments = whole.names().into_iter().filter(|n| n.ends_with(".seg"));
    assert!(segments.count() > 1);
    for call in 0..=whole.calls() {
        let disk = FaultDisk::new();
        disk.stop(call);
        let mut stores = MemoryStores::new();
        let mut acked = Acked::default();
        let _: Result<(), LedgerError> = large(&disk, &mut stores, &mut acked);
        for (kept, store) in [
            (Kept::Synced, stores.power_cut()),
            (Kept::All, MemoryStores::new()),
            (Kept::Some(call), stores.copy()),
            (Kept::Some(call + 99), stores.power_cut()),
        ] {
            let when = format!("call {call}, disk {kept:?}");
            verify(&disk.power_cut(kept), store, &acked, &when);
        }
    }
}

#[test]
fn a_second_cut_while_recovering_loses_nothing_either() {
    for call in (0..calls()).step_by(5) {
        let disk = FaultDisk::new();
        disk.stop(call);
        let mut stores = MemoryStores::new();
        let mut acked = Acked::default();
        let _ = scenario(&disk, &mut stores, &mut acked);
        if !acked.created {
            continue;
        }
        for second in 0..8 {
            let found = disk.power_cut(Kept::Some(call + second));
            found.stop(second);
            let mut store = stores.power_cut();
            let shared: Arc<dyn Disk> = Arc::new(found.clone());
            let _ = open(&shared, &mut store);
            let when = format!("call {call}, then call {second}");
            verify(
                &found.power_cut(Kept::Synced),
                store.power_cut(),
                &acked,
                &when,
            );
        }
    }
}
