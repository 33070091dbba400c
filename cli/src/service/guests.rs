//! Who is connected, and how much memory their messages may take together.

use crate::world::clock::Deadline;
use std::collections::BTreeMap;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Connections served at once; others wait in the socket's queue.
const MAX_CONNECTIONS: usize = 256;

/// Bytes that all large messages may take at once.
const SPACE: usize = 64 << 20;

/// The open connections.
#[derive(Debug, Default)]
pub(crate) struct Guests(Mutex<BTreeMap<u64, Guest>>);

#[derive(Debug)]
struct Guest {
    stream: UnixStream,
    /// Has said nothing that waits for an answer.
    silent: bool,
    /// Has said something before.
    known: bool,
}

impl Guests {
    /// Lets a client in. Where there are too many, the first of those who say
    /// nothing is sent away, strangers before others, and this is to be tried again.
    pub(crate) fn let_in(&self, id: u64, stream: &UnixStream) -> bool {
        let mut guests = lock(&self.0);
        if guests.len() >= MAX_CONNECTIONS {
            let silent = guests.values_mut().filter(|guest| guest.silent);
            if let Some(silent) = silent.min_by_key(|guest| guest.known) {
                let _ = silent.stream.shutdown(Shutdown::Both);
                silent.silent = false;
            }
            return false;
        }
        let Ok(stream) = stream.try_clone() else {
            return false;
        };
        let guest = Guest {
            stream,
            silent: true,
            known: false,
        };
        guests.insert(id, guest);
        true
    }

    /// A client is to speak next.
    pub(crate) fn waits(&self, id: u64) {
        if let Some(guest) = lock(&self.0).get_mut(&id) {
            guest.silent = true;
        }
    }

    /// A client waits for an answer.
    pub(crate) fn works(&self, id: u64) {
        if let Some(guest) = lock(&self.0).get_mut(&id) {
            guest.silent = false;
            guest.known = true;
        }
    }

    /// A client is gone.
    pub(crate) fn leave(&self, id: u64) {
        lock(&self.0).remove(&id);
    }
}

/// The space for large messages.
#[derive(Debug, Default)]
pub(crate) struct Space {
    taken: Mutex<usize>,
    given_back: Condvar,
}

/// A part of the space, until dropped.
#[derive(Debug)]
pub(crate) struct Held<'a> {
    space: &'a Space,
    bytes: usize,
}

impl Space {
    /// Waits for so many bytes; `None` once it is too late.
    pub(crate) fn take(&self, bytes: usize, until: Deadline) -> Option<Held<'_>> {
        let mut taken = lock(&self.taken);
        loop {
            let sum = taken.saturating_add(bytes);
            if sum <= SPACE {
                *taken = sum;
                return Some(Held { space: self, bytes });
            }
            let waited = self.given_back.wait_timeout(taken, until.left()?);
            taken = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let mut taken = lock(&self.space.taken);
        *taken = taken.saturating_sub(self.bytes);
        self.space.given_back.notify_all();
    }
}

/// Nothing panics while it holds one of these.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
