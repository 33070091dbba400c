//! Pruning erases content everywhere, keeps every proof, and can be cut short.

use crate::common::{create, draft, open, stream, time};
use receipt_core::prune::PruneRule;
use receipt_core::record::Flags;
use receipt_ledger::testing::{FaultDisk, Kept};
use receipt_ledger::{Audit, Disk, FsDisk, Ledger, MemoryStores, SledStores};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// A rule for the records that [`fill`] writes at times below `n`.
fn before(n: u64, up_to: u64) -> PruneRule {
    PruneRule {
        before_us: time(n).wall_us,
        up_to,
        streams: Vec::new(),
    }
}

/// Two sessions, twenty records each, at rising times, four turns.
fn fill(ledger: &mut Ledger) {
    for n in 0..20 {
        let mut drafts = vec![draft("a", n), draft("b", n)];
        if n % 5 == 0 {
            drafts.iter_mut().for_each(|d| d.flags = Flags::OPENS_TURN);
        }
        ledger.append(drafts, time(n)).unwrap();
    }
    ledger
        .append_with_checkpoint(Vec::new(), [9; 32], time(20))
        .unwrap();
    ledger.publish_head().unwrap();
}

fn prune(ledger: Ledger, rule: &PruneRule) -> Result<(), receipt_ledger::LedgerError> {
    let found = ledger.prunable(rule)?;
    ledger.prune(
        rule,
        &found,
        [5; 32],
        [[7; 32], [8; 32]],
        time(30),
        &mut |_, _| {},
    )
}

fn pruned(ledger: &Ledger) -> u64 {
    let report = ledger.audit(&mut |_, _| {});
    assert_eq!(report.fault, None);
    report.pruned
}

/// Every file under a folder whose bytes, or whose LZ4 blocks' bytes, hold a text.
fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else {
            let bytes = std::fs::read(&path).unwrap();
            if bytes.windows(text.len()).any(|w| w == text.as_bytes()) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

#[test]
fn pruned_content_is_on_the_disk_no_more_and_the_ledger_is_sound() {
    let folder = tempfile::tempdir().unwrap();
    let disk: Arc<dyn Disk> = Arc::new(FsDisk::new(folder.path()));
    let mut ledger = create(&disk, &mut SledStores::new(folder.path())).unwrap();
    fill(&mut ledger);
    let (size, root) = (ledger.size(), ledger.root());
    // The evidence begins with its text, which LZ4 leaves as it is.
    assert!(!files_with(folder.path(), "payload 3 of a").is_empty());
    prune(ledger, &before(10, size)).unwrap();
    let (ledger, report) = open(&disk, &mut SledStores::new(folder.path())).unwrap();
    assert!(!report.is_remarkable(), "{report:?}");
    assert_eq!(pruned(&ledger), 20);
    assert_eq!(ledger.root_at(size).unwrap(), root);
    assert_eq!(ledger.size(), size + 2);
    for n in 0..20 {
        let gone = files_with(folder.path(), &format!("payload {n} of a ")).is_empty();
        assert_eq!(gone, n < 10, "{n}");
    }
}

/// The index of the ledger's own stream goes on while its rules are looked for.
#[test]
fn a_pruned_ledger_is_audited_while_it_grows() {
    let disk: Arc<dyn Disk> = Arc::new(FaultDisk::new());
    let mut stores = MemoryStores::new();
    let mut ledger = create(&disk, &mut stores).unwrap();
    fill(&mut ledger);
    let rule = before(10, ledger.size());
    prune(ledger, &rule).unwrap();
    let (mut ledger, _) = open(&disk, &mut stores).unwrap();
    let view = ledger.view().unwrap();
    ledger
        .append_with_checkpoint(vec![draft("a", 20)], [9; 32], time(40))
        .unwrap();
    let mut audit = Audit::default();
    let mut on = |_, _| ControlFlow::Continue(());
    assert!(audit.go_on(&view, &mut on).is_continue());
    assert!(audit.is_sound(), "{:?}", audit.report(&view).fault);
    assert!(audit.go_on(&ledger.view().unwrap(), &mut on).is_continue());
    let report = audit.report(&ledger);
    assert_eq!((report.fault, report.pruned), (None, 20));
}

#[test]
fn one_session_alone_can_go() {
    let disk: Arc<dyn Disk> = Arc::new(FaultDisk::new());
    let mut stores = MemoryStores::new();
    let mut ledger = create(&disk, &mut stores).unwrap();
    fill(&mut ledger);
    let rule = PruneRule {
        streams: vec![stream("b")],
        ..before(25, ledger.size())
    };
    assert_eq!(PruneRule::parse(&rule.facts()), Some(rule.clone()));
    prune(ledger, &rule).unwrap();
    let (ledger, _) = open(&disk, &mut stores).unwrap();
    assert_eq!(pruned(&ledger), 20);
    for record in ledger.range(0, ledger.size()) {
        let record = record.unwrap();
        let gone = record.header().stream == stream("b");
        assert_eq!(record.disclosure.is_none(), gone);
    }
}

#[test]
fn the_newest_turn_of_a_session_that_went_on_stays() {
    let disk: Arc<dyn Disk> = Arc::new(FaultDisk::new());
    let mut stores = MemoryStores::new();
    let mut ledger = create(&disk, &mut stores).unwrap();
    fill(&mut ledger);
    let rule = before(18, ledger.size());
    let found = ledger.prunable(&rule).unwrap();
    assert_eq!((found.records, found.kept), (30, 6));
    let all = before(20, ledger.size());
    let found = ledger.prunable(&all).unwrap();
    assert_eq!((found.records, found.kept), (40, 0));
}

/// A prune that is cut short at any call of the disk, by a kill or a power cut,
/// leaves a ledger that opens, whole or pruned, and can be pruned again.
#[test]
fn a_prune_can_be_cut_short_anywhere() {
    let disk = FaultDisk::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let mut stores = MemoryStores::new();
    let mut ledger = create(&shared, &mut stores).unwrap();
    fill(&mut ledger);
    ledger.settle().unwrap();
    drop(ledger);
    let mut outcomes = [0, 0];
    for call in 0..1_000 {
        let (disk, mut stores) = (disk.copy(), stores.copy());
        let shared: Arc<dyn Disk> = Arc::new(disk.clone());
        let (ledger, _) = open(&shared, &mut stores).unwrap();
        let rule = before(10, ledger.size());
        disk.stop(disk.calls() + call);
        let whole = prune(ledger, &rule).is_ok() && open(&shared, &mut stores).is_ok();
        for kept in [Kept::All, Kept::Synced, Kept::Some(call)] {
            let gone = prune_again(&disk.power_cut(kept), &rule, stores.power_cut());
            assert!(gone == 0 || gone == 20, "{gone} at call {call}, {kept:?}");
            outcomes[usize::from(gone == 20)] += 1;
        }
        if whole {
            assert!(outcomes.iter().all(|n| *n > 10), "{outcomes:?}");
            return;
        }
    }
    panic!("it never ran to its end");
}

/// What was gone before it was pruned to its end.
fn prune_again(disk: &FaultDisk, rule: &PruneRule, mut stores: MemoryStores) -> u64 {
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let (ledger, _) = open(&shared, &mut stores).unwrap();
    let gone = pruned(&ledger);
    prune(ledger, rule).unwrap();
    let (ledger, _) = open(&shared, &mut stores).unwrap();
    assert_eq!(pruned(&ledger), 20);
    gone
}
