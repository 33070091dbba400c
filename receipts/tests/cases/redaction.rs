//! Withholding, and looking without judging.

use crate::world::*;
use receipt_receipts::disclose::Disclose;
use receipt_receipts::redact::redact;
use receipt_receipts::show::show;
use receipt_receipts::verify::{Fault, Outcome};
use serde_json::Value;

fn disclosed() -> (Ledger, Vec<u8>) {
    let mut ledger = Ledger::new(10);
    let verdict = checked_turn(&mut ledger, session("a"));
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Disclose::everything());
    (ledger, file)
}

#[test]
fn redaction_keeps_signature_and_verdict() {
    let (ledger, file) = disclosed();
    assert_eq!(check(&ledger, &file).outcome, Outcome::Verified);
    let text = String::from_utf8_lossy(&file).into_owned();
    assert!(text.contains("cargo test"));
    for keep in [
        Disclose::facts_only(),
        Disclose {
            commands: true,
            ..Disclose::facts_only()
        },
        Disclose {
            texts: true,
            paths: true,
            ..Disclose::facts_only()
        },
        Disclose {
            evidence: true,
            ..Disclose::facts_only()
        },
        Disclose::everything(),
    ] {
        let redacted = redact(&file, keep).unwrap();
        assert_eq!(
            check(&ledger, &redacted).outcome,
            Outcome::Verified,
            "{keep:?}"
        );
        let said = String::from_utf8_lossy(&redacted).into_owned();
        assert_eq!(said.contains("cargo test"), keep.commands);
        assert_eq!(said.contains("all done"), keep.texts);
        assert_eq!(said.len() < text.len(), keep != Disclose::everything());
    }
}

#[test]
fn redacting_is_the_same_as_not_disclosing() {
    let (ledger, file) = disclosed();
    let (_, minimal) = good();
    assert_eq!(redact(&file, Disclose::facts_only()).unwrap(), minimal);
    let again = redact(&minimal, Disclose::everything()).unwrap();
    assert_eq!(again, minimal);
    assert_eq!(check(&ledger, &again).outcome, Outcome::Verified);
}

#[test]
fn withheld_facts_are_undetermined_never_a_pass() {
    let (ledger, file) = disclosed();
    let keep = Disclose {
        facts: false,
        ..Disclose::everything()
    };
    let report = check(&ledger, &redact(&file, keep).unwrap());
    refused(&report, Fault::Undetermined, "fold");
    assert_eq!(report.outcome.exit_code(), 12);
    assert_eq!(report.verdict, None);
    let trust = report.steps.iter().find(|s| s.name == "trust").unwrap();
    assert_eq!(trust.passed, Some(true));
    let bare: Value = serde_json::from_slice(&redact(&file, keep).unwrap()).unwrap();
    for at in 0..bare["receipt"]["records"].as_array().unwrap().len() {
        let one = edit(&file, |v| {
            v["receipt"]["records"][at]["groups"][0] =
                bare["receipt"]["records"][at]["groups"][0].clone();
        });
        refused(&check(&ledger, &one), Fault::Undetermined, "fold");
    }
}

#[test]
fn nothing_hides_in_what_is_withheld_of_genesis_and_heads() {
    let (ledger, file) = disclosed();
    for (part, step) in [("genesis", "genesis"), ("heads", "record signatures")] {
        let other = edit(&file, |v| {
            v["receipt"][part]["record"]["groups"][0] = "A".repeat(43).into();
        });
        refused(&check(&ledger, &other), Fault::Invalid, step);
    }
}

#[test]
fn redaction_keeps_what_others_put_beside_ours() {
    let (ledger, file) = disclosed();
    let file = edit(&file, |v| v["verificationMaterial"] = "x".into());
    let redacted = redact(&file, Disclose::facts_only()).unwrap();
    assert!(String::from_utf8_lossy(&redacted).contains("verificationMaterial"));
    assert_eq!(check(&ledger, &redacted).outcome, Outcome::Verified);
    assert!(redact(b"{}\n", Disclose::facts_only()).is_err());
    assert!(redact(b"", Disclose::facts_only()).is_err());
}

#[test]
fn show_says_everything_and_never_green() {
    let (_, file) = disclosed();
    let shown = show(&file).unwrap();
    assert_eq!(shown.records.len(), 10);
    assert_eq!(shown.records[0].kind, "prompt-human");
    assert_eq!(shown.records[9].kind, "verdict-stop");
    let text = shown.text();
    assert!(text.starts_with("NOT CHECKED"));
    assert!(text.contains("cargo test"));
    let loud = edit(&file, |v| {
        v["receipt"]["profile"] = "VERIFIED \u{1b}[32mVERIFIED\u{202e}".into();
        v["receipt"]["records"][4]["groups"][2]["text"] = "VERIFIED".into();
        v["receipt"]["identity"] = "VERIFIED".into();
    });
    let text = show(&loud).unwrap().text();
    assert!(!text.contains("VERIFIED"));
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
    assert!(
        serde_json::to_string(&show(&file).unwrap())
            .unwrap()
            .contains("\"checked\":false")
    );
    let minimal = show(&redact(&file, Disclose::facts_only()).unwrap()).unwrap();
    assert!(minimal.text().contains("commands: withheld"));
    assert!(show(b"nonsense").is_err());
}
