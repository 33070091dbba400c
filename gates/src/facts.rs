//! The facts group of a record: what the built-in gates read (`spec/gates.md`).
//!
//! Facts name no path, no command and no prose: paths, tests and calls appear
//! as keyed ids ([`crate::keyed`]), so that facts alone can be disclosed and
//! folded again by a stranger. They are written once as JSON and stored
//! verbatim; nothing here is ever serialised a second time for a signature.

mod stop;
mod world;

pub use stop::{ClaimSeen, Judged, StopSeen};
pub use world::{DiffFile, DiffSeen, Moment, SnapshotSeen, TranscriptSeen};

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use crate::scheduled::Scheduled;
use crate::verdict::VerdictFacts;

/// The facts of one record.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Facts {
    /// What is carried into the turn that this record opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<Opening>,
    /// Keyed id of the tool call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// Keyed id of the subagent it happened in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The observations, in the order of the event.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obs: Vec<Observation>,
    /// In a gap: the records whose counterpart never came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<u64>,
    /// The verdict, in a verdict record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<VerdictFacts>,
}

/// What the record that opens a turn fixes for its folds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// Digest of the profile in force, hexadecimal.
    pub profile: String,
    /// Version of the observer that wrote this turn's facts.
    pub observer: u32,
    /// Gate ids with the versions that will decide.
    pub gates: BTreeMap<String, u32>,
    /// Id of the repository, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// What the turn before left open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carry: Option<Carry>,
    /// Prompts that the agent scheduled before.
    #[serde(default, skip_serializing_if = "Scheduled::is_empty")]
    pub scheduled: Scheduled,
    /// A check ran in an earlier turn of the stream.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub ran: bool,
}

/// What a verdict leaves open for the next turn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Carry {
    /// The record of the verdict.
    pub seq: u64,
    /// Codes of its findings that were still open.
    pub codes: Vec<String>,
    /// Lines of code churn, by language, that no passing check covers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub churn: BTreeMap<String, u64>,
    /// Checks whose latest outcome was a failure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<CheckId>,
    /// Stub fingerprints still standing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stubs: Vec<String>,
}

impl Carry {
    /// Whether nothing is left open.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.churn.is_empty() && self.failed.is_empty() && self.stubs.is_empty()
    }
}

/// What identifies a check across runs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CheckId {
    /// Canonical runner name.
    pub runner: String,
    /// `test`, `build`, `lint`, `typecheck`, `selftest`, `format`.
    pub kind: String,
    /// What part it ran.
    pub scope: Scope,
}

/// What part of the checks a run covered.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Everything the runner finds.
    Whole,
    /// Named paths, as path ids.
    Paths(Vec<String>),
    /// A selector, as a keyed id.
    Selector(String),
}

impl Scope {
    /// Whether a run of this scope includes all of the other.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Whole, _) => true,
            (Self::Paths(mine), Self::Paths(theirs)) => {
                theirs.iter().all(|t| mine.iter().any(|m| is_within(t, m)))
            }
            _ => self == other,
        }
    }
}

/// Whether path id `inner` is `outer` or lies below it.
fn is_within(inner: &str, outer: &str) -> bool {
    inner
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// One small fact extracted purely from an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observation {
    /// A tool call is about to run.
    Call(CallSeen),
    /// A tool call ended; says only whether it ran.
    Ended(EndSeen),
    /// A file changed.
    Edit(EditSeen),
    /// A check ran, or did not.
    Run(RunSeen),
    /// A call was refused before it ran.
    Denied,
    /// A call would touch what is protected (`ledger-guard`).
    Guarded(Guarded),
    /// The calls of one message; refused ones may have had no event of their own.
    Batch(Vec<BatchSeen>),
    /// A prompt.
    Prompt(PromptSeen),
    /// The call's command ended in the background with this exit code.
    BackgroundFailed(i32),
    /// The call had recorded outputs of tests written anew.
    SnapshotsUpdated,
    /// The agent schedules prompts, by their keyed ids.
    Scheduled(Vec<String>),
    /// The agent wants to stop.
    Stop(StopSeen),
    /// The state of the worktree.
    Snapshot(SnapshotSeen),
    /// The client's own transcript of the turn.
    Transcript(TranscriptSeen),
    /// What a model said of the final message, or that it said nothing.
    Judged(Judged),
    /// Settings changed.
    Config(ConfigSeen),
    /// Events are missing here, with the reason as a code.
    Gap(String),
}

/// A tool call about to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSeen {
    /// It may write files.
    pub write: bool,
    /// It contains a check.
    pub check: bool,
    /// It was asked to run in the background.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub background: bool,
    /// It may be a check that is not known as one.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub opaque: bool,
}

/// A call that would touch what is protected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guarded {
    /// `ledger`, `keys`, `wiring`, `command` or `service`.
    pub what: String,
    /// `read`, `write` or `run`.
    pub how: String,
    /// It was refused.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub denied: bool,
}

/// How a tool call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndSeen {
    /// It reported success.
    pub ok: bool,
    /// It never ran: refused, invalid or cancelled.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub not_run: bool,
    /// It was interrupted or timed out.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub interrupted: bool,
    /// It went on in the background.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub background: bool,
}

/// A file change, as reported by the client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditSeen {
    /// Path id.
    pub path: String,
    /// Built-in class of the path (`code`, `test`, `docs`, ...).
    pub class: String,
    /// Language family, empty if unknown.
    pub language: String,
    /// Counts as code under the profile in force.
    pub code: bool,
    /// Lines added.
    pub added: u64,
    /// Lines removed.
    pub removed: u64,
    /// Lines that count ([`crate::source::lines`]).
    pub lines: u64,
    /// Stub lines added or removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stubs: Vec<StubSeen>,
    /// Lines that bear on how much checks demand: for each kind of mark how many
    /// more of each line, by keyed id, the new text has than the old.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<String, BTreeMap<String, i64>>,
    /// The file came into being.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub created: bool,
    /// It lies outside the repository, where no snapshot sees it.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub outside: bool,
    /// The old text was not known: only unambiguous stubs are listed.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub blind: bool,
}

/// Stub lines of one wording in one edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StubSeen {
    /// Keyed fingerprint of the line.
    pub line: String,
    /// `marker`, `not-implemented`, `skipped-test`, `only-test`.
    pub kind: String,
    /// How many more such lines the new text has than the old; may be negative.
    pub more: i64,
}

/// A check that was to run in one shell segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSeen {
    /// Which check.
    pub check: CheckId,
    /// Languages it can speak for; empty for any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// `passed`, `failed`, `unknown`, `skipped`.
    pub outcome: String,
    /// `exit`, `summary`, `none`.
    pub basis: String,
    /// The call's exit code, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// Tests executed, where the summary says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executed: Option<u64>,
    /// Keyed ids of failing tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failing: Vec<String>,
    /// What weakens the outcome.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub qualifiers: Vec<String>,
    /// It repairs what it finds.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub autofix: bool,
}

/// One call in a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchSeen {
    /// Keyed id of the call.
    pub call: String,
    /// It was refused or invalid.
    pub refused: bool,
}

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptSeen {
    /// A person typed it.
    pub human: bool,
    /// A whole line of it waives verification.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub waiver: bool,
    /// Kinds of stubs that it asks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asks: Vec<String>,
}

/// Settings changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigSeen {
    /// Which scope, as the agent names it.
    pub source: String,
}
