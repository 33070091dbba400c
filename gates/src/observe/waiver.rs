//! Prompts that waive verification.

/// Whether a line of a prompt waives verification: `receipt: skip <reason>`.
#[must_use]
pub fn is_waiver(prompt: &str) -> bool {
    prompt.lines().any(waives)
}

fn waives(line: &str) -> bool {
    let line = line.trim();
    let Some(head) = line.get(..13) else {
        return false;
    };
    head.eq_ignore_ascii_case("receipt: skip")
        && line
            .get(13..)
            .is_some_and(|rest| rest.starts_with(char::is_whitespace) && !rest.trim().is_empty())
}
