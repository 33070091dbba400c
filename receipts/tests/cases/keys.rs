//! Changes of keys inside a receipt.

use crate::world::*;
use data_encoding::BASE64;
use receipt_core::hash::hex;
use receipt_core::key::{PrivateKey, Use};
use receipt_receipts::envelope::{PAYLOAD_TYPE, pre_authentication};
use receipt_receipts::verify::{Fault, Outcome};
use serde_json::{Value, json};

/// A receipt of a turn that came after a change to these keys.
fn after(new: &[(Use, u8)]) -> (Ledger, Vec<u8>) {
    let mut ledger = Ledger::new(10);
    ledger.rotate(new);
    let verdict = checked_turn(&mut ledger, session("a"));
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Default::default());
    (ledger, file)
}

/// The file with its statement signed by another key.
fn signed_by(file: &[u8], key: &PrivateKey) -> Vec<u8> {
    let payload = serde_json::to_vec(&statement(file)).unwrap();
    let signature = key.sign(&pre_authentication(PAYLOAD_TYPE, &payload));
    let line = json!([{"keyid": hex(&key.public().id()), "sig": BASE64.encode(&signature)}]);
    edit(file, |v| {
        v["payload"] = BASE64.encode(&payload).into();
        v["signatures"] = line;
    })
}

const USES: [Use; 3] = Use::ALL;

#[test]
fn each_change_of_keys_is_followed() {
    for of in USES {
        let (ledger, file) = after(&[(of, 40)]);
        let report = check(&ledger, &file);
        assert_eq!(report.outcome, Outcome::Verified, "{:#?}", report.reasons);
    }
}

#[test]
fn an_old_verdict_key_signs_nothing_after_its_change() {
    let old = key(12);
    let (ledger, file) = after(&[(Use::Verdict, 40)]);
    let forged = signed_by(&file, &old);
    refused(
        &check(&ledger, &forged),
        Fault::Invalid,
        "statement signature",
    );
    // Nor where the record that tells of the change is left out.
    let hidden = edit(&forged, |v| v["receipt"]["keys"] = json!([]));
    refused(&check(&ledger, &hidden), Fault::Invalid, "heads");
}

#[test]
fn what_is_no_change_of_keys_in_its_place_is_refused() {
    let (ledger, file) = after(&[(Use::Record, 40), (Use::Verdict, 41)]);
    type Change = fn(&mut Value);
    let changes: [(Change, &str); 5] = [
        (|k| k[0]["record"]["groups"][0] = Value::Null, "keys"),
        (|k| k[0]["record"]["seq"] = 0.into(), "keys"),
        (|k| k[0]["record"]["kind"] = 7.into(), "keys"),
        (|k| *k = json!([k[0], k[0]]), "keys"),
        (|k| k[0]["proof"] = json!([]), "inclusion"),
    ];
    for (change, step) in changes {
        let bad = edit(&file, |v| change(&mut v["receipt"]["keys"]));
        refused(&check(&ledger, &bad), Fault::Invalid, step);
    }
}
