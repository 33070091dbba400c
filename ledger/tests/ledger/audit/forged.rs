//! Ledgers whose signatures hold and that no ledger would have written.

use super::{audit, bench, fault_of};
use crate::common::{create, draft, genesis_draft, key, open, time};
use receipt_core::commit::Content;
use receipt_core::prune::PruneRule;
use receipt_core::record::{Kind, LEDGER_STREAM};
use receipt_core::seal::{Place, Record, seal};
use receipt_core::tree::Frontier;
use receipt_ledger::intake::journal::Journal;
use receipt_ledger::store::{Batch, Entry, KEPT_LEVEL};
use receipt_ledger::testing::FaultDisk;
use receipt_ledger::{Disk, Ledger, MemoryStores, Stores, stored};
use std::sync::Arc;

#[test]
fn a_right_chain_under_a_wrong_tree_is_refused() {
    // Two histories under the same keys that part at record 3.
    let history = |third: u64| {
        let disk: Arc<dyn Disk> = Arc::new(FaultDisk::new());
        let mut stores = MemoryStores::new();
        let mut ledger = create(&disk, &mut stores).unwrap();
        for n in [0, 1, third].into_iter().chain(3..70) {
            ledger.append(vec![draft("a", n)], time(n)).unwrap();
        }
        (ledger, stores)
    };
    let (_, one) = history(2);
    let (ledger, stores) = history(77);
    assert!(audit(&ledger).is_sound());
    stores.plant(one.pairs(b"t"));
    let (record, text) = fault_of(&audit(&ledger), "a tree of other records");
    // The lowest node that is kept, over 64 records.
    assert_eq!(record, Some(63), "{text}");
    assert!(text.contains("tree node"), "{text}");
}

/// A ledger of six records written by someone who holds the keys and twists
/// places or records as they are made; its tree is right.
fn forged(twist: impl Fn(&mut Place), change: impl Fn(&mut Record)) -> Ledger {
    let disk: Arc<dyn Disk> = Arc::new(FaultDisk::new());
    let mut stores = MemoryStores::new();
    let ledger = create(&disk, &mut stores).unwrap();
    let genesis = ledger.record(0).unwrap().unwrap();
    let (id, mut link, mut stream_link) = (*ledger.id(), genesis.signed.link(), [0; 32]);
    let mut frontier = Frontier::default();
    frontier.push(&genesis.signed.leaf());
    drop(ledger);
    let mut journal = Journal::open(Arc::clone(&disk), id).unwrap();
    journal.read(0).unwrap();
    let mut store = stores.open().unwrap();
    for n in 0..5u64 {
        let mut place = Place {
            ledger: id,
            seq: n + 1,
            prev: link,
            stream_seq: n,
            stream_prev: stream_link,
            time: time(n),
        };
        twist(&mut place);
        let mut record = seal(draft("a", n), place, &key(2));
        change(&mut record);
        link = record.signed.link();
        stream_link = link;
        let batch = batch_of(&record, &mut frontier);
        journal.append(&batch).unwrap();
        store.append(&batch).unwrap();
    }
    open(&disk, &mut stores).unwrap().0
}

fn batch_of(record: &Record, frontier: &mut Frontier) -> Batch {
    let header = record.header();
    let head = receipt_core::heads::Head {
        stream_seq: header.stream_seq,
        seq: header.seq,
        link: record.signed.link(),
    };
    let completed = frontier.push(&record.signed.leaf()).into_iter();
    let kept = completed.filter(|node| node.level >= KEPT_LEVEL).collect();
    Batch {
        first: header.seq,
        entries: vec![Entry {
            seq: header.seq,
            stream: header.stream,
            stream_seq: header.stream_seq,
            link: head.link,
            bytes: stored::encode(record).unwrap(),
        }],
        nodes: kept,
        heads: [(header.stream, head)].into(),
        frontier: frontier.clone(),
        notes: Vec::new(),
    }
}

#[test]
fn a_wrong_chain_under_a_right_tree_is_refused() {
    let at_three = |place: &mut Place, change: fn(&mut Place)| {
        if place.seq == 3 {
            change(place);
        }
    };
    type Change = fn(&mut Place);
    let cases: [(Change, &str); 4] = [
        (|p| p.prev = [7; 32], "not chained to the record before"),
        (|p| p.stream_prev = [7; 32], "in its stream"),
        (|p| p.stream_seq = 7, "next number of its stream"),
        (|p| p.ledger = [7; 32], "another ledger"),
    ];
    for (change, due) in cases {
        let ledger = forged(|place| at_three(place, change), |_| {});
        let (record, text) = fault_of(&audit(&ledger), due);
        assert_eq!(record, Some(3), "{text}");
        assert!(text.contains(due), "{text}");
    }
    assert!(audit(&forged(|_| {}, |_| {})).is_sound());
}

#[test]
fn only_the_ledger_writes_genesis_and_heads() {
    let mut bench = bench();
    let mut heads = draft("a", 9);
    heads.kind = Kind::Heads;
    heads.stream = LEDGER_STREAM;
    assert!(bench.ledger.append(vec![heads], time(1)).is_err());
    assert!(
        bench
            .ledger
            .append(vec![genesis_draft(3)], time(1))
            .is_err()
    );
    bench.ledger.append(vec![draft("a", 9)], time(1)).unwrap();
    assert!(audit(&bench.ledger).is_sound());
}

#[test]
fn erased_content_is_counted_if_a_record_tells_of_it() {
    let mut erased = forged(
        |_| {},
        |record| {
            if record.header().seq % 2 == 0 {
                record.disclosure = None;
            }
        },
    );
    let (record, text) = fault_of(&audit(&erased), "nobody told");
    assert_eq!(record, Some(2), "{text}");
    let told = |up_to| {
        let rule = PruneRule {
            before_us: u64::MAX >> 11,
            up_to,
            streams: Vec::new(),
        };
        let mut told = genesis_draft(0);
        told.kind = Kind::Prune;
        told.content = Content::of_facts(rule.facts());
        told
    };
    erased.append(vec![told(3)], time(7)).unwrap();
    assert_eq!(fault_of(&audit(&erased), "not of all").0, Some(4));
    erased.append(vec![told(5)], time(8)).unwrap();
    let report = audit(&erased);
    assert_eq!((report.fault, report.records, report.pruned), (None, 8, 2));
}
