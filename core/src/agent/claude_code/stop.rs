//! What the hook process must know of a payload, told from its bytes alone.
//!
//! Inside a string the quotes of a member's name would be escaped; only a tool
//! input with a member of that name is mistaken for one.

use alloc::string::String;
use memchr::memmem::find_iter;

/// Whether the payload's event is `Stop`.
#[must_use]
pub fn asks_to_stop(payload: &[u8]) -> bool {
    values(payload, b"\"hook_event_name\"").any(|value| value.starts_with(b"\"Stop\""))
}

/// The payload's `transcript_path`.
#[must_use]
pub fn transcript_path(payload: &[u8]) -> Option<String> {
    let value = values(payload, b"\"transcript_path\"").next()?;
    let mut strings = serde_json::Deserializer::from_slice(value).into_iter();
    strings.next()?.ok()
}

/// What follows each occurrence of a member's name and a colon.
fn values<'a>(payload: &'a [u8], member: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    find_iter(payload, member).filter_map(move |at| {
        let rest = payload.get(at.checked_add(member.len())?..)?;
        let value = rest.trim_ascii_start().strip_prefix(b":")?;
        Some(value.trim_ascii_start())
    })
}
