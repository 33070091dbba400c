//! Event → facts: pure, and blind to the profile (`spec/gates.md`, "Facts").

mod call;
mod change;
mod kind;
mod nested;
mod place;
mod prompt;
mod scope;
mod stop;
mod waiver;

pub use waiver::is_waiver;

use crate::check::{self, CheckRun, Evidence, Judged};
use crate::facts::{BatchSeen, ConfigSeen, EndSeen, Facts, Observation, RunSeen};
use crate::guard::{self, Protected};
use crate::keyed::{Keyer, Thing};
use crate::mark;
use crate::scheduled::Scheduled;
use crate::shell;
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use receipt_core::event::{Action, Before, Event, EventKind, FileChange, ToolCall, ToolResult};
use receipt_core::record::{Flags, Kind};
use serde::Serialize;

pub use call::call_seen;
pub use place::{Place, place};

/// Longest prose kept in the texts group, in bytes; the evidence has the rest.
const MAX_TEXT: usize = 16 << 10;

/// Most failing tests that are named.
const MAX_FAILING: usize = 50;

/// Where an event happened.
#[derive(Debug)]
pub struct Context<'a> {
    /// Makes the stream's keyed ids.
    pub keyer: &'a Keyer,
    /// Root of the repository, if the event happened in one.
    pub root: Option<&'a str>,
    /// What the agent scheduled before.
    pub scheduled: &'a Scheduled,
    /// What no tool is to touch.
    pub protected: Protected<'a>,
}

/// An event, observed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// The record's kind.
    pub kind: Kind,
    /// Flag bits that follow from the event.
    pub flags: u32,
    /// The facts group.
    pub facts: Facts,
    /// Path of each path id.
    pub paths: BTreeMap<String, String>,
    /// The command, where one was to run.
    pub command: Option<CommandText>,
    /// Prose by name: `prompt`, `message`, `reason`.
    pub texts: BTreeMap<&'static str, String>,
}

/// The commands group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommandText {
    /// The whole command line.
    pub command: String,
    /// Words of each check in it, in the order of the facts.
    pub checks: Vec<String>,
}

impl Observed {
    /// The four groups' bytes: facts always, the others where not empty.
    #[must_use]
    pub fn groups(&self) -> [Option<Vec<u8>>; 4] {
        let json = |present: bool, bytes: Result<Vec<u8>, serde_json::Error>| {
            bytes.ok().filter(|_| present)
        };
        [
            json(true, serde_json::to_vec(&self.facts)),
            json(!self.paths.is_empty(), serde_json::to_vec(&self.paths)),
            json(self.command.is_some(), serde_json::to_vec(&self.command)),
            json(!self.texts.is_empty(), serde_json::to_vec(&self.texts)),
        ]
    }
}

/// Observes one event.
#[must_use]
pub fn observe(event: &Event, context: &Context<'_>) -> Observed {
    let mut observer = Observer::new(event, context);
    observer.event(&event.kind);
    observer.out
}

struct Observer<'a> {
    keyer: &'a Keyer,
    root: Option<&'a str>,
    cwd: &'a str,
    scheduled: &'a Scheduled,
    protected: Protected<'a>,
    out: Observed,
}

impl<'a> Observer<'a> {
    fn new(event: &'a Event, context: &'a Context<'_>) -> Self {
        let by = event.subagent.as_ref();
        let facts = Facts {
            by: by.map(|s| context.keyer.id(Thing::Agent, &s.id)),
            ..Facts::default()
        };
        Self {
            keyer: context.keyer,
            root: context.root,
            scheduled: context.scheduled,
            protected: context.protected,
            cwd: event.cwd.as_deref().unwrap_or_default(),
            out: Observed {
                kind: kind::kind(&event.kind),
                flags: if by.is_some() { Flags::SUBAGENT } else { 0 },
                facts,
                paths: BTreeMap::new(),
                command: None,
                texts: BTreeMap::new(),
            },
        }
    }

    fn event(&mut self, kind: &EventKind) {
        match kind {
            EventKind::PromptSubmitted {
                text,
                origin,
                failure,
            } => {
                self.prompt(text, *origin);
                self.background_failure(failure.as_ref());
            }
            EventKind::ToolRequested { call } => self.requested(call),
            EventKind::ToolSucceeded { call, result } => self.ended(call, result, true),
            EventKind::ToolFailed { call, result } => self.ended(call, result, false),
            EventKind::ToolDenied { call, reason } => {
                self.call(call);
                self.text("reason", reason);
                self.say(Observation::Denied);
            }
            EventKind::BatchEnded { calls } => {
                let seen = calls.iter().map(|c| BatchSeen {
                    call: self.call_id(&c.call),
                    refused: c.refused,
                });
                let seen = seen.collect();
                self.say(Observation::Batch(seen));
            }
            EventKind::SubagentStopped { message } => self.text("message", message),
            EventKind::StopRequested {
                stop_hook_active,
                message,
                background,
                scheduled,
            } => {
                let running = background.iter().filter(|t| t.running).count() as u64;
                self.stop(*stop_hook_active, message, running);
                self.schedules(scheduled);
            }
            EventKind::StopFailed { error } => self.text("reason", error),
            EventKind::ConfigChanged { source, path } => {
                if let Some(path) = path {
                    self.path(path);
                }
                self.say(Observation::Config(ConfigSeen {
                    source: source.clone(),
                }));
            }
            EventKind::SessionStarted { .. }
            | EventKind::SessionEnded { .. }
            | EventKind::SubagentStarted
            | EventKind::Compacted { .. }
            | EventKind::Notified { .. }
            | EventKind::Other { .. } => {}
        }
    }

    fn say(&mut self, observation: Observation) {
        self.out.facts.obs.push(observation);
    }

    fn text(&mut self, name: &'static str, text: &str) {
        if !text.is_empty() {
            self.out.texts.insert(name, shorten(text).to_owned());
        }
    }

    fn call_id(&self, call: &ToolCall) -> String {
        self.keyer
            .id(Thing::Call, call.id.as_deref().unwrap_or_default())
    }

    /// Notes which call this is about, and its command.
    fn call(&mut self, call: &ToolCall) {
        if call.id.is_some() {
            self.out.facts.call = Some(self.call_id(call));
        }
        if let Action::Shell { command, .. } = &call.action {
            let words = check::runs(command)
                .iter()
                .map(|r| r.words.join(" "))
                .collect();
            self.out.command = Some(CommandText {
                command: shorten(command).to_owned(),
                checks: words,
            });
        }
    }

    fn requested(&mut self, call: &ToolCall) {
        self.call(call);
        if let Action::Edit { path, .. } | Action::Write { path, .. } = &call.action {
            self.path(path);
        }
        let seen = call_seen(call);
        self.say(Observation::Call(seen));
        if let Some(guarded) = guard::guarded(call, self.cwd, &self.protected) {
            self.say(Observation::Guarded(guarded));
        }
        match &call.action {
            Action::Schedule { prompt } => self.schedules(core::slice::from_ref(prompt)),
            Action::Shell { command, .. } => self.schedules(&nested::prompts(command)),
            _ => {}
        }
    }

    fn ended(&mut self, call: &ToolCall, result: &ToolResult, ok: bool) {
        self.call(call);
        self.say(Observation::Ended(EndSeen {
            ok,
            not_run: result.not_run,
            interrupted: result.interrupted,
            background: result.background,
        }));
        for change in &result.changes {
            self.edit(change);
        }
        for path in &result.changed_paths {
            self.edit(&FileChange {
                path: path.clone(),
                added: Vec::new(),
                removed: Vec::new(),
                before: Before::Unknown,
            });
        }
        if let Action::Shell { command, .. } = &call.action {
            self.runs(command, result, ok);
        }
    }

    fn runs(&mut self, command: &str, result: &ToolResult, ok: bool) {
        let segments = shell::segments(command);
        let runs = check::runs_in(&segments);
        if ok && !result.not_run && mark::updates_snapshots(&segments, &runs) {
            self.say(Observation::SnapshotsUpdated);
        }
        let planted = check::Planted::new(command, &segments, &runs);
        let evidence = Evidence {
            exit: result.exit,
            exit_harmless: result.exit_harmless,
            failed_call: !ok,
            output: &result.output,
            interrupted: result.interrupted,
            background: result.background,
            truncated: result.truncated,
            not_run: result.not_run,
            single: runs.len() == 1,
            planted: Some(&planted),
        };
        for (run, judged) in runs.iter().zip(check::judge_all(&runs, &evidence)) {
            self.run(run, judged, result.exit);
        }
        let Some(commit) = check::commit(&segments) else {
            return;
        };
        let planted = check::Planted::new(command, &segments, core::slice::from_ref(&commit));
        let evidence = Evidence {
            planted: Some(&planted),
            ..evidence
        };
        if let Some(judged) = check::judge_commit(&commit, &evidence) {
            self.run(&commit, judged, result.exit);
        }
    }

    fn run(&mut self, run: &CheckRun, judged: Judged, exit: Option<i32>) {
        let failing = judged.failing.iter().take(MAX_FAILING);
        let seen = RunSeen {
            check: self.check_id(run),
            languages: run.languages.iter().map(|l| (*l).to_string()).collect(),
            outcome: judged.outcome.as_str().to_string(),
            basis: judged.basis.as_str().to_string(),
            exit,
            executed: judged.executed.and_then(exact),
            failing: failing.map(|t| self.keyer.id(Thing::Test, t)).collect(),
            qualifiers: self.qualifiers(run, &judged.qualifiers),
            autofix: run.autofix,
        };
        self.say(Observation::Run(seen));
    }

    /// The id of a path, which is noted in the paths group.
    fn path(&mut self, path: &str) -> String {
        let place = self.place(path);
        let id = self.keyer.path(&place.name);
        self.out.paths.insert(id.clone(), place.name);
        id
    }

    fn place(&self, path: &str) -> Place {
        place(path, self.cwd, self.root)
    }
}

/// A number that every JSON reader keeps exact; facts hold no other.
fn exact(number: u64) -> Option<u64> {
    (number <= 1 << 53).then_some(number)
}

fn shorten(text: &str) -> &str {
    let mut end = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    text.get(..end).unwrap_or(text)
}
