//! Bytes that nobody foresaw.

use crate::world::*;
use proptest::prelude::*;
use receipt_receipts::disclose::Disclose;
use receipt_receipts::redact::redact;
use receipt_receipts::show::show;
use receipt_receipts::trust::TrustFile;
use receipt_receipts::verify::verify;
use serde_json::{Value, json};

fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(json!([])),
        Just(json!({})),
        any::<bool>().prop_map(Value::from),
        (0u64..1 << 53).prop_map(Value::from),
        "[A-Za-z0-9_-]{0,90}".prop_map(Value::from),
        Just(json!([null, null, null, null])),
        Just(json!(["A".repeat(43)])),
    ]
}

/// Every value in a tree, to pick one from.
fn pointers(value: &Value, at: &str, out: &mut Vec<String>) {
    out.push(at.to_string());
    match value {
        Value::Object(map) => map
            .iter()
            .for_each(|(k, v)| pointers(v, &format!("{at}/{k}"), out)),
        Value::Array(list) => list
            .iter()
            .enumerate()
            .for_each(|(i, v)| pointers(v, &format!("{at}/{i}"), out)),
        _ => {}
    }
}

proptest! {
    #[test]
    fn any_bytes_are_judged_without_a_fault(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let trust = trusting(&key(10).public());
        let report = verify(&bytes, &trust, &options());
        prop_assert_ne!(report.outcome.exit_code(), 0);
        prop_assert!(redact(&bytes, Disclose::facts_only()).is_err());
        prop_assert!(show(&bytes).is_err());
    }

    #[test]
    fn any_text_is_a_trust_file_or_none(text in "(ada|#|\\*|namespaces=\"|ssh-ed25519|[ \t\",=!Z0-9]|A{4}|\n|\\PC){0,40}") {
        let _ = TrustFile::parse(&text);
    }

    #[test]
    fn any_value_in_any_place_is_refused(pick in any::<prop::sample::Index>(), new in any_value()) {
        let (ledger, file) = good();
        let old: Value = serde_json::from_slice(&file).unwrap();
        let mut all = Vec::new();
        pointers(&old["receipt"], "", &mut all);
        let at = pick.get(&all);
        prop_assume!(old["receipt"].pointer(at) != Some(&new));
        let changed = edit(&file, |v| *v["receipt"].pointer_mut(at).unwrap() = new.clone());
        let report = check(&ledger, &changed);
        prop_assert_ne!(report.outcome.exit_code(), 0, "{} {}", at, new);
        never_green(&report);
        let _ = show(&changed);
        let _ = redact(&changed, Disclose::facts_only());
    }

    #[test]
    fn any_value_in_a_signed_statement_is_refused(pick in any::<prop::sample::Index>(), new in any_value()) {
        let (ledger, file) = good();
        let old = statement(&file);
        let mut all = Vec::new();
        pointers(&old, "", &mut all);
        let at = pick.get(&all);
        prop_assume!(old.pointer(at) != Some(&new));
        // The tier is the signer's word: another known one would be as good.
        let changed = restate(&ledger, &file, |s| *s.pointer_mut(at).unwrap() = new.clone());
        prop_assert_ne!(check(&ledger, &changed).outcome.exit_code(), 0, "{} {}", at, new);
    }
}
