//! Under what a line of a message stands: a plan's list says nothing of what is.

use super::phrases::{PLANS, find_any};
use super::sentence::words;

/// Where in a message its reader is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Context {
    /// Under a heading of a plan.
    heading: bool,
    /// Under a line that introduces a list of what is to be.
    list: bool,
}

impl Context {
    /// Takes a line, and tells whether what it says is no statement of what is.
    pub(super) fn takes(&mut self, line: &str) -> bool {
        let item = is_item(line);
        if is_heading(line) {
            *self = Self {
                heading: plans(line),
                list: false,
            };
            return self.heading;
        }
        if line.ends_with(':') && !item {
            self.list = plans(line);
            return self.list || self.heading;
        }
        if !item && !line.is_empty() {
            self.list = false;
        }
        self.heading || self.list || is_open_box(line)
    }
}

fn plans(line: &str) -> bool {
    find_any(&words(line), PLANS).is_some()
}

/// `## Next steps`, `**Next steps**`.
fn is_heading(line: &str) -> bool {
    let bold = line.starts_with("**") && line.trim_end_matches(':').ends_with("**");
    line.starts_with('#') || (bold && line.matches("**").count() == 2)
}

/// `- this`, `1. that`.
fn is_item(line: &str) -> bool {
    let head = line.split(['.', ')']).next().unwrap_or("");
    let numbered = !head.is_empty() && head.len() <= 2 && head.chars().all(|c| c.is_ascii_digit());
    line.starts_with(['-', '*', '•', '+', '|']) || numbered
}

/// `- [ ] not done`.
fn is_open_box(line: &str) -> bool {
    let text = line.trim_start_matches(['-', '*', '+', ' ']);
    text.starts_with("[ ]") || text.starts_with("☐")
}
