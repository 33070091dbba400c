//! Segments of the journal: read, and salvaged where they are damaged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use receipt_ledger::intake::frame::{self, Place};
use receipt_ledger::intake::segment::{MAGIC, Segment, items};

fuzz_target!(|data: &[u8]| {
    let ledger = [0; 32];
    let _ = items(data);
    for last in [true, false] {
        if let Ok(segment) = Segment::parse(0, data.to_vec(), &ledger, last) {
            assert!(segment.batches().count() <= data.len());
        }
    }
    // A checksum that no fuzzer guesses: the payload in a sound frame, damage around.
    let mut bytes = MAGIC.to_vec();
    let place = Place {
        ledger: &ledger,
        segment: 0,
        offset: bytes.len() as u64,
    };
    frame::write(&mut bytes, &place, data);
    bytes.extend_from_slice(data);
    let segment = Segment::salvage(0, bytes, &ledger);
    assert!(data.is_empty() || segment.batches().count() > 0);
});
