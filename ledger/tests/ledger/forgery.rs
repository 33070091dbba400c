//! Records and notes in the journal that do not hold: opening refuses them,
//! whoever signed them.

use crate::common::{create, draft, genesis_draft, key, open, stream, time};
use receipt_core::checkpoint::Checkpoint;
use receipt_core::commit::Content;
use receipt_core::hash::Digest;
use receipt_core::heads::Heads;
use receipt_core::record::{Kind, LEDGER_STREAM, ledger_id};
use receipt_core::seal::{Place, Record, seal};
use receipt_core::tree::{Frontier, empty_root};
use receipt_ledger::intake::journal::Journal;
use receipt_ledger::store::{Batch, Entry, Note};
use receipt_ledger::testing::FaultDisk;
use receipt_ledger::{Disk, Ledger, LedgerError, MemoryStores, stored};
use std::sync::Arc;

/// What the refusal says, and what is changed.
type Twist<T> = (&'static str, fn(&mut T));

/// Journals one record after the genesis record, and opens the ledger.
fn open_with(make: impl FnOnce(Place) -> Record, notes: Vec<Note>) -> Result<Ledger, LedgerError> {
    let disk: Arc<dyn Disk> = Arc::new(FaultDisk::new());
    let mut stores = MemoryStores::new();
    let ledger = create(&disk, &mut stores).unwrap();
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
    let entry = Entry {
        seq: 1,
        stream: stream("a"),
        stream_seq: 0,
        link: [0; 32],
        bytes: stored::encode(&record).unwrap(),
    };
    let batch = Batch {
        first: 1,
        entries: vec![entry],
        nodes: Vec::new(),
        heads: Heads::new(),
        frontier: Frontier::default(),
        notes,
    };
    let mut journal = Journal::open(Arc::clone(&disk), id).unwrap();
    journal.read(0).unwrap();
    journal.append(&batch).unwrap();
    open(&disk, &mut stores).map(|(ledger, _)| ledger)
}

fn refused(make: impl FnOnce(Place) -> Record, notes: Vec<Note>) -> String {
    let error = open_with(make, notes).unwrap_err();
    assert!(
        matches!(error, LedgerError::Record { seq: 1, .. }),
        "{error}"
    );
    error.to_string()
}

fn sound(place: Place) -> Record {
    seal(draft("a", 1), place, &key(2))
}

#[test]
fn a_rightly_signed_record_in_the_wrong_place_is_refused() {
    assert_eq!(open_with(sound, Vec::new()).unwrap().size(), 2);
    let twists: [Twist<Place>; 6] = [
        ("the record before", |place| place.prev = [9; 32]),
        ("next number of its stream", |place| place.stream_seq = 1),
        ("before in its stream", |place| place.stream_prev = [9; 32]),
        ("another record stands", |place| place.seq = 2),
        ("another record stands", |place| place.seq = 0),
        ("another ledger", |place| place.ledger = [9; 32]),
    ];
    for (why, twist) in twists {
        let make = |mut place| {
            twist(&mut place);
            sound(place)
        };
        let text = refused(make, Vec::new());
        assert!(text.contains(why), "{text}");
    }
}

#[test]
fn a_record_that_is_not_what_was_signed_or_committed_is_refused() {
    let changes: [Twist<Record>; 5] = [
        ("signature", |record| record.signed.signature[3] ^= 1),
        ("content", |record| {
            let disclosure = record.disclosure.as_mut().unwrap();
            disclosure.content = Content::of_facts(b"{}".to_vec());
        }),
        ("content", |record| {
            record.disclosure.as_mut().unwrap().secret[0] ^= 1;
        }),
        ("commitments", |record| record.commitments.groups[0][0] ^= 1),
        ("commitments", |record| record.commitments.evidence.clear()),
    ];
    for (why, change) in changes {
        let make = |place| {
            let mut record = sound(place);
            change(&mut record);
            record
        };
        let text = refused(make, Vec::new());
        assert!(text.contains(why), "{text}");
    }
}

#[test]
fn a_record_of_a_foreign_key_or_a_second_genesis_is_refused() {
    let text = refused(|place| seal(draft("a", 1), place, &key(9)), Vec::new());
    assert!(
        text.contains("a key that the ledger does not bind"),
        "{text}"
    );
    let again = |place| {
        let mut again = genesis_draft(8);
        again.stream = stream("a");
        seal(again, place, &key(2))
    };
    let text = refused(again, Vec::new());
    assert!(text.contains("genesis"), "{text}");
}

#[test]
fn a_note_that_the_records_do_not_bear_out_is_refused() {
    let ledger = ledger_id(&[8; 32], &key(1).public());
    let note = |size, root: Digest, signer| Note {
        size: 2,
        text: Checkpoint { ledger, size, root }.sign(&key(signer)),
    };
    for note in [
        note(2, [1; 32], 4),
        note(1, [1; 32], 4),
        note(2, [1; 32], 2),
    ] {
        let text = refused(sound, vec![note]);
        assert!(text.contains("note"), "{text}");
    }
}

#[test]
fn a_record_whose_content_is_erased_is_taken_as_it_is() {
    let erased = |place| Record {
        disclosure: None,
        ..sound(place)
    };
    assert_eq!(open_with(erased, Vec::new()).unwrap().size(), 2);
}

/// A `Heads` record with these facts right after the genesis record, a right
/// note over both, and what the audit says.
fn audit_of_heads(root: &Digest, count: u64, keys: u64) -> Option<String> {
    let (facts, mut frontier) = (heads_facts(root, count, keys), Frontier::default());
    let home: Arc<dyn Disk> = Arc::new(FaultDisk::new());
    let like = create(&home, &mut MemoryStores::new()).unwrap();
    let genesis = like.record(0).unwrap().unwrap().signed;
    let make = |place: Place| {
        let mut heads = draft("a", 0);
        heads.kind = Kind::Heads;
        heads.stream = LEDGER_STREAM;
        heads.content = Content::of_facts(facts);
        let place = Place {
            stream_seq: 1,
            stream_prev: place.prev,
            ..place
        };
        seal(heads, place, &key(2))
    };
    let record = make.clone()(Place {
        ledger: *like.id(),
        seq: 1,
        prev: genesis.link(),
        stream_seq: 1,
        stream_prev: genesis.link(),
        time: time(1),
    });
    frontier.push(&genesis.leaf());
    frontier.push(&record.signed.leaf());
    let note = Checkpoint {
        ledger: *like.id(),
        size: 2,
        root: frontier.root(),
    };
    let note = Note {
        size: 2,
        text: note.sign(&key(4)),
    };
    let ledger = open_with(make, vec![note]).unwrap();
    ledger.audit(&mut |_, _| {}).fault.map(|f| f.to_string())
}

fn heads_facts(root: &Digest, count: u64, keys: u64) -> Vec<u8> {
    let root = receipt_core::hash::hex(root);
    format!("{{\"heads\":{{\"root\":\"{root}\",\"count\":{count},\"keys\":{keys}}}}}").into_bytes()
}

#[test]
fn heads_that_the_records_do_not_yield_are_found_by_the_audit() {
    assert_eq!(audit_of_heads(&empty_root(), 0, 0), None);
    for (root, count, keys) in [([1; 32], 0, 0), (empty_root(), 1, 0), (empty_root(), 0, 1)] {
        let fault = audit_of_heads(&root, count, keys).unwrap();
        assert!(
            fault.contains("record #1: it states other heads"),
            "{fault}"
        );
    }
}
