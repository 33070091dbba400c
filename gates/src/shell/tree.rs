//! The shape of a command line: lists of pipelines of commands.

use super::lexer::RawWord;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// Commands one after the other.
pub(super) type List = Vec<AndOr>;

/// Pipelines joined by `&&` and `||`.
#[derive(Debug, Default)]
pub(super) struct AndOr {
    pub(super) first: Pipeline,
    pub(super) rest: Vec<(Join, Pipeline)>,
    /// Ended by a single `&`.
    pub(super) background: bool,
}

/// How a pipeline follows the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    And,
    Or,
}

/// Commands joined by `|`.
#[derive(Debug, Default)]
pub(super) struct Pipeline {
    pub(super) negated: bool,
    pub(super) stages: Vec<Node>,
}

/// One command.
#[derive(Debug)]
pub(super) enum Node {
    Simple(Simple),
    /// With the files that its redirections write.
    Compound(Vec<(Role, List)>, Output, Vec<String>),
    /// A function is defined; nothing runs yet.
    Function(String, Rc<Node>),
}

/// What a list inside a compound command is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// `{ ...; }`
    Group,
    /// `( ... )`
    Subshell,
    /// What `if` and `elif` ask.
    Condition,
    /// What may follow; also the branches of `case`.
    Branch,
    /// The body or condition of a loop.
    Loop,
}

/// Where output goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Output {
    /// Some of it goes to a file that is kept.
    pub(super) to_file: bool,
    /// Standard output is not shown.
    pub(super) hidden: bool,
    /// Standard error is not shown.
    pub(super) errors_hidden: bool,
}

/// A program with its arguments.
#[derive(Debug, Default)]
pub(super) struct Simple {
    pub(super) words: Vec<RawWord>,
    pub(super) output: Output,
    /// The files that redirections write.
    pub(super) writes: Vec<String>,
    /// The files that redirections read.
    pub(super) reads: Vec<String>,
    /// Whether anything is redirected; without a program that opens a file and runs nothing.
    pub(super) redirected: bool,
    /// Text handed to standard input.
    pub(super) input: Option<String>,
    /// Commands run by redirections and here-documents.
    pub(super) commands: Vec<String>,
}

impl Node {
    /// Whether an `exit 0` stands in it, at whatever place.
    pub(super) fn exits_well(&self) -> bool {
        match self {
            Self::Simple(simple) => {
                let mut words = simple.words.iter().map(|word| word.text.as_str());
                words.any(|word| word == "exit") && words.next() == Some("0")
            }
            Self::Compound(parts, ..) => parts
                .iter()
                .flat_map(|(_, list)| list)
                .flat_map(AndOr::pipelines)
                .flat_map(|pipeline| &pipeline.stages)
                .any(Self::exits_well),
            Self::Function(..) => false,
        }
    }
}

impl AndOr {
    fn pipelines(&self) -> impl Iterator<Item = &Pipeline> {
        core::iter::once(&self.first).chain(self.rest.iter().map(|(_, next)| next))
    }
}
