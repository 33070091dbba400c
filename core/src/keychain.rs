//! The keys of a ledger as they change (`spec/record.md`, "Key changes").
//!
//! A `key` record puts new keys in the place of those in force. The old record
//! key signs the record, the identity binds each new key, and each new key signs
//! that it is held: so a change is followed only with the word of both.

use crate::genesis::{self, Genesis, GenesisError};
use crate::hash::{Digest, digest_from_hex, hex};
use crate::json::strict;
use crate::key::{Binding, PrivateKey, PublicKey, Signature, Use, proof_bytes};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// One key with the records that it may sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Term {
    key_use: Use,
    key: PublicKey,
    /// First record number.
    from: u64,
    /// Last record number; `None` while it is in force.
    to: Option<u64>,
}

/// Every key that a ledger had, from its genesis on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyChain {
    ledger: Digest,
    identity: PublicKey,
    terms: Vec<Term>,
    /// Numbers of the `key` records that were followed, rising.
    changes: Vec<u64>,
}

/// What a `key` record says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyChange {
    /// New keys, at most one for each use, in the order of [`Use::ALL`].
    keys: Vec<(Binding, Signature)>,
    /// The old ones are not only replaced but no longer to be trusted.
    pub revoked: bool,
}

/// Why a key change is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyChangeError {
    /// Not the JSON that the specification asks for, or a key is refused.
    #[error("the key facts are malformed: {0}")]
    Facts(#[from] GenesisError),
    /// The identity did not bind a new key.
    #[error("the identity key did not sign the binding of the new {} key", .0.name())]
    Binding(Use),
    /// A new key did not sign that it is held.
    #[error("the new {} key did not sign its own proof", .0.name())]
    Proof(Use),
    /// The key is in force, or was before, or stands beside it for another use.
    #[error("the new {} key is not new", .0.name())]
    NotNew(Use),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    key: Body,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    keys: Vec<Bound>,
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    revoked: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bound {
    #[serde(rename = "use")]
    key_use: String,
    key: String,
    sig: String,
    proof: String,
}

impl KeyChange {
    /// A change to these new keys.
    #[must_use]
    pub fn new(
        identity: &PrivateKey,
        ledger: &Digest,
        keys: &[(Use, &PrivateKey)],
        revoked: bool,
    ) -> Self {
        let keys = keys.iter().map(|(key_use, key)| {
            let binding = Binding::new(identity, ledger, *key_use, key.public());
            let proof = key.sign(&proof_bytes(ledger, *key_use, &key.public()));
            (binding, proof)
        });
        Self {
            keys: keys.collect(),
            revoked,
        }
    }

    /// The facts of the record that tells of it.
    #[must_use]
    pub fn facts(&self) -> Vec<u8> {
        let bound = |(binding, proof): &(Binding, Signature)| Bound {
            key_use: binding.key_use.name().to_string(),
            key: hex(binding.key.as_bytes()),
            sig: hex(&binding.signature),
            proof: hex(proof),
        };
        let facts = Facts {
            key: Body {
                keys: self.keys.iter().map(bound).collect(),
                revoked: self.revoked,
            },
        };
        // Strings and a list of structs: serialising them cannot fail.
        serde_json::to_vec(&facts).unwrap_or_default()
    }

    /// Reads such facts; nothing is verified yet.
    ///
    /// # Errors
    /// [`KeyChangeError::Facts`].
    pub fn parse(bytes: &[u8]) -> Result<Self, KeyChangeError> {
        strict::parse(bytes).map_err(|_| GenesisError::Malformed)?;
        let facts: Facts = serde_json::from_slice(bytes).map_err(|_| GenesisError::Malformed)?;
        let keys = facts.key.keys.iter().map(read);
        let keys = keys.collect::<Result<Vec<_>, _>>()?;
        let rising = keys.windows(2).all(|pair| match pair {
            [(a, _), (b, _)] => a.key_use < b.key_use,
            _ => true,
        });
        if keys.is_empty() || !rising {
            return Err(GenesisError::Uses.into());
        }
        Ok(Self {
            keys,
            revoked: facts.key.revoked,
        })
    }
}

fn read(bound: &Bound) -> Result<(Binding, Signature), GenesisError> {
    let bytes = digest_from_hex(&bound.key).ok_or(GenesisError::Malformed)?;
    let binding = Binding {
        key_use: Use::from_name(&bound.key_use).ok_or(GenesisError::Uses)?,
        key: PublicKey::from_bytes(&bytes)?,
        signature: genesis::signature(&bound.sig)?,
    };
    Ok((binding, genesis::signature(&bound.proof)?))
}

impl KeyChain {
    /// The keys that the genesis record binds.
    #[must_use]
    pub fn of(genesis: &Genesis) -> Self {
        let term = |binding: &Binding| Term {
            key_use: binding.key_use,
            key: binding.key,
            from: 0,
            to: None,
        };
        Self {
            ledger: genesis.ledger,
            identity: genesis.identity,
            terms: genesis.bindings.iter().map(term).collect(),
            changes: Vec::new(),
        }
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

    /// Takes the change that record `seq` tells: the new keys are in force from
    /// the next record on, those before them up to this one.
    ///
    /// # Errors
    /// [`KeyChangeError`]; then nothing has changed.
    pub fn follow(&mut self, seq: u64, change: &KeyChange) -> Result<(), KeyChangeError> {
        for (place, (binding, proof)) in change.keys.iter().enumerate() {
            let key_use = binding.key_use;
            if !binding.holds(&self.identity, &self.ledger) {
                return Err(KeyChangeError::Binding(key_use));
            }
            let message = proof_bytes(&self.ledger, key_use, &binding.key);
            if !binding.key.verifies(&message, proof) {
                return Err(KeyChangeError::Proof(key_use));
            }
            let mut beside = change.keys.iter().take(place).map(|(other, _)| other.key);
            let before = self.terms.iter().any(|t| t.key == binding.key);
            if binding.key == self.identity || before || beside.any(|key| key == binding.key) {
                return Err(KeyChangeError::NotNew(key_use));
            }
        }
        for (binding, _) in &change.keys {
            let same = |term: &&mut Term| term.key_use == binding.key_use && term.to.is_none();
            self.terms
                .iter_mut()
                .filter(same)
                .for_each(|t| t.to = Some(seq));
            self.terms.push(Term {
                key_use: binding.key_use,
                key: binding.key,
                from: seq.saturating_add(1),
                to: None,
            });
        }
        self.changes.push(seq);
        Ok(())
    }

    /// How many changes of keys stand below record `seq`: what its heads commit.
    #[must_use]
    pub fn changes_below(&self, seq: u64) -> u64 {
        self.changes.iter().filter(|change| **change < seq).count() as u64
    }

    /// The key of a use that was in force when record `seq` was made.
    #[must_use]
    pub fn at(&self, key_use: Use, seq: u64) -> Option<&PublicKey> {
        let holds = |term: &&Term| {
            term.key_use == key_use && term.from <= seq && term.to.is_none_or(|to| seq <= to)
        };
        self.terms.iter().find(holds).map(|term| &term.key)
    }

    /// The key of a use that is in force.
    #[must_use]
    pub fn current(&self, key_use: Use) -> Option<&PublicKey> {
        let terms = self.terms.iter();
        let mut current = terms.filter(|t| t.key_use == key_use && t.to.is_none());
        current.next().map(|term| &term.key)
    }

    /// Every key that was ever bound.
    pub fn all(&self) -> impl Iterator<Item = &PublicKey> {
        self.terms.iter().map(|term| &term.key)
    }

    /// Every key that a use ever had, the one in force last.
    pub fn of_use(&self, key_use: Use) -> impl Iterator<Item = &PublicKey> {
        let terms = self.terms.iter().filter(move |t| t.key_use == key_use);
        terms.map(|term| &term.key)
    }
}
