//! The keys a ledger signs with, and those it verifies against.

use crate::error::LedgerError;
use receipt_core::genesis::Genesis;
use receipt_core::hash::Digest;
use receipt_core::key::{PrivateKey, PublicKey, Use};
use std::collections::BTreeMap;

/// The private keys that the writer of a ledger needs.
#[derive(Debug, Clone)]
pub struct KeyRing {
    /// Signs records.
    pub record: PrivateKey,
    /// Signs checkpoints.
    pub checkpoint: PrivateKey,
}

impl KeyRing {
    /// Refuses keys that the ledger does not know.
    pub(crate) fn check(&self, keys: &Keys) -> Result<(), LedgerError> {
        let record = self.record.public();
        if keys.record(&record.id()) != Some(&record) {
            return Err(LedgerError::KeyNotBound(Use::Record.name()));
        }
        if !keys.checkpoint.contains(&self.checkpoint.public()) {
            return Err(LedgerError::KeyNotBound(Use::Checkpoint.name()));
        }
        Ok(())
    }
}

/// The public keys that a ledger's records bind, followed from its genesis.
#[derive(Debug, Clone)]
pub struct Keys {
    ledger: Digest,
    identity: PublicKey,
    record: BTreeMap<Digest, PublicKey>,
    checkpoint: Vec<PublicKey>,
    verdict: Vec<PublicKey>,
}

impl Keys {
    /// The keys that the genesis record binds.
    #[must_use]
    pub fn of(genesis: &Genesis) -> Self {
        let mut keys = Self {
            ledger: genesis.ledger,
            identity: genesis.identity,
            record: BTreeMap::new(),
            checkpoint: Vec::new(),
            verdict: Vec::new(),
        };
        for binding in &genesis.bindings {
            match binding.key_use {
                Use::Record => {
                    keys.record.insert(binding.key.id(), binding.key);
                }
                Use::Verdict => keys.verdict.push(binding.key),
                Use::Checkpoint => keys.checkpoint.push(binding.key),
            }
        }
        keys
    }

    /// The ledger whose keys these are.
    #[must_use]
    pub const fn ledger(&self) -> &Digest {
        &self.ledger
    }

    /// The identity key that bound them.
    #[must_use]
    pub const fn identity(&self) -> &PublicKey {
        &self.identity
    }

    /// The record key of that id.
    #[must_use]
    pub fn record(&self, id: &Digest) -> Option<&PublicKey> {
        self.record.get(id)
    }

    /// The checkpoint keys, the newest last.
    #[must_use]
    pub fn checkpoint(&self) -> &[PublicKey] {
        &self.checkpoint
    }

    /// The verdict keys, the newest last.
    #[must_use]
    pub fn verdict(&self) -> &[PublicKey] {
        &self.verdict
    }
}
