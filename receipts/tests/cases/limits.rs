//! Bounds, checked before anything is allocated.

use crate::world::*;
use receipt_core::commit::Content;
use receipt_core::limits::{MAX_RECEIPT, MAX_RECEIPT_RECORDS};
use receipt_core::record::Kind;
use receipt_receipts::disclose::Disclose;
use receipt_receipts::verify::{Fault, MAX_ITEMS};

#[test]
fn a_file_over_the_limit_is_not_read() {
    let (ledger, mut file) = good();
    file.resize(MAX_RECEIPT + 1, b' ');
    let report = check(&ledger, &file);
    refused(&report, Fault::Unreadable, "size");
    assert_eq!(report.outcome.exit_code(), 3);
}

#[test]
fn a_file_of_nothing_but_values_is_refused_before_decoding() {
    let (ledger, _) = good();
    let mut file = b"{\"a\":[".to_vec();
    file.resize(MAX_RECEIPT - 5, b',');
    for pair in file[6..].chunks_mut(2) {
        pair[0] = b'0';
    }
    file.extend_from_slice(b"0]}\n");
    let report = check(&ledger, &file);
    refused(&report, Fault::Invalid, "json");
    assert!(report.reasons[0].text.contains("values"));
}

#[test]
fn values_hidden_in_text_are_counted_too() {
    let (ledger, file) = good();
    let many = format!("[{}0]", "0,".repeat(2_100_000));
    let text = format!("{{\"x\":{many}}}");
    let other = edit(&file, |v| {
        v["receipt"]["records"][1]["groups"][0]["text"] = text.clone().into();
    });
    refused(&check(&ledger, &other), Fault::Invalid, "records");
    let payload = format!("{{\"_type\":{many},\"x\":{many}}}");
    let other = resign(&ledger, &file, payload.as_bytes());
    refused(&check(&ledger, &other), Fault::Invalid, "statement");
}

#[test]
fn more_records_than_the_limit_are_refused() {
    let (ledger, file) = good();
    let other = edit(&file, |v| {
        let row = serde_json::json!({"seq": 1, "kind": 1, "time": "", "sig": ""});
        v["receipt"]["tail"] = vec![row; MAX_RECEIPT_RECORDS].into();
    });
    refused(&check(&ledger, &other), Fault::Invalid, "records");
}

#[test]
fn numbers_at_their_ends_are_no_trouble() {
    let (ledger, file) = good();
    let top = (1u64 << 53) - 1;
    for pointer in [
        "/first/stream_seq",
        "/records/9/seq",
        "/records/0/seq",
        "/heads/record/seq",
        "/heads/record/stream_seq",
        "/heads/entry/seq",
        "/heads/entry/stream_seq",
        "/heads/entry/index",
        "/heads/entry/count",
        "/genesis/record/seq",
    ] {
        let other = edit(&file, |v| {
            *v["receipt"].pointer_mut(pointer).unwrap() = top.into();
        });
        let report = check(&ledger, &other);
        assert_eq!(report.outcome.word(), "INVALID", "{pointer}");
    }
    for pointer in ["/predicate/checkpoint/size", "/predicate/records/count"] {
        for value in [0, top] {
            let other = restate(&ledger, &file, |s| {
                *s.pointer_mut(pointer).unwrap() = value.into();
            });
            assert_eq!(
                check(&ledger, &other).outcome.word(),
                "INVALID",
                "{pointer}"
            );
        }
    }
}

#[test]
fn facts_that_would_take_long_to_fold_are_refused() {
    for (count, step) in [(MAX_ITEMS, "disclosures"), (1000, "fold")] {
        let mut ledger = Ledger::new(10);
        let stream = session("a");
        let turn = Turn::open(&mut ledger, stream);
        let qualifiers: Vec<String> = (0..count).map(|n| format!("{n:x}")).collect();
        let facts = serde_json::json!({"obs": [{"run": {
            "check": {"runner": "x", "kind": "test", "scope": "whole"},
            "outcome": "passed", "basis": "exit", "qualifiers": qualifiers,
        }}]});
        let facts = Content::of_facts(facts.to_string().into_bytes());
        turn.ledger.append(Kind::ToolSucceeded, 0, stream, facts);
        let mut turn = Turn::resume(&mut ledger, stream, 1);
        let verdict = turn.stop(0).conclude();
        let sealed = ledger.checkpoint();
        let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
        let fault = if step == "fold" {
            Fault::Mismatch
        } else {
            Fault::Invalid
        };
        refused(&check(&ledger, &file), fault, step);
    }
}
