//! Lines of output that other commands of the call can have printed: no runner's
//! summary is believed that the command itself spells out.

use super::commit::tells_of_commit;
use super::types::CheckRun;
use crate::shell::{Segment, wrapper};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A shorter line or template says too little to be taken for a summary.
const MIN_LETTERS: usize = 4;

/// What a call's command prints by itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Planted<'a> {
    command: &'a str,
    templates: Vec<Template>,
}

/// Literal pieces with anything in between.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Template {
    pieces: Vec<String>,
    open_start: bool,
    open_end: bool,
}

impl<'a> Planted<'a> {
    /// What is printed by the segments that are no checks.
    #[must_use]
    pub fn new(command: &'a str, segments: &[Segment], runs: &[CheckRun]) -> Self {
        if runs.is_empty() {
            return Self::default();
        }
        let others = segments
            .iter()
            .enumerate()
            .filter(|(index, _)| !runs.iter().any(|run| run.segment == *index));
        Self {
            command,
            templates: others.flat_map(|(_, segment)| templates(segment)).collect(),
        }
    }

    /// Whether the command can have printed a line without the check.
    pub(super) fn holds(&self, line: &str) -> bool {
        let line = line.trim();
        if letters(line) < MIN_LETTERS {
            return false;
        }
        // What git quotes there is a message.
        tells_of_commit(line)
            || self.command.contains(line)
            || self.templates.iter().any(|t| t.fits(line))
    }
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphabetic()).count()
}

fn templates(segment: &Segment) -> Vec<Template> {
    let words = wrapper::strip(&segment.words).words;
    let Some((program, arguments)) = words.split_first() else {
        return Vec::new();
    };
    let texts: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
    let said = match wrapper::base_name(&program.text) {
        "echo" | "print" => texts.join(" "),
        "printf" => texts.first().map(ToString::to_string).unwrap_or_default(),
        _ => return Vec::new(),
    };
    let lines = said.split('\n').flat_map(|line| line.split("\\n"));
    lines.filter_map(Template::of).collect()
}

impl Template {
    /// `None` for text without a wildcard, which stands in the command as it is,
    /// or without enough of its own.
    fn of(line: &str) -> Option<Self> {
        let mut pieces = Vec::from([String::new()]);
        let mut rest = line.trim();
        let mut open_end = false;
        while let Some(next) = rest.chars().next() {
            let wild = wildcard(rest);
            if wild > 0 {
                pieces.push(String::new());
                rest = rest.get(wild..).unwrap_or("");
                open_end = rest.is_empty();
                continue;
            }
            if let Some(piece) = pieces.last_mut() {
                piece.push(next);
            }
            rest = rest.get(next.len_utf8()..).unwrap_or("");
        }
        let open_start = pieces.len() > 1 && pieces.first().is_some_and(String::is_empty);
        let wild = pieces.len() > 1;
        pieces.retain(|piece| !piece.is_empty());
        let enough = pieces.iter().map(|piece| letters(piece)).sum::<usize>() >= MIN_LETTERS;
        (wild && enough).then_some(Self {
            pieces,
            open_start,
            open_end,
        })
    }

    fn fits(&self, line: &str) -> bool {
        let mut rest = line;
        for (index, piece) in self.pieces.iter().enumerate() {
            let Some(place) = rest.find(piece.trim_start_matches(' ')) else {
                return false;
            };
            if place > 0 && index == 0 && !self.open_start {
                return false;
            }
            rest = rest
                .get(place.saturating_add(piece.trim_start_matches(' ').len())..)
                .unwrap_or("");
        }
        self.open_end || rest.trim().is_empty()
    }
}

/// Length of the expansion or directive that `text` begins with; 0 if none.
fn wildcard(text: &str) -> usize {
    let to = |end: char| text.find(end).map_or(text.len(), |at| at.saturating_add(1));
    let run = |text: &str, of: fn(char) -> bool| text.find(|c| !of(c)).unwrap_or(text.len());
    if text.starts_with("$(") {
        return balanced(text);
    }
    if text.starts_with("${") {
        return to('}');
    }
    if let Some(behind) = text.strip_prefix('`') {
        return behind
            .find('`')
            .map_or(text.len(), |at| at.saturating_add(2));
    }
    if let Some(name) = text.strip_prefix('$') {
        let len = run(name, |c| c.is_alphanumeric() || c == '_');
        return if len == 0 && !name.starts_with('?') {
            0
        } else {
            len.max(1).saturating_add(1)
        };
    }
    let Some(directive) = text.strip_prefix('%') else {
        return 0;
    };
    let flags = run(directive, |c| c.is_ascii_digit() || "-+.# ".contains(c));
    match directive.get(flags..).and_then(|rest| rest.chars().next()) {
        Some('%') | None => 0,
        Some(letter) if letter.is_ascii_alphabetic() => flags.saturating_add(2),
        Some(_) => 0,
    }
}

/// Length of `$(...)` with the parentheses in it.
fn balanced(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth = depth.saturating_add(1),
            ')' if depth == 1 => return at.saturating_add(1),
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    text.len()
}
