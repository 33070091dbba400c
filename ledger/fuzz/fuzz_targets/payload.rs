//! What hooks are given: redaction, the adapter, transcripts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use receipt_core::agent::claude_code::transcript::{self, Confirmed};
use receipt_core::agent::{self};
use receipt_core::event::Agent;
use receipt_core::redact;

fuzz_target!(|data: &[u8]| {
    let once = redact::redact(data).bytes.into_owned();
    let twice = redact::redact(&once).bytes.into_owned();
    assert_eq!(once, twice, "redaction is done once");
    let _ = agent::event(Agent::ClaudeCode, data);
    let _ = agent::asks_to_stop(Agent::ClaudeCode, data);
    let _ = agent::transcript_path(Agent::ClaudeCode, data);
    let _ = transcript::parse(data);
    Confirmed::default().read(data);
});
