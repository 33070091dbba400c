//! Records at rest: what decodes encodes to the same record again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use receipt_ledger::stored;

fuzz_target!(|data: &[u8]| {
    let Ok(record) = stored::decode(data) else {
        return;
    };
    let _ = record.check();
    let again = stored::encode(&record).expect("within the limits");
    assert_eq!(stored::decode(&again), Ok(record));
});
