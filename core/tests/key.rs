//! Laws of keys, bindings and notes.

use proptest::prelude::*;
use receipt_core::checkpoint::{Checkpoint, verifier_key};
use receipt_core::key::{Binding, PemError, PrivateKey, PublicKey, Use};

fn key(byte: u8) -> PrivateKey {
    PrivateKey::from_seed(&[byte; 32]).unwrap()
}

proptest! {
    #[test]
    fn a_private_key_survives_its_file(seed in any::<[u8; 32]>().prop_filter("zero", |s| s != &[0; 32])) {
        let made = PrivateKey::from_seed(&seed).unwrap();
        let read = PrivateKey::from_pem(&made.to_pem()).unwrap();
        prop_assert_eq!(read.public(), made.public());
        prop_assert_eq!(PublicKey::from_bytes(made.public().as_bytes()), Ok(made.public()));
    }

    #[test]
    fn any_bytes_are_vetted_without_panic(bytes: [u8; 32], signature in any::<[[u8; 32]; 2]>()) {
        if let Ok(key) = PublicKey::from_bytes(&bytes) {
            prop_assert!(!key.verifies(b"message", &signature.concat().try_into().unwrap()));
        }
    }

    #[test]
    fn any_text_is_read_without_panic(text in ".*") {
        let _ = PrivateKey::from_pem(&text);
        let _ = Checkpoint::open(&text, &key(1).public());
        let _ = Checkpoint::parse(&text);
    }

    #[test]
    fn a_note_says_what_was_signed(size in 0..=i64::MAX as u64, ledger: [u8; 32], root: [u8; 32]) {
        let checkpoint = Checkpoint { ledger, size, root };
        let note = checkpoint.sign(&key(1));
        prop_assert_eq!(Checkpoint::open(&note, &key(1).public()), Ok(checkpoint));
        prop_assert!(Checkpoint::open(&note, &key(2).public()).is_err());
    }
}

#[test]
fn every_flipped_bit_of_a_note_is_refused_or_says_the_same() {
    let checkpoint = Checkpoint {
        ledger: [9; 32],
        size: 25,
        root: [8; 32],
    };
    let note = checkpoint.sign(&key(1));
    for bit in 0..note.len() * 8 {
        let mut bytes = note.clone().into_bytes();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        assert!(
            Checkpoint::open(&text, &key(1).public()).is_err(),
            "bit {bit}"
        );
    }
}

#[test]
fn every_prefix_of_a_note_is_refused() {
    let note = Checkpoint {
        ledger: [9; 32],
        size: 25,
        root: [8; 32],
    }
    .sign(&key(1));
    for end in (0..note.len()).filter(|end| note.is_char_boundary(*end)) {
        assert!(Checkpoint::open(&note[..end], &key(1).public()).is_err());
    }
}

#[test]
fn a_binding_holds_for_its_ledger_its_use_and_its_key_alone() {
    let (identity, ledger) = (key(1), [3; 32]);
    let binding = Binding::new(&identity, &ledger, Use::Record, key(2).public());
    assert!(binding.holds(&identity.public(), &ledger));
    assert!(!binding.holds(&key(4).public(), &ledger));
    assert!(!binding.holds(&identity.public(), &[4; 32]));
    for key_use in [Use::Verdict, Use::Checkpoint] {
        let other = Binding {
            key_use,
            ..binding.clone()
        };
        assert!(!other.holds(&identity.public(), &ledger));
    }
    let other = Binding {
        key: key(5).public(),
        ..binding
    };
    assert!(!other.holds(&identity.public(), &ledger));
}

#[test]
fn a_zero_seed_is_refused_and_no_key_is_printed() {
    assert_eq!(
        PrivateKey::from_seed(&[0; 32]).err(),
        Some(PemError::ZeroSeed)
    );
    assert_eq!(format!("{:?}", key(1)), "PrivateKey(..)");
}

#[test]
fn a_verifier_key_names_ledger_and_key() {
    let text = verifier_key(&[0xab; 32], &key(1).public());
    let (name, rest) = text.split_once('+').unwrap();
    assert_eq!(name, Checkpoint::origin(&[0xab; 32]));
    assert_eq!(rest.split_once('+').unwrap().0.len(), 8);
}
