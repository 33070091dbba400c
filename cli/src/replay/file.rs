//! Turn files: one turn, or a few, with the right answer (`fixtures/turns/README.md`).

use super::{Expected, Got, Replay};
use receipt_core::agent;
use receipt_core::event::{Agent, Event};
use receipt_gates::facts::{DiffFile, DiffSeen, Moment, SnapshotSeen};
use receipt_gates::path;
use receipt_gates::profile::Profile;
use serde::Deserialize;
use serde_json::Value;

/// Working directory of events that name none.
const CWD: &str = "/proj";

/// Session of events that name none.
const SESSION: &str = "turn-file";

/// One turn file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TurnFile {
    /// Why the answer is the right one.
    pub(crate) why: String,
    /// Root of the repository, if the turn happens in one.
    #[serde(default)]
    root: Option<String>,
    /// Profile in force, if not the default.
    #[serde(default)]
    profile: Option<Profile>,
    /// What happened.
    steps: Vec<Step>,
    /// The right answers.
    expect: Answers,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Answers {
    One(Expected),
    Many(Vec<Expected>),
}

/// One step of a turn file.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Step {
    /// A hook payload.
    Hook(Value),
    /// A hook payload as text, for what no JSON file can hold.
    Raw(String),
    /// The hook process's answer about the worktree.
    Snapshot(Snapshot),
    /// Time goes by; backwards if negative.
    AdvanceMinutes(i64),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Snapshot {
    moment: Moment,
    /// The call before which it was taken.
    #[serde(default)]
    call: Option<String>,
    #[serde(default)]
    tree: Option<String>,
    #[serde(default)]
    missing: Option<String>,
    #[serde(default)]
    diffs: Vec<Diff>,
    /// Edited paths that the tree does not show.
    #[serde(default)]
    unseen: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Diff {
    from: String,
    files: Vec<File>,
    #[serde(default)]
    more: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    path: String,
    added: u64,
    removed: u64,
    /// Lines that count, if not all.
    #[serde(default)]
    lines: Option<u64>,
    /// The file is gone.
    #[serde(default)]
    deleted: bool,
}

/// Why a turn file says nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TurnFileError {
    #[error("{0}")]
    Malformed(#[from] serde_json::Error),
    #[error("step {0}: the stop needs a `snapshot` step after it")]
    NoSnapshot(usize),
    #[error("it has {stops} stop requests and {answers} expected answers")]
    Answers { stops: usize, answers: usize },
    #[error("it has no stop request")]
    NoStop,
}

impl TurnFile {
    /// Reads a turn file.
    ///
    /// # Errors
    /// Where it is no JSON of this shape.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, TurnFileError> {
        Ok(serde_json::from_slice(bytes)?)
    }

    /// Replays it: each stop's right answer beside what came out.
    ///
    /// # Errors
    /// Where the file does not hang together.
    pub(crate) fn run(&self) -> Result<Vec<(Expected, Got)>, TurnFileError> {
        let got = self.replay()?;
        let expected = match &self.expect {
            Answers::One(one) => std::slice::from_ref(one),
            Answers::Many(many) => many,
        };
        match (got.len(), expected.len()) {
            (0, _) => Err(TurnFileError::NoStop),
            (stops, answers) if stops != answers => Err(TurnFileError::Answers { stops, answers }),
            _ => Ok(expected.iter().cloned().zip(got).collect()),
        }
    }

    fn replay(&self) -> Result<Vec<Got>, TurnFileError> {
        let profile = self.profile.clone().unwrap_or_default();
        let mut replay = Replay::new(profile, self.root.clone());
        let mut got = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            step.apply(&mut replay);
            let next = self.steps.get(at.saturating_add(1));
            if !replay.pending() || next.is_some_and(Step::answers_stop) {
                continue;
            }
            if !replay.needs().is_empty() {
                return Err(TurnFileError::NoSnapshot(at));
            }
            got.extend(replay.judge().as_ref().map(Got::of));
        }
        Ok(got)
    }
}

impl Step {
    pub(super) fn apply(&self, replay: &mut Replay) {
        match self {
            Self::Hook(_) | Self::Raw(_) => {
                if let Some(event) = self.event() {
                    replay.event(&event);
                }
            }
            Self::Snapshot(snapshot) => {
                let seen = snapshot.seen(replay);
                replay.snapshot(seen, snapshot.call.as_deref());
            }
            Self::AdvanceMinutes(minutes) => replay.advance(*minutes),
        }
    }

    /// The event that it is, if it is one.
    pub(super) fn event(&self) -> Option<Event> {
        match self {
            Self::Hook(payload) => Some(event(payload.to_string().as_bytes())),
            Self::Raw(text) => Some(event(text.as_bytes())),
            Self::Snapshot(_) | Self::AdvanceMinutes(_) => None,
        }
    }

    fn answers_stop(&self) -> bool {
        matches!(self, Self::Snapshot(s) if s.moment == Moment::Stop)
    }
}

pub(super) fn event(payload: &[u8]) -> Event {
    let mut event = agent::event(Agent::ClaudeCode, payload);
    event.cwd.get_or_insert_with(|| CWD.to_owned());
    if event.session.is_empty() {
        SESSION.clone_into(&mut event.session);
    }
    event
}

impl Snapshot {
    fn seen(&self, replay: &Replay) -> SnapshotSeen {
        SnapshotSeen {
            moment: self.moment,
            tree: self.tree.clone(),
            missing: self.missing.clone(),
            commit: None,
            diffs: self.diffs.iter().map(|d| d.seen(replay)).collect(),
            unseen: self.unseen.iter().map(|p| replay.path_id(p)).collect(),
            unasked: false,
        }
    }
}

impl Diff {
    fn seen(&self, replay: &Replay) -> DiffSeen {
        let files = self.files.iter().map(|file| DiffFile {
            path: replay.path_id(&file.path),
            language: path::language(&file.path).to_string(),
            added: file.added,
            removed: file.removed,
            test: path::classify(&file.path, true) == path::Class::Test,
            lines: file.lines.unwrap_or_else(|| file.added.max(file.removed)),
            blob: (!file.deleted).then(|| "0".repeat(40)),
        });
        DiffSeen {
            from: self.from.clone(),
            files: files.collect(),
            more: self.more,
        }
    }
}
