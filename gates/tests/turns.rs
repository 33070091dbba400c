//! The records of the turn files, without the names that people read.

use receipt_core::agent;
use receipt_core::event::Agent;
use receipt_core::hash::hex;
use receipt_core::record::{Flags, Kind, stream_id};
use receipt_gates::facts::{Facts, Observation, Opening, SnapshotSeen};
use receipt_gates::fold::{OBSERVER, Stream};
use receipt_gates::gate::in_force;
use receipt_gates::guard::Protected;
use receipt_gates::keyed::{Keyer, Thing};
use receipt_gates::observe::{Context, observe};
use receipt_gates::profile::{Profile, digest};
use receipt_gates::record::RecordView;
use receipt_gates::verdict::VerdictFacts;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A record as it is folded.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) seq: u64,
    pub(crate) kind: Kind,
    pub(crate) flags: u32,
    pub(crate) wall_us: u64,
    pub(crate) facts: Facts,
}

impl Record {
    pub(crate) fn view(&self) -> RecordView<'_> {
        RecordView {
            seq: self.seq,
            kind: Some(self.kind),
            flags: self.flags,
            wall_us: self.wall_us,
            facts: Some(&self.facts),
        }
    }
}

/// A turn file's records under a profile, its verdicts included.
#[derive(Debug)]
pub(crate) struct Recorded {
    pub(crate) name: String,
    pub(crate) profile: Profile,
    pub(crate) records: Vec<Record>,
}

impl Recorded {
    /// The verdicts in it.
    pub(crate) fn verdicts(&self) -> impl Iterator<Item = &VerdictFacts> {
        self.records.iter().filter_map(|r| r.facts.verdict.as_ref())
    }
}

/// Every turn file.
pub(crate) fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/turns");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    assert!(!files.is_empty(), "no turn files");
    files.sort();
    files
}

/// Records a turn file under its own profile.
pub(crate) fn record(file: &Path) -> Recorded {
    record_under(file, None, false)
}

/// Records a turn file, perhaps under another profile or with a waiver in front.
pub(crate) fn record_under(file: &Path, profile: Option<Profile>, waived: bool) -> Recorded {
    let turn: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let own = turn
        .get("profile")
        .map(|p| serde_json::from_value(p.clone()).unwrap());
    let mut recorder = Recorder::new(
        profile.or(own).unwrap_or_default(),
        turn["root"].as_str().map(str::to_owned),
    );
    let steps = turn["steps"].as_array().unwrap();
    if waived {
        recorder.step(&json!({"hook": {
            "hook_event_name": "UserPromptSubmit", "prompt": "receipt: skip test"}}));
    }
    for (at, step) in steps.iter().enumerate() {
        recorder.step(step);
        let answered = steps
            .get(at + 1)
            .is_some_and(|s| s["snapshot"]["moment"] == "stop");
        if recorder.pending && !answered {
            recorder.judge();
        }
    }
    Recorded {
        name: file.file_stem().unwrap().to_string_lossy().into_owned(),
        profile: recorder.profile,
        records: recorder.records,
    }
}

/// Records steps one after another.
pub(crate) struct Recorder {
    keyer: Keyer,
    root: Option<String>,
    repository: bool,
    profile: Profile,
    stream: Stream,
    wall_us: u64,
    pending: bool,
    pub(crate) records: Vec<Record>,
}

impl Recorder {
    pub(crate) fn new(profile: Profile, root: Option<String>) -> Self {
        Self {
            keyer: Keyer::new(&[0; 32], &stream_id("claude-code", "test")),
            repository: root.is_some(),
            root,
            profile,
            stream: Stream::default(),
            wall_us: 1_700_000_000_000_000,
            pending: false,
            records: Vec::new(),
        }
    }

    pub(crate) fn step(&mut self, step: &Value) {
        if let Some(minutes) = step["advance_minutes"].as_i64() {
            self.wall_us = self
                .wall_us
                .checked_add_signed(minutes * 60_000_000)
                .unwrap();
        } else if let Some(text) = step["raw"].as_str() {
            self.hook(text.as_bytes());
        } else if step["hook"].is_object() {
            self.hook(step["hook"].to_string().as_bytes());
        } else {
            self.snapshot(&step["snapshot"]);
        }
    }

    fn hook(&mut self, payload: &[u8]) {
        let mut event = agent::event(Agent::ClaudeCode, payload);
        event.cwd.get_or_insert_with(|| "/proj".to_owned());
        self.root.get_or_insert(event.cwd.clone().unwrap());
        let context = Context {
            keyer: &self.keyer,
            root: self.root.as_deref(),
            scheduled: self.stream.scheduled(),
            protected: Protected::default(),
        };
        let observed = observe(&event, &context);
        self.pending |= observed.kind == Kind::StopRequested;
        self.append(observed.kind, observed.flags, observed.facts);
    }

    fn snapshot(&mut self, step: &Value) {
        let mut seen = step.clone();
        let call = step["call"]
            .as_str()
            .map(|id| self.keyer.id(Thing::Call, id));
        for diff in seen
            .get_mut("diffs")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            for file in diff["files"].as_array_mut().unwrap() {
                let path = file["path"].as_str().unwrap().to_owned();
                file["language"] = json!(receipt_gates::path::language(&path));
                let larger = file["added"].as_u64().max(file["removed"].as_u64());
                if file["lines"].is_null() {
                    file["lines"] = json!(larger);
                }
                let class = receipt_gates::path::classify(&path, true);
                file["test"] = json!(class == receipt_gates::path::Class::Test);
                if file["deleted"] != true {
                    file["blob"] = json!("0".repeat(40));
                }
                file["path"] = json!(self.keyer.path(&path));
            }
        }
        let seen: SnapshotSeen = serde_json::from_value(seen).unwrap();
        let facts = Facts {
            call,
            obs: vec![Observation::Snapshot(seen)],
            ..Facts::default()
        };
        self.append(Kind::Snapshot, Flags::CLIENT_REPORTED, facts);
    }

    pub(crate) fn judge(&mut self) -> VerdictFacts {
        let fold = self.stream.fold().unwrap();
        let verdict = fold.verdict(&self.profile, &self.profile.to_bytes());
        let facts = Facts {
            verdict: Some(verdict.clone()),
            ..Facts::default()
        };
        self.pending = false;
        self.append(Kind::VerdictStop, 0, facts);
        verdict
    }

    fn append(&mut self, kind: Kind, flags: u32, mut facts: Facts) {
        self.wall_us += 1_000_000;
        let mut flags = flags;
        if self.stream.opens(kind) {
            flags |= Flags::OPENS_TURN;
            facts.open = Some(Opening {
                profile: hex(&digest(&self.profile.to_bytes())),
                observer: OBSERVER,
                gates: in_force(),
                repository: self.repository.then(|| "repository".to_owned()),
                carry: self.stream.carry(),
                scheduled: self.stream.scheduled().clone(),
                ran: self.stream.ran(),
            });
        }
        let record = Record {
            seq: self.records.len() as u64 + 1,
            kind,
            flags,
            wall_us: self.wall_us,
            facts,
        };
        self.stream.apply(&record.view());
        self.records.push(record);
    }
}
