//! Where an event goes when no service takes it: one file, synced, renamed.
//!
//! A service of the same user drains it. One of another user cannot read it,
//! so there the next hook brings what waits.

use crate::greeting::Version;
use crate::home::{Home, Keeper};
use crate::wire::{self, HookEvent};
use receipt_ledger::{Disk, FsDisk, Lock, Spool};

/// Most files kept; beyond this something is wrong that more files do not mend.
const MAX_FILES: usize = 10_000;

/// Most events that one hook brings.
const MAX_BROUGHT: usize = 1_000;

/// Bytes of events that one hook brings: they fit one message.
const MAX_BYTES: usize = 16 << 20;

/// Keeps the event. Nothing more can be done where this fails.
pub(crate) fn keep(home: &Home, event: &HookEvent) {
    let disk = FsDisk::new(home.spool());
    let full = Spool::list(&disk).is_ok_and(|names| names.len() >= MAX_FILES);
    if full {
        return;
    }
    let _ = disk.create_dir_all("");
    if let Ok(bytes) = wire::encode(event) {
        let _ = Spool::write(&disk, &name(event), &bytes);
    }
}

/// Sorts by time, unique by event.
fn name(event: &HookEvent) -> String {
    format!("{:020}-{:032x}", event.client_us, event.client_event)
}

/// What waits for a service of another user, while this hook alone brings it.
pub(crate) struct Backlog {
    disk: FsDisk,
    _lock: Lock,
    names: Vec<String>,
    pub(crate) events: Vec<HookEvent>,
}

impl Backlog {
    /// Takes up what waits; `None` where there is nothing, or another hook has it.
    pub(crate) fn take(home: &Home) -> Option<Self> {
        if !matches!(home.keeper, Keeper::System(_)) {
            return None;
        }
        let disk = FsDisk::new(home.spool());
        if Spool::list(&disk).ok()?.is_empty() {
            return None;
        }
        let lock = Lock::acquire(&disk).ok()?;
        let mut backlog = Self {
            names: Vec::new(),
            events: Vec::new(),
            disk,
            _lock: lock,
        };
        let mut left = MAX_BYTES;
        for name in Spool::list(&backlog.disk)
            .ok()?
            .into_iter()
            .take(MAX_BROUGHT)
        {
            if !backlog.add(name, &mut left) {
                break;
            }
        }
        (!backlog.events.is_empty()).then_some(backlog)
    }

    /// Adds a file; false where there is no more room.
    fn add(&mut self, name: String, left: &mut usize) -> bool {
        let bytes = Spool::read(&self.disk, &name).unwrap_or_default();
        if wire::protocol(&bytes).is_some_and(|spoken| spoken > Version::own().protocol) {
            return true;
        }
        let Ok(event) = wire::decode(&bytes) else {
            let _ = Spool::quarantine(&self.disk, &name);
            return true;
        };
        let Some(rest) = left.checked_sub(bytes.len()) else {
            return self.events.is_empty();
        };
        *left = rest;
        self.names.push(name);
        self.events.push(event);
        true
    }

    /// They are recorded, but for those that the service refuses for ever.
    pub(crate) fn settle(self, refused: &[u32]) {
        for (index, name) in (0u32..).zip(&self.names) {
            // Should the file stay, its event is known by its id the next time.
            if refused.contains(&index) {
                let _ = Spool::quarantine(&self.disk, name);
            } else {
                let _ = Spool::remove(&self.disk, name);
            }
        }
    }
}
