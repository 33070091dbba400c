//! OpenSSH's pattern lists: `*`, `?`, and `!` for what is excluded.

/// Whether a comma-separated list allows a name: one pattern matches, and none
/// that excludes does.
pub(super) fn list_matches(list: &str, name: &str) -> bool {
    let mut allowed = false;
    for pattern in list.split(',').map(str::trim) {
        match pattern.strip_prefix('!') {
            Some(excluded) if matches(excluded, name) => return false,
            Some(_) => {}
            None => allowed |= matches(pattern, name),
        }
    }
    allowed
}

/// Matches one pattern, in time proportional to pattern times name.
fn matches(pattern: &str, name: &str) -> bool {
    let (mut rest, mut text) = (pattern.as_bytes(), name.as_bytes());
    let mut retry: Option<(&[u8], &[u8])> = None;
    loop {
        match (rest.split_first(), text.split_first()) {
            (Some((b'*', after)), _) => {
                retry = Some((after, text));
                rest = after;
            }
            (Some((p, after)), Some((t, left))) if *p == b'?' || p == t => {
                rest = after;
                text = left;
            }
            (None, None) => return true,
            _ => {
                let Some((after, [_, left @ ..])) = retry else {
                    return false;
                };
                retry = Some((after, left));
                rest = after;
                text = left;
            }
        }
    }
}
