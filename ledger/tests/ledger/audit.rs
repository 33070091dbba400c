//! An audit finds every kind of planted damage and names the record.

#[path = "audit/forged.rs"]
mod forged;

use crate::common::{create, draft, key, open, stream, time};
use receipt_core::checkpoint::Checkpoint;
use receipt_ledger::intake::segment;
use receipt_ledger::testing::FaultDisk;
use receipt_ledger::{AuditReport, Disk, Ledger, MemoryStores};
use std::sync::Arc;

struct Bench {
    disk: FaultDisk,
    stores: MemoryStores,
    ledger: Ledger,
}

/// 32 records in three streams, with four checkpoints.
fn bench() -> Bench {
    bench_of(9)
}

/// Enough records that the store keeps a node of the tree.
fn tall() -> Bench {
    bench_of(27)
}

fn bench_of(rounds: u64) -> Bench {
    let disk = FaultDisk::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let mut stores = MemoryStores::new();
    let mut ledger = create(&shared, &mut stores).unwrap();
    for n in 0..rounds {
        let drafts = vec![draft("a", n), draft("b", n), draft("c", n)];
        if n % 2 == 1 {
            ledger
                .append_with_checkpoint(drafts, [9; 32], time(n))
                .unwrap();
            ledger.publish_head().unwrap();
        } else {
            ledger.append(drafts, time(n)).unwrap();
        }
    }
    Bench {
        disk,
        stores,
        ledger,
    }
}

fn audit(ledger: &Ledger) -> AuditReport {
    ledger.audit(&mut |_, _| {})
}

/// Damages the store, audits, and repairs it again.
fn with_damage(bench: &Bench, prefix: &[u8], change: impl FnMut(&mut Vec<u8>)) -> AuditReport {
    let before = bench.stores.pairs(prefix);
    assert!(!before.is_empty(), "nothing under {prefix:?}");
    bench.stores.damage(prefix, change);
    let report = audit(&bench.ledger);
    bench.stores.plant(before);
    report
}

fn fault_of(report: &AuditReport, when: &str) -> (Option<u64>, String) {
    let fault = report.fault.as_ref();
    let fault = fault.unwrap_or_else(|| panic!("{when}: nothing was found"));
    assert!(!report.is_sound());
    (fault.record, fault.to_string())
}

fn record_prefix(seq: u64) -> Vec<u8> {
    [b"r".as_slice(), &seq.to_be_bytes()].concat()
}

#[test]
fn a_sound_ledger_is_sound_and_counted() {
    let bench = bench();
    let mut told = Vec::new();
    let report = bench.ledger.audit(&mut |done, all| told.push((done, all)));
    let due = AuditReport {
        records: 32,
        pruned: 0,
        streams: 4,
        checkpoints: 4,
        fault: None,
    };
    assert_eq!(report, due);
    assert_eq!(
        (told.first(), told.last()),
        (Some(&(0, 32)), Some(&(32, 32)))
    );
}

#[test]
fn any_flipped_byte_of_a_record_is_found() {
    let bench = bench();
    let len = bench.stores.pairs(&record_prefix(7))[0].1.len();
    for at in 0..len {
        let report = with_damage(&bench, &record_prefix(7), |value| value[at] ^= 4);
        let (record, text) = fault_of(&report, &format!("byte {at}"));
        // A wrong length spoils the page, which is named by its first record.
        assert!(record == Some(7) || at < 4, "byte {at}: {text}");
        assert!(report.records <= 7);
    }
    assert!(audit(&bench.ledger).is_sound());
}

#[test]
fn a_fault_reads_like_a_sentence() {
    let bench = bench();
    // The signature stands after the length (4 bytes) and the header (336).
    let report = with_damage(&bench, &record_prefix(12), |value| value[4 + 336] ^= 1);
    let (_, text) = fault_of(&report, "signature");
    assert_eq!(text, "record #12: its signature does not verify");
}

#[test]
fn swapped_missing_and_repeated_records_are_found() {
    let bench = bench();
    let value = |seq| bench.stores.pairs(&record_prefix(seq))[0].1.clone();
    let (five, six) = (value(5), value(6));
    let report = with_damage(&bench, &record_prefix(5), |v| v.clone_from(&six));
    assert_eq!(fault_of(&report, "repeated").0, Some(5));
    bench
        .stores
        .damage(&record_prefix(5), |v| v.clone_from(&six));
    let report = with_damage(&bench, &record_prefix(6), |v| v.clone_from(&five));
    assert_eq!(fault_of(&report, "swapped").0, Some(5));
    bench
        .stores
        .damage(&record_prefix(5), |v| v.clone_from(&five));
    bench.stores.forget(&record_prefix(31));
    assert_eq!(fault_of(&audit(&bench.ledger), "missing").0, Some(31));
}

#[test]
fn any_wrong_index_node_head_or_frontier_is_found() {
    let bench = tall();
    for (letter, what) in [
        (b"s", "stream"),
        (b"t", "tree node"),
        (b"h", "heads"),
        (b"f", "frontier"),
    ] {
        assert!(!bench.stores.pairs(letter).is_empty(), "nothing of {what}");
        for (pair, n) in bench.stores.pairs(letter).iter().zip(0usize..) {
            let at = 8 + n % (pair.1.len() - 8);
            let report = with_damage(&bench, &pair.0, |value| value[at] ^= 1);
            let (_, text) = fault_of(&report, what);
            assert!(text.contains(what), "{what}: {text}");
            bench.stores.forget(&pair.0);
            fault_of(&audit(&bench.ledger), &format!("{what} without a pair"));
            bench.stores.plant(vec![pair.clone()]);
        }
    }
    assert!(audit(&bench.ledger).is_sound());
}

#[test]
fn what_stands_beyond_the_records_is_found() {
    let bench = tall();
    let last = |prefix: &[u8]| bench.stores.pairs(prefix).pop().unwrap();
    let index = [b"s".as_slice(), &stream("a")].concat();
    for prefix in [index.as_slice(), b"t", b"n"] {
        let (mut key, value) = last(prefix);
        *key.last_mut().unwrap() += 1;
        for far in [0, 5] {
            let mut key = key.clone();
            *key.last_mut().unwrap() += far;
            bench.stores.plant(vec![(key.clone(), value.clone())]);
            let report = audit(&bench.ledger);
            fault_of(&report, &format!("{prefix:?} beyond the end by {far}"));
            bench.stores.forget(&key);
        }
    }
    let low = [b"t".as_slice(), &[0; 4], &[0; 8]].concat();
    bench.stores.plant(vec![(low.clone(), vec![1; 32])]);
    fault_of(&audit(&bench.ledger), "a node that no store keeps");
    bench.stores.forget(&low);
    assert!(audit(&bench.ledger).is_sound());
}

#[test]
fn any_flipped_byte_of_a_note_is_found_and_a_missing_note_too() {
    let bench = bench();
    let (key, note) = bench.stores.pairs(b"n")[1].clone();
    for at in 0..note.len() {
        let report = with_damage(&bench, &key, |value| value[at] ^= 1);
        fault_of(&report, &format!("byte {at} of a note"));
    }
    bench.stores.forget(&key);
    let (record, text) = fault_of(&audit(&bench.ledger), "no note");
    assert!(text.contains("note"), "{text}");
    let size = u64::from_be_bytes(key[1..].try_into().unwrap());
    assert_eq!(record, Some(size - 1));
}

#[test]
fn a_damaged_journal_is_found_though_the_store_is_whole() {
    let bench = bench();
    let file = segment::name(0);
    let whole = bench.disk.bytes(&file).unwrap();
    let again = |bytes: &[u8]| {
        bench.disk.remove(&file).unwrap();
        bench.disk.put(&file, bytes).unwrap();
        audit(&bench.ledger)
    };
    for at in (0..whole.len()).step_by(37) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fault_of(&again(&bytes), &format!("byte {at} of the journal"));
    }
    fault_of(&again(&whole[..whole.len() - 1]), "a shorter journal");
    fault_of(&again(&[&whole[..], b"tail"].concat()), "a longer journal");
    fault_of(&again(b""), "an empty journal");
    assert!(again(&whole).is_sound());
    bench.disk.put(&segment::name(99), b"").unwrap();
    fault_of(&audit(&bench.ledger), "a foreign segment");
    bench.disk.remove(&segment::name(99)).unwrap();
    bench.disk.remove(&file).unwrap();
    fault_of(&audit(&bench.ledger), "no segment");
}

#[test]
fn a_wrong_head_register_or_marker_is_found() {
    let bench = bench();
    let original = bench.disk.bytes("head").unwrap();
    let ahead = Checkpoint {
        ledger: *bench.ledger.id(),
        size: 40,
        root: [1; 32],
    };
    let other = Checkpoint { size: 30, ..ahead };
    let mut flipped = original.clone();
    flipped[70] ^= 1;
    let ahead = ahead.sign(&key(4)).into_bytes();
    let foreign = other.sign(&key(5)).into_bytes();
    let other = other.sign(&key(4)).into_bytes();
    for (bytes, what) in [
        (ahead, "names 40 records, 32 are here"),
        (other, "another root"),
        (foreign, "refused"),
        (flipped, "head"),
    ] {
        bench.disk.remove("head").unwrap();
        bench.disk.put("head", &bytes).unwrap();
        let (_, text) = fault_of(&audit(&bench.ledger), what);
        assert!(text.contains(what), "{text}");
    }
    bench.disk.remove("head").unwrap();
    fault_of(&audit(&bench.ledger), "no register");
    bench.disk.put("head", &original).unwrap();
    assert!(audit(&bench.ledger).is_sound());
    let marker = bench.disk.bytes("genesis").unwrap();
    bench.disk.remove("genesis").unwrap();
    fault_of(&audit(&bench.ledger), "no marker");
    let mut other = marker;
    other[0] = if other[0] == b'0' { b'1' } else { b'0' };
    bench.disk.put("genesis", &other).unwrap();
    fault_of(&audit(&bench.ledger), "another marker");
}

#[test]
fn a_store_found_broken_in_use_is_rebuilt_at_the_next_open() {
    let mut bench = bench();
    bench
        .stores
        .damage(&record_prefix(5), |value| value.truncate(2));
    assert!(bench.ledger.record(5).is_err());
    let shared: Arc<dyn Disk> = Arc::new(bench.disk.clone());
    drop(bench.ledger);
    let (ledger, report) = open(&shared, &mut bench.stores).unwrap();
    assert_eq!(report.rebuilt.map(|r| r.records), Some(32));
    assert!(audit(&ledger).is_sound());
    drop(ledger);
    let (_, report) = open(&shared, &mut bench.stores).unwrap();
    assert_eq!(report.rebuilt, None);
    receipt_ledger::distrust_store(&*shared, "on request").unwrap();
    let (_, report) = open(&shared, &mut bench.stores).unwrap();
    assert_eq!(report.rebuilt.map(|r| r.why), Some("on request".to_owned()));
}
