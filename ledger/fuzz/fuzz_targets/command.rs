//! Command lines, and what they would touch; a check's output.
#![no_main]

use libfuzzer_sys::fuzz_target;
use receipt_core::event::{Action, ToolCall};
use receipt_gates::guard::{Protected, guarded};
use receipt_gates::{check, shell};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let segments = shell::segments(&text);
    let _ = shell::may_write(&segments);
    let _ = check::runs(&text);
    let call = ToolCall {
        id: None,
        tool: String::new(),
        action: Action::Shell {
            command: text.into_owned(),
            background: false,
        },
        names: Vec::new(),
    };
    let protected = Protected {
        home: Some("/h/.local/share/receipt"),
        user: Some("/h"),
        wired: &[],
    };
    let _ = guarded(&call, "/w", &protected);
});
