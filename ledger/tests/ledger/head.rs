//! The load rules: what is missing, ahead, behind or of another history.

use crate::common::{create, draft, genesis_draft, key, open, ring, time};
use receipt_core::record::ledger_id;
use receipt_ledger::testing::FaultDisk;
use receipt_ledger::{Disk, KeyRing, Ledger, LedgerError, Lock, MemoryStores, Options, Spool};
use std::sync::Arc;

struct Home {
    disk: FaultDisk,
    stores: MemoryStores,
}

impl Home {
    fn new() -> Self {
        let home = Self {
            disk: FaultDisk::new(),
            stores: MemoryStores::new(),
        };
        let shared: Arc<dyn Disk> = Arc::new(home.disk.clone());
        create(&shared, &mut home.stores.clone()).unwrap();
        home
    }

    fn copy(&self) -> Self {
        Self {
            disk: self.disk.copy(),
            stores: self.stores.copy(),
        }
    }

    fn open(&self) -> Result<(Ledger, receipt_ledger::OpenReport), LedgerError> {
        let shared: Arc<dyn Disk> = Arc::new(self.disk.clone());
        open(&shared, &mut self.stores.clone())
    }

    /// One more event and a checkpoint.
    fn checkpoint(&self, session: &str, publish: bool) -> u64 {
        let (mut ledger, _) = self.open().unwrap();
        let n = ledger.size();
        let made = ledger
            .append_with_checkpoint(vec![draft(session, n)], [3; 32], time(n))
            .unwrap();
        if publish {
            ledger.publish_head().unwrap();
        }
        made.note.size
    }
}

fn replace(home: &Home, name: &str, bytes: &[u8]) {
    home.disk.put(name, bytes).unwrap();
}

#[test]
fn a_register_ahead_of_the_records_is_refused() {
    let home = Home::new();
    home.checkpoint("a", true);
    let old = home.copy();
    let size = home.checkpoint("a", true);
    replace(&old, "head", &home.disk.bytes("head").unwrap());
    let refused = old.open().unwrap_err();
    assert!(
        matches!(refused, LedgerError::TruncatedOrRolledBack { register, store: 3 } if register == size),
        "{refused}"
    );
    // Also where the store is gone, which would otherwise be rebuilt.
    let rebuilt = Home {
        disk: old.disk.copy(),
        stores: MemoryStores::new(),
    };
    let refused = rebuilt.open().unwrap_err();
    assert!(
        matches!(refused, LedgerError::TruncatedOrRolledBack { .. }),
        "{refused}"
    );
}

#[test]
fn another_history_of_the_same_length_or_longer_is_a_fork() {
    let home = Home::new();
    home.checkpoint("a", true);
    let other = home.copy();
    let size = home.checkpoint("b", true);
    other.checkpoint("c", true);
    for _ in 0..2 {
        let mixed = other.copy();
        replace(&mixed, "head", &home.disk.bytes("head").unwrap());
        let refused = mixed.open().unwrap_err();
        assert!(
            matches!(refused, LedgerError::Fork { size: s } if s == size),
            "{refused}"
        );
        other.checkpoint("c", true);
    }
}

#[test]
fn a_register_that_is_behind_is_brought_up() {
    let home = Home::new();
    home.checkpoint("a", true);
    let size = home.checkpoint("a", false);
    let (ledger, report) = home.open().unwrap();
    assert_eq!(report.published, Some(size));
    drop(ledger);
    assert_eq!(home.open().unwrap().1.published, None);
}

#[test]
fn a_register_that_is_missing_or_not_ours_is_refused() {
    let home = Home::new();
    home.checkpoint("a", true);
    let missing = home.copy();
    missing.disk.remove("head").unwrap();
    assert!(matches!(missing.open(), Err(LedgerError::HeadMissing)));
    let note = String::from_utf8(home.disk.bytes("head").unwrap()).unwrap();
    let text = receipt_core::checkpoint::Checkpoint {
        ledger: ledger_id(&[8; 32], &key(1).public()),
        size: 3,
        root: [0; 32],
    };
    let another = note.replace("\n3\n", "\n2\n");
    for bad in ["", "x", &another, &text.sign(&key(2))] {
        let other = home.copy();
        replace(&other, "head", bad.as_bytes());
        let refused = other.open().unwrap_err();
        assert!(
            matches!(refused, LedgerError::Note { .. }),
            "{bad:?}: {refused}"
        );
    }
    // A note that our checkpoint key signed, with another root.
    let other = home.copy();
    replace(&other, "head", text.sign(&key(4)).as_bytes());
    assert!(matches!(other.open(), Err(LedgerError::Fork { size: 3 })));
}

#[test]
fn a_missing_ledger_never_becomes_a_new_one() {
    let home = Home {
        disk: FaultDisk::new(),
        stores: MemoryStores::new(),
    };
    assert!(matches!(home.open(), Err(LedgerError::NoLedger)));
    Spool::write(&home.disk, "1", b"an event").unwrap();
    assert!(matches!(home.open(), Err(LedgerError::NoLedger)));
    assert!(home.stores.copy().open_is_empty());
    let home = Home::new();
    home.checkpoint("a", true);
    let missing = home.copy();
    missing.disk.remove("genesis").unwrap();
    assert!(matches!(missing.open(), Err(LedgerError::GenesisMissing)));
    let shared: Arc<dyn Disk> = Arc::new(missing.disk.clone());
    let refused = create(&shared, &mut missing.stores.clone()).unwrap_err();
    assert!(matches!(refused, LedgerError::Exists(_)), "{refused}");
    let gone = home.copy();
    gone.disk.remove("intake/00000000000000000000.seg").unwrap();
    let (_, report) = gone.open().unwrap();
    assert_eq!(report.refilled, 3);
    let gone = Home {
        disk: gone.disk.copy(),
        stores: MemoryStores::new(),
    };
    gone.disk.remove("intake/00000000000000000000.seg").unwrap();
    let refused = gone.open().unwrap_err();
    assert!(
        matches!(refused, LedgerError::Missing { from: 0, .. }),
        "{refused}"
    );
}

trait OpenIsEmpty {
    fn open_is_empty(&self) -> bool;
}

impl OpenIsEmpty for MemoryStores {
    fn open_is_empty(&self) -> bool {
        !receipt_ledger::Stores::exists(self).unwrap()
    }
}

#[test]
fn a_ledger_is_never_overwritten() {
    let home = Home::new();
    let shared: Arc<dyn Disk> = Arc::new(home.disk.clone());
    let refused = create(&shared, &mut home.stores.clone()).unwrap_err();
    assert!(matches!(refused, LedgerError::Exists(_)), "{refused}");
    assert_eq!(home.open().unwrap().1.size, 1);
}

#[test]
fn the_marker_names_the_ledger() {
    let home = Home::new();
    let other = home.copy();
    replace(
        &other,
        "genesis",
        format!("{}\n", "ab".repeat(32)).as_bytes(),
    );
    assert!(other.open().is_err());
    let other = home.copy();
    replace(&other, "genesis", b"x");
    assert!(matches!(other.open(), Err(LedgerError::Malformed { .. })));
}

#[test]
fn only_keys_that_the_genesis_record_binds_write() {
    let home = Home::new();
    let shared: Arc<dyn Disk> = Arc::new(home.disk.clone());
    let (other, mine) = (key(9), ring());
    for (ring, name) in [
        (
            KeyRing {
                record: other.clone(),
                ..mine.clone()
            },
            "record",
        ),
        (
            KeyRing {
                checkpoint: other,
                ..mine
            },
            "checkpoint",
        ),
    ] {
        let lock = Lock::acquire(&*shared).unwrap();
        let stores = &mut home.stores.clone();
        let opened = Ledger::open(
            Arc::clone(&shared),
            lock,
            stores,
            ring.clone(),
            Options::default(),
        );
        assert!(matches!(opened, Err(LedgerError::KeyNotBound(n)) if n == name));
        let fresh: Arc<dyn Disk> = Arc::new(FaultDisk::new());
        let lock = Lock::acquire(&*fresh).unwrap();
        let made = Ledger::create(
            fresh,
            lock,
            &mut MemoryStores::new(),
            ring,
            genesis_draft(8),
            time(0),
        );
        assert!(matches!(made, Err(LedgerError::KeyNotBound(n)) if n == name));
    }
}

#[test]
fn a_store_of_another_history_than_the_journals_is_filled_anew() {
    // Same length, same keys: only the records differ, and no checkpoint
    // tells yet which is right. The journal is what was acknowledged.
    let home = Home::new();
    let other = home.copy();
    for (home, n) in [(&home, 1), (&other, 2)] {
        let (mut ledger, _) = home.open().unwrap();
        ledger.append(vec![draft("a", n)], time(1)).unwrap();
        ledger.append(vec![draft("a", 9)], time(2)).unwrap();
    }
    let root = home.open().unwrap().0.root();
    let mixed = Home {
        disk: home.disk.copy(),
        stores: other.stores.copy(),
    };
    let shared: Arc<dyn Disk> = Arc::new(mixed.disk.clone());
    let (ledger, report) = open(&shared, &mut mixed.stores.clone()).unwrap();
    let why = report.rebuilt.unwrap().why;
    assert!(
        why.contains("record 1") && why.contains("otherwise"),
        "{why}"
    );
    assert_eq!(ledger.root(), root);
    assert_eq!(ledger.audit(&mut |_, _| {}).fault, None);
}
