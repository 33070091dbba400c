//! Which records a receipt must hold.

use crate::world::*;
use receipt_core::commit::Content;
use receipt_core::record::{Kind, LEDGER_STREAM};
use receipt_receipts::build::build;
use receipt_receipts::disclose::Disclose;
use receipt_receipts::verify::{Fault, Outcome};
use serde_json::json;

#[test]
fn the_range_is_one_whole_turn() {
    let mut ledger = Ledger::new(10);
    let stream = session("a");
    checked_turn(&mut ledger, stream);
    let verdict = checked_turn(&mut ledger, stream);
    let sealed = ledger.checkpoint();
    let mut parts = ledger.parts(verdict, &sealed);
    let whole = parts.range.clone();
    parts.range.remove(0);
    let file = build(&parts.input(&ledger, Disclose::facts_only())).unwrap();
    refused(&check(&ledger, &file), Fault::Invalid, "stream");
    parts.range = ledger.stream(&stream, sealed.size);
    assert!(parts.range.len() > whole.len());
    let file = build(&parts.input(&ledger, Disclose::facts_only())).unwrap();
    refused(&check(&ledger, &file), Fault::Invalid, "stream");
}

#[test]
fn a_later_verdict_cannot_be_hidden() {
    let mut ledger = Ledger::new(10);
    let stream = session("a");
    let mut turn = Turn::open(&mut ledger, stream);
    let blocked = turn.edit(20).test("failed").stop(20).conclude();
    let verdict = turn.test("passed").stop(20).conclude();
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(blocked, &sealed, Disclose::facts_only());
    let report = check(&ledger, &file);
    refused(&report, Fault::Blocked, "verdict");
    assert!(report.reasons.iter().any(|r| r.fault == Fault::Stale));
    assert_eq!(report.steps[18].passed, Some(false));
    let cut = edit(&file, |v| v["receipt"]["tail"] = json!([]));
    refused(&check(&ledger, &cut), Fault::Invalid, "tail");
    let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
    assert_eq!(check(&ledger, &file).outcome, Outcome::Verified);
}

#[test]
fn a_pass_that_was_replaced_is_stale() {
    let mut ledger = Ledger::new(10);
    let stream = session("a");
    let first = checked_turn(&mut ledger, stream);
    // Signed by the service itself: the turn was never closed.
    let again = ledger
        .records
        .last()
        .unwrap()
        .disclosure
        .clone()
        .unwrap()
        .content;
    ledger.append(
        Kind::StopRequested,
        0,
        stream,
        Content::of_facts(b"{}".to_vec()),
    );
    ledger.append(Kind::VerdictStop, 0, stream, again);
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(first, &sealed, Disclose::facts_only());
    refused(&check(&ledger, &file), Fault::Stale, "tail");
}

#[test]
fn heads_must_be_the_last_of_the_checkpoint() {
    let mut ledger = Ledger::new(10);
    let verdict = checked_turn(&mut ledger, session("a"));
    let sealed = ledger.checkpoint();
    let facts = Content::of_facts(b"{\"heads\":{\"root\":\"00\",\"count\":1}}".to_vec());
    ledger.append(Kind::Service, 0, LEDGER_STREAM, facts);
    let later = Sealed {
        size: ledger.size(),
        note: ledger.note(),
        sessions: sealed.sessions,
    };
    let file = ledger.receipt(verdict, &later, Disclose::facts_only());
    refused(&check(&ledger, &file), Fault::Invalid, "heads");
}
