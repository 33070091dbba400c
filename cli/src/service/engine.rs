//! The engine: one thread that turns messages into records, batch by batch.
//!
//! Reading the head and appending is one critical section, because nothing
//! else appends. Every message of a batch is answered only after the batch is
//! durable; the fold that decides a stop sees every record below its verdict.

use crate::error::Error;
use crate::home::Home;
use crate::keys::Keys;
use crate::service::absence;
use crate::service::duplicate::{Duplicates, Identity};
use crate::service::judge::Judge;
use crate::service::open::{ledger_draft, ledger_error, open_ledger};
use crate::service::rights::{Audience, Rights};
use crate::service::stream::Warm;
use crate::service::{begin, bound, log_fault, query, spool};
use crate::wire::{Query, ToClient, ToService};
use crate::world::clock::Deadline;
use crate::world::{clock, random};
use receipt_core::hash::{Digest, hex};
use receipt_core::key::{PrivateKey, Use};
use receipt_core::keychain::KeyChange;
use receipt_core::record::Kind;
use receipt_core::seal::{Draft, Time};
use receipt_gates::profile::{self, Profile};
use receipt_ledger::{Ledger, OpenReport};
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

/// Messages taken into one batch.
const BATCH: usize = 256;

/// Bytes of content after which a batch takes no more: one frame of the journal
/// holds all of it.
const BATCH_BYTES: usize = 16 << 20;

/// Records after which a checkpoint is due.
const CHECKPOINT_EVERY: u64 = 1_024;

/// Streams kept warm. Whoever names more sessions has them folded again.
const WARM: usize = 1_024;

/// A service that was asked for an audit ends after so long without a message:
/// the next one begins small.
const AFTER_AUDIT: Duration = Duration::from_secs(20);

/// A pause that is long enough to do what can wait.
const LULL: Duration = Duration::from_millis(200);

/// Work for the engine.
pub(crate) enum Job {
    /// A client's message.
    Message {
        /// Who sent it.
        caller: Caller,
        /// The message.
        message: Box<ToService>,
        /// Where the answer goes.
        answer: Sender<ToClient>,
    },
    /// Something is to be looked at between two batches.
    Look(Box<dyn FnOnce(&Engine) + Send>),
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
    /// What it may do.
    pub(crate) rights: Rights,
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

/// What becomes of a hook that reported an event.
#[derive(Debug)]
pub(crate) enum Reply {
    /// It is answered once the batch is durable.
    Now(ToClient),
    /// It is answered when the first delivery of this event is.
    WithFirst(Identity),
}

/// The one writer.
pub(crate) struct Engine {
    pub(crate) keys: Keys,
    pub(crate) ledger: Ledger,
    /// The folder that no tool is to touch.
    pub(crate) home: String,
    pub(crate) profile: Profile,
    pub(crate) profile_bytes: Vec<u8>,
    pub(crate) streams: HashMap<Digest, Warm>,
    pub(crate) waiting: HashMap<u64, Waiting>,
    pub(crate) duplicates: Duplicates,
    pub(crate) judge: Judge,
    /// Second deliveries of events whose first is not answered yet.
    seconds: HashMap<Identity, Vec<Sender<ToClient>>>,
    pub(crate) started_us: u64,
    pub(crate) ending: bool,
    pub(crate) audience: Audience,
    /// Streams whose session ended in this batch.
    pub(crate) ended: Vec<Digest>,
    /// An audit was made: what it took of memory is not all given back.
    pub(crate) audited: std::cell::Cell<bool>,
    /// It said that it began, and says when it ends.
    pub(crate) serving: bool,
    /// It was said that the spool cannot be looked into.
    pub(crate) spool_refused: bool,
    boot: u128,
    /// Records since the newest checkpoint.
    since_checkpoint: u64,
}

/// A batch that is being made.
pub(crate) struct Batch {
    pub(crate) time: Time,
    pub(crate) drafts: Vec<Draft>,
    pub(crate) replies: Vec<(Sender<ToClient>, ToClient)>,
    /// Events whose hook has its answer once the batch is committed.
    pub(crate) answered: Vec<Identity>,
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

    /// Whether it takes no more messages.
    fn is_full(&self) -> bool {
        self.drafts.len() >= BATCH || self.is_large()
    }

    /// Whether its content alone is enough for one write.
    pub(crate) fn is_large(&self) -> bool {
        let sizes = self.drafts.iter().map(|draft| {
            let groups = draft.content.groups.iter().flatten();
            let parts = groups.chain(&draft.content.evidence);
            parts.fold(0usize, |sum, part| sum.saturating_add(part.len()))
        });
        sizes.fold(0usize, usize::saturating_add) >= BATCH_BYTES
    }
}

impl Engine {
    /// Opens the home's ledger; `None` where another process has it.
    pub(crate) fn open(home: &Home) -> Result<Option<(Self, OpenReport)>, Error> {
        let Some((ledger, report, keys)) = open_ledger(home)? else {
            return Ok(None);
        };
        // A profile that cannot be read must not open the gate: the last one stays in force.
        let loaded = crate::profile::load(home);
        let (profile, settings) = loaded.unwrap_or_else(|error| {
            log_fault(home, &error);
            (begin::last_profile(&ledger), Default::default())
        });
        let engine = Self {
            keys,
            ledger,
            home: home.root.to_string_lossy().into_owned(),
            profile_bytes: profile.to_bytes(),
            profile,
            streams: HashMap::new(),
            waiting: HashMap::new(),
            duplicates: Duplicates::default(),
            judge: Judge::new(settings),
            seconds: HashMap::new(),
            started_us: clock::wall_us(),
            ending: false,
            audience: Audience::Keeper,
            ended: Vec::new(),
            audited: std::cell::Cell::new(false),
            serving: false,
            spool_refused: false,
            boot: clock::boot_id(),
            since_checkpoint: 0,
        };
        Ok(Some((engine, report)))
    }

    pub(crate) fn profile_digest(&self) -> String {
        hex(&profile::digest(&self.profile_bytes))
    }

    /// Serves until idle, stopped or at fault.
    pub(crate) fn run(&mut self, jobs: &Receiver<Job>, idle: Duration) -> Result<(), Error> {
        while !self.ending {
            let Some(first) = self.next(jobs, idle)? else {
                break;
            };
            self.work(first, jobs)?;
        }
        Ok(())
    }

    /// Takes what was sent already, and lets hooks that take a snapshot come to
    /// their verdict, for a while.
    pub(crate) fn farewell(&mut self, jobs: &Receiver<Job>, until: Deadline) -> Result<(), Error> {
        while let Some(left) = until.left() {
            let job = match jobs.try_recv() {
                Ok(job) => Some(job),
                Err(_) if self.waiting.is_empty() => None,
                Err(_) => jobs.recv_timeout(left).ok(),
            };
            let Some(job) = job else { break };
            self.work(job, jobs)?;
        }
        self.seconds.clear();
        Ok(())
    }

    /// One batch: this job, and what came with it.
    fn work(&mut self, first: Job, jobs: &Receiver<Job>) -> Result<(), Error> {
        spool::drain(self)?;
        let mut batch = self.batch();
        self.take(first, &mut batch)?;
        while !batch.is_full() {
            let Ok(job) = jobs.try_recv() else { break };
            self.take(job, &mut batch)?;
        }
        self.commit(batch)
    }

    /// The next job; `None` after the idle time. A lull is used to bring the
    /// store to the disk, which shortens the next start.
    fn next(&mut self, jobs: &Receiver<Job>, idle: Duration) -> Result<Option<Job>, Error> {
        match jobs.recv_timeout(LULL) {
            Ok(job) => return Ok(Some(job)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => self.ledger.settle().map_err(ledger_error)?,
        }
        let idle = match self.audience {
            Audience::Keeper if self.audited.get() => idle.min(AFTER_AUDIT),
            _ => idle,
        };
        Ok(jobs.recv_timeout(idle).ok())
    }

    /// Puts new keys in force; returns the number of the record that tells of it.
    pub(crate) fn change_keys(
        &mut self,
        home: &Home,
        uses: &[Use],
        revoked: bool,
    ) -> Result<u64, Error> {
        let next = Keys::prepare_change(home, uses)?;
        let named: Vec<(Use, &PrivateKey)> = next.iter().map(|(of, key)| (*of, key)).collect();
        let change = KeyChange::new(&self.keys.identity, self.ledger.id(), &named, revoked);
        let seq = self.ledger.size();
        self.ledger
            .change_keys(
                ledger_draft(Kind::Key, change.facts())?,
                &next,
                random::bytes32()?,
                clock::time(self.boot),
            )
            .map_err(ledger_error)?;
        self.keys.next = next;
        self.keys.settle(home, self.ledger.keys())?;
        let _ = self.ledger.publish_head();
        Ok(seq)
    }

    /// Leaves a checkpoint behind.
    pub(crate) fn end(mut self) -> Result<(), Error> {
        if self.serving || self.since_checkpoint > 0 {
            let mut batch = self.batch();
            if self.serving {
                batch.drafts.push(absence::service_draft("ended")?);
            }
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
            answered: Vec::new(),
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
        for stream in self.ended.drain(..) {
            self.streams.remove(&stream);
        }
        if self.streams.len() > WARM {
            self.streams.clear();
        }
        // Whoever has its answer and then reports the same words reports another event.
        let now_us = clock::wall_us();
        for (answer, reply) in batch.replies {
            // A client that left gets no answer; what it sent is kept.
            let _ = answer.send(reply);
        }
        for identity in batch.answered {
            self.duplicates.answered(&identity, now_us);
            let reply = done(&self.duplicates.answer(&identity));
            for second in self.seconds.remove(&identity).into_iter().flatten() {
                let _ = second.send(reply.clone());
            }
        }
        let _ = self.ledger.publish_head();
        Ok(())
    }

    fn take(&mut self, job: Job, batch: &mut Batch) -> Result<(), Error> {
        match job {
            Job::Look(look) => {
                look(self);
                Ok(())
            }
            Job::Left { connection } => self.left(connection, batch),
            Job::Message {
                caller,
                message,
                answer,
            } => {
                let reply = match *message {
                    ToService::Event(event) => match self.live(caller, event, batch)? {
                        Reply::Now(reply) => reply,
                        Reply::WithFirst(first) => {
                            self.seconds.entry(first).or_default().push(answer);
                            return Ok(());
                        }
                    },
                    ToService::Spooled(events) => spool::take(self, caller, events, batch)?,
                    ToService::Snapshot(snapshot) => {
                        self.snapshot(caller, &bound::snapshot(snapshot), batch)?
                    }
                    ToService::Transcript(found) => {
                        self.transcript(caller, &bound::transcript(found), batch)?
                    }
                    ToService::Judged(judged) => {
                        self.judged(caller, bound::judged(judged), batch)?
                    }
                    ToService::Query(Query::Stop) => {
                        self.ending = true;
                        ToClient::Reply(crate::wire::Reply::Stopping)
                    }
                    ToService::Query(wish) => query::answer(self, wish, caller),
                };
                batch.replies.push((answer, reply));
                Ok(())
            }
        }
    }
}

/// Recorded, with something to print or nothing.
pub(crate) fn done(answer: &str) -> ToClient {
    ToClient::Done {
        answer: answer.to_owned(),
        forget: None,
    }
}
