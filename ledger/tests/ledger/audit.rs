//! The audit finds what is wrong, wherever it is, and names the record.

use crate::common::{create, draft, key, open, stream, time};
use receipt_core::commit::Content;
use receipt_core::genesis;
use receipt_core::hash::Digest;
use receipt_core::record::{LEDGER_STREAM, ledger_id};
use receipt_core::seal::{Place, Record, seal};
use receipt_core::tree::Frontier;
use receipt_ledger::intake::journal::Journal;
use receipt_ledger::intake::segment;
use receipt_ledger::store::{Batch, Entry, Note};
use receipt_ledger::testing::FaultDisk;
use receipt_ledger::{Disk, Fault, Ledger, LedgerError, MemoryStores, stored};
use std::sync::Arc;

fn small() -> (FaultDisk, MemoryStores) {
    let disk = FaultDisk::new();
    let mut stores = MemoryStores::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let mut ledger = create(&shared, &mut stores).unwrap();
    for n in 0..3 {
        ledger
            .append(vec![draft("a", n), draft("b", n)], time(n))
            .unwrap();
        ledger
            .append_with_checkpoint(vec![draft("c", n)], [4; 32], time(n))
            .unwrap();
        ledger.publish_head().unwrap();
    }
    (disk, stores)
}

fn audit(ledger: &Ledger) -> Option<Fault> {
    ledger.audit(&mut |_, _| {}).fault
}

/// Opens a copy, does something to what lies beneath, and audits.
fn audit_after(
    home: &(FaultDisk, MemoryStores),
    harm: impl FnOnce(&FaultDisk, &MemoryStores),
) -> Option<Fault> {
    let (disk, mut stores) = (home.0.copy(), home.1.copy());
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let (ledger, _) = open(&shared, &mut stores).unwrap();
    harm(&disk, &stores);
    audit(&ledger)
}

#[test]
fn a_sound_ledger_is_sound_and_counted() {
    let home = small();
    let shared: Arc<dyn Disk> = Arc::new(home.0.clone());
    let (ledger, _) = open(&shared, &mut home.1.clone()).unwrap();
    let mut last = (0, 0);
    let report = ledger.audit(&mut |done, all| last = (done, all));
    assert_eq!(report.fault, None);
    assert_eq!(
        (report.records, report.checkpoints, report.streams),
        (13, 3, 4)
    );
    assert_eq!((report.pruned, last), (0, (13, 13)));
}

#[test]
fn one_bit_in_any_value_of_the_store_is_found() {
    let home = small();
    let mut keys = 0;
    home.1.damage(b"", |_| keys += 1);
    assert!(keys > 50);
    for which in 0..keys {
        for harm in 0..3 {
            let fault = audit_after(&home, |_, stores| {
                let mut at = 0;
                stores.damage(b"", |value| {
                    if at == which {
                        match harm {
                            0 => {
                                let byte = which * 31 % value.len();
                                value[byte] ^= 1;
                            }
                            1 => drop(value.pop()),
                            _ => value.push(0),
                        }
                    }
                    at += 1;
                });
            });
            assert!(fault.is_some(), "value {which}, harm {harm}");
        }
    }
}

#[test]
fn a_damaged_record_is_named() {
    let home = small();
    for seq in 0..13u64 {
        let mut prefix = b"r".to_vec();
        prefix.extend_from_slice(&seq.to_be_bytes());
        let fault = audit_after(&home, |_, stores| stores.damage(&prefix, |v| v[500] ^= 1));
        assert_eq!(fault.unwrap().record, Some(seq));
    }
}

#[test]
fn one_bit_anywhere_in_the_intake_is_found() {
    let home = small();
    let file = segment::name(0);
    let len = home.0.bytes(&file).unwrap().len();
    for at in (0..len).step_by(23) {
        let fault = audit_after(&home, |disk, _| {
            let mut bytes = disk.bytes(&file).unwrap();
            bytes[at] ^= 4;
            disk.put(&file, &bytes).unwrap();
        });
        assert!(fault.is_some(), "byte {at}");
    }
}

#[test]
fn a_register_or_marker_changed_underneath_is_found() {
    let home = small();
    for file in ["head", "genesis"] {
        let fault = audit_after(&home, |disk, _| disk.remove(file).unwrap());
        assert!(fault.is_some(), "{file}");
    }
}

#[test]
fn a_tree_that_does_not_fit_the_chain_is_not_opened_as_it_is() {
    let (disk, stores) = small();
    for prefix in [&b"t"[..], b"f"] {
        let stores = stores.copy();
        stores.damage(prefix, |value| {
            let last = value.len() - 1;
            value[last] ^= 1;
        });
        let shared: Arc<dyn Disk> = Arc::new(disk.copy());
        let (ledger, report) = open(&shared, &mut stores.copy()).unwrap();
        assert_eq!(report.rebuilt.unwrap().records, 13);
        assert_eq!(audit(&ledger), None);
    }
}

/// A record that is sealed with the right key at a place of one's choice.
fn forged(change: impl FnOnce(&mut Place)) -> impl FnOnce(Place) -> Record {
    move |mut place| {
        change(&mut place);
        seal(draft("a", 1), place, &key(2))
    }
}

/// Journals a record after the genesis record and opens the ledger.
fn open_with_forgery(
    make: impl FnOnce(Place) -> Record,
    notes: Vec<Note>,
) -> Result<(), LedgerError> {
    let disk = FaultDisk::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let mut stores = MemoryStores::new();
    let ledger = create(&shared, &mut stores).unwrap();
    let (id, genesis) = (*ledger.id(), ledger.record(0).unwrap().unwrap());
    drop(ledger);
    let record = make(Place {
        ledger: id,
        seq: 1,
        prev: genesis.signed.link(),
        stream_seq: 0,
        stream_prev: [0; 32],
        time: time(1),
    });
    let batch = Batch {
        first: 1,
        entries: vec![Entry {
            seq: 1,
            stream: stream("a"),
            stream_seq: 0,
            link: [0; 32],
            bytes: stored::encode(&record).unwrap(),
        }],
        nodes: Vec::new(),
        heads: receipt_core::heads::Heads::new(),
        frontier: Frontier::default(),
        notes,
    };
    let mut journal = Journal::open(Arc::clone(&shared), id).unwrap();
    journal.read(0).unwrap();
    journal.append(&batch).unwrap();
    open(&shared, &mut stores).map(|_| ())
}

#[test]
fn a_rightly_signed_record_in_the_wrong_place_is_refused() {
    open_with_forgery(forged(|_| {}), Vec::new()).unwrap();
    let forgeries: [(&str, fn(&mut Place)); 6] = [
        ("chained to the record before", |p| p.prev = [9; 32]),
        ("next number of its stream", |p| p.stream_seq = 1),
        ("before in its stream", |p| p.stream_prev = [9; 32]),
        ("another record", |p| p.seq = 2),
        ("another ledger", |p| p.ledger = [9; 32]),
        ("another record", |p| p.seq = 0),
    ];
    for (why, change) in forgeries {
        let refused = open_with_forgery(forged(change), Vec::new()).unwrap_err();
        let text = refused.to_string();
        assert!(text.contains("record 1") && text.contains(why), "{text}");
    }
}

#[test]
fn a_record_that_is_not_signed_or_not_what_it_commits_to_is_refused() {
    let other_key = |place| seal(draft("a", 1), place, &key(9));
    let bad_signature = |place| {
        let mut record = seal(draft("a", 1), place, &key(2));
        record.signed.signature[3] ^= 1;
        record
    };
    let other_content = |place| {
        let mut record = seal(draft("a", 1), place, &key(2));
        record.disclosure.as_mut().unwrap().content = Content::of_facts(b"{}".to_vec());
        record
    };
    let other_commitment = |place| {
        let mut record = seal(draft("a", 1), place, &key(2));
        record.commitments.groups[0][0] ^= 1;
        record
    };
    let second_genesis = |place| {
        let mut again = crate::common::genesis_draft(8);
        again.stream = stream("a");
        seal(again, place, &key(2))
    };
    let made: [(&str, fn(Place) -> Record); 5] = [
        ("a key", other_key),
        ("signature", bad_signature),
        ("content", other_content),
        ("commitments", other_commitment),
        ("genesis", second_genesis),
    ];
    for (why, make) in made {
        let refused = open_with_forgery(make, Vec::new()).unwrap_err().to_string();
        assert!(refused.contains(why), "{refused}");
    }
}

#[test]
fn a_note_that_the_records_do_not_bear_out_is_refused() {
    let ledger = ledger_id(&[8; 32], &key(1).public());
    let note = |size, root: Digest, signer| Note {
        size: 2,
        text: receipt_core::checkpoint::Checkpoint { ledger, size, root }.sign(&key(signer)),
    };
    for note in [
        note(2, [1; 32], 4),
        note(1, [1; 32], 4),
        note(2, [1; 32], 2),
    ] {
        let refused = open_with_forgery(forged(|_| {}), vec![note]).unwrap_err();
        assert!(
            matches!(refused, LedgerError::Record { seq: 1, .. }),
            "{refused}"
        );
    }
}

#[test]
fn an_erased_record_keeps_every_proof_and_is_counted() {
    let erased = |place| {
        let mut record = seal(draft("a", 1), place, &key(2));
        record.disclosure = None;
        record
    };
    open_with_forgery(erased, Vec::new()).unwrap();
    let disk = FaultDisk::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let mut stores = MemoryStores::new();
    drop(create(&shared, &mut stores).unwrap());
    let facts = genesis::parse(
        open(&shared, &mut stores)
            .unwrap()
            .0
            .record(0)
            .unwrap()
            .unwrap()
            .facts()
            .unwrap(),
    )
    .unwrap();
    assert_eq!(facts.ledger, ledger_id(&[8; 32], &key(1).public()));
    assert_eq!(LEDGER_STREAM, [0; 32]);
}
