//! Replay in memory: events in, verdicts out, by the same observer and gates as
//! the service's. No ledger, no keys, no clock.

mod claims;
mod expect;
mod file;
mod lines;
mod seen;
mod transcript;

pub(crate) use claims::{ClaimFile, Question};
pub(crate) use expect::{Expected, Got};
pub(crate) use file::TurnFile;
pub(crate) use seen::{Check, Edit, Seen};
pub(crate) use transcript::{Scanned, scan};

use receipt_core::event::{Agent, Event, EventKind};
use receipt_core::hash::hex;
use receipt_core::record::{Flags, Kind, stream_id};
use receipt_gates::facts::{Facts, Observation, Opening, SnapshotSeen};
use receipt_gates::fold::{OBSERVER, Stream};
use receipt_gates::gate::{Request, in_force};
use receipt_gates::guard::Protected;
use receipt_gates::keyed::{Keyer, Thing};
use receipt_gates::observe::{Context, observe};
use receipt_gates::profile::{Profile, digest};
use receipt_gates::record::RecordView;
use receipt_gates::verdict::{Action, VerdictFacts};

/// When the replayed clock starts, microseconds since 1970. Any value does.
const EPOCH_US: u64 = 1_700_000_000_000_000;

/// Microseconds between two records.
const STEP_US: u64 = 1_000_000;

const MINUTE_US: i64 = 60_000_000;

/// One session, replayed.
#[derive(Debug, Clone)]
pub(crate) struct Replay {
    keyer: Keyer,
    /// What paths are named from: the repository, else the first working directory.
    root: Option<String>,
    /// Id of the repository, if the session happens in one.
    repository: Option<String>,
    profile: Profile,
    profile_bytes: Vec<u8>,
    stream: Stream,
    /// Number of the newest record. The genesis record would be 0.
    seq: u64,
    wall_us: u64,
    pending: bool,
    seen: Seen,
}

impl Replay {
    /// A session under a profile; in a repository if its root is given.
    pub(crate) fn new(profile: Profile, root: Option<String>) -> Self {
        // Nothing here is disclosed, so the secret behind the ids need not be one.
        let secret = [0; 32];
        let keyer = Keyer::new(&secret, &stream_id(Agent::ClaudeCode.name(), "replay"));
        let profile_bytes = profile.to_bytes();
        Self {
            repository: root.as_ref().map(|r| keyer.id(Thing::Path, r)),
            keyer,
            root,
            profile,
            profile_bytes,
            stream: Stream::default(),
            seq: 0,
            wall_us: EPOCH_US,
            pending: false,
            seen: Seen::default(),
        }
    }

    /// Records one event.
    pub(crate) fn event(&mut self, event: &Event) {
        if self.root.is_none() {
            self.root.clone_from(&event.cwd);
        }
        let context = Context {
            keyer: &self.keyer,
            root: self.root.as_deref(),
            scheduled: self.stream.scheduled(),
            protected: Protected::default(),
        };
        let observed = observe(event, &context);
        self.append(observed.kind, observed.flags, observed.facts.clone());
        self.seen.take(&observed, self.seq);
        self.pending |= observed.kind == Kind::StopRequested;
    }

    /// Records the worktree as it was before `call`, or at the stop.
    pub(crate) fn snapshot(&mut self, snapshot: SnapshotSeen, call: Option<&str>) {
        let facts = Facts {
            call: call.map(|id| self.keyer.id(Thing::Call, id)),
            obs: vec![Observation::Snapshot(snapshot)],
            ..Facts::default()
        };
        self.append(Kind::Snapshot, Flags::CLIENT_REPORTED, facts);
    }

    /// The number of the newest record.
    pub(crate) const fn seq(&self) -> u64 {
        self.seq
    }

    /// What a judge is told of the turn before all else.
    pub(crate) fn facts_for_judge(&self) -> Vec<String> {
        let fold = self.stream.fold();
        fold.map_or_else(Vec::new, |fold| fold.facts_for_judge(&self.seen))
    }

    /// The id of a path.
    pub(crate) fn path_id(&self, path: &str) -> String {
        self.keyer.path(path)
    }

    /// Lets time pass, or turns the clock back.
    pub(crate) fn advance(&mut self, minutes: i64) {
        let by = minutes.saturating_mul(MINUTE_US);
        self.wall_us = self.wall_us.saturating_add_signed(by);
    }

    /// Whether a stop request waits for its verdict.
    pub(crate) const fn pending(&self) -> bool {
        self.pending
    }

    /// What must be known before the verdict can be given.
    pub(crate) fn needs(&self) -> Vec<Request> {
        let fold = self.stream.fold();
        fold.map_or_else(Vec::new, |fold| fold.needs(&self.profile))
    }

    /// Gives the verdict on the pending stop and records it.
    pub(crate) fn judge(&mut self) -> Option<VerdictFacts> {
        let verdict = self.verdict()?;
        self.record_verdict(verdict.clone());
        Some(verdict)
    }

    /// As [`Self::judge`], for a past in which nobody enforced anything: the
    /// agent did stop, so a block is recorded as one that was not carried out.
    pub(crate) fn judge_past(&mut self) -> Option<VerdictFacts> {
        let verdict = self.verdict()?;
        let action = match verdict.action {
            Action::Blocked => Action::Yielded,
            other => other,
        };
        self.record_verdict(VerdictFacts {
            action,
            ..verdict.clone()
        });
        Some(verdict)
    }

    /// The verdict that a stop would get now. Records nothing.
    pub(crate) fn preview(&self, like: &Event) -> Option<(VerdictFacts, Seen)> {
        let mut copy = self.clone();
        copy.event(&Event {
            subagent: None,
            kind: EventKind::StopRequested {
                stop_hook_active: false,
                message: String::new(),
                background: Vec::new(),
                scheduled: Vec::new(),
            },
            ..like.clone()
        });
        let verdict = copy.verdict()?;
        Some((verdict, copy.seen))
    }

    /// What is known about the turn beside its facts.
    pub(crate) const fn seen(&self) -> &Seen {
        &self.seen
    }

    fn verdict(&self) -> Option<VerdictFacts> {
        let fold = self.stream.fold().filter(|_| self.pending)?;
        Some(fold.verdict(&self.profile, &self.profile_bytes))
    }

    fn record_verdict(&mut self, verdict: VerdictFacts) {
        let facts = Facts {
            verdict: Some(verdict),
            ..Facts::default()
        };
        self.append(Kind::VerdictStop, 0, facts);
        self.pending = false;
    }

    fn append(&mut self, kind: Kind, flags: u32, mut facts: Facts) {
        self.seq = self.seq.saturating_add(1);
        self.wall_us = self.wall_us.saturating_add(STEP_US);
        let mut flags = flags;
        if self.stream.opens(kind) {
            flags |= Flags::OPENS_TURN;
            facts.open = Some(self.opening());
            self.seen = Seen::default();
        }
        self.stream.apply(&RecordView {
            seq: self.seq,
            kind: Some(kind),
            flags,
            wall_us: self.wall_us,
            facts: Some(&facts),
        });
    }

    fn opening(&self) -> Opening {
        Opening {
            profile: hex(&digest(&self.profile_bytes)),
            observer: OBSERVER,
            gates: in_force(),
            repository: self.repository.clone(),
            carry: self.stream.carry(),
            scheduled: self.stream.scheduled().clone(),
            ran: self.stream.ran(),
        }
    }
}
