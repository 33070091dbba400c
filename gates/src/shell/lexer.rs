//! Splitting a command line into words and operators.

use super::cursor::Cursor;
use super::heredoc;
use super::substitution::{self, Expansion};
use alloc::string::String;
use alloc::vec::Vec;

/// More tokens than this are not looked at.
const MAX_TOKENS: usize = 200_000;

/// A word with the commands that run inside it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RawWord {
    pub(super) text: String,
    pub(super) quoted: bool,
    /// Whether a `=` stood in it before anything quoted, without which it assigns nothing.
    pub(super) equals: bool,
    /// The texts of `$(...)`, `` `...` ``, `<(...)` in it.
    pub(super) commands: Vec<String>,
}

/// What a redirection does to its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Redirect {
    /// `<`, `<&`, `>&2`: nothing of interest.
    Other,
    /// `>`, `>>`, `>|`, `1>`.
    Out,
    /// `2>`, `2>>`.
    Errors,
    /// `&>`, `&>>`, `>&file`.
    Both,
    /// `2>&1`.
    ErrorsToOut,
    /// `<<<`.
    HereString,
}

impl Redirect {
    /// Whether it opens its word's file for writing.
    pub(super) const fn writes(self) -> bool {
        matches!(self, Self::Out | Self::Errors | Self::Both)
    }
}

/// A lexical unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Word(RawWord),
    Redirect(Redirect),
    /// A here-document; its body and the commands in it.
    Heredoc {
        body: String,
        commands: Vec<String>,
    },
    And,
    Or,
    Pipe,
    Semicolon,
    Background,
    Newline,
    Open,
    Close,
    /// `;;`, `;&`, `;;&`
    CaseEnd,
}

/// Splits `text`; unclosed quotes run to the end.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        cursor: Cursor::new(text),
        tokens: Vec::new(),
        pending: Vec::new(),
    };
    while lexer.tokens.len() < MAX_TOKENS && lexer.next() {}
    lexer.tokens
}

struct Lexer<'a> {
    cursor: Cursor<'a>,
    tokens: Vec<Token>,
    /// Here-documents whose bodies come after the line: start and place among the tokens.
    pending: Vec<(heredoc::Start, usize)>,
}

impl Lexer<'_> {
    fn next(&mut self) -> bool {
        self.cursor
            .skip_while(|next| next == ' ' || next == '\t' || next == '\r');
        if self.cursor.eat("\\\n") || self.cursor.eat("\\\r\n") {
            return true;
        }
        let Some(next) = self.cursor.peek() else {
            return false;
        };
        match next {
            '\n' => self.newline(),
            '#' => {
                self.cursor.skip_while(|next| next != '\n');
            }
            '<' | '>' => self.redirect(),
            '&' | '|' | ';' | '(' | ')' => self.operator(),
            _ => self.word(),
        }
        true
    }

    fn newline(&mut self) {
        self.cursor.bump();
        self.tokens.push(Token::Newline);
        for (start, place) in core::mem::take(&mut self.pending) {
            let body = heredoc::body(&mut self.cursor, &start);
            let commands = if start.quoted {
                Vec::new()
            } else {
                commands_in(body)
            };
            if let Some(token) = self.tokens.get_mut(place) {
                *token = Token::Heredoc {
                    body: body.into(),
                    commands,
                };
            }
        }
    }

    fn operator(&mut self) {
        const OPERATORS: &[(&str, Token)] = &[
            (";;&", Token::CaseEnd),
            (";;", Token::CaseEnd),
            (";&", Token::CaseEnd),
            ("&&", Token::And),
            ("||", Token::Or),
            ("|&", Token::Pipe),
            ("|", Token::Pipe),
            (";", Token::Semicolon),
            ("(", Token::Open),
            (")", Token::Close),
        ];
        for (text, kind) in [("&>>", Redirect::Both), ("&>", Redirect::Both)] {
            if self.cursor.eat(text) {
                return self.tokens.push(Token::Redirect(kind));
            }
        }
        for (text, token) in OPERATORS {
            if self.cursor.eat(text) {
                return self.tokens.push(token.clone());
            }
        }
        self.cursor.bump();
        self.tokens.push(Token::Background);
    }

    fn redirect(&mut self) {
        let descriptor = self.descriptor();
        if self.cursor.eat("<<<") {
            return self.tokens.push(Token::Redirect(Redirect::HereString));
        }
        if self.cursor.looks_at("<<") {
            if let Some(start) = heredoc::start(&mut self.cursor) {
                self.pending.push((start, self.tokens.len()));
                self.tokens.push(Token::Heredoc {
                    body: String::new(),
                    commands: Vec::new(),
                });
            }
            return;
        }
        if self.cursor.looks_at("<(") || self.cursor.looks_at(">(") {
            return self.word();
        }
        let kind = self.redirect_kind(descriptor.as_deref());
        self.tokens.push(Token::Redirect(kind));
    }

    fn redirect_kind(&mut self, descriptor: Option<&str>) -> Redirect {
        for text in ["<>", "<&", "<"] {
            if self.cursor.eat(text) {
                return Redirect::Other;
            }
        }
        if self.cursor.eat(">&") {
            let duplicate = self
                .cursor
                .peek()
                .is_none_or(|next| next.is_ascii_digit() || next == '-');
            return if descriptor == Some("2") && self.cursor.peek() == Some('1') {
                Redirect::ErrorsToOut
            } else if duplicate {
                Redirect::Other
            } else {
                Redirect::Both
            };
        }
        for text in [">>", ">|", ">"] {
            if self.cursor.eat(text) {
                break;
            }
        }
        match descriptor {
            None | Some("1") => Redirect::Out,
            Some("2") => Redirect::Errors,
            Some(_) => Redirect::Other,
        }
    }

    /// A descriptor directly before `<` or `>` was read as a word of digits; takes it back.
    fn descriptor(&mut self) -> Option<String> {
        let touches = self
            .cursor
            .before()
            .is_some_and(|last| last.is_ascii_digit());
        let number = |word: &mut RawWord| {
            let digits = word.text.bytes().all(|byte| byte.is_ascii_digit());
            touches && digits && !word.quoted
        };
        let last = self.tokens.pop_if(|token| match token {
            Token::Word(word) => number(word),
            _ => false,
        });
        match last {
            Some(Token::Word(word)) => Some(word.text),
            _ => None,
        }
    }

    fn word(&mut self) {
        let mut word = RawWord::default();
        while let Some(next) = self.cursor.peek() {
            if !self.word_part(next, &mut word) {
                break;
            }
        }
        self.tokens.push(Token::Word(word));
    }

    /// Reads one piece of a word; false at its end.
    fn word_part(&mut self, next: char, word: &mut RawWord) -> bool {
        match next {
            '<' | '>' => {
                let process = self.cursor.eat("<(") || self.cursor.eat(">(");
                if process {
                    word.commands.push(substitution::inside(&mut self.cursor));
                }
                return process;
            }
            '(' if word.text.ends_with(['@', '?', '*', '+', '!', '=']) => {
                self.cursor.bump();
                let text = substitution::inside(&mut self.cursor);
                word.text.push_str(&alloc::format!("({text})"));
            }
            ' ' | '\t' | '\r' | '\n' | '&' | '|' | ';' | '(' | ')' => return false,
            '\'' => {
                self.cursor.bump();
                word.quoted = true;
                word.text.push_str(self.cursor.until('\''));
            }
            '"' => {
                self.cursor.bump();
                word.quoted = true;
                double_quoted(&mut self.cursor, word);
            }
            '\\' => self.escaped(word),
            '$' | '`' => dollar(&mut self.cursor, word),
            other => {
                self.cursor.bump();
                word.equals |= other == '=' && !word.quoted;
                word.text.push(other);
            }
        }
        true
    }

    fn escaped(&mut self, word: &mut RawWord) {
        self.cursor.bump();
        match self.cursor.bump() {
            Some('\n') | None => {}
            Some(next) => {
                word.quoted = true;
                word.text.push(next);
            }
        }
    }
}

/// Reads to the closing double quote.
fn double_quoted(cursor: &mut Cursor<'_>, word: &mut RawWord) {
    while let Some(next) = cursor.peek() {
        match next {
            '"' => {
                cursor.bump();
                return;
            }
            '\\' => {
                cursor.bump();
                match cursor.bump() {
                    Some('\n') | None => {}
                    Some(kept @ ('"' | '\\' | '$' | '`')) => word.text.push(kept),
                    Some(other) => {
                        word.text.push('\\');
                        word.text.push(other);
                    }
                }
            }
            '$' | '`' => expansion(cursor, word),
            other => {
                cursor.bump();
                word.text.push(other);
            }
        }
    }
}

/// A `$` outside quotes: also `$'...'` and `$"..."`.
fn dollar(cursor: &mut Cursor<'_>, word: &mut RawWord) {
    if cursor.eat("$\"") {
        word.quoted = true;
        double_quoted(cursor, word);
    } else if cursor.eat("$'") {
        word.quoted = true;
        ansi_quoted(cursor, word);
    } else {
        expansion(cursor, word);
    }
}

fn ansi_quoted(cursor: &mut Cursor<'_>, word: &mut RawWord) {
    while let Some(next) = cursor.bump() {
        match next {
            '\'' => return,
            '\\' => match cursor.bump() {
                Some('n') => word.text.push('\n'),
                Some('t') => word.text.push('\t'),
                Some(other) => word.text.push(other),
                None => {}
            },
            other => word.text.push(other),
        }
    }
}

fn expansion(cursor: &mut Cursor<'_>, word: &mut RawWord) {
    let start = cursor.position();
    if let Expansion::Command(text) = substitution::read(cursor) {
        word.commands.push(text);
    }
    word.text.push_str(cursor.since(start));
}

/// The commands that run inside the body of an unquoted here-document.
fn commands_in(body: &str) -> Vec<String> {
    let mut cursor = Cursor::new(body);
    let mut word = RawWord::default();
    while let Some(next) = cursor.peek() {
        match next {
            '\\' => {
                cursor.bump();
                cursor.bump();
            }
            '$' | '`' => expansion(&mut cursor, &mut word),
            _ => {
                cursor.bump();
            }
        }
    }
    word.commands
}
