//! Whether a message ends by asking the user.

/// Whether the last words of a message are a question. A list of options may follow it.
#[must_use]
pub fn is_question(message: &str) -> bool {
    let mut fenced = false;
    for line in message.lines().rev().take(30) {
        let line = line.trim();
        if line.starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if line.is_empty() || fenced {
            continue;
        }
        if asks(line) {
            return true;
        }
        if !is_option(line) {
            return false;
        }
    }
    false
}

fn asks(line: &str) -> bool {
    let end = line.trim_end_matches(|letter: char| {
        matches!(letter, '*' | '_' | '"' | ')' | '`' | ' ')
            || letter > '\u{2600}' && !letter.is_alphanumeric() && letter != '？'
    });
    end.ends_with('?') || end.ends_with('？')
}

/// `1. this`, `- that`, `(a) something`.
fn is_option(line: &str) -> bool {
    let marked = line.starts_with(['-', '*', '•', '(']);
    let head = line.split(['.', ')', ':']).next().unwrap_or("");
    let numbered =
        head.len() <= 2 && head.chars().all(char::is_alphanumeric) && head.len() < line.len();
    marked || (numbered && !head.is_empty())
}
