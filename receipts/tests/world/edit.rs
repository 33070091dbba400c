//! Changing a receipt, with and without signing it again.

use super::Ledger;
use data_encoding::BASE64;
use receipt_receipts::envelope::{PAYLOAD_TYPE, pre_authentication};
use receipt_receipts::report;
use receipt_receipts::verify::{Fault, Outcome, Report};
use serde_json::{Value, json};

/// The file after a change to its JSON. Nothing is signed again.
pub(crate) fn edit(file: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut value: Value = serde_json::from_slice(file).unwrap();
    change(&mut value);
    let mut file = serde_json::to_vec(&value).unwrap();
    file.push(b'\n');
    file
}

/// The statement of a file.
pub(crate) fn statement(file: &[u8]) -> Value {
    let value: Value = serde_json::from_slice(file).unwrap();
    let payload = value["payload"].as_str().unwrap();
    serde_json::from_slice(&BASE64.decode(payload.as_bytes()).unwrap()).unwrap()
}

/// The file with its statement changed and signed again by the verdict key.
pub(crate) fn restate(ledger: &Ledger, file: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut stated = statement(file);
    change(&mut stated);
    resign(ledger, file, &serde_json::to_vec(&stated).unwrap())
}

/// The file around another payload, signed by the verdict key.
pub(crate) fn resign(ledger: &Ledger, file: &[u8], payload: &[u8]) -> Vec<u8> {
    let key = &ledger.verdict_key;
    let signature = key.sign(&pre_authentication(PAYLOAD_TYPE, payload));
    edit(file, |v| {
        v["payload"] = BASE64.encode(payload).into();
        v["signatures"] = json!([{
            "keyid": receipt_core::hash::hex(&key.public().id()),
            "sig": BASE64.encode(&signature),
        }]);
    })
}

/// Asserts the fault, the step it shows in, and that nothing says green.
#[track_caller]
pub(crate) fn refused(report: &Report, fault: Fault, step: &str) {
    assert_eq!(
        report.outcome,
        Outcome::Failed(fault),
        "{:#?}",
        report.reasons
    );
    let reason = report.reasons.iter().find(|r| r.fault == fault).unwrap();
    let at = &report.steps[reason.step - 1];
    assert_eq!(at.name, step, "{:#?}", report.reasons);
    assert_eq!(at.passed, Some(false));
    never_green(report);
}

/// Asserts that no form of the report says the green word.
#[track_caller]
pub(crate) fn never_green(report: &Report) {
    assert_ne!(report.outcome.exit_code(), 0);
    for text in [
        report::human(report, false),
        report::human(report, true),
        report::json(report).to_string(),
    ] {
        assert!(!text.contains("VERIFIED"), "{text}");
        assert!(!text.contains("\u{1b}[1;32m"), "{text}");
    }
    assert_eq!(report.steps.len(), 27);
}
