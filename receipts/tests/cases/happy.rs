//! Receipts that are in order.

use crate::world::*;
use receipt_core::commit::Content;
use receipt_core::record::Kind;
use receipt_gates::verdict::{Basis, Verdict};
use receipt_receipts::disclose::Disclose;
use receipt_receipts::report;
use receipt_receipts::verify::{Options, Outcome, Subject, verify};
use serde_json::json;

#[test]
fn a_good_receipt_is_verified() {
    let (ledger, file) = good();
    let report = check(&ledger, &file);
    assert_eq!(report.outcome, Outcome::Verified, "{report:#?}");
    assert_eq!(report.outcome.exit_code(), 0);
    let verdict = report.verdict.unwrap();
    assert_eq!(verdict.verdict, Verdict::Pass);
    assert_eq!(verdict.basis, Some(Basis::Checked));
    assert_eq!(report.signer.as_deref(), Some("ada@example.org"));
}

#[test]
fn the_same_parts_give_the_same_bytes() {
    assert_eq!(good().1, good().1);
}

#[test]
fn the_first_line_is_the_result_and_says_what_was_compared() {
    let (ledger, file) = good();
    let text = report::human(&check(&ledger, &file), false);
    let first = text.lines().next().unwrap();
    assert!(first.starts_with("VERIFIED pass (checked)"), "{first}");
    assert!(first.ends_with("not compared with any tree"), "{first}");
    let options = Options {
        subject: Subject::tree(TREE),
        ..options()
    };
    let report = verify(&file, &ledger.trust(), &options);
    assert_eq!(report.outcome, Outcome::Verified);
    let text = report::human(&report, false);
    assert!(!text.contains("not compared"), "{text}");
    assert!(report.steps.iter().all(|s| s.passed == Some(true)));
}

#[test]
fn the_json_report_is_frozen() {
    let (ledger, file) = good();
    let value = report::json(&check(&ledger, &file));
    let keys: Vec<&str> = value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        keys,
        [
            "compared_with",
            "exit",
            "not_established",
            "reasons",
            "receipt",
            "result",
            "signer",
            "steps",
            "verdict",
            "version"
        ]
    );
    assert_eq!(value["version"], 1);
    assert_eq!(value["result"], "VERIFIED");
    assert_eq!(value["exit"], 0);
    assert_eq!(value["steps"].as_array().unwrap().len(), 27);
    assert_eq!(
        value["receipt"]["records"],
        json!({"first": 1, "last": 10, "count": 10})
    );
}

#[test]
fn parallel_streams_and_later_turns_do_not_disturb() {
    let mut ledger = Ledger::new(10);
    let (a, b) = (session("a"), session("b"));
    checked_turn(&mut ledger, b);
    let mut turn = Turn::open(&mut ledger, a);
    turn.edit(20);
    let mut other = Turn::open(turn.ledger, b);
    other.edit(3);
    let mut turn = Turn::resume(&mut ledger, a, 1);
    let verdict = turn.test("passed").stop(20).conclude();
    checked_turn(&mut ledger, a);
    let sealed = ledger.checkpoint();
    let parts = ledger.parts(verdict, &sealed);
    assert!(parts.tail.len() > 5);
    let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
    assert_eq!(check(&ledger, &file).outcome, Outcome::Verified);
    checked_turn(&mut ledger, a);
    let later = ledger.checkpoint();
    let file = ledger.receipt(verdict, &later, Disclose::everything());
    assert_eq!(check(&ledger, &file).outcome, Outcome::Verified);
}

#[test]
fn a_blocked_stop_inside_the_turn_is_folded_too() {
    let mut ledger = Ledger::new(10);
    let stream = session("a");
    let mut turn = Turn::open(&mut ledger, stream);
    turn.edit(20).test("failed").stop(20).conclude();
    let verdict = turn.test("passed").stop(20).conclude();
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
    let report = check(&ledger, &file);
    assert_eq!(report.outcome, Outcome::Verified, "{:#?}", report.reasons);
    assert_eq!(report.verdict.unwrap().blocks, 1);
}

#[test]
fn what_is_unknown_beside_ours_is_ignored() {
    let (ledger, file) = good();
    let file = restate(&ledger, &file, |s| {
        s["predicate"]["later"] = json!({"member": 1});
        s["other"] = json!("x");
    });
    let file = edit(&file, |v| {
        v["verificationMaterial"] = json!({"x": null});
        let unknown = json!({"keyid": "someone else", "sig": "AAAA", "extra": 1});
        v["signatures"].as_array_mut().unwrap().insert(0, unknown);
    });
    assert_eq!(check(&ledger, &file).outcome, Outcome::Verified);
}

#[test]
fn a_record_of_a_later_kind_is_carried() {
    let mut ledger = Ledger::new(10);
    let stream = session("a");
    let mut turn = Turn::open(&mut ledger, stream);
    turn.edit(20).test("passed");
    turn.ledger
        .append_as(999, stream, Content::of_facts(b"{\"later\":[1]}".to_vec()));
    let verdict = turn.stop(20).conclude();
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
    assert_eq!(check(&ledger, &file).outcome, Outcome::Verified);
}

#[test]
fn a_sha256_repository_is_as_good() {
    let mut ledger = Ledger::new(10);
    let stream = session("a");
    let tree = "7".repeat(64);
    let mut turn = Turn::open(&mut ledger, stream);
    turn.prompt_only_stop(&tree);
    let verdict = turn.conclude();
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
    let options = Options {
        subject: Subject::tree(&tree),
        accept: vec![Basis::NoCode],
        ..options()
    };
    let report = verify(&file, &ledger.trust(), &options);
    assert_eq!(report.outcome, Outcome::Verified, "{:#?}", report.reasons);
    assert_eq!(ledger.records[1].header().kind(), Some(Kind::PromptHuman));
}
