//! JSON, strict and lenient, and the facts of the ledger's own records.
#![no_main]

use libfuzzer_sys::fuzz_target;
use receipt_core::genesis;
use receipt_core::json::{lenient, strict};
use receipt_core::keychain::KeyChange;
use receipt_core::prune::PruneRule;

fuzz_target!(|data: &[u8]| {
    let _ = lenient::parse(data);
    let strict = strict::parse(data);
    let _ = genesis::parse(data);
    if let Ok(change) = KeyChange::parse(data) {
        assert_eq!(KeyChange::parse(&change.facts()), Ok(change));
        assert!(strict.is_ok());
    }
    if let Some(rule) = PruneRule::parse(data) {
        assert_eq!(PruneRule::parse(&rule.facts()), Some(rule));
        assert!(strict.is_ok());
    }
});
