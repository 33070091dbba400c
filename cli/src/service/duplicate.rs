//! The same event delivered twice: by plugin and settings, or by a retry.
//!
//! Same session, event and call; without a call, equal payloads from a process
//! that began before the first was answered. A real repeat is no duplicate.

use receipt_core::hash::{Context, Digest, Hasher};
use std::collections::{HashMap, VecDeque};

/// How many events are remembered.
const REMEMBERED: usize = 4_096;

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
        let hasher = Hasher::new(Context::Payload)
            .fixed(stream)
            .sized(event.as_bytes());
        let key = match call {
            Some(call) => hasher.sized(call.as_bytes()),
            None => hasher.sized(payload),
        };
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
