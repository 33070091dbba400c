//! The keys a ledger signs with.

use crate::error::LedgerError;
use receipt_core::key::{PrivateKey, Use};
use receipt_core::keychain::KeyChain;

/// The private keys that the writer of a ledger needs.
#[derive(Debug, Clone)]
pub struct KeyRing {
    /// Signs records.
    pub record: PrivateKey,
    /// Signs checkpoints.
    pub checkpoint: PrivateKey,
    /// Keys of a change that may have been made: the ledger tells.
    pub next: Vec<(Use, PrivateKey)>,
}

impl KeyRing {
    /// Takes those keys that the ledger has in force.
    ///
    /// # Errors
    /// [`LedgerError::KeyNotBound`] where one of them is not here.
    pub(crate) fn fit(&self, keys: &KeyChain) -> Result<Self, LedgerError> {
        let choose = |key_use: Use, own: &PrivateKey| {
            let next = self.next.iter().filter(|(of, _)| *of == key_use);
            let mut all = core::iter::once(own).chain(next.map(|(_, key)| key));
            let current = keys.current(key_use);
            all.find(|key| current == Some(&key.public()))
                .cloned()
                .ok_or(LedgerError::KeyNotBound(key_use.name()))
        };
        Ok(Self {
            record: choose(Use::Record, &self.record)?,
            checkpoint: choose(Use::Checkpoint, &self.checkpoint)?,
            next: Vec::new(),
        })
    }
}
