//! Every measured fault of sled 0.34.7, contained:
//!
//! | fault | test |
//! |---|---|
//! | `snap.*.generating` left over by a kill | `a_left_over_generating_snapshot_is_removed` |
//! | `flush` is no fsync | `a_flush_without_fsync_is_made_good_by_the_journal` |
//! | large values go to blob files, never synced | `blob_values_do_not_occur_however_large_the_record` |
//! | `flush` and `drop` hang after an error | `hang::after_an_error_nothing_hangs` |
//! | one flipped bit loses all later records, silently | `one_flipped_bit_loses_nothing_silently` |
//! | an emptied or removed `db` opens empty | `an_emptied_or_removed_db_is_never_an_empty_ledger` |

use crate::common::{copy_tree, create, draft, large_draft, open, time};
use receipt_core::hash::Digest;
use receipt_ledger::{
    Disk, FsDisk, Ledger, LedgerError, OpenReport, SledStores, StoreError, Stores, distrust_store,
};
use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use tempfile::TempDir;

pub(crate) const RECORDS: u64 = 41;

pub(crate) struct Base {
    /// Filled and settled, never opened again: no snapshot of the content.
    pub(crate) fresh: TempDir,
    /// Opened once more and appended to: snapshot and a tail after it.
    reopened: TempDir,
    root: Digest,
}

fn disk(root: &Path) -> Arc<dyn Disk> {
    Arc::new(FsDisk::new(root))
}

fn fill(ledger: &mut Ledger, from: u64, to: u64) {
    for n in from..to {
        let large = large_draft("b", 10_000);
        let drafts = vec![draft("a", n), large];
        ledger
            .append_with_checkpoint(drafts, [1; 32], time(n))
            .unwrap();
        ledger.publish_head().unwrap();
    }
    ledger.append(vec![draft("c", from)], time(to)).unwrap();
    ledger.settle().unwrap();
}

pub(crate) fn base() -> &'static Base {
    static BASE: OnceLock<Base> = OnceLock::new();
    BASE.get_or_init(|| {
        let home = tempfile::tempdir().unwrap();
        let mut ledger = create(&disk(home.path()), &mut SledStores::new(home.path())).unwrap();
        fill(&mut ledger, 0, 6);
        let short = copy_tree(home.path());
        fill(&mut ledger, 6, 13);
        let fresh = copy_tree(home.path());
        let root = ledger.root();
        let (mut ledger, _) =
            open(&disk(short.path()), &mut SledStores::new(short.path())).unwrap();
        fill(&mut ledger, 6, 13);
        assert_eq!((ledger.size(), ledger.root()), (RECORDS + 1, root));
        Base {
            fresh,
            reopened: copy_tree(short.path()),
            root,
        }
    })
}

/// Both bases, to be harmed.
fn both() -> [(&'static str, TempDir); 2] {
    let base = base();
    [
        ("fresh", copy_tree(base.fresh.path())),
        ("reopened", copy_tree(base.reopened.path())),
    ]
}

pub(crate) fn reopen(home: &Path) -> Result<(Ledger, OpenReport), LedgerError> {
    open(&disk(home), &mut SledStores::new(home))
}

/// Opens what was harmed: everything is there, whatever it took.
fn whole(home: &Path, what: &str) -> OpenReport {
    let (mut ledger, report) = reopen(home).unwrap_or_else(|e| panic!("{what}: {e}"));
    assert_eq!(
        (ledger.size(), ledger.root()),
        (RECORDS + 1, base().root),
        "{what}"
    );
    let audit = ledger.audit(&mut |_, _| {});
    if let Some(fault) = audit.fault {
        // Damage that opening does not meet is named by the audit, and the
        // journal still has everything.
        assert!(
            report.rebuilt.is_none(),
            "{what}: rebuilt and unsound: {fault}"
        );
        let fault = fault.to_string();
        assert!(fault.contains("store"), "{what}: {fault}");
        drop(ledger);
        let next = copy_tree(home);
        distrust_store(&*disk(next.path()), "on request").unwrap();
        let (ledger, again) = reopen(next.path()).unwrap();
        assert_eq!(again.rebuilt.unwrap().records, RECORDS + 1, "{what}");
        assert_eq!(ledger.audit(&mut |_, _| {}).fault, None, "{what}");
        return report;
    }
    ledger.append(vec![draft("z", 0)], time(99)).unwrap();
    assert_eq!(ledger.audit(&mut |_, _| {}).fault, None, "{what}");
    report
}

#[test]
fn undamaged_stores_open_as_they_are() {
    for (name, home) in both() {
        let report = whole(home.path(), name);
        assert_eq!((report.rebuilt, report.replayed), (None, 0), "{name}");
    }
}

#[test]
fn a_left_over_generating_snapshot_is_removed() {
    for (name, home) in both() {
        for left in [
            "snap.FFFFFFFFFFFFFFFF.generating",
            "snap.0000000000000001.generating",
        ] {
            fs::write(home.path().join("db-1").join(left), b"").unwrap();
        }
        let report = whole(home.path(), name);
        assert_eq!(report.rebuilt, None, "{name}");
    }
}

#[test]
fn a_damaged_snapshot_is_made_anew_from_the_log() {
    let (_, home) = both().into_iter().next_back().unwrap();
    let mut damaged = 0;
    for entry in fs::read_dir(home.path().join("db-1")).unwrap() {
        let path = entry.unwrap().path();
        if path
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .starts_with("snap.")
        {
            flip(&path, 20);
            damaged += 1;
        }
    }
    assert!(damaged > 0);
    assert_eq!(whole(home.path(), "snapshot").rebuilt, None);
}

fn flip(path: &Path, at: u64) {
    let mut file = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .unwrap();
    let mut byte = [0];
    file.seek(SeekFrom::Start(at)).unwrap();
    file.read_exact(&mut byte).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&[byte[0] ^ 8]).unwrap();
}

/// The end of the log that was written to.
fn used(path: &Path) -> u64 {
    let bytes = fs::read(path).unwrap();
    bytes.iter().rposition(|b| *b != 0).unwrap() as u64
}

#[test]
fn one_flipped_bit_loses_nothing_silently() {
    let mut repaired = 0;
    for (name, home) in both() {
        let used = used(&home.path().join("db-1/db"));
        for part in 0..14 {
            let home = copy_tree(home.path());
            let at = used * part / 14 + part * 13;
            flip(&home.path().join("db-1/db"), at);
            let report = whole(home.path(), &format!("{name}, bit in byte {at}"));
            repaired += u32::from(report.rebuilt.is_some() || report.replayed > 0);
        }
    }
    assert!(repaired > 4, "{repaired} flips met anything");
}

#[test]
fn blocks_zeroed_and_tails_cut_lose_nothing() {
    for (name, home) in both() {
        let used = used(&home.path().join("db-1/db"));
        for part in 0..6 {
            let zeroed = copy_tree(home.path());
            let at = used * part / 6 / 4096 * 4096;
            let log = zeroed.path().join("db-1/db");
            let mut file = fs::OpenOptions::new().write(true).open(log).unwrap();
            file.seek(SeekFrom::Start(at)).unwrap();
            file.write_all(&[0; 4096]).unwrap();
            whole(zeroed.path(), &format!("{name}, block at {at}"));
            let cut = copy_tree(home.path());
            let log = fs::OpenOptions::new()
                .write(true)
                .open(cut.path().join("db-1/db"));
            log.unwrap().set_len(used * part / 6).unwrap();
            whole(cut.path(), &format!("{name}, cut to {}", used * part / 6));
        }
    }
}

#[test]
fn an_emptied_or_removed_db_is_never_an_empty_ledger() {
    type Harm = fn(&Path);
    let harms: [(&str, Harm); 5] = [
        ("db emptied", |p| fs::write(p.join("db"), b"").unwrap()),
        ("db removed", |p| fs::remove_file(p.join("db")).unwrap()),
        ("folder emptied", |p| {
            fs::remove_dir_all(p).unwrap();
            fs::create_dir(p).unwrap();
        }),
        ("folder removed", |p| fs::remove_dir_all(p).unwrap()),
        ("folder is a file", |p| {
            fs::remove_dir_all(p).unwrap();
            fs::write(p, b"x").unwrap();
        }),
    ];
    for (name, home) in both() {
        for (what, harm) in harms {
            let home = copy_tree(home.path());
            harm(&home.path().join("db-1"));
            let what = format!("{name}, {what}");
            let rebuilt = whole(home.path(), &what).rebuilt;
            let rebuilt = rebuilt.unwrap_or_else(|| panic!("{what} is reported"));
            assert_eq!(rebuilt.records, RECORDS + 1, "{what}");
            // What was set aside is kept under the name that was reported.
            if let Some(aside) = rebuilt.aside {
                assert!(home.path().join(aside).exists(), "{what}");
            }
        }
    }
}

#[test]
fn a_damaged_configuration_loses_nothing() {
    for (name, home) in both() {
        for at in [0, 9, 30] {
            let home = copy_tree(home.path());
            flip(&home.path().join("db-1/conf"), at);
            whole(home.path(), &format!("{name}, conf byte {at}"));
        }
        fs::remove_file(home.path().join("db-1/conf")).unwrap();
        whole(home.path(), &format!("{name}, conf removed"));
    }
}

#[test]
fn a_store_that_is_the_only_copy_is_not_set_aside() {
    let home = copy_tree(base().fresh.path());
    fs::remove_dir_all(home.path().join("intake")).unwrap();
    fs::create_dir(home.path().join("intake")).unwrap();
    fs::write(home.path().join("db-1/db"), b"").unwrap();
    let refused = reopen(home.path()).unwrap_err();
    assert!(matches!(refused, LedgerError::Unusable { .. }), "{refused}");
    assert!(home.path().join("db-1").exists());
    assert!(!home.path().join("db-1.aside").exists());
}

#[test]
fn a_damaged_journal_does_not_cost_the_store_its_place() {
    let home = copy_tree(base().fresh.path());
    let segment = home.path().join("intake/00000000000000000000.seg");
    flip(&segment, 400);
    fs::write(home.path().join("db-1/db"), b"").unwrap();
    for _ in 0..2 {
        // A copy stands for the next process.
        let refused = reopen(copy_tree(home.path()).path()).unwrap_err();
        assert!(matches!(refused, LedgerError::Damaged { .. }), "{refused}");
    }
    let refused = reopen(home.path()).unwrap_err();
    assert!(matches!(refused, LedgerError::Damaged { .. }), "{refused}");
    assert!(!home.path().join("db-1.aside").exists());
}

#[test]
fn a_store_that_someone_else_has_open_is_left_alone() {
    let home = copy_tree(base().fresh.path());
    let mut stores = SledStores::new(home.path());
    let held = stores.open().unwrap();
    let refused = reopen(home.path()).unwrap_err();
    assert!(
        matches!(refused, LedgerError::Store(StoreError::Locked)),
        "{refused}"
    );
    assert!(!home.path().join("db-1.aside").exists());
    drop(held);
}

#[test]
fn blob_values_do_not_occur_however_large_the_record() {
    let home = tempfile::tempdir().unwrap();
    let mut ledger = create(&disk(home.path()), &mut SledStores::new(home.path())).unwrap();
    for n in 0..6 {
        ledger
            .append(vec![large_draft("a", 1 << 20)], time(n))
            .unwrap();
        ledger
            .append(vec![large_draft("a", 15_000)], time(n))
            .unwrap();
    }
    ledger.settle().unwrap();
    let blobs = fs::read_dir(home.path().join("db-1/blobs")).unwrap();
    assert_eq!(blobs.count(), 0);
    let copy = copy_tree(home.path());
    let (ledger, report) = reopen(copy.path()).unwrap();
    assert_eq!((report.rebuilt, report.replayed), (None, 0));
    assert_eq!(ledger.audit(&mut |_, _| {}).fault, None);
}

/// What `flush` leaves to a power cut: the log as it was at an earlier sync, its
/// length with it, some of its older segments written over in place.
#[test]
fn a_flush_without_fsync_is_made_good_by_the_journal() {
    let newer = fs::read(base().fresh.path().join("db-1/db")).unwrap();
    let used = usize::try_from(used(&base().fresh.path().join("db-1/db"))).unwrap();
    let mut made_good = 0;
    for (kept, torn) in [(2, false), (2, true), (3, true), (5, false), (7, true)] {
        let home = copy_tree(base().fresh.path());
        let mut older = newer[..used * kept / 8].to_vec();
        if torn {
            // Blocks of the newest writes that did arrive, among those that did not.
            let from = older.len() / 2;
            for block in older[from..].chunks_mut(8192) {
                let half = block.len() / 2;
                block[half..].fill(0);
            }
        }
        fs::write(home.path().join("db-1/db"), older).unwrap();
        let report = whole(home.path(), &format!("{kept} eighths, torn {torn}"));
        made_good += u32::from(report.rebuilt.is_some() || report.replayed > 0);
    }
    assert_eq!(made_good, 5);
}
