//! Where an event goes when no service takes it: one file, synced, renamed.

use crate::home::Home;
use crate::wire::{self, HookEvent};
use receipt_ledger::{Disk, FsDisk, Spool};

/// Most files kept; beyond this something is wrong that more files do not mend.
const MAX_FILES: usize = 10_000;

/// Keeps the event. Nothing more can be done where this fails.
pub(crate) fn keep(home: &Home, event: &HookEvent) {
    let disk = FsDisk::new(home.ledger());
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
