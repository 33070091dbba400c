//! Telling a stop request from its bytes, without parsing.

/// The member that names the event, as it stands outside of any string.
const MEMBER: &[u8] = b"\"hook_event_name\"";

/// Whether the payload's event is `Stop`. Inside a string the quotes would be
/// escaped; only a tool input with a member of that name is mistaken for one.
#[must_use]
pub fn asks_to_stop(payload: &[u8]) -> bool {
    let found = payload
        .windows(MEMBER.len())
        .zip(0usize..)
        .filter(|(w, _)| *w == MEMBER);
    found.into_iter().any(|(_, at)| {
        let rest = payload
            .get(at.saturating_add(MEMBER.len())..)
            .unwrap_or_default();
        let rest = rest.trim_ascii_start();
        let value = rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start);
        value.is_some_and(|v| v.starts_with(b"\"Stop\""))
    })
}
