//! INTERIM, to be replaced: whether a message ends in a question.

/// Whether a message ends by asking its reader something.
#[must_use]
pub fn is_question(message: &str) -> bool {
    message.trim_end().ends_with('?')
}
