//! Notes, verifier keys and headers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use receipt_core::checkpoint::{Checkpoint, VerifierKey};
use receipt_core::key::PrivateKey;
use receipt_core::record::Signed;

fuzz_target!(|data: &[u8]| {
    if let Ok(signed) = Signed::from_leaf(data) {
        assert_eq!(signed.leaf(), data);
    }
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let key = PrivateKey::from_seed(&[7; 32]).expect("a seed");
    let _ = Checkpoint::open(text, &key.public());
    let _ = VerifierKey::parse(text);
    let _ = PrivateKey::from_pem(text);
    if let Ok(checkpoint) = Checkpoint::parse(text) {
        assert_eq!(checkpoint.text(), text);
        let note = checkpoint.sign(&key);
        assert_eq!(Checkpoint::open(&note, &key.public()), Ok(checkpoint));
    }
});
