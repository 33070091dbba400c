//! Appending, reading back, reopening.

use crate::common::{create, draft, large_draft, open, stream, time};
use receipt_core::checkpoint::Checkpoint;
use receipt_core::key::Use;
use receipt_core::tree;
use receipt_ledger::{Disk, FsDisk, LedgerError, MemoryStores, SledStores, Stores};
use std::sync::Arc;

fn fill(disk: &Arc<dyn Disk>, stores: &mut dyn Stores) {
    let mut ledger = create(disk, stores).unwrap();
    for n in 0..10 {
        let records = ledger
            .append(vec![draft("a", n), draft("b", n)], time(n))
            .unwrap();
        assert_eq!(records[1].header().seq, 2 * n + 2);
        assert_eq!(records[1].header().stream_seq, n);
    }
    let made = ledger
        .append_with_checkpoint(vec![large_draft("a", 1 << 20)], [9; 32], time(20))
        .unwrap();
    assert_eq!(made.records.len(), 2);
    assert_eq!(made.note.size, ledger.size());
    ledger.publish_head().unwrap();
    ledger.append(vec![draft("c", 0)], time(30)).unwrap();
    check(&ledger);
    ledger.settle().unwrap();
}

fn check(ledger: &receipt_ledger::Ledger) {
    assert_eq!(ledger.size(), 24);
    assert_eq!(ledger.stream_len(&stream("a")), 11);
    let records: Vec<_> = ledger.range(0, 100).map(Result::unwrap).collect();
    assert_eq!(records.len(), 24);
    for (record, n) in records.iter().zip(0..) {
        assert_eq!(record.header().seq, n);
        record.check().unwrap();
        let leaf = tree::leaf_hash(&record.signed.leaf());
        let proof = ledger.inclusion_proof(n, 24).unwrap();
        assert!(tree::verify_inclusion(&leaf, n, 24, &proof, &ledger.root()));
    }
    let large = ledger.stream_record(&stream("a"), 10).unwrap().unwrap();
    assert_eq!(large.disclosure.unwrap().content.evidence[0].len(), 1 << 20);
    let note = ledger.checkpoint_at_or_after(5).unwrap().unwrap();
    let checkpoint =
        Checkpoint::open(&note.text, ledger.keys().current(Use::Checkpoint).unwrap()).unwrap();
    assert_eq!(checkpoint.size, 23);
    assert_eq!(checkpoint.root, ledger.root_at(23).unwrap());
    let proof = ledger.consistency_proof(23, 24).unwrap();
    assert!(tree::verify_consistency(
        (23, &checkpoint.root),
        (24, &ledger.root()),
        &proof
    ));
    assert_eq!(ledger.checkpoint_at_or_after(23).unwrap(), None);
    let heads = ledger.head_proof(&stream("b"), 23).unwrap().unwrap();
    assert_eq!(
        (heads.count, heads.head.stream_seq, heads.head.seq),
        (2, 9, 20)
    );
    let facts = String::from_utf8(records[22].facts().unwrap().to_vec()).unwrap();
    let root = receipt_core::heads::root(&ledger.heads_at(23).unwrap());
    assert!(facts.contains(&receipt_core::hash::hex(&root)), "{facts}");
    assert!(heads.verifies(&stream("b"), &root));
    assert_eq!(ledger.head_proof(&stream("c"), 23).unwrap(), None);
}

#[test]
fn what_was_appended_is_read_back_after_reopening_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let disk: Arc<dyn Disk> = Arc::new(FsDisk::new(folder.path().join("ledger")));
    let mut stores = MemoryStores::new();
    fill(&disk, &mut stores);
    let (ledger, report) = open(&disk, &mut stores).unwrap();
    assert_eq!((report.replayed, report.refilled), (0, 0));
    assert_eq!(report.rebuilt, None);
    check(&ledger);
}

#[test]
fn what_was_appended_is_read_back_after_reopening_with_sled() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("ledger");
    let disk: Arc<dyn Disk> = Arc::new(FsDisk::new(&root));
    fill(&disk, &mut SledStores::new(&root));
    // A database is not opened twice in one process: a copy stands for the
    // next process.
    let copy = crate::common::copy_tree(&root);
    let disk: Arc<dyn Disk> = Arc::new(FsDisk::new(copy.path()));
    let (ledger, report) = open(&disk, &mut SledStores::new(copy.path())).unwrap();
    assert_eq!((report.replayed, report.rebuilt), (0, None));
    check(&ledger);
    assert_eq!(
        std::fs::read_dir(copy.path().join("db-1/blobs"))
            .unwrap()
            .count(),
        0
    );
}

#[test]
fn the_directory_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let disk: Arc<dyn Disk> = Arc::new(FsDisk::new(folder.path()));
    let mut stores = MemoryStores::new();
    let ledger = create(&disk, &mut stores).unwrap();
    assert!(matches!(open(&disk, &mut stores), Err(LedgerError::Locked)));
    drop(ledger);
    open(&disk, &mut stores).unwrap();
}
