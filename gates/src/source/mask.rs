//! Telling code, string literals and comments of one line apart.

use alloc::string::String;
use alloc::vec::Vec;

/// Longer lines are looked at up to here.
const MAX_LINE: usize = 2_000;

/// What a byte of a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Code,
    Text,
    Comment,
}

/// A line with the part that each byte belongs to.
#[derive(Debug)]
pub(crate) struct Masked<'a> {
    line: &'a str,
    parts: Vec<Part>,
    /// What of the line is not looked at.
    beyond: &'a str,
}

/// How comments and strings of a language look.
struct Syntax {
    comments: &'static [&'static str],
    /// Quotes that may hold a whole string.
    quotes: &'static [char],
    /// Whether a line that starts with `*` goes on with a block comment.
    stars: bool,
}

const C_LIKE: Syntax = Syntax {
    comments: &["//", "/*"],
    quotes: &['"'],
    stars: true,
};
const SCRIPT: Syntax = Syntax {
    comments: &["//", "/*", "<!--"],
    quotes: &['"', '\'', '`'],
    stars: true,
};
const HASH: Syntax = Syntax {
    comments: &["#"],
    quotes: &['"', '\''],
    stars: false,
};

fn syntax(language: &str) -> Syntax {
    match language {
        "javascript" | "css" | "html" | "dart" | "solidity" => SCRIPT,
        "php" => Syntax {
            comments: &["//", "/*", "#"],
            quotes: &['"', '\''],
            stars: true,
        },
        "go" => Syntax {
            quotes: &['"', '`'],
            ..C_LIKE
        },
        "rust" | "c" | "jvm" | "csharp" | "swift" | "zig" | "protobuf" => C_LIKE,
        "sql" | "lua" | "haskell" => Syntax {
            comments: &["--", "/*", "{-"],
            ..HASH
        },
        "erlang" => Syntax {
            comments: &["%"],
            ..HASH
        },
        "assembly" => Syntax {
            comments: &[";", "#", "//"],
            ..HASH
        },
        "ocaml" => Syntax {
            comments: &["(*"],
            quotes: &['"'],
            stars: false,
        },
        _ => HASH,
    }
}

impl<'a> Masked<'a> {
    /// Reads a line. What began on an earlier line is not known.
    pub(crate) fn new(language: &str, line: &'a str) -> Self {
        let mut end = line.len().min(MAX_LINE);
        while !line.is_char_boundary(end) {
            end = end.saturating_sub(1);
        }
        let (line, beyond) = line.split_at(end);
        Self {
            line,
            parts: parts(&syntax(language), line),
            beyond,
        }
    }

    /// The text of the first comment with its leader, and whether code stands before it.
    pub(crate) fn comment(&self) -> Option<&'a str> {
        let start = self.parts.iter().position(|part| *part == Part::Comment)?;
        self.line.get(start..)
    }

    /// What of the line is past the bound.
    pub(crate) const fn beyond(&self) -> &'a str {
        self.beyond
    }

    /// Each letter with its part.
    pub(crate) fn letters(&self) -> impl Iterator<Item = (char, Part)> {
        let letters = self.line.char_indices();
        letters.filter_map(|(place, letter)| Some((letter, *self.parts.get(place)?)))
    }

    /// Whether all but blanks is of such parts.
    pub(crate) fn only(&self, fits: impl Fn(Part) -> bool) -> bool {
        let mut letters = self.letters();
        self.beyond.is_empty() && letters.all(|(letter, part)| letter.is_whitespace() || fits(part))
    }

    /// The code of the line without strings and comments, without the space around it.
    pub(crate) fn code(&self) -> String {
        let letters = self.line.char_indices();
        let code = letters.filter(|(place, _)| self.parts.get(*place) == Some(&Part::Code));
        let text: String = code.map(|(_, letter)| letter).collect();
        text.trim().into()
    }

    /// Runs of code and of string literals, comments left out, with whether it is a literal.
    pub(crate) fn pieces(&self) -> Vec<(&'a str, bool)> {
        let mut pieces = Vec::new();
        let mut from = 0_usize;
        while let Some(part) = self.parts.get(from) {
            let same = self.parts.iter().skip(from).take_while(|p| *p == part);
            let to = from.saturating_add(same.count());
            if *part != Part::Comment
                && let Some(text) = self.line.get(from..to)
            {
                pieces.push((text, *part == Part::Text));
            }
            from = to;
        }
        pieces
    }

    /// Whether `needle` stands somewhere and begins as code.
    pub(crate) fn begins(&self, needle: &str) -> bool {
        let mut found = self.line.match_indices(needle).take(16);
        found.any(|(place, _)| self.parts.get(place) == Some(&Part::Code))
    }

    /// The places behind `needle` where it stands in code as a word of its own.
    pub(crate) fn behind(&self, needle: &str) -> Vec<usize> {
        let found = self.line.match_indices(needle).take(16);
        found
            .filter(|(place, _)| self.stands(*place, needle))
            .map(|(place, _)| place.saturating_add(needle.len()))
            .collect()
    }

    /// The places behind `needle` where a word of code starts with it.
    pub(crate) fn starting(&self, needle: &str) -> Vec<usize> {
        let word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let found = self.line.match_indices(needle).take(16);
        let starts = found.filter(|(place, _)| {
            let before = self
                .line
                .get(..*place)
                .and_then(|text| text.chars().next_back());
            self.parts.get(*place) == Some(&Part::Code) && !before.is_some_and(word)
        });
        starts
            .map(|(place, _)| place.saturating_add(needle.len()))
            .collect()
    }

    fn stands(&self, place: usize, needle: &str) -> bool {
        let end = place.saturating_add(needle.len());
        let code = self
            .parts
            .get(place..end)
            .is_some_and(|parts| parts.iter().all(|part| *part == Part::Code));
        let joins = |letter: char| {
            letter.is_alphanumeric() || letter == '_' || letter == '.' || letter == '$'
        };
        let word = |letter: Option<char>| {
            letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
        };
        let before = self
            .line
            .get(..place)
            .and_then(|text| text.chars().next_back());
        let after = self.line.get(end..).and_then(|text| text.chars().next());
        let open = !word(needle.chars().next()) || !before.is_some_and(joins);
        let closed = !word(needle.chars().next_back()) || !word(after);
        code && open && closed
    }

    /// The line from `place` on.
    pub(crate) fn from(&self, place: usize) -> &'a str {
        self.line.get(place..).unwrap_or("")
    }

    /// The string literal that starts at `place`, past blanks and a prefix such as `f` or `$`.
    pub(crate) fn literal(&self, place: usize) -> Option<&'a str> {
        let rest = self.from(place);
        let skipped = rest.len().saturating_sub(
            rest.trim_start_matches([' ', '(', '$', '@', 'f', 'r', 'b', '&'])
                .len(),
        );
        let start = place.saturating_add(skipped);
        let parts = self.parts.get(start..)?;
        let length = parts.iter().take_while(|part| **part == Part::Text).count();
        let text = self.line.get(start..start.saturating_add(length))?;
        (!text.is_empty()).then(|| text.trim_matches(['"', '\'', '`']))
    }
}

fn parts(syntax: &Syntax, line: &str) -> Vec<Part> {
    let mut parts = alloc::vec![Part::Code; line.len()];
    let trimmed = line.trim_start();
    let continues = trimmed == "*" || trimmed.starts_with("* ") || trimmed.starts_with("*/");
    if syntax.stars && continues {
        parts.fill(Part::Comment);
        return parts;
    }
    let mut at = 0_usize;
    while let Some(letter) = line.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = line.get(at..).unwrap_or("");
        if starts_comment(syntax, line, at) {
            let end = comment_end(rest).map_or(line.len(), |length| at.saturating_add(length));
            fill(&mut parts, at, end, Part::Comment);
            at = end;
            continue;
        }
        let length = text_length(syntax, rest, letter);
        let end = at.saturating_add(length.max(letter.len_utf8()));
        if length > 0 {
            fill(&mut parts, at, end, Part::Text);
        }
        at = end;
    }
    parts
}

fn fill(parts: &mut [Part], from: usize, to: usize, part: Part) {
    if let Some(range) = parts.get_mut(from..to) {
        range.fill(part);
    }
}

/// A `#` inside a word or a `//` behind a colon (a URL) starts no comment.
fn starts_comment(syntax: &Syntax, line: &str, at: usize) -> bool {
    let rest = line.get(at..).unwrap_or("");
    let before = line.get(..at).and_then(|text| text.chars().next_back());
    syntax.comments.iter().any(|leader| {
        rest.starts_with(leader)
            && match *leader {
                "#" => before.is_none_or(char::is_whitespace) && !rest.starts_with("#["),
                "//" => before != Some(':'),
                _ => true,
            }
    })
}

/// The length of a block comment that is closed on the line.
fn comment_end(rest: &str) -> Option<usize> {
    for (open, close) in [("/*", "*/"), ("<!--", "-->"), ("(*", "*)"), ("{-", "-}")] {
        if rest.starts_with(open) {
            let inner = rest.get(open.len()..)?;
            return inner
                .find(close)
                .map(|place| place.saturating_add(open.len()).saturating_add(close.len()));
        }
    }
    None
}

/// The length of the string literal at the start of `rest`, zero if there is none.
fn text_length(syntax: &Syntax, rest: &str, quote: char) -> usize {
    for triple in ["\"\"\"", "'''"] {
        if rest.starts_with(triple) {
            let inner = rest.get(3..).unwrap_or("");
            return inner
                .find(triple)
                .map_or(rest.len(), |place| place.saturating_add(6));
        }
    }
    if syntax.quotes.contains(&quote) {
        return closed(rest, quote).unwrap_or(rest.len());
    }
    // Elsewhere a single quote is a character, a lifetime or a label.
    if quote == '\'' {
        closed(rest, quote)
            .filter(|length| *length <= 4)
            .unwrap_or(0)
    } else {
        0
    }
}

fn closed(rest: &str, quote: char) -> Option<usize> {
    let mut letters = rest.char_indices().skip(1);
    while let Some((place, letter)) = letters.next() {
        if letter == '\\' {
            letters.next();
        } else if letter == quote {
            return Some(place.saturating_add(1));
        }
    }
    None
}
