//! What refuses to open is recovered as far as it verifies, and a record says so.

use crate::common::{create, draft, large_draft, open, ring, time};
use receipt_core::record::Kind;
use receipt_ledger::testing::{FaultDisk, Kept};
use receipt_ledger::{Disk, Findings, Ledger, LedgerError, Lock, MemoryStores, Recovery};
use std::sync::Arc;

const SEGMENT: &str = "intake/00000000000000000000.seg";

struct Bench {
    disk: FaultDisk,
    stores: MemoryStores,
}

fn shared(disk: &FaultDisk) -> Arc<dyn Disk> {
    Arc::new(disk.clone())
}

/// 41 records, ten checkpoints, in journal and store.
fn bench() -> Bench {
    let disk = FaultDisk::new();
    let mut stores = MemoryStores::new();
    let mut ledger = create(&shared(&disk), &mut stores).unwrap();
    for n in 0..10 {
        let drafts = vec![draft("a", n), draft("b", n), large_draft("c", 3_000)];
        ledger
            .append_with_checkpoint(drafts, [9; 32], time(n))
            .unwrap();
        ledger.publish_head().unwrap();
    }
    ledger.settle().unwrap();
    Bench { disk, stores }
}

fn examine(bench: &mut Bench) -> Result<Recovery, LedgerError> {
    let disk = shared(&bench.disk);
    let lock = Lock::acquire(&*disk)?;
    Recovery::examine(disk, lock, &mut bench.stores, ring(), &mut |_| {})
}

fn accept(bench: &mut Bench) -> (Findings, String) {
    let recovery = examine(bench).unwrap();
    let findings = recovery.findings.clone();
    let aside = recovery.accept([5; 32], [[7; 32], [8; 32]], time(99));
    (findings, aside.unwrap())
}

fn sound(bench: &mut Bench) -> Ledger {
    let (ledger, report) = open(&shared(&bench.disk), &mut bench.stores).unwrap();
    assert!(!report.is_remarkable(), "{report:?}");
    assert_eq!(ledger.audit(&mut |_, _| {}).fault, None);
    ledger
}

/// Recovers and looks at what came out.
fn recovered(bench: &mut Bench, due: &str, left: u64) -> Findings {
    assert!(
        open(&shared(&bench.disk), &mut bench.stores).is_err(),
        "{due}"
    );
    let (findings, aside) = accept(bench);
    let wrong = findings.wrong.join("; ");
    assert!(wrong.contains(due), "{due}: {wrong}");
    assert_eq!(findings.records, left, "{wrong}");
    let mut ledger = sound(bench);
    assert_eq!(ledger.size(), left + 2);
    let told = ledger.record(left).unwrap().unwrap();
    assert_eq!(told.header().kind(), Some(Kind::Recovery));
    let facts = String::from_utf8_lossy(told.facts().unwrap()).into_owned();
    assert!(
        facts.contains(&aside) && facts.contains("\"lost\""),
        "{facts}"
    );
    ledger.append(vec![draft("a", 99)], time(100)).unwrap();
    drop(ledger);
    assert!(examine(bench).unwrap().findings.wrong.is_empty());
    findings
}

#[test]
fn a_whole_ledger_needs_no_recovery() {
    let mut bench = bench();
    let found = examine(&mut bench).unwrap().findings;
    assert_eq!((found.records, found.lost()), (41, 0));
    assert_eq!(found.wrong, Vec::<String>::new());
    sound(&mut bench);
}

#[test]
fn a_missing_or_foreign_head_register_is_named() {
    let mut bench = bench();
    bench.disk.remove("head").unwrap();
    recovered(&mut bench, "`head` is missing", 41);
    let mut bench = self::bench();
    bench.disk.put("head", b"nonsense").unwrap();
    recovered(&mut bench, "the head register: ", 41);
}

#[test]
fn a_ledger_that_was_rolled_back_says_what_is_lost() {
    let mut bench = bench();
    let bytes = bench.disk.bytes(SEGMENT).unwrap();
    bench.disk.put(SEGMENT, &bytes[..bytes.len() / 2]).unwrap();
    bench.stores = MemoryStores::new();
    let (before, note) = (41, bench.disk.bytes("head").unwrap());
    let recovery = examine(&mut bench).unwrap();
    let left = recovery.findings.records;
    drop(recovery);
    assert!(left > 10 && left < 30, "{left}");
    let found = recovered(&mut bench, "names 41 records", left);
    assert_eq!(found.known, before);
    assert_eq!(found.register.unwrap().into_bytes(), note);
}

#[test]
fn damage_in_the_middle_is_filled_from_the_store() {
    let mut bench = bench();
    let mut bytes = bench.disk.bytes(SEGMENT).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    bench.disk.put(SEGMENT, &bytes).unwrap();
    let found = recovered(&mut bench, "no sound frame", 41);
    assert_eq!(found.lost(), 0);
}

#[test]
fn damage_in_journal_and_store_ends_what_is_left() {
    let mut bench = bench();
    let mut bytes = bench.disk.bytes(SEGMENT).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    bench.disk.put(SEGMENT, &bytes).unwrap();
    bench.stores = MemoryStores::new();
    let left = examine(&mut bench).unwrap().findings.records;
    assert!(left > 5 && left < 35, "{left}");
    let found = recovered(&mut bench, "do not verify or are gone", left);
    assert_eq!(found.known, 41);
    // What was lost is kept, to be looked at.
    assert_eq!(
        bench.disk.bytes("recovered-1/00000000000000000000.seg"),
        Some(bytes)
    );
}

#[test]
fn a_fork_keeps_the_note_of_the_other_history() {
    let mut bench = bench();
    let other = FaultDisk::new();
    let mut stores = MemoryStores::new();
    let mut ledger = create(&shared(&other), &mut stores).unwrap();
    ledger
        .append_with_checkpoint(vec![draft("z", 1)], [9; 32], time(1))
        .unwrap();
    ledger.publish_head().unwrap();
    let note = other.bytes("head").unwrap();
    bench.disk.put("head", &note).unwrap();
    let found = recovered(&mut bench, "fork: at 3 records", 41);
    assert_eq!(found.register.unwrap().into_bytes(), note);
}

#[test]
fn a_missing_marker_is_made_again_by_this_alone() {
    let mut bench = bench();
    bench.disk.remove("genesis").unwrap();
    recovered(&mut bench, "`genesis` is missing", 41);
    let mut bench = self::bench();
    bench.disk.put("genesis", &[b'0'; 65]).unwrap();
    recovered(&mut bench, "`genesis` is damaged", 41);
}

#[test]
fn nothing_comes_from_nothing() {
    let mut bench = Bench {
        disk: FaultDisk::new(),
        stores: MemoryStores::new(),
    };
    let refused = examine(&mut bench).unwrap_err();
    assert!(matches!(refused, LedgerError::NoLedger), "{refused}");
    let mut bench = self::bench();
    bench.disk.put(SEGMENT, b"").unwrap();
    bench.stores = MemoryStores::new();
    let refused = examine(&mut bench).unwrap_err();
    assert!(
        matches!(refused, LedgerError::Missing { from: 0, .. }),
        "{refused}"
    );
}

#[test]
fn a_recovery_can_be_cut_short_anywhere() {
    let base = bench();
    let mut bytes = base.disk.bytes(SEGMENT).unwrap();
    bytes.truncate(bytes.len() / 2);
    base.disk.put(SEGMENT, &bytes).unwrap();
    let mut done = [0, 0];
    for call in 0..1_000 {
        let mut bench = Bench {
            disk: base.disk.copy(),
            stores: MemoryStores::new(),
        };
        bench.disk.stop(bench.disk.calls() + call);
        let recovery = examine(&mut bench);
        let accepted = recovery
            .and_then(|r| r.accept([5; 32], [[7; 32], [8; 32]], time(99)))
            .is_ok();
        let whole = accepted && open(&shared(&bench.disk), &mut bench.stores).is_ok();
        for kept in [Kept::All, Kept::Synced, Kept::Some(call)] {
            let mut found = Bench {
                disk: bench.disk.power_cut(kept),
                stores: bench.stores.power_cut(),
            };
            let opened = open(&shared(&found.disk), &mut found.stores).is_ok();
            done[usize::from(opened)] += 1;
            if !opened {
                accept(&mut found);
            }
            let size = sound(&mut found).size();
            assert!(size > 10 && size < 35, "{size} at {call}, {kept:?}");
        }
        if whole {
            assert!(done.iter().all(|n| *n > 5), "{done:?}");
            return;
        }
    }
    panic!("it never ran to its end");
}
