//! Records and verdicts that do not say what happened.

mod range;

use crate::world::*;
use receipt_core::commit::Content;
use receipt_core::record::{Kind, Signed};
use receipt_gates::verdict::{Action, Basis, Verdict};
use receipt_receipts::build::{BuildError, build};
use receipt_receipts::disclose::Disclose;
use receipt_receipts::verify::{Fault, Outcome};
use serde_json::{Value, json};

/// A turn whose tests fail, with a verdict record that claims they pass.
fn lie() -> (Ledger, Vec<u8>) {
    let mut ledger = Ledger::new(10);
    let stream = session("a");
    let mut turn = Turn::open(&mut ledger, stream);
    turn.edit(20).test("failed").stop(20);
    let mut verdict = ledger.verdict(&stream);
    verdict.verdict = Verdict::Pass;
    verdict.basis = Some(Basis::Checked);
    verdict.action = Action::Allowed;
    verdict.findings.clear();
    verdict.carry = None;
    verdict.blocks = 0;
    let seq = ledger.conclude_with(stream, Kind::VerdictStop, verdict);
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(seq, &sealed, Disclose::facts_only());
    (ledger, file)
}

#[test]
fn a_signed_lie_is_a_mismatch() {
    let (ledger, file) = lie();
    let report = check(&ledger, &file);
    refused(&report, Fault::Mismatch, "fold");
    assert_eq!(report.verdict, None);
    let signature = report
        .steps
        .iter()
        .find(|s| s.name == "statement signature");
    assert_eq!(signature.unwrap().passed, Some(true));
}

#[test]
fn a_statement_that_differs_from_its_record_is_a_mismatch() {
    let (ledger, file) = good();
    for (member, value) in [
        ("verdict", json!("block")),
        ("basis", json!("small")),
        ("action", json!("yielded")),
        ("blocks", json!(1)),
        ("checked_tree", json!("9999")),
        ("carried", json!({"seq": 0, "codes": []})),
        ("later", json!(null)),
        ("stop", json!(1)),
    ] {
        let other = restate(&ledger, &file, |s| {
            s["predicate"]["verdict"][member] = value
        });
        refused(&check(&ledger, &other), Fault::Mismatch, "fold");
    }
}

#[test]
fn versions_that_are_not_known_are_unsupported() {
    let (ledger, file) = good();
    let changes: [fn(&mut Value); 4] = [
        |v| v["observer"] = 2.into(),
        |v| v["gates"]["check-failed"] = 2.into(),
        |v| v["gates"]["check-failed"] = 0.into(),
        |v| v["gates"]["VERIFIED"] = 1.into(),
    ];
    for change in changes {
        let other = restate(&ledger, &file, |s| change(&mut s["predicate"]["verdict"]));
        refused(&check(&ledger, &other), Fault::Unsupported, "versions");
    }
    let other = restate(&ledger, &file, |s| s["predicate"]["verdict"] = json!({}));
    refused(&check(&ledger, &other), Fault::Invalid, "subjects");
    let (ledger, file) = small();
    let other = restate(&ledger, &file, |s| s["predicate"]["verdict"] = json!({}));
    refused(&check(&ledger, &other), Fault::Invalid, "versions");
}

#[test]
fn another_profile_is_refused() {
    let (ledger, file) = good();
    for text in [
        "{\"version\":1,\"churn\":1000}",
        "{\"version\":1, \"churn\":15}",
        "",
    ] {
        let other = edit(&file, |v| v["receipt"]["profile"] = text.into());
        refused(&check(&ledger, &other), Fault::Invalid, "profile");
    }
}

#[test]
fn a_profile_of_a_later_version_is_unsupported() {
    let mut ledger = Ledger::new(10);
    let old = ledger.profile.clone();
    ledger.profile = b"{\"version\":2}".to_vec();
    let stream = session("a");
    let mut turn = Turn::open(&mut ledger, stream);
    turn.stop(0);
    let later = std::mem::replace(&mut ledger.profile, old);
    let mut verdict = ledger.verdict(&stream);
    verdict.profile = receipt_core::hash::hex(&receipt_gates::profile::digest(&later));
    let seq = ledger.conclude_with(stream, Kind::VerdictStop, verdict);
    ledger.profile = later;
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(seq, &sealed, Disclose::facts_only());
    refused(&check(&ledger, &file), Fault::Unsupported, "profile");
}

#[test]
fn records_cannot_be_swapped_removed_or_doubled() {
    let (ledger, file) = good();
    let changes: [fn(&mut Vec<Value>); 6] = [
        |r| r.swap(3, 4),
        |r| drop(r.remove(4)),
        |r| drop(r.remove(0)),
        |r| drop(r.pop()),
        |r| r.insert(4, r[4].clone()),
        |r| {
            let (a, b) = (r[3]["groups"].clone(), r[4]["groups"].clone());
            r[3]["groups"] = b;
            r[4]["groups"] = a;
        },
    ];
    for change in changes {
        let other = edit(&file, |v| {
            change(v["receipt"]["records"].as_array_mut().unwrap())
        });
        let report = check(&ledger, &other);
        assert_eq!(report.outcome, Outcome::Failed(Fault::Invalid));
        never_green(&report);
    }
}

#[test]
fn disclosures_must_open_what_the_header_commits() {
    let (ledger, file) = good();
    let changes: [fn(&mut Value); 5] = [
        |v| v["groups"][0]["text"] = "{}".into(),
        |v| v["groups"][0]["salt"] = "A".repeat(43).into(),
        |v| v["groups"][1] = Value::Null,
        |v| v["groups"][2] = "A".repeat(43).into(),
        |v| drop(v.as_object_mut().unwrap().remove("evidence")),
    ];
    for change in changes {
        let other = edit(&file, |v| change(&mut v["receipt"]["records"][3]));
        refused(&check(&ledger, &other), Fault::Invalid, "record signatures");
    }
}

#[test]
fn records_of_another_ledger_do_not_fit() {
    let (ledger, file) = good();
    let mut other = Ledger::with_keys(77, [key(10), key(11), key(12), key(13)]);
    let verdict = checked_turn(&mut other, session("a"));
    let sealed = other.checkpoint();
    let foreign = other.receipt(verdict, &sealed, Disclose::facts_only());
    let foreign: Value = serde_json::from_slice(&foreign).unwrap();
    let whole = edit(&file, |v| {
        v["receipt"]["records"] = foreign["receipt"]["records"].clone()
    });
    refused(&check(&ledger, &whole), Fault::Invalid, "record signatures");
    for part in ["genesis", "heads"] {
        let other = edit(&file, |v| {
            v["receipt"][part] = foreign["receipt"][part].clone()
        });
        let report = check(&ledger, &other);
        assert_eq!(report.outcome, Outcome::Failed(Fault::Invalid), "{part}");
    }
    let other = edit(&file, |v| {
        v["receipt"]["checkpoint"] = foreign["receipt"]["checkpoint"].clone();
    });
    refused(&check(&ledger, &other), Fault::Invalid, "checkpoint");
}

#[test]
fn chain_right_and_tree_wrong_is_refused() {
    // The same ledger, but for a failing run that was left out and everything
    // after it chained and signed again. The old checkpoint is kept.
    let mut honest = Ledger::new(10);
    let stream = session("a");
    let mut turn = Turn::open(&mut honest, stream);
    turn.edit(20).test("failed");
    let seq = turn.test("passed").stop(20).conclude();
    let sealed = honest.checkpoint();
    let kept = honest.receipt(seq, &sealed, Disclose::facts_only());
    let mut forged = Ledger::new(10);
    let mut turn = Turn::open(&mut forged, stream);
    turn.edit(20).test("passed");
    turn.edit(0).edit(0);
    let seq = turn.test("passed").stop(20).conclude();
    let resealed = forged.checkpoint();
    let file = forged.receipt(seq, &resealed, Disclose::facts_only());
    assert_eq!(check(&forged, &file).outcome, Outcome::Verified);
    let kept: Value = serde_json::from_slice(&kept).unwrap();
    let kept_note = kept["receipt"]["checkpoint"].clone();
    let kept_tree =
        statement(&serde_json::to_vec(&kept).unwrap())["predicate"]["checkpoint"].clone();
    let file = restate(&forged, &file, |s| s["predicate"]["checkpoint"] = kept_tree);
    let file = edit(&file, |v| v["receipt"]["checkpoint"] = kept_note);
    refused(&check(&forged, &file), Fault::Invalid, "inclusion");
}

#[test]
fn tree_right_and_chain_wrong_is_refused() {
    let mut ledger = Ledger::new(10);
    let verdict = checked_turn(&mut ledger, session("a"));
    let mut sealed = ledger.checkpoint();
    // The heads record, signed again over a wrong link, in an otherwise right tree.
    let mut heads = ledger.records.pop().unwrap();
    let mut header = heads.header().clone();
    header.prev = [9; 32];
    heads.signed = Signed::sign(header, &ledger.record_key);
    let mut again = Ledger::new(10);
    checked_turn(&mut again, session("a"));
    again.push(heads);
    sealed.note = again.note();
    let file = again.receipt(verdict, &sealed, Disclose::facts_only());
    refused(&check(&again, &file), Fault::Invalid, "chain");
}

#[test]
fn a_wrong_link_inside_the_range_cannot_even_be_said() {
    let mut ledger = Ledger::new(10);
    let stream = session("a");
    let mut turn = Turn::open(&mut ledger, stream);
    turn.edit(20);
    let mut record = ledger.records.pop().unwrap();
    let mut header = record.header().clone();
    header.prev = [9; 32];
    record.signed = Signed::sign(header, &ledger.record_key);
    ledger.push(record);
    let mut turn = Turn::resume(&mut ledger, stream, 1);
    let verdict = turn.test("passed").stop(20).conclude();
    let sealed = ledger.checkpoint();
    let parts = ledger.parts(verdict, &sealed);
    match build(&parts.input(&ledger, Disclose::facts_only())) {
        Err(BuildError::Chain(_)) => {}
        Ok(file) => refused(&check(&ledger, &file), Fault::Invalid, "record signatures"),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn proofs_must_hold() {
    let (ledger, file) = good();
    for pointer in ["/genesis/proof", "/heads/proof", "/verdict_proof"] {
        let changes: [fn(&mut Vec<Value>); 5] = [
            |p| p.swap(0, 1),
            |p| drop(p.pop()),
            |p| p.push("A".repeat(43).into()),
            |p| p[0] = "short".into(),
            |p| *p = vec!["A".repeat(43).into(); 64],
        ];
        for change in changes {
            let other = edit(&file, |v| {
                let proof = v["receipt"].pointer_mut(pointer).unwrap();
                change(proof.as_array_mut().unwrap());
            });
            refused(&check(&ledger, &other), Fault::Invalid, "inclusion");
        }
    }
    let entry: [fn(&mut Value); 5] = [
        |e| e["seq"] = 9.into(),
        |e| e["stream_seq"] = 8.into(),
        |e| e["index"] = 1.into(),
        |e| e["count"] = 2.into(),
        |e| e["link"] = "A".repeat(43).into(),
    ];
    for change in entry {
        let other = edit(&file, |v| change(&mut v["receipt"]["heads"]["entry"]));
        refused(&check(&ledger, &other), Fault::Invalid, "heads");
    }
}

#[test]
fn facts_and_flag_agree_on_opening_a_turn() {
    let mut ledger = Ledger::new(10);
    let stream = session("a");
    let mut turn = Turn::open(&mut ledger, stream);
    turn.edit(20);
    let opening = turn.ledger.records[1].disclosure.clone().unwrap().content;
    turn.ledger.append(Kind::PromptHuman, 0, stream, opening);
    let verdict = turn.test("passed").stop(20).conclude();
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
    refused(&check(&ledger, &file), Fault::Invalid, "fold");
}

#[test]
fn facts_are_strict_and_of_their_form() {
    for (facts, kind, fault, step) in [
        (
            &b"{\"obs\":[],\"obs\":[]}"[..],
            21,
            Fault::Invalid,
            "disclosures",
        ),
        (b"{\"x\":1.5}", 21, Fault::Invalid, "disclosures"),
        (b"not json", 21, Fault::Invalid, "disclosures"),
        (b"{\"obs\":[{\"later\":1}]}", 21, Fault::Invalid, "fold"),
        (
            b"{\"obs\":[{\"later\":1}]}",
            999,
            Fault::Unsupported,
            "fold",
        ),
    ] {
        let mut ledger = Ledger::new(10);
        let stream = session("a");
        let mut turn = Turn::open(&mut ledger, stream);
        turn.ledger
            .append_as(kind, stream, Content::of_facts(facts.to_vec()));
        let verdict = turn.stop(0).conclude();
        let sealed = ledger.checkpoint();
        let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
        refused(&check(&ledger, &file), fault, step);
    }
}
