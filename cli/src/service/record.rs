//! Turning messages into drafts: observe, fold, remember.

use crate::error::Error;
use crate::service::absence;
use crate::service::bound;
use crate::service::confirm::Mark;
use crate::service::duplicate::Identity;
use crate::service::engine::{Batch, Caller, Engine, Reply, Waiting, done};
use crate::service::open::{ledger_draft, redaction_policy};
use crate::service::origin::{self, Source};
use crate::service::rights::Audience;
use crate::service::stop;
use crate::service::stream::{Warm, id_of};
use crate::wire::{HookEvent, Refusal, Snapshot, ToClient};
use crate::world::random;
use receipt_core::agent;
use receipt_core::commit::{Content, Group};
use receipt_core::event::{Agent, Event, EventKind};
use receipt_core::hash::{Context as Purpose, Digest, Hasher, hex};
use receipt_core::limits::MAX_GROUP;
use receipt_core::record::{Flags, Kind};
use receipt_core::seal::Draft;
use receipt_gates::facts::{Facts, Moment, Observation, Opening};
use receipt_gates::fold::OBSERVER;
use receipt_gates::gate::{self, ledger_guard};
use receipt_gates::guard::Protected;
use receipt_gates::observe::{Context, Observed, observe};
use receipt_gates::record::RecordView;

impl Engine {
    /// A client left before it answered: a stop without a verdict.
    pub(crate) fn left(&mut self, connection: u64, batch: &mut Batch) -> Result<(), Error> {
        let Some(waiting) = self.waiting.remove(&connection) else {
            return Ok(());
        };
        batch.answered.push(waiting.identity);
        if waiting.moment != Moment::Stop {
            return Ok(());
        }
        let facts = Facts::default();
        self.say(waiting.stream, Kind::StopUnanswered, facts, batch)
    }

    /// Records an event that just happened, if it is the client's to report.
    pub(crate) fn live(
        &mut self,
        caller: Caller,
        event: HookEvent,
        batch: &mut Batch,
    ) -> Result<Reply, Error> {
        let event = bound::event(event);
        if self.is_anothers(caller, &event)? {
            return Ok(Reply::Now(ToClient::Refused(Refusal::NotAllowed)));
        }
        self.event(&event, Source::Live(caller), batch)
    }

    /// Whether a session is another user's: the first that reports to it has it.
    pub(crate) fn is_anothers(&mut self, caller: Caller, event: &HookEvent) -> Result<bool, Error> {
        if self.audience == Audience::Keeper {
            return Ok(false);
        }
        let stream = id_of(&event.agent, &parse(event).session);
        let user = match self.warm(stream)?.user {
            Some(user) => user,
            None => origin::user_of(&self.ledger, &stream)?.unwrap_or(caller.uid),
        };
        self.warm(stream)?.user = Some(user);
        Ok(user != caller.uid)
    }

    /// Records one hook event.
    pub(crate) fn event(
        &mut self,
        message: &HookEvent,
        source: Source,
        batch: &mut Batch,
    ) -> Result<Reply, Error> {
        let event = parse(message);
        let stream = id_of(&message.agent, &event.session);
        let identity = identity(&stream, &event, &message.payload);
        let mut known = self.duplicates.of_client(message.client_event);
        if known.is_none() && message.client_us < self.started_us && message.client_event != 0 {
            known = self.duplicates.of_earlier(&self.ledger, &stream, message)?;
        }
        let first = self.duplicates.find(&identity, message.client_us);
        if let Some(seq) = known.or(first.map(|first| first.seq)) {
            return self.repeat(stream, identity, seq, batch);
        }
        absence::before(self, stream, &event, batch)?;
        let mut observed = self.observe(stream, message, &event)?;
        let call = observed.facts.call.clone();
        let guarded = match source {
            Source::Live(_) => ledger_guard::decide_call(&mut observed.facts, &self.profile),
            // Nobody waits for the answer any more.
            Source::Late(_) | Source::Spool => None,
        };
        let guarded = guarded.cloned();
        self.duplicates
            .remember(identity.clone(), message.client_event, batch.next_seq());
        self.record(stream, message, observed, source, batch)?;
        let Source::Live(caller) = source else {
            batch.answered.push(identity);
            return Ok(Reply::Now(done("")));
        };
        if matches!(event.kind, EventKind::SessionEnded { .. }) {
            batch.checkpoint = true;
        }
        let waiting = |moment| Waiting {
            stream,
            call,
            moment,
            identity: identity.clone(),
            caller,
        };
        let reply = match guarded {
            Some(guarded) if guarded.denied => stop::refuse(self, &guarded, &identity),
            _ => stop::reply(self, &event, waiting, batch)?,
        };
        if matches!(reply, ToClient::Done { .. }) {
            batch.answered.push(identity);
        }
        Ok(Reply::Now(reply))
    }

    /// The second delivery of an event: recorded as such, answered alike, and not
    /// before the first is.
    fn repeat(
        &mut self,
        stream: Digest,
        identity: Identity,
        seq: u64,
        batch: &mut Batch,
    ) -> Result<Reply, Error> {
        let facts = format!("{{\"duplicate\":{{\"of\":{seq}}}}}");
        let mut draft = ledger_draft(Kind::Duplicate, facts.into_bytes())?;
        draft.stream = stream;
        self.fold(stream, &draft, Some(&Facts::default()), batch)?;
        batch.drafts.push(draft);
        if self.duplicates.is_open(&identity) {
            return Ok(Reply::WithFirst(identity));
        }
        Ok(Reply::Now(done(&self.duplicates.answer(&identity))))
    }

    fn observe(
        &mut self,
        stream: Digest,
        message: &HookEvent,
        event: &Event,
    ) -> Result<Observed, Error> {
        let repository = message.root.as_deref().map(|root| self.repository_id(root));
        let profile = self.profile_digest();
        let home = self.home.clone();
        let warm = self.warm(stream)?;
        let context = Context {
            keyer: &warm.keyer,
            root: message.root.as_deref(),
            scheduled: warm.folded.scheduled(),
            protected: Protected {
                home: Some(&home),
                user: message.user_home.as_deref(),
                wired: &message.wired,
            },
        };
        let mut observed = observe(event, &context);
        if warm.folded.opens(observed.kind) {
            observed.flags |= Flags::OPENS_TURN;
            warm.mark = Mark {
                from: message.transcript_len.unwrap_or(0),
                since_us: message.client_us,
            };
            warm.edited.clear();
            observed.facts.open = Some(Opening {
                profile,
                observer: OBSERVER,
                gates: gate::in_force(),
                repository,
                carry: warm.folded.carry(),
                scheduled: warm.folded.scheduled().clone(),
                ran: warm.folded.ran(),
            });
        }
        warm.edited.take(&observed.facts, &observed.paths);
        Ok(observed)
    }

    fn record(
        &mut self,
        stream: Digest,
        message: &HookEvent,
        observed: Observed,
        source: Source,
        batch: &mut Batch,
    ) -> Result<(), Error> {
        let late = if source.is_late() { Flags::LATE } else { 0 };
        let cut = if message.cut { Flags::CUT } else { 0 };
        let malformed = message.payload.trim_ascii_start().first() != Some(&b'{');
        let malformed = if malformed { Flags::MALFORMED } else { 0 };
        let draft = Draft {
            kind: observed.kind,
            flags: observed.flags | late | cut | malformed,
            stream,
            client_event: message.client_event,
            client_us: message.client_us,
            policy: redaction_policy(),
            secret: random::bytes32()?,
            content: Content {
                groups: within_limits(observed.groups()),
                evidence: vec![message.payload.clone(), origin::bytes(message, source)],
            },
        };
        // What is not recorded is not folded either: a verifier has no more.
        let kept = draft.content.group(Group::Facts).is_some();
        self.fold(stream, &draft, kept.then_some(&observed.facts), batch)?;
        batch.drafts.push(draft);
        Ok(())
    }

    /// The id of a repository in this ledger: keyed, since paths can be guessed.
    fn repository_id(&self, root: &str) -> String {
        let keyed = Hasher::new(Purpose::RepositoryId).fixed(&self.keys.ids);
        hex(&keyed.sized(root.as_bytes()).finish())
    }

    /// Records facts that no hook event brought.
    pub(crate) fn say(
        &mut self,
        stream: Digest,
        kind: Kind,
        facts: Facts,
        batch: &mut Batch,
    ) -> Result<(), Error> {
        self.say_with(stream, kind, facts, (None, Vec::new()), batch)
    }

    /// Records facts that no hook event brought, with prose and evidence.
    pub(crate) fn say_with(
        &mut self,
        stream: Digest,
        kind: Kind,
        facts: Facts,
        (texts, evidence): (Option<Vec<u8>>, Vec<Vec<u8>>),
        batch: &mut Batch,
    ) -> Result<(), Error> {
        let bytes = serde_json::to_vec(&facts).map_err(Error::fault)?;
        let mut draft = ledger_draft(kind, bytes)?;
        draft.stream = stream;
        let [facts_group, paths, commands, _] = draft.content.groups;
        draft.content.groups = [facts_group, paths, commands, texts];
        draft.content.evidence = evidence;
        if matches!(kind, Kind::Snapshot | Kind::Transcript | Kind::Judgement) {
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
        let view = RecordView {
            seq: batch.next_seq(),
            kind: Some(draft.kind),
            flags: draft.flags,
            wall_us: batch.time.wall_us,
            facts,
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
    pub(crate) fn snapshot(
        &mut self,
        caller: Caller,
        snapshot: &Snapshot,
        batch: &mut Batch,
    ) -> Result<ToClient, Error> {
        let Some(waiting) = self.waiting.remove(&caller.connection) else {
            return Ok(ToClient::Refused(Refusal::NotAsked));
        };
        let seen = stop::snapshot_seen(self, &waiting, snapshot)?;
        let facts = Facts {
            call: waiting.call.clone(),
            obs: vec![Observation::Snapshot(seen)],
            ..Facts::default()
        };
        self.say(waiting.stream, Kind::Snapshot, facts, batch)?;
        stop::go_on(self, waiting, batch)
    }
}

/// Groups over the limit are left out: the evidence still has what they said.
fn within_limits(groups: [Option<Vec<u8>>; 4]) -> [Option<Vec<u8>>; 4] {
    groups.map(|group| group.filter(|bytes| bytes.len() <= MAX_GROUP))
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
