//! Bytes that were changed, cut off or added.

use crate::world::*;
use receipt_gates::verdict::Basis;
use receipt_receipts::verify::{Fault, Options, Outcome, verify};

fn accepting() -> Options {
    Options {
        accept: vec![Basis::NoCode],
        ..options()
    }
}

#[test]
fn every_flipped_byte_is_refused() {
    let (ledger, file) = small();
    let (trust, options) = (ledger.trust(), accepting());
    assert_eq!(verify(&file, &trust, &options).outcome, Outcome::Verified);
    let file = &file;
    std::thread::scope(|scope| {
        for mask in [0x01, 0x20, 0x80, 0xff] {
            let (trust, options) = (&trust, &options);
            scope.spawn(move || {
                let mut damaged = file.clone();
                for at in 0..file.len() {
                    damaged[at] ^= mask;
                    let report = verify(&damaged, trust, options);
                    assert_ne!(report.outcome.exit_code(), 0, "byte {at}, mask {mask:#x}");
                    if at % 16 == 0 {
                        never_green(&report);
                    }
                    damaged[at] ^= mask;
                }
            });
        }
    });
}

#[test]
fn sampled_bits_of_a_disclosed_receipt_are_refused() {
    let (ledger, _) = good();
    let mut ledger = ledger;
    let verdict = checked_turn(&mut ledger, session("b"));
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(
        verdict,
        &sealed,
        receipt_receipts::disclose::Disclose::everything(),
    );
    let trust = ledger.trust();
    assert_eq!(check(&ledger, &file).outcome, Outcome::Verified);
    for at in (0..file.len()).step_by(13) {
        let mut damaged = file.clone();
        damaged[at] ^= 1 << (at % 8);
        assert_ne!(
            verify(&damaged, &trust, &options()).outcome.exit_code(),
            0,
            "byte {at}"
        );
    }
}

#[test]
fn every_strict_prefix_is_refused() {
    let (ledger, file) = small();
    let (trust, options) = (ledger.trust(), accepting());
    for length in 0..file.len() {
        let report = verify(&file[..length], &trust, &options);
        assert_eq!(
            report.outcome,
            Outcome::Failed(Fault::Invalid),
            "{length} bytes"
        );
    }
}

#[test]
fn bytes_around_the_line_are_refused() {
    let (ledger, file) = good();
    let text = String::from_utf8(file).unwrap();
    let line = text.trim_end();
    for damaged in [
        line.to_string(),
        format!("{line}\n\n"),
        format!("{line} \n"),
        format!(" {line}\n"),
        format!("{line}\r\n"),
        format!("\u{feff}{line}\n"),
        format!("{line}{{}}\n"),
        format!("{line}\n{line}\n"),
        line.replace("{\"payloadType", "{\n\"payloadType") + "\n",
    ] {
        refused(&check(&ledger, damaged.as_bytes()), Fault::Invalid, "json");
    }
}

#[test]
fn what_two_readers_could_take_differently_is_refused() {
    let (ledger, file) = good();
    let text = String::from_utf8(file).unwrap();
    for (from, to) in [
        ("{\"payloadType\"", "{\"payload\":\"AAAA\",\"payloadType\""),
        ("\"version\":1", "\"version\":1,\"version\":1"),
        ("\"version\":1", "\"version\":1.0"),
        ("\"seq\":1,", "\"seq\":1e0,"),
        ("\"seq\":1,", "\"seq\":01,"),
        ("\"seq\":1,", "\"seq\":9007199254740993,"),
        ("\"keys\":[]", "\"keys\":[\"\\ud800\"]"),
        ("\"keys\":[]", "\"keys\":[],\"\\u006beys\":[]"),
    ] {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(damaged, text);
        refused(&check(&ledger, damaged.as_bytes()), Fault::Invalid, "json");
    }
    let deep = text.replacen(
        "\"keys\":[]",
        &format!("\"keys\":{}{}", "[".repeat(40), "]".repeat(40)),
        1,
    );
    refused(&check(&ledger, deep.as_bytes()), Fault::Invalid, "json");
}

#[test]
fn members_that_do_not_belong_are_refused() {
    let (ledger, file) = good();
    let changes: [fn(&mut serde_json::Value); 12] = [
        |v| v["receipt"]["later"] = 1.into(),
        |v| v["receipt"]["genesis"]["later"] = 1.into(),
        |v| v["receipt"]["heads"]["entry"]["later"] = 1.into(),
        |v| v["receipt"]["records"][0]["later"] = 1.into(),
        |v| v["receipt"]["records"][0]["boot"] = serde_json::Value::Null,
        |v| v["receipt"]["records"][0]["groups"][0]["later"] = 1.into(),
        |v| v["receipt"]["records"][0]["flags"] = (-1).into(),
        |v| v["receipt"]["records"][0]["groups"] = serde_json::json!([null, null, null]),
        |v| v["receipt"]["tail"] = serde_json::Value::Null,
        |v| v["signatures"] = serde_json::json!({}),
        |v| drop(v["receipt"].as_object_mut().unwrap().remove("tail")),
        |v| drop(v.as_object_mut().unwrap().remove("receipt")),
    ];
    for change in changes {
        refused(
            &check(&ledger, &edit(&file, change)),
            Fault::Invalid,
            "envelope",
        );
    }
}

#[test]
fn rows_that_say_too_much_or_too_little_are_refused() {
    let (ledger, file) = good();
    let zeros = "A".repeat(43);
    let changes: [fn(&mut serde_json::Value, &str); 12] = [
        |v, z| v["receipt"]["records"][3]["prev"] = z.into(),
        |v, z| v["receipt"]["records"][3]["stream_prev"] = z.into(),
        |v, _| v["receipt"]["records"][3]["stream_seq"] = 3.into(),
        |v, z| v["receipt"]["records"][3]["body"] = z.into(),
        |v, _| v["receipt"]["records"][3]["seq"] = 3.into(),
        |v, _| {
            drop(
                v["receipt"]["records"][0]
                    .as_object_mut()
                    .unwrap()
                    .remove("prev"),
            )
        },
        |v, _| {
            drop(
                v["receipt"]["records"][3]
                    .as_object_mut()
                    .unwrap()
                    .remove("groups"),
            )
        },
        |v, _| v["receipt"]["records"][3]["sig"] = "AAAA".into(),
        |v, _| v["receipt"]["records"][3]["time"] = "A".repeat(53).into(),
        |v, _| v["receipt"]["records"][3]["evidence"] = serde_json::json!([]),
        |v, z| v["receipt"]["records"][3]["groups"][0]["salt"] = format!("{z}=").into(),
        |v, _| v["receipt"]["records"] = serde_json::json!([]),
    ];
    for (change, number) in changes.iter().zip(0..) {
        let damaged = edit(&file, |v| change(v, &zeros));
        let report = check(&ledger, &damaged);
        assert_eq!(
            report.reasons[0].step, 7,
            "change {number}: {:?}",
            report.reasons
        );
        refused(&report, Fault::Invalid, "records");
    }
}
