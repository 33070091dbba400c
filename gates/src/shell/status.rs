//! Where an exit status goes after its command: `|| exit 1`, `; exit $?`, `; echo "exit=$?"`.

use super::segment::Spoken;
use super::tree::{AndOr, Join, Node, Pipeline, Role, Simple};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// An `echo` further behind its status is not looked for.
const MAX_LATER: usize = 16;

/// Whether what follows hands a status on to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carried {
    /// It is lost.
    No,
    /// `exit $?`: the status of the whole pipeline.
    Last,
    /// `exit ${PIPESTATUS[0]}`: the status of its first stage.
    First,
}

impl Carried {
    pub(super) fn seen(self) -> bool {
        self != Self::No
    }

    pub(super) fn first_stage(self) -> bool {
        self == Self::First
    }
}

/// How a following `echo` prints a status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Printed {
    /// The text before the number.
    pub(super) prefix: String,
    /// Whether it is the status of the first stage of the pipe.
    pub(super) first_stage: bool,
}

/// Whether a pipeline always fails: `exit 1`, `false`, `{ ...; exit 1; }`.
pub(super) fn fails(pipeline: &Pipeline) -> bool {
    match pipeline.stages.as_slice() {
        [Node::Simple(simple)] => match (word(simple, 0), word(simple, 1)) {
            ("false", _) => true,
            ("exit" | "return", status) => status != "0",
            _ => false,
        },
        [Node::Compound(parts, ..)] => match parts.as_slice() {
            [(Role::Group | Role::Subshell, list)] => list
                .last()
                .is_some_and(|item| item.rest.is_empty() && fails(&item.first)),
            _ => false,
        },
        _ => false,
    }
}

/// What the commands after a pipeline do with its status.
pub(super) fn carried(later: &[AndOr]) -> Carried {
    let Some(next) = later.first().and_then(only_simple) else {
        return Carried::No;
    };
    if word(next, 0) == "exit" {
        return kind(word(next, 1));
    }
    let Some((name, value)) = sole_assignment(next) else {
        return Carried::No;
    };
    let ends = later.last().and_then(only_simple).is_some_and(|last| {
        word(last, 0) == "exit" && parameter(word(last, 1)) == name && !name.is_empty()
    });
    if ends { kind(value) } else { Carried::No }
}

/// The `echo` that prints the status of the pipeline before `later`, with nothing in between.
pub(super) fn printed(later: &[AndOr]) -> Option<Printed> {
    let next = later.first().and_then(first_simple)?;
    if let Some((name, value)) = sole_assignment(next) {
        let first_stage = kind(value) == Carried::First;
        if kind(value) == Carried::No {
            return None;
        }
        let echo = later
            .iter()
            .skip(1)
            .take(MAX_LATER)
            .filter_map(first_simple)
            .find(|simple| prints(simple))?;
        return template(echo, |text| parameter_at(text, name), first_stage);
    }
    if !prints(next) {
        return None;
    }
    template(next, |text| text.find("$?"), false)
        .or_else(|| template(next, |text| text.find("${PIPESTATUS[0]}"), true))
        .or_else(|| template(next, |text| text.find("${pipestatus[1]}"), true))
}

/// What is printed for how a command ended, and which pipeline of the list that is:
/// `a || echo BAD`, `cd x && a && echo OK || echo BAD`.
pub(super) fn spoken(item: &AndOr) -> Option<(usize, Spoken)> {
    let (last, before) = item.rest.split_last()?;
    let failed = said(last, Join::Or)?;
    let passed = before.last().and_then(|next| said(next, Join::And));
    let place = before.len().saturating_sub(usize::from(passed.is_some()));
    let chained = before
        .iter()
        .take(place)
        .all(|(join, _)| *join == Join::And);
    let first = core::iter::once(&item.first);
    let mut earlier = first
        .chain(before.iter().map(|(_, pipeline)| pipeline))
        .take(place);
    let moves = earlier.all(|pipeline| {
        matches!(pipeline.stages.as_slice(), [Node::Simple(simple)] if word(simple, 0) == "cd")
    });
    let own = if place == 0 {
        Some(&item.first)
    } else {
        before.get(place.checked_sub(1)?).map(|(_, own)| own)
    };
    let plain = own.is_some_and(|own| own.stages.len() == 1 && !own.negated);
    (chained && moves && plain).then_some((place, Spoken { passed, failed }))
}

/// The line of an `echo` that follows by `join`.
fn said(next: &(Join, Pipeline), join: Join) -> Option<String> {
    let [Node::Simple(simple)] = next.1.stages.as_slice() else {
        return None;
    };
    let texts: Vec<&str> = simple
        .words
        .iter()
        .skip(1)
        .map(|word| word.text.as_str())
        .collect();
    let line = texts.join(" ");
    let plain = next.0 == join && word(simple, 0) == "echo" && !simple.output.to_file;
    let fixed =
        !line.contains(['$', '`', '\\', '\n']) && !line.starts_with('-') && !line.is_empty();
    (plain && fixed).then_some(line)
}

fn prints(simple: &Simple) -> bool {
    matches!(word(simple, 0), "echo" | "printf")
}

/// The text of an `echo` up to where `find` sees the number, which stands in one of its words.
fn template(
    echo: &Simple,
    find: impl Fn(&str) -> Option<usize>,
    first_stage: bool,
) -> Option<Printed> {
    let mut prefix = String::new();
    for word in echo.words.iter().skip(1) {
        if let Some(place) = find(&word.text) {
            prefix.push_str(word.text.get(..place)?);
            let line = prefix
                .rsplit('\n')
                .next()
                .unwrap_or("")
                .trim_start()
                .to_string();
            return Some(Printed {
                prefix: line,
                first_stage,
            });
        }
        if !word.text.starts_with('-') {
            prefix.push_str(&word.text);
            prefix.push(' ');
        }
    }
    None
}

fn kind(value: &str) -> Carried {
    match value.trim() {
        "$?" | "" => Carried::Last,
        "${PIPESTATUS[0]}" | "$PIPESTATUS" | "${PIPESTATUS}" | "${pipestatus[1]}" => Carried::First,
        _ => Carried::No,
    }
}

/// The name in `$name` or `${name}`.
fn parameter(text: &str) -> &str {
    let Some(name) = text.strip_prefix('$') else {
        return "";
    };
    name.strip_prefix('{')
        .and_then(|name| name.strip_suffix('}'))
        .unwrap_or(name)
}

fn parameter_at(text: &str, name: &str) -> Option<usize> {
    text.find(&alloc::format!("${name}"))
        .or_else(|| text.find(&alloc::format!("${{{name}}}")))
}

fn word(simple: &Simple, index: usize) -> &str {
    simple
        .words
        .get(index)
        .map_or("", |word| word.text.as_str())
}

fn first_simple(item: &AndOr) -> Option<&Simple> {
    match item.first.stages.first() {
        Some(Node::Simple(simple)) => Some(simple),
        _ => None,
    }
}

fn only_simple(item: &AndOr) -> Option<&Simple> {
    if item.rest.is_empty() && item.first.stages.len() == 1 {
        first_simple(item)
    } else {
        None
    }
}

fn sole_assignment(simple: &Simple) -> Option<(&str, &str)> {
    match simple.words.as_slice() {
        [only] => only
            .text
            .split_once('=')
            .filter(|(name, _)| !name.is_empty()),
        _ => None,
    }
}
