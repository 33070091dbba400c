//! INTERIM, to be replaced: a line with its string literals blanked and its comment cut off.

use alloc::string::String;

/// A line, taken apart.
pub(super) struct Masked {
    /// The code, without string contents and comment.
    pub(super) code: String,
    /// The comment's text, if there is one.
    pub(super) comment: Option<String>,
}

impl Masked {
    pub(super) fn new(language: &str, line: &str) -> Self {
        let hash = matches!(language, "python" | "ruby" | "shell" | "r" | "perl" | "elixir");
        let marks: &[&str] = if hash { &["#"] } else { &["//", "/*", "<!--", "--"] };
        let mut code = String::new();
        let mut quote = None;
        let mut chars = line.char_indices();
        while let Some((at, c)) = chars.next() {
            let rest = line.get(at..).unwrap_or_default();
            match quote {
                Some(_) if c == '\\' => drop(chars.next()),
                Some(q) if q == c => quote = None,
                Some(_) => {}
                None if marks.iter().any(|mark| rest.starts_with(mark)) => {
                    return Self { code, comment: Some(String::from(rest)) };
                }
                None if matches!(c, '"' | '\'' | '`') => quote = Some(c),
                None => code.push(c),
            }
        }
        Self { code, comment: None }
    }
}
