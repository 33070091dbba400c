//! Final messages, and replies of a judge.
#![no_main]

use libfuzzer_sys::fuzz_target;
use receipt_gates::{claim, judge};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let _ = claim::claims(&text);
    let _ = claim::completion_language(&text);
    let _ = claim::is_question(&text);
    let _ = judge::read(&text);
});
