//! Keys of a ledger as they change.

use receipt_core::genesis;
use receipt_core::key::{PrivateKey, Use};
use receipt_core::keychain::{KeyChain, KeyChange, KeyChangeError};

fn key(byte: u8) -> PrivateKey {
    PrivateKey::from_seed(&[byte; 32]).unwrap()
}

fn chain() -> KeyChain {
    let (record, verdict, checkpoint) = (key(2).public(), key(3).public(), key(4).public());
    let facts = genesis::facts(&[9; 32], &key(1), &record, &verdict, &checkpoint);
    KeyChain::of(&genesis::parse(&facts).unwrap())
}

fn change(identity: u8, ledger: &[u8; 32], uses: &[(Use, u8)]) -> KeyChange {
    let keys: Vec<_> = uses.iter().map(|(of, byte)| (*of, key(*byte))).collect();
    let keys: Vec<_> = keys.iter().map(|(of, key)| (*of, key)).collect();
    KeyChange::new(&key(identity), ledger, &keys, false)
}

#[test]
fn a_change_is_in_force_from_the_next_record_on() {
    let mut chain = chain();
    let ledger = *chain.ledger();
    let change = change(1, &ledger, &[(Use::Record, 12), (Use::Checkpoint, 14)]);
    let read = KeyChange::parse(&change.facts()).unwrap();
    assert_eq!(read, change);
    chain.follow(7, &read).unwrap();
    for (seq, byte) in [(0, 2), (7, 2), (8, 12), (u64::MAX, 12)] {
        assert_eq!(
            chain.at(Use::Record, seq),
            Some(&key(byte).public()),
            "{seq}"
        );
    }
    assert_eq!(chain.current(Use::Record), Some(&key(12).public()));
    assert_eq!(chain.current(Use::Verdict), Some(&key(3).public()));
    assert_eq!(chain.at(Use::Checkpoint, 8), Some(&key(14).public()));
    assert_eq!(chain.all().count(), 5);
    let below = [0, 7, 8, u64::MAX].map(|seq| chain.changes_below(seq));
    assert_eq!(below, [0, 0, 1, 1]);
}

#[test]
fn a_change_needs_the_word_of_identity_and_new_key() {
    let ledger = *chain().ledger();
    let refused = |change: &KeyChange| {
        let mut keys = chain();
        let error = keys.follow(7, change).unwrap_err();
        assert_eq!(keys, chain(), "nothing has changed");
        error
    };
    let foreign = change(5, &ledger, &[(Use::Record, 12)]);
    assert_eq!(refused(&foreign), KeyChangeError::Binding(Use::Record));
    let elsewhere = change(1, &[8; 32], &[(Use::Record, 12)]);
    assert_eq!(refused(&elsewhere), KeyChangeError::Binding(Use::Record));
    // The binding of one key with the proof of another.
    let facts = |byte| {
        let bytes = change(1, &ledger, &[(Use::Record, byte)]).facts();
        String::from_utf8(bytes).unwrap()
    };
    let proof = |text: &str| text.split("\"proof\":\"").nth(1).unwrap()[..128].to_owned();
    let (mine, other) = (facts(12), facts(13));
    let mixed = mine.replace(&proof(&mine), &proof(&other));
    let mixed = KeyChange::parse(mixed.as_bytes()).unwrap();
    assert_eq!(refused(&mixed), KeyChangeError::Proof(Use::Record));
    for old in [1, 2, 3] {
        let again = change(1, &ledger, &[(Use::Record, old)]);
        assert_eq!(refused(&again), KeyChangeError::NotNew(Use::Record));
    }
    // One key has one use.
    let both = change(1, &ledger, &[(Use::Record, 12), (Use::Checkpoint, 12)]);
    assert_eq!(refused(&both), KeyChangeError::NotNew(Use::Checkpoint));
}

#[test]
fn what_is_no_change_of_keys_is_refused() {
    let ledger = *chain().ledger();
    let good = String::from_utf8(change(1, &ledger, &[(Use::Record, 12)]).facts()).unwrap();
    let twice = change(1, &ledger, &[(Use::Record, 12), (Use::Record, 13)]).facts();
    let falling = change(1, &ledger, &[(Use::Verdict, 12), (Use::Record, 13)]).facts();
    let cases = [
        b"{}".to_vec(),
        br#"{"key":{"keys":[]}}"#.to_vec(),
        good.replace("record", "other").into_bytes(),
        good.replace("\"use\"", "\"usage\"").into_bytes(),
        good.replace("}}", ",\"more\":1}}").into_bytes(),
        format!("{good} x").into_bytes(),
        twice,
        falling,
    ];
    for bytes in cases {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(KeyChange::parse(&bytes).is_err(), "{text}");
    }
}
