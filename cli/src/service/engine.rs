//! The engine: one thread that turns messages into records, batch by batch.
//!
//! Reading the head and appending is one critical section, because nothing
//! else appends. Every message of a batch is answered only after the batch is
//! durable; the fold that decides a stop sees every record below its verdict.

use crate::error::Error;
use crate::home::Home;
use crate::keys::Keys;
use crate::service::duplicate::{Duplicates, Identity};
use crate::service::open::{ledger_draft, ledger_error, open_ledger};
use crate::service::stream::Warm;
use crate::service::{log_fault, query, spool, stop};
use crate::wire::{HookEvent, Query, Snapshot, ToClient, ToService};
use crate::world::{clock, random};
use receipt_core::agent;
use receipt_core::commit::Content;
use receipt_core::event::{Agent, Event, EventKind};
use receipt_core::hash::{Context as Purpose, Digest, hash, hex};
use receipt_core::record::{Flags, Kind};
use receipt_core::seal::{Draft, Time};
use receipt_gates::facts::{Facts, Observation, Opening};
use receipt_gates::fold::OBSERVER;
use receipt_gates::gate;
use receipt_gates::observe::{Context, Observed, observe};
use receipt_gates::profile::{self, Profile};
use receipt_gates::record::RecordView;
use receipt_ledger::{Ledger, OpenReport};
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

/// Messages taken into one batch.
const BATCH: usize = 256;

/// Records after which a checkpoint is due.
const CHECKPOINT_EVERY: u64 = 1_024;

/// Work for the engine.
pub(crate) enum Job {
    /// A client's message.
    Message {
        /// Who sent it.
        caller: Caller,
        /// The message.
        message: ToService,
        /// Where the answer goes.
        answer: Sender<ToClient>,
    },
    /// A client is gone.
    Left {
        /// Its connection.
        connection: u64,
    },
}

/// Who sent a message, by the kernel's word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller {
    /// The connection.
    pub(crate) connection: u64,
    /// The user.
    pub(crate) uid: u32,
    /// The process.
    pub(crate) pid: i32,
}

/// A hook that was asked for a snapshot.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) stream: Digest,
    /// Keyed id of the call it is taken for.
    pub(crate) call: Option<String>,
    pub(crate) moment: receipt_gates::facts::Moment,
    pub(crate) identity: Identity,
    pub(crate) caller: Caller,
}

/// The one writer.
pub(crate) struct Engine {
    pub(crate) home: Home,
    pub(crate) keys: Keys,
    pub(crate) ledger: Ledger,
    pub(crate) profile: Profile,
    pub(crate) profile_bytes: Vec<u8>,
    pub(crate) streams: HashMap<Digest, Warm>,
    pub(crate) waiting: HashMap<u64, Waiting>,
    pub(crate) duplicates: Duplicates,
    pub(crate) started_us: u64,
    pub(crate) ending: bool,
    boot: u128,
    /// Records since the newest checkpoint.
    since_checkpoint: u64,
}

/// A batch that is being made.
pub(crate) struct Batch {
    pub(crate) time: Time,
    pub(crate) drafts: Vec<Draft>,
    pub(crate) replies: Vec<(Sender<ToClient>, ToClient)>,
    /// Where the first draft will stand.
    first: u64,
    /// A verdict or a session's end asks for a checkpoint.
    pub(crate) checkpoint: bool,
}

impl Batch {
    /// The number that the next draft's record will have.
    pub(crate) fn next_seq(&self) -> u64 {
        self.first.saturating_add(self.drafts.len() as u64)
    }
}

impl Engine {
    /// Opens the home's ledger.
    pub(crate) fn open(home: &Home) -> Result<(Self, OpenReport), Error> {
        let keys = Keys::load(home)?;
        let (ledger, report) = open_ledger(home, &keys)?;
        // A profile that cannot be read must not open the gate: the default is stricter.
        let profile = crate::profile::load(home).unwrap_or_else(|error| {
            log_fault(home, &error);
            Profile::default()
        });
        let engine = Self {
            home: home.clone(),
            keys,
            ledger,
            profile_bytes: profile.to_bytes(),
            profile,
            streams: HashMap::new(),
            waiting: HashMap::new(),
            duplicates: Duplicates::default(),
            started_us: clock::wall_us(),
            ending: false,
            boot: clock::boot_id(),
            since_checkpoint: 0,
        };
        Ok((engine, report))
    }

    /// Records what happened before: repairs, the profile, spooled events.
    pub(crate) fn begin(&mut self, report: &OpenReport) -> Result<(), Error> {
        let mut batch = self.batch();
        if report.is_remarkable() {
            let facts = serde_json::json!({"recovery": {
                "replayed": report.replayed,
                "refilled": report.refilled,
                "rebuilt": report.rebuilt.as_ref().map(|r| &r.why),
            }});
            batch.drafts.push(ledger_draft(
                Kind::Recovery,
                facts.to_string().into_bytes(),
            )?);
        }
        if self.profile_is_new()? {
            let facts = format!(
                "{{\"profile\":{{\"digest\":\"{}\",\"text\":{}}}}}",
                self.profile_digest(),
                serde_json::Value::String(
                    String::from_utf8_lossy(&self.profile_bytes).into_owned()
                )
            );
            batch
                .drafts
                .push(ledger_draft(Kind::Profile, facts.into_bytes())?);
        }
        self.commit(batch)?;
        spool::drain(self)
    }

    /// Whether the newest profile record is of another profile.
    fn profile_is_new(&self) -> Result<bool, Error> {
        let stream = receipt_core::record::LEDGER_STREAM;
        for position in (0..self.ledger.stream_len(&stream)).rev() {
            let record = self
                .ledger
                .stream_record(&stream, position)
                .map_err(ledger_error)?;
            let Some(record) = record else { break };
            if record.header().kind() == Some(Kind::Profile) {
                let text = String::from_utf8_lossy(record.facts().unwrap_or_default()).into_owned();
                return Ok(!text.contains(&self.profile_digest()));
            }
        }
        Ok(true)
    }

    pub(crate) fn profile_digest(&self) -> String {
        hex(&profile::digest(&self.profile_bytes))
    }

    /// Serves until idle, stopped or at fault.
    pub(crate) fn run(&mut self, jobs: &Receiver<Job>, idle: Duration) -> Result<(), Error> {
        while !self.ending {
            let first = match jobs.recv_timeout(idle) {
                Ok(job) => job,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            };
            spool::drain(self)?;
            let mut batch = self.batch();
            self.take(first, &mut batch)?;
            while batch.drafts.len() < BATCH && !self.ending {
                let Ok(job) = jobs.try_recv() else { break };
                self.take(job, &mut batch)?;
            }
            self.commit(batch)?;
        }
        Ok(())
    }

    /// Leaves a checkpoint behind.
    pub(crate) fn end(mut self) -> Result<(), Error> {
        if self.since_checkpoint > 0 {
            let mut batch = self.batch();
            batch.checkpoint = true;
            self.commit(batch)?;
        }
        self.ledger.settle().map_err(ledger_error)
    }

    pub(crate) fn batch(&self) -> Batch {
        Batch {
            time: clock::time(self.boot),
            drafts: Vec::new(),
            replies: Vec::new(),
            first: self.ledger.size(),
            checkpoint: false,
        }
    }

    /// Makes a batch durable, then answers.
    pub(crate) fn commit(&mut self, batch: Batch) -> Result<(), Error> {
        let added = batch.drafts.len() as u64;
        self.since_checkpoint = self.since_checkpoint.saturating_add(added);
        if batch.checkpoint || self.since_checkpoint >= CHECKPOINT_EVERY {
            let secret = random::bytes32()?;
            self.ledger
                .append_with_checkpoint(batch.drafts, secret, batch.time)
                .map_err(ledger_error)?;
            self.since_checkpoint = 0;
        } else {
            self.ledger
                .append(batch.drafts, batch.time)
                .map_err(ledger_error)?;
        }
        for (answer, reply) in batch.replies {
            // A client that left gets no answer; what it sent is kept.
            let _ = answer.send(reply);
        }
        let _ = self.ledger.publish_head();
        Ok(())
    }

    fn take(&mut self, job: Job, batch: &mut Batch) -> Result<(), Error> {
        match job {
            Job::Left { connection } => self.left(connection, batch),
            Job::Message {
                caller,
                message,
                answer,
            } => {
                let reply = match message {
                    ToService::Event(event) => self.event(&event, Some(caller), batch)?,
                    ToService::Snapshot(snapshot) => self.snapshot(caller, &snapshot, batch)?,
                    ToService::Query(Query::Stop) => {
                        self.ending = true;
                        ToClient::Reply(crate::wire::Reply::Stopping)
                    }
                    ToService::Query(wish) => query::answer(self, wish),
                };
                batch.replies.push((answer, reply));
                Ok(())
            }
        }
    }

    /// A client left before it answered: a stop without a verdict.
    fn left(&mut self, connection: u64, batch: &mut Batch) -> Result<(), Error> {
        match self.waiting.remove(&connection) {
            Some(waiting) if waiting.moment == receipt_gates::facts::Moment::Stop => self.say(
                waiting.stream,
                Kind::StopUnanswered,
                Facts::default(),
                batch,
            ),
            _ => Ok(()),
        }
    }

    /// Records one hook event; late if it has no caller.
    pub(crate) fn event(
        &mut self,
        message: &HookEvent,
        caller: Option<Caller>,
        batch: &mut Batch,
    ) -> Result<ToClient, Error> {
        let event = parse(message);
        let stream = crate::service::stream::id_of(&message.agent, &event.session);
        let identity = identity(&stream, &event, &message.payload);
        if let Some(seq) = self.duplicates.of_client(message.client_event) {
            return self.repeat(stream, &identity, seq, None, batch);
        }
        if let Some(first) = self.duplicates.find(&identity, message.client_us) {
            let (seq, answer) = (first.seq, first.answer.clone());
            return self.repeat(stream, &identity, seq, answer, batch);
        }
        self.duplicates
            .remember(identity.clone(), message.client_event, batch.next_seq());
        let observed = self.observe(stream, message, &event)?;
        let call = observed.facts.call.clone();
        let late = caller.is_none();
        self.record(stream, message, observed, caller, batch)?;
        if let (EventKind::SessionEnded { .. }, false) = (&event.kind, late) {
            batch.checkpoint = true;
        }
        match caller {
            Some(caller) => {
                let waiting = |moment| Waiting {
                    stream,
                    call,
                    moment,
                    identity,
                    caller,
                };
                stop::reply(self, &event, waiting, batch)
            }
            None => Ok(done("")),
        }
    }

    /// The second delivery of an event: recorded as such, answered alike.
    fn repeat(
        &mut self,
        stream: Digest,
        identity: &Identity,
        seq: u64,
        answer: Option<String>,
        batch: &mut Batch,
    ) -> Result<ToClient, Error> {
        let answer = answer.or_else(|| self.duplicates.find(identity, 0)?.answer.clone());
        let facts = format!("{{\"duplicate\":{{\"of\":{seq}}}}}");
        let mut draft = ledger_draft(Kind::Duplicate, facts.into_bytes())?;
        draft.stream = stream;
        self.fold(stream, &draft, None, batch)?;
        batch.drafts.push(draft);
        Ok(done(&answer.unwrap_or_default()))
    }

    fn observe(
        &mut self,
        stream: Digest,
        message: &HookEvent,
        event: &Event,
    ) -> Result<Observed, Error> {
        let repository = message.root.clone().map(|root| repository_id(&root));
        let profile = self.profile_digest();
        let warm = self.warm(stream)?;
        if message.root.is_some() {
            warm.root.clone_from(&message.root);
        }
        let context = Context {
            keyer: &warm.keyer,
            root: message.root.as_deref(),
        };
        let mut observed = observe(event, &context);
        if warm.folded.opens(observed.kind) {
            observed.flags |= Flags::OPENS_TURN;
            observed.facts.open = Some(Opening {
                profile,
                observer: OBSERVER,
                gates: gate::in_force(),
                repository,
                carry: warm.folded.carry(),
            });
        }
        Ok(observed)
    }

    fn record(
        &mut self,
        stream: Digest,
        message: &HookEvent,
        observed: Observed,
        caller: Option<Caller>,
        batch: &mut Batch,
    ) -> Result<(), Error> {
        let late = if caller.is_none() { Flags::LATE } else { 0 };
        let cut = if message.cut { Flags::CUT } else { 0 };
        let malformed = message.payload.trim_ascii_start().first() != Some(&b'{');
        let malformed = if malformed { Flags::MALFORMED } else { 0 };
        let draft = Draft {
            kind: observed.kind,
            flags: observed.flags | late | cut | malformed,
            stream,
            client_event: message.client_event,
            client_us: message.client_us,
            policy: crate::service::open::redaction_policy(),
            secret: random::bytes32()?,
            content: Content {
                groups: observed.groups(),
                evidence: vec![message.payload.clone(), origin(message, caller)],
            },
        };
        self.fold(stream, &draft, Some(&observed.facts), batch)?;
        batch.drafts.push(draft);
        Ok(())
    }

    /// Records facts that no hook event brought.
    pub(crate) fn say(
        &mut self,
        stream: Digest,
        kind: Kind,
        facts: Facts,
        batch: &mut Batch,
    ) -> Result<(), Error> {
        let bytes = serde_json::to_vec(&facts).map_err(Error::fault)?;
        let mut draft = ledger_draft(kind, bytes)?;
        draft.stream = stream;
        if matches!(kind, Kind::Snapshot) {
            draft.flags |= Flags::CLIENT_REPORTED;
        }
        self.fold(stream, &draft, Some(&facts), batch)?;
        batch.drafts.push(draft);
        Ok(())
    }

    /// Folds a draft under the number its record will have.
    fn fold(
        &mut self,
        stream: Digest,
        draft: &Draft,
        facts: Option<&Facts>,
        batch: &Batch,
    ) -> Result<(), Error> {
        let empty = Facts::default();
        let view = RecordView {
            seq: batch.next_seq(),
            kind: Some(draft.kind),
            flags: draft.flags,
            wall_us: batch.time.wall_us,
            facts: Some(facts.unwrap_or(&empty)),
        };
        self.warm(stream)?.folded.apply(&view);
        Ok(())
    }

    /// The stream's warm state.
    pub(crate) fn warm(&mut self, stream: Digest) -> Result<&mut Warm, Error> {
        use std::collections::hash_map::Entry;
        match self.streams.entry(stream) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => {
                Ok(entry.insert(Warm::load(&self.ledger, &self.keys.ids, stream)?))
            }
        }
    }

    /// Records a snapshot that a hook was asked for.
    fn snapshot(
        &mut self,
        caller: Caller,
        snapshot: &Snapshot,
        batch: &mut Batch,
    ) -> Result<ToClient, Error> {
        let Some(waiting) = self.waiting.remove(&caller.connection) else {
            return Ok(ToClient::Refused {
                reason: "no snapshot was asked for".to_owned(),
            });
        };
        let seen = stop::snapshot_seen(self, &waiting, snapshot)?;
        let facts = Facts {
            call: waiting.call.clone(),
            obs: vec![Observation::Snapshot(seen)],
            ..Facts::default()
        };
        self.say(waiting.stream, Kind::Snapshot, facts, batch)?;
        stop::after_snapshot(self, waiting, batch)
    }
}

/// Recorded, with something to print or nothing.
pub(crate) fn done(answer: &str) -> ToClient {
    ToClient::Done {
        answer: answer.to_owned(),
        forget: None,
    }
}

fn parse(message: &HookEvent) -> Event {
    match Agent::from_name(&message.agent) {
        Some(known) => agent::event(known, &message.payload),
        None => Event {
            session: String::new(),
            cwd: None,
            transcript: None,
            prompt_id: None,
            permission_mode: None,
            subagent: None,
            kind: EventKind::Other {
                name: String::new(),
            },
        },
    }
}

fn identity(stream: &Digest, event: &Event, payload: &[u8]) -> Identity {
    let call = match &event.kind {
        EventKind::ToolRequested { call }
        | EventKind::ToolSucceeded { call, .. }
        | EventKind::ToolFailed { call, .. }
        | EventKind::ToolDenied { call, .. } => call.id.as_deref(),
        _ => None,
    };
    Identity::new(stream, event.kind.name(), call, payload)
}

fn repository_id(root: &str) -> String {
    hex(&hash(Purpose::RepositoryId, root.as_bytes()))
}

/// Where an event came from, as the second evidence item.
fn origin(message: &HookEvent, caller: Option<Caller>) -> Vec<u8> {
    let redacted: serde_json::Map<String, serde_json::Value> = message
        .redacted
        .iter()
        .map(|(rule, n)| (rule.clone(), (*n).into()))
        .collect();
    serde_json::json!({
        "agent": message.agent,
        "pid": message.pid,
        "parent": message.parent,
        "peer": caller.map(|c| serde_json::json!({"uid": c.uid, "pid": c.pid})),
        "root": message.root,
        "redacted": redacted,
    })
    .to_string()
    .into_bytes()
}
