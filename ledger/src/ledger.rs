//! The ledger: one writer's handle.

use crate::disk::Disk;
use crate::error::LedgerError;
use crate::intake::journal::Journal;
use crate::keys::KeyRing;
use crate::layout::Lock;
use crate::state::State;
use crate::store::{Note, Store};
use receipt_core::hash::Digest;
use receipt_core::keychain::KeyChain;
use std::sync::Arc;

/// An open ledger.
pub struct Ledger {
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) store: Box<dyn Store>,
    pub(crate) journal: Journal,
    pub(crate) ring: KeyRing,
    pub(crate) keys: KeyChain,
    pub(crate) state: State,
    /// Records in the store that it has not synced.
    pub(crate) unsettled: u64,
    /// Size in the head register.
    pub(crate) published: u64,
    pub(crate) health: Health,
    /// Held as long as anything reads or writes.
    pub(crate) lock: Arc<Lock>,
}

/// Whether the ledger may still be written and read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Health {
    Well,
    /// A write to the journal failed: what is on disk is open.
    Journal,
    /// The store failed; the journal is whole.
    Store,
}

impl std::fmt::Debug for Ledger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ledger")
            .field("size", &self.state.size())
            .field("health", &self.health)
            .finish_non_exhaustive()
    }
}

impl Ledger {
    /// The ledger's id.
    #[must_use]
    pub const fn id(&self) -> &Digest {
        &self.state.ledger
    }

    /// Number of records.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.state.size()
    }

    /// Root of the tree over all records.
    #[must_use]
    pub fn root(&self) -> Digest {
        self.state.frontier.root()
    }

    /// The public keys that the ledger's records bind.
    #[must_use]
    pub const fn keys(&self) -> &KeyChain {
        &self.keys
    }

    /// The disk of the ledger directory, for the spool.
    #[must_use]
    pub fn disk(&self) -> &Arc<dyn Disk> {
        &self.disk
    }

    /// The newest checkpoint's note.
    #[must_use]
    pub const fn latest_checkpoint(&self) -> Option<&Note> {
        self.state.note.as_ref()
    }

    /// Whether an error ended this handle: open the ledger again, in a new
    /// process.
    #[must_use]
    pub fn is_poisoned(&self) -> bool {
        self.health != Health::Well
    }

    pub(crate) fn refuse_if_poisoned(&self) -> Result<(), LedgerError> {
        if self.is_poisoned() {
            return Err(LedgerError::Poisoned);
        }
        Ok(())
    }
}
