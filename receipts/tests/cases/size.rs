//! How large a receipt is.

use crate::world::*;
use receipt_receipts::disclose::Disclose;
use receipt_receipts::verify::Outcome;

/// A turn of 60 records in a ledger of some thousand.
#[test]
fn a_turn_of_sixty_records_fits_in_forty_kilobytes() {
    let mut ledger = Ledger::new(10);
    for _ in 0..200 {
        checked_turn(&mut ledger, session("b"));
    }
    let stream = session("a");
    let mut turn = Turn::open(&mut ledger, stream);
    for _ in 0..24 {
        turn.edit(2);
    }
    for _ in 0..2 {
        turn.test("failed");
    }
    let verdict = turn.test("passed").stop(48).conclude();
    let sealed = ledger.checkpoint();
    let file = ledger.receipt(verdict, &sealed, Disclose::facts_only());
    assert_eq!(check(&ledger, &file).outcome, Outcome::Verified);
    let records = ledger.parts(verdict, &sealed).range.len();
    assert!((58..=62).contains(&records), "{records} records");
    assert!(
        file.len() < 40_000,
        "{} bytes for {records} records",
        file.len()
    );
}
