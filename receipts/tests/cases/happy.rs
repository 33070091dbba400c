use crate::world::*;
use receipt_receipts::disclose::Disclose;
use receipt_receipts::verify::Outcome;

#[test]
fn a_good_receipt_is_verified() {
    let mut ledger = Ledger::new(10);
    let verdict = checked_turn(&mut ledger, session("a"));
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
    let report = check(&ledger, &file);
    assert_eq!(report.outcome, Outcome::Verified, "{report:?}");
}
