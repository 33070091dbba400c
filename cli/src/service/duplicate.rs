//! The same event delivered twice: by plugin and settings, or by a retry.
//!
//! Same session, event and payload; without a call also from a process that began
//! before the first was answered. A real repeat is no duplicate, nor is another
//! report on the same call: that is recorded, and contradicts the first.

use crate::error::Error;
use crate::service::open::ledger_error;
use crate::wire::HookEvent;
use receipt_core::hash::{Context, Digest, Hasher};
use receipt_ledger::Ledger;
use std::collections::{HashMap, VecDeque};

/// How many events are remembered.
const REMEMBERED: usize = 4_096;

/// How many of a stream's newest records are looked at for events that an
/// earlier service took.
const EARLIER: usize = 4_096;

/// By how much a hook's clock may be behind.
const SLACK_US: u64 = 1_000_000;

/// What identifies an event across deliveries.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Identity {
    key: Digest,
    /// Names a call, which never repeats.
    call: bool,
}

impl Identity {
    /// The identity of an event.
    pub(crate) fn new(stream: &Digest, event: &str, call: Option<&str>, payload: &[u8]) -> Self {
        let key = Hasher::new(Context::Payload)
            .fixed(stream)
            .sized(event.as_bytes())
            .sized(payload);
        Self {
            key: key.finish(),
            call: call.is_some(),
        }
    }
}

/// The first delivery of an event.
#[derive(Debug, Clone)]
pub(crate) struct First {
    /// Its record.
    pub(crate) seq: u64,
    /// What is printed, once that is decided.
    answer: Option<String>,
    /// When it was answered, microseconds since 1970; the end of time until then.
    answered_us: u64,
}

/// Remembers the newest events.
#[derive(Debug, Default)]
pub(crate) struct Duplicates {
    first: HashMap<Identity, First>,
    order: VecDeque<Identity>,
    clients: HashMap<u128, u64>,
    client_order: VecDeque<u128>,
    /// Events that earlier services recorded, of the streams that were asked for.
    earlier: HashMap<Digest, Earlier>,
}

/// Events of a stream from before this service, as far back as was asked for.
#[derive(Debug)]
struct Earlier {
    events: HashMap<u128, u64>,
    /// Position above the next record to be read.
    next: u64,
    /// When the oldest record that was read was made.
    back_to_us: u64,
}

impl Duplicates {
    /// The earlier delivery that this one repeats, if any.
    pub(crate) fn find(&self, identity: &Identity, client_us: u64) -> Option<&First> {
        let first = self.first.get(identity)?;
        (identity.call || client_us <= first.answered_us).then_some(first)
    }

    /// Whether an event's first delivery still waits for its answer.
    pub(crate) fn is_open(&self, identity: &Identity) -> bool {
        let first = self.first.get(identity);
        first.is_some_and(|first| first.answered_us == u64::MAX)
    }

    /// What an event was answered; nothing where that is not known any more.
    pub(crate) fn answer(&self, identity: &Identity) -> String {
        let first = self.first.get(identity);
        first
            .and_then(|first| first.answer.clone())
            .unwrap_or_default()
    }

    /// The record of a hook process's event, if it was recorded already.
    pub(crate) fn of_client(&self, client_event: u128) -> Option<u64> {
        self.clients.get(&client_event).copied()
    }

    /// The record of an event that an earlier service took, and its hook brings
    /// again. The stream is read back to when that hook began, once.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub(crate) fn of_earlier(
        &mut self,
        ledger: &Ledger,
        stream: &Digest,
        event: &HookEvent,
    ) -> Result<Option<u64>, Error> {
        let earlier = self.earlier.entry(*stream).or_insert_with(|| Earlier {
            events: HashMap::new(),
            next: ledger.stream_len(stream),
            back_to_us: u64::MAX,
        });
        let wanted = event.client_us.saturating_sub(SLACK_US);
        while earlier.back_to_us > wanted && earlier.events.len() < EARLIER {
            let Some(position) = earlier.next.checked_sub(1) else {
                break;
            };
            earlier.next = position;
            let record = ledger.stream_record(stream, position);
            if let Some(record) = record.map_err(ledger_error)? {
                let header = record.header();
                earlier.events.insert(header.client_event, header.seq);
                earlier.back_to_us = header.wall_us;
            }
        }
        Ok(earlier.events.get(&event.client_event).copied())
    }

    /// Remembers an event's first delivery.
    pub(crate) fn remember(&mut self, identity: Identity, client_event: u128, seq: u64) {
        self.remember_client(client_event, seq);
        self.first.insert(
            identity.clone(),
            First {
                seq,
                answer: None,
                answered_us: u64::MAX,
            },
        );
        self.order.push_back(identity);
        if self.order.len() > REMEMBERED
            && let Some(old) = self.order.pop_front()
        {
            self.first.remove(&old);
        }
    }

    /// Remembers that a hook process's event is recorded.
    pub(crate) fn remember_client(&mut self, client_event: u128, seq: u64) {
        // Zero is no id: such a record came from no hook.
        if client_event == 0 || self.clients.insert(client_event, seq).is_some() {
            return;
        }
        self.client_order.push_back(client_event);
        if self.client_order.len() > REMEMBERED
            && let Some(old) = self.client_order.pop_front()
        {
            self.clients.remove(&old);
        }
    }

    /// Remembers what an event will be answered.
    pub(crate) fn decided(&mut self, identity: &Identity, answer: &str) {
        if let Some(first) = self.first.get_mut(identity) {
            first.answer = Some(answer.to_owned());
        }
    }

    /// An event was answered, or nobody waits for its answer: a process that
    /// begins later reports another event.
    pub(crate) fn answered(&mut self, identity: &Identity, now_us: u64) {
        if let Some(first) = self.first.get_mut(identity) {
            first.answered_us = now_us;
        }
    }
}
