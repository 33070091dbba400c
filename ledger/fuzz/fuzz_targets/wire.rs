//! Frames between hook and service, and what the spool holds.
#![no_main]
#![allow(dead_code, unused_imports, missing_docs)]

use libfuzzer_sys::fuzz_target;

#[path = "../../../cli/src/wire.rs"]
mod wire;

fuzz_target!(|data: &[u8]| {
    let mut frames = data;
    while let Ok(Some(message)) = wire::receive::<wire::ToService>(&mut frames) {
        // What was read is written and read alike.
        let bytes = wire::encode(&message).unwrap();
        let again: wire::ToService = wire::decode(&bytes).unwrap();
        assert_eq!(format!("{message:?}"), format!("{again:?}"));
    }
    let mut frames = data;
    while let Ok(Some(_)) = wire::receive::<wire::ToClient>(&mut frames) {}
    let _ = wire::decode::<wire::HookEvent>(data);
    let _ = wire::protocol(data);
});
