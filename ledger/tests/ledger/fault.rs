//! An error at each call in turn, with and without effect.

use crate::common::{create, draft, open, time};
use crate::power::{Acked, scenario, verify};
use receipt_ledger::testing::{Failure, FaultDisk, Kept};
use receipt_ledger::{Disk, LedgerError, MemoryStores};
use std::sync::Arc;

#[test]
fn an_error_at_any_disk_call_loses_nothing_that_was_acknowledged() {
    let calls = {
        let disk = FaultDisk::new();
        scenario(&disk, &mut MemoryStores::new(), &mut Acked::default()).unwrap();
        disk.calls()
    };
    assert!(calls > 40, "the scenario makes {calls} calls");
    for how in [Failure::Before, Failure::After, Failure::Half] {
        for call in 0..calls {
            let disk = FaultDisk::new();
            disk.fail(call, how);
            let mut stores = MemoryStores::new();
            let mut acked = Acked::default();
            let result = scenario(&disk, &mut stores, &mut acked);
            assert!(result.is_err(), "{how:?} at {call} is reported");
            verify(
                &disk.copy(),
                stores.copy(),
                &acked,
                &format!("{how:?} at {call}"),
            );
        }
    }
}

#[test]
fn a_store_that_fails_takes_no_acknowledgement_back() {
    for calls in 0..30 {
        let disk = FaultDisk::new();
        let mut stores = MemoryStores::new();
        stores.fail_after(calls);
        let mut acked = Acked::default();
        let _ = scenario(&disk, &mut stores, &mut acked);
        verify(
            &disk.copy(),
            stores.copy(),
            &acked,
            &format!("after {calls}"),
        );
    }
}

/// Creation, appending, checkpoints and settling, with one call of the store at
/// fault; it may have taken effect.
#[test]
fn an_error_at_any_store_call_takes_no_acknowledgement_back() {
    let calls = {
        let stores = MemoryStores::new();
        scenario(
            &FaultDisk::new(),
            &mut stores.clone(),
            &mut Acked::default(),
        )
        .unwrap();
        stores.calls()
    };
    assert!(calls > 20, "the scenario makes {calls} calls");
    let mut cut_short = 0;
    for (call, effect) in (0..calls).flat_map(|call| [(call, false), (call, true)]) {
        let disk = FaultDisk::new();
        let mut stores = MemoryStores::new();
        stores.fail(call, effect);
        let mut acked = Acked::default();
        let result = scenario(&disk, &mut stores, &mut acked);
        cut_short += u64::from(result.is_err());
        for (store, name) in [(stores.power_cut(), "synced"), (stores.copy(), "all")] {
            let when = format!("store call {call}, effect {effect}, store {name}");
            verify(&disk.copy(), store, &acked, &when);
            verify(
                &disk.power_cut(Kept::Synced),
                stores.power_cut(),
                &acked,
                &when,
            );
        }
    }
    assert!(
        cut_short > calls / 2,
        "{cut_short} of {calls} calls were met"
    );
}

#[test]
fn after_an_error_the_handle_appends_nothing() {
    let disk = FaultDisk::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let mut ledger = create(&shared, &mut MemoryStores::new()).unwrap();
    disk.fail(disk.calls() + 1, Failure::After);
    assert!(ledger.append(vec![draft("a", 0)], time(1)).is_err());
    let again = ledger.append(vec![draft("a", 1)], time(2)).unwrap_err();
    assert!(matches!(again, LedgerError::Poisoned));
    assert!(ledger.is_poisoned());
}

#[test]
fn a_draft_over_the_limits_is_refused_and_harms_nothing() {
    let shared: Arc<dyn Disk> = Arc::new(FaultDisk::new());
    let mut stores = MemoryStores::new();
    let mut ledger = create(&shared, &mut stores).unwrap();
    let large = crate::common::large_draft("a", (16 << 20) + 1);
    let refused = ledger
        .append(vec![draft("a", 0), large], time(1))
        .unwrap_err();
    assert!(matches!(refused, LedgerError::TooLarge(_)), "{refused}");
    let many = (0..9)
        .map(|_| crate::common::large_draft("a", 16 << 20))
        .collect();
    let refused = ledger.append(many, time(1)).unwrap_err();
    assert!(matches!(refused, LedgerError::TooLarge(_)), "{refused}");
    let mut second_genesis = draft("a", 0);
    second_genesis.kind = receipt_core::record::Kind::Genesis;
    assert!(ledger.append(vec![second_genesis], time(1)).is_err());
    assert_eq!(ledger.size(), 1);
    ledger.append(vec![draft("a", 0)], time(2)).unwrap();
    assert_eq!(ledger.audit(&mut |_, _| {}).fault, None);
    drop(ledger);
    open(&shared, &mut stores).unwrap();
}

#[test]
fn an_error_at_any_disk_call_of_opening_loses_nothing_either() {
    let stopped = |call| {
        let disk = FaultDisk::new();
        disk.stop(call);
        let mut acked = Acked::default();
        let mut stores = MemoryStores::new();
        let _ = scenario(&disk, &mut stores, &mut acked);
        (disk, acked)
    };
    let calls = stopped(u64::MAX).0.calls();
    for call in (0..calls).step_by(3) {
        let (disk, acked) = stopped(call);
        if !acked.created {
            continue;
        }
        // The store is gone, the journal may be torn, the register behind.
        for (n, how) in (0..8).flat_map(|n| [(n, Failure::Before), (n, Failure::After)]) {
            let found = disk.power_cut(Kept::Some(call + n));
            found.fail(n, how);
            let mut stores = MemoryStores::new();
            let shared: Arc<dyn Disk> = Arc::new(found.clone());
            drop(open(&shared, &mut stores));
            let when = format!("stopped at {call}, then {how:?} at {n}");
            verify(&found.copy(), stores.copy(), &acked, &when);
        }
    }
}
