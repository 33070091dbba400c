//! A place in a text, moving forward only.

/// Reads a text character by character and cannot leave it.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The rest of the text.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub(super) const fn position(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character before the cursor.
    pub(super) fn before(&self) -> Option<char> {
        self.text.get(..self.at)?.chars().next_back()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at = self.at.saturating_add(next.len_utf8());
        Some(next)
    }

    pub(super) fn looks_at(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    /// Steps over `text` if it comes next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.looks_at(text);
        if found {
            self.at = self.at.saturating_add(text.len());
        }
        found
    }

    /// What was read since `start`.
    pub(super) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or("")
    }

    /// Reads up to and over `end`; without one, the rest.
    pub(super) fn until(&mut self, end: char) -> &'a str {
        let rest = self.rest();
        match rest.find(end) {
            Some(length) => {
                self.at = self
                    .at
                    .saturating_add(length)
                    .saturating_add(end.len_utf8());
                rest.get(..length).unwrap_or("")
            }
            None => {
                self.at = self.text.len();
                rest
            }
        }
    }

    pub(super) fn skip_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
        self.since(start)
    }
}
