//! `<task-notification>`: how the client reports the end of a background task.

use crate::event::BackgroundFailure;
use alloc::string::ToString;

/// The failure of a background command that a prompt reports.
///
/// ```text
/// <task-notification>
/// <tool-use-id>toolu_...</tool-use-id>
/// <status>failed</status>
/// <summary>Background command "Run the tests" failed with exit code 1</summary>
/// ```
pub(super) fn failure(prompt: &str) -> Option<BackgroundFailure> {
    let text = prompt.trim_start().strip_prefix("<task-notification>")?;
    if tagged(text, "status")? != "failed" {
        return None;
    }
    let (_, code) = tagged(text, "summary")?.rsplit_once("failed with exit code ")?;
    Some(BackgroundFailure {
        call: tagged(text, "tool-use-id")?.to_string(),
        exit: code.parse().ok()?,
    })
}

/// The text of the first such tag.
fn tagged<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&alloc::format!("<{tag}>"))?;
    let (inner, _) = rest.split_once(&alloc::format!("</{tag}>"))?;
    Some(inner.trim())
}
