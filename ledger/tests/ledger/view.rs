//! What reads a ledger while it grows, and what a store leaves out to stay small.

use crate::common::{change_draft, create, draft, key, open, stream, time};
use receipt_core::key::Use;
use receipt_core::tree::{self, Frontier};
use receipt_ledger::testing::FaultDisk;
use receipt_ledger::{Audit, Disk, FsDisk, Ledger, MemoryStores, SledStores, View};
use std::ops::ControlFlow;
use std::sync::Arc;

fn on(_: u64, _: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn append(ledger: &mut Ledger, range: std::ops::Range<u64>) {
    for n in range {
        let drafts = vec![draft("a", n), draft(&format!("s{n}"), 0)];
        ledger.append(drafts, time(n)).unwrap();
        if n % 7 == 3 {
            ledger
                .append_with_checkpoint(Vec::new(), [9; 32], time(n))
                .unwrap();
            ledger.publish_head().unwrap();
        }
    }
}

#[test]
fn roots_and_proofs_of_every_size_are_those_of_the_records() {
    let disk: Arc<dyn Disk> = Arc::new(FaultDisk::new());
    let mut stores = MemoryStores::new();
    let mut ledger = create(&disk, &mut stores).unwrap();
    append(&mut ledger, 0..150);
    drop(ledger);
    let (ledger, report) = open(&disk, &mut stores).unwrap();
    assert!(report.size > 300 && report.rebuilt.is_none());
    let mut frontier = Frontier::default();
    for record in ledger.range(0, ledger.size()) {
        let record = record.unwrap();
        frontier.push(&record.signed.leaf());
        let size = frontier.size();
        assert_eq!(ledger.root_at(size).unwrap(), frontier.root());
        let leaf = tree::leaf_hash(&record.signed.leaf());
        let proof = ledger.inclusion_proof(size - 1, ledger.size()).unwrap();
        let root = ledger.root();
        assert!(tree::verify_inclusion(
            &leaf,
            size - 1,
            ledger.size(),
            &proof,
            &root
        ));
        let proof = ledger.consistency_proof(size, ledger.size()).unwrap();
        let (old, new) = ((size, &frontier.root()), (ledger.size(), &root));
        assert!(tree::verify_consistency(old, new, &proof));
    }
    for n in 0..150 {
        let record = ledger.stream_record(&stream("a"), n).unwrap().unwrap();
        assert_eq!(record.header().stream_seq, n);
    }
    assert!(ledger.stream_record(&stream("a"), 150).unwrap().is_none());
    assert!(ledger.audit(&mut |_, _| {}).is_sound());
}

/// Takes views while another thread reads through each, as an audit does.
fn audited_while_it_grows(mut ledger: Ledger) {
    let (send, views) = std::sync::mpsc::channel::<View>();
    let audited = std::thread::spawn(move || {
        let mut audit = Audit::default();
        let mut newest = None;
        for view in views {
            assert!(audit.go_on(&view, &mut on).is_continue());
            newest = Some(view);
        }
        audit.report(&newest.unwrap())
    });
    let mut sizes = Vec::new();
    for round in 0..12 {
        let view = ledger.view().unwrap();
        sizes.push(view.size());
        send.send(view).unwrap();
        append(&mut ledger, round * 10..round * 10 + 10);
    }
    let view = ledger.view().unwrap();
    append(&mut ledger, 120..130);
    // A view stays what it was.
    assert!(view.size() < ledger.size());
    assert!(view.record(view.size()).unwrap().is_none());
    assert!(view.record(view.size() - 1).unwrap().is_some());
    send.send(ledger.view().unwrap()).unwrap();
    drop(send);
    let report = audited.join().unwrap();
    assert_eq!(report.fault, None);
    assert_eq!(report.records, ledger.size());
    assert_eq!(report, ledger.audit(&mut |_, _| {}));
}

#[test]
fn a_ledger_is_audited_while_it_grows() {
    let disk: Arc<dyn Disk> = Arc::new(FaultDisk::new());
    audited_while_it_grows(create(&disk, &mut MemoryStores::new()).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let disk: Arc<dyn Disk> = Arc::new(FsDisk::new(folder.path()));
    let mut stores = SledStores::new(folder.path());
    audited_while_it_grows(create(&disk, &mut stores).unwrap());
}

#[test]
fn an_audit_of_a_growing_ledger_finds_what_is_wrong_in_the_new_part_and_at_the_end() {
    let disk: Arc<dyn Disk> = Arc::new(FaultDisk::new());
    let stores = MemoryStores::new();
    let mut ledger = create(&disk, &mut stores.clone()).unwrap();
    append(&mut ledger, 0..20);
    let mut audit = Audit::default();
    assert!(audit.go_on(&ledger.view().unwrap(), &mut on).is_continue());
    let seen = ledger.size();
    assert!(audit.report(&ledger).is_sound());
    append(&mut ledger, 20..40);
    // What was appended meanwhile is no part of it.
    assert!(!audit.report(&ledger).is_sound());
    let key = [b"r".as_slice(), &(seen + 5).to_be_bytes()].concat();
    stores.damage(&key, |value| value[300] ^= 1);
    assert!(audit.go_on(&ledger.view().unwrap(), &mut on).is_continue());
    let fault = audit.report(&ledger).fault.unwrap();
    assert_eq!(fault.record, Some(seen + 5), "{fault}");
    // It stays, whatever becomes of the store.
    stores.damage(&key, |value| value[300] ^= 1);
    assert!(audit.go_on(&ledger.view().unwrap(), &mut on).is_continue());
    assert_eq!(audit.report(&ledger).fault, Some(fault));
    assert!(ledger.audit(&mut |_, _| {}).is_sound());
}

#[test]
fn a_view_knows_no_key_and_no_checkpoint_of_later() {
    let disk: Arc<dyn Disk> = Arc::new(FaultDisk::new());
    let mut ledger = create(&disk, &mut MemoryStores::new()).unwrap();
    append(&mut ledger, 0..3);
    let view = ledger.view().unwrap();
    let size = view.size();
    let next = vec![(Use::Record, key(9))];
    let change = change_draft(ledger.id(), &next);
    ledger.change_keys(change, &next, [9; 32], time(9)).unwrap();
    assert_eq!(ledger.key_records().unwrap(), [size]);
    assert_eq!(view.key_records().unwrap(), Vec::<u64>::new());
    assert!(ledger.checkpoint_at_or_after(size).unwrap().is_some());
    assert_eq!(view.checkpoint_at_or_after(size).unwrap(), None);
    let mut audit = Audit::default();
    assert!(audit.go_on(&view, &mut on).is_continue());
    assert!(audit.is_sound(), "{:?}", audit.report(&view).fault);
    assert!(audit.go_on(&ledger.view().unwrap(), &mut on).is_continue());
    assert_eq!(audit.report(&ledger).fault, None);
}
