//! Records at rest.

use crate::common::{draft, key, large_draft, time};
use proptest::prelude::*;
use receipt_core::seal::{Draft, Place, Record, seal};
use receipt_ledger::stored::{StoredError, decode, encode, leaf};

fn sealed(draft: Draft) -> Record {
    let place = Place {
        ledger: [1; 32],
        seq: 5,
        prev: [2; 32],
        stream_seq: 3,
        stream_prev: [4; 32],
        time: time(1),
    };
    seal(draft, place, &key(2))
}

#[test]
fn what_was_encoded_is_decoded() {
    let mut erased = sealed(draft("a", 1));
    erased.disclosure = None;
    let mut groups = draft("a", 1);
    groups.content.groups[2] = Some(Vec::new());
    for record in [
        sealed(draft("a", 1)),
        sealed(large_draft("a", 5000)),
        sealed(groups),
        erased,
    ] {
        let bytes = encode(&record).unwrap();
        assert_eq!(decode(&bytes).unwrap(), record);
        assert_eq!(leaf(&bytes).unwrap(), record.signed.leaf());
    }
}

#[test]
fn evidence_is_compressed_where_that_helps() {
    let mut plain = draft("a", 1);
    plain.content.evidence = vec![vec![7; 100_000]];
    assert!(encode(&sealed(plain)).unwrap().len() < 2000);
    let noise = encode(&sealed(large_draft("a", 100_000))).unwrap();
    assert!(noise.len() < 101_000);
}

#[test]
fn cut_and_lengthened_bytes_are_refused() {
    let bytes = encode(&sealed(draft("a", 1))).unwrap();
    for len in 0..bytes.len() {
        assert!(decode(&bytes[..len]).is_err(), "cut at {len}");
    }
    let mut longer = bytes;
    longer.push(0);
    assert_eq!(decode(&longer), Err(StoredError::Trailing));
}

#[test]
fn a_size_beyond_the_limits_is_refused_before_anything_is_decompressed() {
    let mut plain = draft("a", 1);
    plain.content.evidence = vec![vec![7; 77_777]];
    let bytes = encode(&sealed(plain)).unwrap();
    let size = 77_777u64.to_le_bytes();
    let at = bytes.windows(8).position(|w| w == size).unwrap();
    for (claimed, expected) in [
        (u64::MAX, StoredError::TooLarge("an evidence item")),
        ((16 << 20) + 1, StoredError::TooLarge("an evidence item")),
        (16 << 20, StoredError::Compression),
        (77_776, StoredError::Compression),
        (0, StoredError::Compression),
    ] {
        let mut bytes = bytes.clone();
        bytes[at..at + 8].copy_from_slice(&u64::to_le_bytes(claimed));
        assert_eq!(decode(&bytes), Err(expected), "{claimed}");
    }
}

#[test]
fn content_beyond_the_limits_is_not_stored() {
    let mut group = draft("a", 1);
    group.content.groups[3] = Some(vec![b' '; (4 << 20) + 1]);
    let mut items = draft("a", 1);
    items.content.evidence = vec![Vec::new(); 65];
    let mut total = draft("a", 1);
    total.content.evidence = vec![vec![1; 16 << 20]; 5];
    for draft in [group, items, total] {
        assert!(matches!(
            encode(&sealed(draft)),
            Err(StoredError::TooLarge(_))
        ));
    }
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut bytes = encode(&sealed(draft("a", 1))).unwrap();
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(record) = decode(&bytes) {
            let _ = record.check();
        }
    }
}
