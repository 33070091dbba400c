//! From the shape of a command line to its segments: who runs, and whose status is seen.

use super::container;
use super::inner;
use super::lexer::RawWord;
use super::parse::parse;
use super::scope::{Goes, Scope, Standing};
use super::segment::{Segment, Spoken, Word};
use super::status;
use super::tree::{AndOr, Join, List, Node, Output, Pipeline, Role, Simple};
use super::wrapper;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Command lines inside command lines are followed this deep.
const MAX_DEPTH: usize = 8;
/// More segments than this are dropped.
const MAX_SEGMENTS: usize = 10_000;
/// More commands than this are not followed: functions can call each other.
const MAX_STEPS: usize = 200_000;

pub(super) fn segments(command: &str) -> Vec<Segment> {
    let mut flattener = Flattener {
        segments: Vec::new(),
        steps: 0,
        scope: Scope::default(),
    };
    flattener.list(
        &parse(command),
        Context {
            last: true,
            ..Context::default()
        },
    );
    flattener.segments
}

/// What surrounds a command.
#[derive(Debug, Clone, Copy, Default)]
struct Context {
    depth: usize,
    after_failure: bool,
    masked: bool,
    conditional: bool,
    optional: bool,
    background: bool,
    negated: bool,
    last: bool,
    output: Output,
}

struct Flattener {
    segments: Vec<Segment>,
    steps: usize,
    scope: Scope,
}

impl Flattener {
    fn list(&mut self, list: &List, context: Context) {
        for (index, item) in list.iter().enumerate() {
            let later = list.get(index.saturating_add(1)..).unwrap_or(&[]);
            let carried = status::carried(later);
            let last = later.is_empty();
            let mut inner = context;
            inner.last &= last;
            inner.background |= item.background;
            // Under `set -e` a failure ends the list, so its status is seen all the same.
            let seen = last || carried.seen() || self.scope.errexit;
            inner.masked |= !seen || item.background;
            let start = self.segments.len();
            self.and_or(
                item,
                inner,
                carried.first_stage(),
                self.scope.errexit && !last,
            );
            self.printed(start, later);
        }
    }

    /// Notes the `echo` that prints the status of what was just read.
    fn printed(&mut self, start: usize, later: &[AndOr]) {
        let Some(printed) = status::printed(later) else {
            return;
        };
        let own = self.segments.get(start..).unwrap_or(&[]);
        let place = if printed.first_stage {
            own.iter().position(|segment| segment.piped_into.is_some())
        } else {
            own.len().checked_sub(1)
        };
        let Some(segment) =
            place.and_then(|place| self.segments.get_mut(start.saturating_add(place)))
        else {
            return;
        };
        if !segment.negated {
            segment.status_text = Some(printed.prefix);
        }
    }

    fn and_or(&mut self, item: &AndOr, context: Context, first_stage: bool, only_last: bool) {
        let rescue = item
            .rest
            .iter()
            .rposition(|(join, next)| *join == Join::Or && !status::fails(next));
        let rescued = |from: usize| rescue.is_some_and(|place| place >= from);
        let more = !item.rest.is_empty();
        let mut first = context;
        first.masked |= rescued(0) || (only_last && more);
        first.last &= !more;
        let spoken = status::spoken(item);
        let mut start = self.segments.len();
        self.pipeline(&item.first, first, first_stage);
        self.speak(0, start, spoken.as_ref());
        for (index, (join, pipeline)) in item.rest.iter().enumerate() {
            let next = index.saturating_add(1);
            let last = next == item.rest.len();
            let mut inner = context;
            inner.masked |= rescued(next) || (only_last && !last);
            inner.last &= last;
            inner.conditional = true;
            inner.after_failure = *join == Join::Or;
            inner.optional |= *join == Join::Or;
            start = self.segments.len();
            self.pipeline(pipeline, inner, first_stage);
            self.speak(next, start, spoken.as_ref());
        }
    }

    /// Notes what is printed for the end of the pipeline at `place`, one command from `start` on.
    fn speak(&mut self, place: usize, start: usize, spoken: Option<&(usize, Spoken)>) {
        let Some((_, spoken)) = spoken.filter(|(wanted, _)| *wanted == place) else {
            return;
        };
        if let Some([only]) = self.segments.get_mut(start..) {
            only.spoken = Some(spoken.clone());
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline, context: Context, first_stage: bool) {
        let count = pipeline.stages.len();
        let mut waiting: Option<core::ops::Range<usize>> = None;
        for (index, stage) in pipeline.stages.iter().enumerate() {
            let last = index.saturating_add(1) == count;
            let mut inner = context;
            let seen = last || self.scope.pipefail || (first_stage && index == 0);
            inner.masked |= !seen;
            inner.masked |= last && first_stage && count > 1;
            inner.negated ^= pipeline.negated;
            inner.last &= last;
            let outer = (count > 1).then(|| self.scope.clone());
            let start = self.segments.len();
            self.node(stage, inner);
            self.connect(waiting.take(), start);
            waiting = Some(start..self.segments.len());
            if let Some(outer) = outer {
                self.scope = outer;
            }
        }
    }

    /// Lets every segment of the stage before write into the first one of this stage.
    fn connect(&mut self, before: Option<core::ops::Range<usize>>, reader: usize) {
        let Some(before) = before else { return };
        if reader >= self.segments.len() {
            return;
        }
        for segment in self.segments.get_mut(before).unwrap_or(&mut []) {
            segment.piped_into.get_or_insert(reader);
        }
    }

    fn node(&mut self, node: &Node, mut context: Context) {
        self.steps = self.steps.saturating_add(1);
        if self.scope.goes != Goes::On || self.steps > MAX_STEPS {
            return;
        }
        context.optional |= self.scope.doubtful;
        context.masked |= self.scope.trapped;
        match node {
            Node::Simple(simple) => self.simple(simple, context),
            Node::Function(name, body) => self.scope.define(name, body),
            Node::Compound(parts, output, writes) => {
                let count = parts.len();
                let start = self.segments.len();
                for (index, (role, list)) in parts.iter().enumerate() {
                    let mut inner = context;
                    inner.output = merged(context.output, *output);
                    inner.last &= index.saturating_add(1) == count;
                    self.part(*role, list, inner);
                }
                if let Some(first) = self.segments.get_mut(start) {
                    first.writes.extend(writes.iter().cloned());
                }
            }
        }
    }

    fn part(&mut self, role: Role, list: &List, mut context: Context) {
        let outer = self.scope.clone();
        match role {
            Role::Group | Role::Subshell => {}
            Role::Branch => {
                context.conditional = true;
                context.optional = true;
            }
            Role::Condition => context.masked = true,
            Role::Loop => {
                context.masked |= !self.scope.errexit;
                context.conditional = true;
                context.optional = true;
            }
        }
        self.list(list, context);
        if role == Role::Subshell {
            self.scope = outer;
        }
    }

    fn simple(&mut self, simple: &Simple, context: Context) {
        let split = simple.words.iter().take_while(|word| assigns(word)).count();
        let (assignments, words) = simple
            .words
            .split_at_checked(split)
            .unwrap_or((&[], &simple.words));
        self.substitutions(simple, context, words.is_empty());
        let words = container::entered(words.iter().map(plain_word).collect());
        let idle = simple.input.is_none() && !simple.redirected;
        if words.is_empty() && assignments.is_empty() && idle {
            return;
        }
        let renamed = words.first().and_then(|word| self.scope.meaning(word));
        if let Some(Some(body)) = renamed {
            return self.call(&body, simple, context);
        }
        if self.nested(&words, simple, context) {
            return;
        }
        let standing = Standing {
            conditional: context.conditional,
            after_failure: context.after_failure,
            background: context.background,
        };
        self.scope.take(&words, standing);
        let words = if renamed.is_some() {
            Vec::from([Word::plain("...")])
        } else {
            words
        };
        let output = merged(context.output, simple.output);
        self.push(Segment {
            words,
            assignments: assignments.iter().filter_map(assignment).collect(),
            piped_into: None,
            last_in_list: context.last,
            exit_masked: context.masked,
            background: context.background,
            negated: context.negated,
            dir: self.scope.dir.clone(),
            redirect_out: output.to_file,
            writes: simple.writes.clone(),
            reads: simple.reads.clone(),
            input: simple.input.clone(),
            output_hidden: output.hidden,
            errors_hidden: output.errors_hidden,
            conditional: context.conditional,
            optional: context.optional,
            status_text: None,
            spoken: None,
        });
    }

    /// Runs a function; where it returns, what follows goes on.
    fn call(&mut self, body: &Rc<Node>, simple: &Simple, mut context: Context) {
        if context.depth >= MAX_DEPTH {
            return;
        }
        context.depth = context.depth.saturating_add(1);
        context.output = merged(context.output, simple.output);
        self.node(body, context);
        if self.scope.goes == Goes::Returned {
            self.scope.goes = Goes::On;
        }
    }

    fn push(&mut self, segment: Segment) {
        if self.segments.len() < MAX_SEGMENTS {
            self.segments.push(segment);
        }
    }

    /// Commands in `$(...)` run first; only a bare assignment hands their status on.
    fn substitutions(&mut self, simple: &Simple, context: Context, bare: bool) {
        let in_words = simple.words.iter().flat_map(|word| word.commands.iter());
        for text in in_words.chain(simple.commands.iter()) {
            let mut inner = context;
            inner.masked |= !bare;
            inner.last = false;
            inner.output.hidden |= bare;
            self.run(text, inner, false, |_| {});
        }
    }

    /// Follows `bash -c '...'` and the like; false if this is no such command.
    fn nested(&mut self, words: &[Word], simple: &Simple, context: Context) -> bool {
        let Some(script) = inner::script(words, simple.input.as_deref()) else {
            return false;
        };
        if context.depth >= MAX_DEPTH {
            return false;
        }
        if script.idle {
            return true;
        }
        let mut inner = context;
        inner.masked |= script.loses_exit;
        inner.output = merged(context.output, simple.output);
        let here = words.first().is_some_and(|word| word.text == "eval");
        self.run(&script.text, inner, here, |scope| {
            if !here {
                scope.pipefail = script.pipefail;
                scope.errexit = script.errexit;
            }
        });
        true
    }

    /// Follows a command line in the command line, in this shell if it is run `here`.
    fn run(
        &mut self,
        text: &str,
        mut context: Context,
        here: bool,
        prepare: impl FnOnce(&mut Scope),
    ) {
        if context.depth >= MAX_DEPTH || self.segments.len() >= MAX_SEGMENTS {
            return;
        }
        context.depth = context.depth.saturating_add(1);
        let outer = self.scope.clone();
        prepare(&mut self.scope);
        self.list(&parse(text), context);
        if !here {
            self.scope = outer;
        }
    }
}

fn merged(outer: Output, inner: Output) -> Output {
    Output {
        to_file: outer.to_file | inner.to_file,
        hidden: outer.hidden | inner.hidden,
        errors_hidden: outer.errors_hidden | inner.errors_hidden,
    }
}

fn assigns(word: &RawWord) -> bool {
    word.equals && wrapper::is_assignment(&word.text)
}

fn assignment(word: &RawWord) -> Option<(String, String)> {
    let (name, value) = word.text.split_once('=')?;
    Some((name.to_string(), value.to_string()))
}

fn plain_word(word: &RawWord) -> Word {
    Word {
        text: word.text.clone(),
        quoted: word.quoted,
    }
}
