//! Who signed what: envelope, statement, keys.

use crate::world::*;
use data_encoding::BASE64;
use receipt_core::hash::hex;
use receipt_core::key::PrivateKey;
use receipt_receipts::envelope::{PAYLOAD_TYPE, pre_authentication};
use receipt_receipts::verify::{Fault, verify};
use serde_json::{Value, json};

fn payload(file: &[u8]) -> Vec<u8> {
    let value: Value = serde_json::from_slice(file).unwrap();
    BASE64
        .decode(value["payload"].as_str().unwrap().as_bytes())
        .unwrap()
}

fn signed_by(file: &[u8], key: &PrivateKey, keyid: &PrivateKey) -> Vec<u8> {
    let signature = key.sign(&pre_authentication(PAYLOAD_TYPE, &payload(file)));
    let line = json!([{"keyid": hex(&keyid.public().id()), "sig": BASE64.encode(&signature)}]);
    edit(file, |v| v["signatures"] = line)
}

#[test]
fn a_key_bound_for_another_use_signs_no_statement() {
    let (ledger, file) = good();
    for other in [
        &ledger.record_key,
        &ledger.checkpoint_key,
        &ledger.identity,
        &key(99),
    ] {
        for keyid in [other, &ledger.verdict_key] {
            let report = check(&ledger, &signed_by(&file, other, keyid));
            refused(&report, Fault::Invalid, "statement signature");
        }
    }
}

#[test]
fn a_ledger_that_binds_its_record_key_for_verdicts_too_is_no_help() {
    let keys = [key(10), key(11), key(12), key(13)];
    let mut ledger = Ledger::with_keys(10, keys);
    ledger.record_key = key(12);
    let verdict = checked_turn(&mut ledger, session("a"));
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Default::default());
    refused(&check(&ledger, &file), Fault::Invalid, "record signatures");
}

#[test]
fn a_checkpoint_by_another_key_is_refused() {
    let (mut ledger, _) = good();
    ledger.checkpoint_key = key(12);
    let verdict = checked_turn(&mut ledger, session("b"));
    let sealed = ledger.checkpoint();
    let good = Ledger::new(10);
    let mut parts = ledger.parts(verdict, &sealed);
    ledger.checkpoint_key = good.checkpoint_key;
    let honest = ledger.checkpoint();
    let note = std::mem::replace(&mut parts.note, honest.note.clone());
    let file = ledger.receipt(verdict, &honest, Default::default());
    let file = edit(&file, |v| v["receipt"]["checkpoint"] = note.into());
    refused(&check(&ledger, &file), Fault::Invalid, "checkpoint");
}

#[test]
fn signatures_must_be_there_once() {
    let (ledger, file) = good();
    let changes: [fn(&mut Value); 6] = [
        |v| v["signatures"] = json!([]),
        |v| v["signatures"][0]["keyid"] = "unknown".into(),
        |v| drop(v["signatures"][0].as_object_mut().unwrap().remove("keyid")),
        |v| {
            let line = v["signatures"][0].clone();
            v["signatures"].as_array_mut().unwrap().push(line);
        },
        |v| v["signatures"][0]["sig"] = "AAAA".into(),
        |v| v["signatures"] = vec![json!({"keyid": "x", "sig": ""}); 65].into(),
    ];
    for change in changes {
        let report = check(&ledger, &edit(&file, change));
        refused(&report, Fault::Invalid, "statement signature");
    }
}

#[test]
fn a_signature_with_a_larger_scalar_is_refused() {
    let (ledger, file) = good();
    let value: Value = serde_json::from_slice(&file).unwrap();
    let text = value["signatures"][0]["sig"].as_str().unwrap();
    let mut signature = BASE64.decode(text.as_bytes()).unwrap();
    // The order of the group, little-endian.
    let order: [u8; 32] = [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde,
        0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ];
    let mut carry = 0u16;
    for (byte, add) in signature[32..].iter_mut().zip(order) {
        carry += u16::from(*byte) + u16::from(add);
        *byte = u8::try_from(carry & 0xff).unwrap();
        carry >>= 8;
    }
    let file = edit(&file, |v| {
        v["signatures"][0]["sig"] = BASE64.encode(&signature).into()
    });
    refused(
        &check(&ledger, &file),
        Fault::Invalid,
        "statement signature",
    );
}

#[test]
fn base64_has_one_form() {
    let (ledger, file) = good();
    // One byte more, so that there is padding.
    let mut longer = payload(&file);
    longer.push(b' ');
    let file = resign(&ledger, &file, &longer);
    let value: Value = serde_json::from_slice(&file).unwrap();
    let text = value["payload"].as_str().unwrap().to_string();
    let (head, tail) = text.split_at(40);
    for form in [
        format!("{head}\n{tail}"),
        format!("{text}="),
        format!("{text}!!"),
        data_encoding::BASE64URL_NOPAD.encode(&payload(&file)),
        text.trim_end_matches('=').to_string() + "A",
    ] {
        assert_ne!(form, text);
        let file = edit(&file, |v| v["payload"] = form.into());
        let report = check(&ledger, &file);
        assert_eq!(report.outcome.word(), "INVALID");
        never_green(&report);
    }
}

#[test]
fn types_of_payload_statement_and_predicate_are_fixed() {
    let (ledger, file) = good();
    let other = edit(&file, |v| v["payloadType"] = "application/json".into());
    refused(&check(&ledger, &other), Fault::Invalid, "payload type");
    for (member, value) in [
        ("_type", "https://in-toto.io/Statement/v2"),
        ("predicateType", "urn:receipt:gate-verdict:v2"),
    ] {
        let other = restate(&ledger, &file, |s| s[member] = value.into());
        refused(&check(&ledger, &other), Fault::Unsupported, "statement");
    }
    let other = restate(&ledger, &file, |s| {
        s["predicate"]["tier"] = "VERIFIED".into()
    });
    refused(&check(&ledger, &other), Fault::Unsupported, "statement");
    let other = edit(&file, |v| v["receipt"]["version"] = 2.into());
    refused(&check(&ledger, &other), Fault::Unsupported, "envelope");
    let other = edit(&file, |v| {
        let genesis = v["receipt"]["genesis"].clone();
        v["receipt"]["keys"] = json!([genesis]);
    });
    refused(&check(&ledger, &other), Fault::Invalid, "keys");
}

#[test]
fn a_statement_is_strict_json() {
    let (ledger, file) = good();
    let text = String::from_utf8(payload(&file)).unwrap();
    for (from, to) in [
        ("\"tier\":", "\"tier\":\"ci\",\"tier\":"),
        ("\"size\":12", "\"size\":12.0"),
        ("\"size\":12", "\"size\":1.2e1"),
        (
            "\"verdict\":\"pass\"",
            "\"verdict\":\"block\",\"verdict\":\"pass\"",
        ),
        ("\"tier\":", "\"x\":99999999999999999999,\"tier\":"),
        ("}", "} "),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        let report = check(&ledger, &resign(&ledger, &file, changed.as_bytes()));
        if from == "}" {
            // White space is no second meaning; the signature covers it.
            assert_eq!(report.outcome.exit_code(), 0);
        } else {
            refused(&report, Fault::Invalid, "statement");
        }
    }
    let report = check(&ledger, &resign(&ledger, &file, b"null"));
    refused(&report, Fault::Unsupported, "statement");
}

#[test]
fn what_the_statement_says_of_the_records_must_hold() {
    let (ledger, file) = good();
    let other = |pointer: &str, value: Value| {
        restate(&ledger, &file, |s| *s.pointer_mut(pointer).unwrap() = value)
    };
    let zeros = Value::from("0".repeat(64));
    for (pointer, value, step) in [
        ("/predicate/records/first", 2.into(), "range"),
        ("/predicate/records/last", 9.into(), "range"),
        ("/predicate/records/count", 9.into(), "range"),
        ("/predicate/verdict_record", 9.into(), "range"),
        (
            "/subject/0/digest/gitTree",
            "9".repeat(40).into(),
            "subjects",
        ),
        (
            "/subject/0/digest/gitTree",
            "9".repeat(39).into(),
            "subjects",
        ),
        ("/subject/0/digest", json!({}), "subjects"),
        ("/subject/0/name", "elsewhere".into(), "subjects"),
        (
            "/subject/1/digest/gitCommit",
            "9".repeat(40).into(),
            "subjects",
        ),
        ("/subject/2/digest/sha256", zeros.clone(), "subjects"),
        ("/subject", json!([]), "subjects"),
        ("/predicate/ledger", zeros.clone(), "genesis"),
        ("/predicate/stream", zeros.clone(), "record signatures"),
        ("/predicate/checkpoint/size", 13.into(), "checkpoint"),
        ("/predicate/checkpoint/root", zeros.clone(), "checkpoint"),
    ] {
        let report = check(&ledger, &other(pointer, value));
        refused(&report, Fault::Invalid, step);
    }
}

#[test]
fn the_identity_in_the_file_helps_nobody() {
    let (_, file) = good();
    let mut victim = Ledger::new(50);
    checked_turn(&mut victim, session("a"));
    let report = verify(&file, &victim.trust(), &options());
    refused(&report, Fault::Unpinned, "trust");
    let pinned = hex(victim.identity.public().as_bytes());
    let claimed = edit(&file, |v| v["receipt"]["identity"] = pinned.into());
    let report = verify(&claimed, &victim.trust(), &options());
    refused(&report, Fault::Invalid, "genesis");
}

#[test]
fn a_genesis_that_borrows_an_identity_binds_nothing() {
    let victim = key(50);
    let mut ledger = Ledger::new(10);
    let text = String::from_utf8(ledger.records[0].facts().unwrap().to_vec()).unwrap();
    let forged = text.replace(
        &hex(ledger.identity.public().as_bytes()),
        &hex(victim.public().as_bytes()),
    );
    let verdict = checked_turn(&mut ledger, session("a"));
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Default::default());
    let file = edit(&file, |v| {
        v["receipt"]["genesis"]["record"]["groups"][0]["text"] = forged.into();
    });
    let report = verify(&file, &trusting(&victim.public()), &options());
    refused(&report, Fault::Invalid, "genesis");
}
