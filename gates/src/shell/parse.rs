//! From tokens to the shape of a command line. Never fails: what makes no sense is stepped over.

use super::lexer::{RawWord, Redirect, Token, tokens};
use super::tree::{AndOr, Join, List, Node, Output, Pipeline, Role, Simple};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Compound commands deeper than this are read as plain words.
const MAX_NESTING: usize = 40;

/// Words that end a list when they stand where a command could.
const CLOSERS: &[&str] = &["then", "elif", "else", "fi", "do", "done", "esac", "}"];

/// Reads a whole command line.
pub(super) fn parse(text: &str) -> List {
    let mut parser = Parser {
        tokens: tokens(text),
        at: 0,
        nesting: 0,
    };
    let mut list = List::new();
    while parser.peek().is_some() {
        list.append(&mut parser.list(&[]));
        // A closer without an opener ends the list early: step over it and go on.
        parser.at = parser.at.saturating_add(1);
    }
    list
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    nesting: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn peek_second(&self) -> Option<&Token> {
        self.tokens.get(self.at.saturating_add(1))
    }

    fn eat(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        if found {
            self.at = self.at.saturating_add(1);
        }
        found
    }

    /// The keyword at the cursor, if an unquoted word stands there.
    fn keyword(&self) -> &str {
        match self.peek() {
            Some(Token::Word(word)) if !word.quoted => &word.text,
            _ => "",
        }
    }

    fn eat_keyword(&mut self, text: &str) -> bool {
        let found = self.keyword() == text;
        if found {
            self.at = self.at.saturating_add(1);
        }
        found
    }

    fn skip_newlines(&mut self) {
        while self.eat(&Token::Newline) {}
    }

    /// Reads commands until a closer, a closing parenthesis or the end.
    fn list(&mut self, ends: &[&str]) -> List {
        let mut list = List::new();
        loop {
            while matches!(
                self.peek(),
                Some(Token::Newline | Token::Semicolon | Token::Background)
            ) {
                self.at = self.at.saturating_add(1);
            }
            let keyword = self.keyword();
            if ends.contains(&keyword) || CLOSERS.contains(&keyword) {
                return list;
            }
            match self.peek() {
                None | Some(Token::Close | Token::CaseEnd) => return list,
                Some(Token::And | Token::Or | Token::Pipe) => self.at = self.at.saturating_add(1),
                Some(_) => list.push(self.and_or()),
            }
        }
    }

    fn and_or(&mut self) -> AndOr {
        let mut item = AndOr {
            first: self.pipeline(),
            ..AndOr::default()
        };
        loop {
            let join = if self.eat(&Token::And) {
                Join::And
            } else if self.eat(&Token::Or) {
                Join::Or
            } else {
                break;
            };
            self.skip_newlines();
            item.rest.push((join, self.pipeline()));
        }
        item.background = self.eat(&Token::Background);
        item
    }

    fn pipeline(&mut self) -> Pipeline {
        let mut pipeline = Pipeline::default();
        loop {
            if self.eat_keyword("!") {
                pipeline.negated = !pipeline.negated;
            } else if self.keyword() == "time" && matches!(self.peek_second(), Some(Token::Word(_)))
            {
                self.at = self.at.saturating_add(1);
                self.eat_keyword("-p");
            } else {
                break;
            }
        }
        pipeline.stages.extend(self.command());
        while self.eat(&Token::Pipe) {
            self.skip_newlines();
            pipeline.stages.extend(self.command());
        }
        pipeline
    }

    fn command(&mut self) -> Option<Node> {
        if self.nesting >= MAX_NESTING {
            if self.eat(&Token::Open) {
                return None;
            }
            return self.simple();
        }
        self.nesting = self.nesting.saturating_add(1);
        let node = self.compound();
        self.nesting = self.nesting.saturating_sub(1);
        node
    }

    fn compound(&mut self) -> Option<Node> {
        if self.eat(&Token::Open) {
            let list = self.list(&[]);
            self.eat(&Token::Close);
            return Some(self.with_output(alloc::vec![(Role::Subshell, list)]));
        }
        let parts = match self.keyword() {
            "{" => self.braces(),
            "if" => self.branches(),
            "while" | "until" => self.repeat(),
            "for" | "select" => self.each(),
            "case" => self.case(),
            "function" => return self.function(),
            "[[" => return Some(self.condition()),
            _ if self.defines_function() => return self.function(),
            _ => return self.simple(),
        };
        Some(self.with_output(parts))
    }

    fn braces(&mut self) -> Vec<(Role, List)> {
        self.at = self.at.saturating_add(1);
        let list = self.list(&[]);
        self.eat_keyword("}");
        alloc::vec![(Role::Group, list)]
    }

    fn branches(&mut self) -> Vec<(Role, List)> {
        let mut parts = Vec::new();
        while self.eat_keyword("if") || self.eat_keyword("elif") {
            parts.push((Role::Condition, self.list(&[])));
            if self.eat_keyword("then") {
                parts.push((Role::Branch, self.list(&[])));
            }
        }
        if self.eat_keyword("else") {
            parts.push((Role::Branch, self.list(&[])));
        }
        self.eat_keyword("fi");
        parts
    }

    fn repeat(&mut self) -> Vec<(Role, List)> {
        self.at = self.at.saturating_add(1);
        let condition = self.list(&[]);
        alloc::vec![(Role::Loop, condition), (Role::Loop, self.body())]
    }

    fn body(&mut self) -> List {
        if !self.eat_keyword("do") {
            return List::new();
        }
        let list = self.list(&[]);
        self.eat_keyword("done");
        list
    }

    /// `for x in a b; do ...; done`: the words after `in` run nothing but their expansions.
    fn each(&mut self) -> Vec<(Role, List)> {
        let mut commands = Vec::new();
        // `for ((i=0;i<3;i++))`: what stands there is no command.
        let mut open = 0_usize;
        while open > 0 || !matches!(self.peek(), None | Some(Token::Newline | Token::Semicolon)) {
            match self.peek() {
                None => break,
                Some(Token::Open) => open = open.saturating_add(1),
                Some(Token::Close) => open = open.saturating_sub(1),
                _ => {}
            }
            if let Some(Token::Word(word)) = self.peek() {
                if word.text == "do" && !word.quoted {
                    break;
                }
                commands.extend(word.commands.iter().cloned());
            }
            self.at = self.at.saturating_add(1);
        }
        while matches!(self.peek(), Some(Token::Newline | Token::Semicolon)) {
            self.at = self.at.saturating_add(1);
        }
        let words = Node::Simple(Simple {
            commands,
            ..Simple::default()
        });
        let first = Pipeline {
            negated: false,
            stages: alloc::vec![words],
        };
        let head = alloc::vec![AndOr {
            first,
            ..AndOr::default()
        }];
        alloc::vec![(Role::Loop, head), (Role::Loop, self.body())]
    }

    fn case(&mut self) -> Vec<(Role, List)> {
        let mut parts = Vec::new();
        while !matches!(self.peek(), None | Some(Token::Newline)) && !self.eat_keyword("in") {
            self.at = self.at.saturating_add(1);
        }
        loop {
            while matches!(
                self.peek(),
                Some(Token::Newline | Token::CaseEnd | Token::Open)
            ) {
                self.at = self.at.saturating_add(1);
            }
            if self.peek().is_none() || self.eat_keyword("esac") {
                return parts;
            }
            let before = self.at;
            while !matches!(self.peek(), None | Some(Token::Close | Token::Newline)) {
                self.at = self.at.saturating_add(1);
            }
            self.eat(&Token::Close);
            parts.push((Role::Branch, self.list(&["esac"])));
            if self.at == before {
                self.at = self.at.saturating_add(1);
            }
        }
    }

    /// `name() { ... }` defines and does not run.
    fn function(&mut self) -> Option<Node> {
        self.eat_keyword("function");
        let name = self.keyword().into();
        self.at = self.at.saturating_add(1);
        self.eat(&Token::Open);
        self.eat(&Token::Close);
        self.skip_newlines();
        let body = self.command()?;
        Some(Node::Function(name, Rc::new(body)))
    }

    fn defines_function(&self) -> bool {
        let place = self.at.saturating_add(1);
        !self.keyword().is_empty()
            && self.tokens.get(place) == Some(&Token::Open)
            && self.tokens.get(place.saturating_add(1)) == Some(&Token::Close)
    }

    /// `[[ ... ]]`, in which `&&`, `||`, `<` and parentheses are part of the question.
    fn condition(&mut self) -> Node {
        let mut simple = Simple::default();
        while let Some(token) = self.peek().cloned() {
            if matches!(token, Token::Newline | Token::Semicolon) {
                break;
            }
            self.at = self.at.saturating_add(1);
            if let Token::Word(word) = token {
                let end = word.text == "]]" && !word.quoted;
                simple.words.push(word);
                if end {
                    break;
                }
            }
        }
        Node::Simple(simple)
    }

    fn simple(&mut self) -> Option<Node> {
        let mut simple = Simple::default();
        let start = self.at;
        while let Some(token) = self.peek().cloned() {
            match token {
                Token::Word(word) => simple.words.push(word),
                Token::Redirect(kind) => {
                    self.redirect(kind, &mut simple);
                    continue;
                }
                Token::Heredoc { body, commands } => {
                    simple.input = Some(body);
                    simple.commands.extend(commands);
                }
                _ => break,
            }
            self.at = self.at.saturating_add(1);
        }
        (self.at > start).then_some(Node::Simple(simple))
    }

    fn redirect(&mut self, kind: Redirect, simple: &mut Simple) {
        self.at = self.at.saturating_add(1);
        simple.redirected = true;
        let Some(Token::Word(target)) = self.peek().cloned() else {
            return;
        };
        self.at = self.at.saturating_add(1);
        simple.commands.extend(target.commands.iter().cloned());
        if kind == Redirect::HereString {
            simple.input = Some(target.text);
        } else {
            if kind.writes() {
                simple.writes.push(target.text.clone());
            } else if kind == Redirect::Other {
                simple.reads.push(target.text.clone());
            }
            redirected(&mut simple.output, kind, &target);
        }
    }

    fn with_output(&mut self, parts: Vec<(Role, List)>) -> Node {
        match self.trailing_redirects() {
            Some(Node::Simple(simple)) => Node::Compound(parts, simple.output, simple.writes),
            _ => Node::Compound(parts, Output::default(), Vec::new()),
        }
    }

    fn trailing_redirects(&mut self) -> Option<Node> {
        let trailing = matches!(
            self.peek(),
            Some(Token::Redirect(_) | Token::Heredoc { .. })
        );
        if trailing { self.simple() } else { None }
    }
}

fn redirected(output: &mut Output, kind: Redirect, target: &RawWord) {
    let kept = !target.text.starts_with("/dev/");
    let shown = matches!(
        target.text.as_str(),
        "/dev/stdout" | "/dev/stderr" | "/dev/tty"
    );
    let (out, errors) = match kind {
        Redirect::Out => (true, false),
        Redirect::Errors => (false, true),
        Redirect::Both => (true, true),
        Redirect::ErrorsToOut => {
            output.errors_hidden |= output.hidden;
            return;
        }
        Redirect::Other | Redirect::HereString => return,
    };
    output.to_file |= kept;
    output.hidden |= out && !shown;
    output.errors_hidden |= errors && !shown;
}
