//! Torn writes are cut, damage is named.

use crate::common::{create, draft, open, time};
use receipt_ledger::intake::segment;
use receipt_ledger::testing::FaultDisk;
use receipt_ledger::{Disk, Ledger, LedgerError, MemoryStores};
use std::sync::Arc;

/// A journal of four batches, and where the last one begins.
fn journal() -> (FaultDisk, MemoryStores, usize) {
    let disk = FaultDisk::new();
    let mut stores = MemoryStores::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let mut ledger = create(&shared, &mut stores).unwrap();
    ledger.append(vec![draft("a", 0)], time(1)).unwrap();
    ledger
        .append(vec![draft("a", 1), draft("b", 0)], time(2))
        .unwrap();
    let before = disk.bytes(&segment::name(0)).unwrap().len();
    // What the store holds after a crash: nothing of the last batch.
    let stores = stores.copy();
    ledger
        .append_with_checkpoint(vec![draft("a", 2)], [1; 32], time(3))
        .unwrap();
    (disk, stores, before)
}

fn reopen(
    disk: &FaultDisk,
    stores: &MemoryStores,
) -> Result<(Ledger, receipt_ledger::OpenReport), LedgerError> {
    let disk: Arc<dyn Disk> = Arc::new(disk.copy());
    open(&disk, &mut stores.copy())
}

fn with_bytes(disk: &FaultDisk, bytes: &[u8]) -> FaultDisk {
    let copy = disk.copy();
    copy.put(&segment::name(0), bytes).unwrap();
    copy
}

#[test]
fn a_batch_torn_at_any_byte_is_gone_as_a_whole() {
    let (disk, stores, before) = journal();
    let whole = disk.bytes(&segment::name(0)).unwrap();
    assert_eq!(reopen(&disk, &stores).unwrap().1.replayed, 2);
    for len in before..whole.len() {
        let torn = with_bytes(&disk, &whole[..len]);
        let (mut ledger, report) = reopen(&torn, &stores).unwrap();
        assert_eq!(
            (report.size, ledger.latest_checkpoint()),
            (4, None),
            "cut at {len}"
        );
        let bytes = report.torn.map_or(0, |t| t.bytes);
        assert_eq!(bytes, (len - before) as u64);
        if len % 97 == 0 {
            ledger.append(vec![draft("a", 2)], time(4)).unwrap();
            let report = ledger.audit(&mut |_, _| {});
            assert_eq!((report.fault, report.records), (None, 5));
        }
    }
}

#[test]
fn a_torn_batch_with_holes_is_gone_too() {
    let (disk, stores, before) = journal();
    let whole = disk.bytes(&segment::name(0)).unwrap();
    for at in (before..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        let (_, report) = reopen(&with_bytes(&disk, &bytes), &stores).unwrap();
        assert_eq!(report.size, 4, "hole at {at}");
    }
}

#[test]
fn a_bit_flipped_below_the_last_batch_is_damage_with_file_and_offset() {
    let (disk, _, before) = journal();
    let whole = disk.bytes(&segment::name(0)).unwrap();
    for at in (0..before).step_by(11) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        // An empty store needs the whole journal.
        let error = reopen(&with_bytes(&disk, &bytes), &MemoryStores::new()).unwrap_err();
        match error {
            LedgerError::Damaged { file, offset, .. } => {
                assert_eq!(file, segment::name(0));
                assert!(offset <= at as u64, "{offset} for a flip at {at}");
            }
            other => panic!("flip at {at}: {other}"),
        }
    }
}

#[test]
fn what_the_register_knows_of_is_no_torn_write() {
    let (disk, _, before) = journal();
    let shared: Arc<dyn Disk> = Arc::new(disk.copy());
    let mut stores = MemoryStores::new();
    drop(open(&shared, &mut stores).unwrap());
    let published = shared.read("head", 999).unwrap();
    let whole = disk.bytes(&segment::name(0)).unwrap();
    let short = with_bytes(&disk, &whole[..before + 500]);
    short.put("head", &published).unwrap();
    // A store that cannot be used, and one that is gone.
    stores.damage(b"f", Vec::clear);
    for mut stores in [stores, MemoryStores::new()] {
        let records = stores.pairs(b"r").len();
        let shared: Arc<dyn Disk> = Arc::new(short.clone());
        let refused = open(&shared, &mut stores).unwrap_err();
        let ahead = matches!(
            refused,
            LedgerError::TruncatedOrRolledBack {
                register: 6,
                store: 4
            }
        );
        assert!(ahead, "{refused}");
        // Nothing was cut, nothing was set aside.
        assert_eq!(short.bytes(&segment::name(0)).unwrap().len(), before + 500);
        assert!(stores.pairs(b"r").len() >= records);
    }
}

#[test]
fn a_frame_copied_into_a_payload_is_no_frame() {
    // The last write is torn, and what remains of it holds an earlier frame
    // byte by byte: that must not pass for a frame after the damage.
    let (disk, stores, before) = journal();
    let whole = disk.bytes(&segment::name(0)).unwrap();
    let mut bytes = whole[..before + 100].to_vec();
    bytes.extend_from_slice(&whole[16..before]);
    let (_, report) = reopen(&with_bytes(&disk, &bytes), &stores).unwrap();
    assert_eq!(report.size, 4);
}

#[test]
fn a_journal_that_lost_acknowledged_records_is_refilled_from_the_store() {
    let (disk, _, before) = journal();
    let mut stores = MemoryStores::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.copy());
    open(&shared, &mut stores).unwrap();
    let whole = disk.bytes(&segment::name(0)).unwrap();
    let short = with_bytes(&disk, &whole[..before]);
    let shared: Arc<dyn Disk> = Arc::new(short.clone());
    let (mut ledger, report) = open(&shared, &mut stores).unwrap();
    assert_eq!((report.refilled, report.size), (2, 6));
    ledger.append(vec![draft("c", 0)], time(9)).unwrap();
    assert_eq!(ledger.audit(&mut |_, _| {}).fault, None);
    drop(ledger);
    // The journal alone yields everything again.
    let (ledger, report) = reopen(&short, &MemoryStores::new()).unwrap();
    assert_eq!(report.replayed, 7);
    assert_eq!(ledger.audit(&mut |_, _| {}).fault, None);
}

#[test]
fn segments_rotate_and_verified_ones_are_dropped_on_request() {
    let disk = FaultDisk::new();
    let mut stores = MemoryStores::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let mut ledger = create(&shared, &mut stores).unwrap();
    for n in 0..9 {
        let large = crate::common::large_draft("a", 5 << 18);
        ledger.append(vec![large], time(n)).unwrap();
    }
    ledger.settle().unwrap();
    drop(ledger);
    let names = || -> Vec<String> {
        let all = disk.names().into_iter();
        all.filter(|n| n.starts_with("intake/")).collect()
    };
    assert_eq!(names(), [0, 5, 9].map(segment::name));
    let (ledger, report) = reopen(&disk, &MemoryStores::new()).unwrap();
    assert_eq!((report.replayed, report.size), (10, 10));
    drop(ledger);
    let options = receipt_ledger::Options {
        drop_verified: true,
    };
    // Not verified: the store had to be filled in the same open.
    let unverified = disk.copy();
    let shared_copy: Arc<dyn Disk> = Arc::new(unverified.clone());
    let opened = crate::common::open_with(&shared_copy, &mut MemoryStores::new(), options);
    assert_eq!(opened.unwrap().1.dropped, Vec::<String>::new());
    let (ledger, report) = crate::common::open_with(&shared, &mut stores, options).unwrap();
    assert_eq!(report.dropped, [0, 5].map(segment::name));
    assert_eq!(names(), [segment::name(9)]);
    assert_eq!(ledger.audit(&mut |_, _| {}).fault, None);
    drop(ledger);
    // Now the store is the only copy of the first records: it is not set aside.
    let refused = reopen(&disk, &MemoryStores::new()).unwrap_err();
    assert!(
        matches!(refused, LedgerError::Missing { from: 0, .. }),
        "{refused}"
    );
}
