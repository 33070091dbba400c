//! The genesis record's facts (`spec/record.md`, "Genesis").
//!
//! They name the ledger and bind the keys that do its daily work to one
//! pinned identity. Whoever verifies a receipt reads them without the ledger.

use crate::hash::{Digest, digest_from_hex, hex};
use crate::json::strict;
use crate::key::{Binding, KeyError, PrivateKey, PublicKey, Signature, Use};
use crate::record::ledger_id;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// What a genesis record says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Genesis {
    /// The ledger's id: hash of the randomness and the identity key.
    pub ledger: Digest,
    /// The key that users pin.
    pub identity: PublicKey,
    /// One binding for each use, in the order of [`Use::ALL`].
    pub bindings: Vec<Binding>,
}

/// Why facts are no genesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GenesisError {
    /// Not the JSON that the specification asks for.
    #[error("the genesis facts are malformed")]
    Malformed,
    /// A key is refused.
    #[error("a key in the genesis facts is refused: {0}")]
    Key(#[from] KeyError),
    /// The three uses do not stand there once each, in order, each with a key of
    /// its own.
    #[error("the genesis facts do not bind one key of its own to each use in order")]
    Uses,
    /// The identity key did not sign a binding.
    #[error("the identity key did not sign the binding of the {} key", .0.name())]
    Binding(Use),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    genesis: Body,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    random: String,
    identity: String,
    keys: Vec<Bound>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bound {
    #[serde(rename = "use")]
    key_use: String,
    key: String,
    sig: String,
}

/// The facts of a new ledger's genesis record.
#[must_use]
pub fn facts(
    random: &[u8; 32],
    identity: &PrivateKey,
    record: &PublicKey,
    verdict: &PublicKey,
    checkpoint: &PublicKey,
) -> Vec<u8> {
    let ledger = ledger_id(random, &identity.public());
    let keys = Use::ALL
        .into_iter()
        .zip([record, verdict, checkpoint])
        .map(|(key_use, key)| bound(&Binding::new(identity, &ledger, key_use, *key)))
        .collect();
    let facts = Facts {
        genesis: Body {
            random: hex(random),
            identity: hex(identity.public().as_bytes()),
            keys,
        },
    };
    // Strings and a list of structs: serialising them cannot fail.
    serde_json::to_vec(&facts).unwrap_or_default()
}

fn bound(binding: &Binding) -> Bound {
    Bound {
        key_use: binding.key_use.name().to_string(),
        key: hex(binding.key.as_bytes()),
        sig: hex(&binding.signature),
    }
}

/// Reads genesis facts and checks every binding.
///
/// # Errors
/// [`GenesisError`] naming what is wrong.
pub fn parse(bytes: &[u8]) -> Result<Genesis, GenesisError> {
    strict::parse(bytes).map_err(|_| GenesisError::Malformed)?;
    let facts: Facts = serde_json::from_slice(bytes).map_err(|_| GenesisError::Malformed)?;
    let random = digest_from_hex(&facts.genesis.random).ok_or(GenesisError::Malformed)?;
    let identity = public_key(&facts.genesis.identity)?;
    let ledger = ledger_id(&random, &identity);
    if facts.genesis.keys.len() != Use::ALL.len() {
        return Err(GenesisError::Uses);
    }
    let bindings = Use::ALL
        .into_iter()
        .zip(&facts.genesis.keys)
        .map(|(key_use, bound)| binding(key_use, bound, &identity, &ledger))
        .collect::<Result<Vec<_>, _>>()?;
    let mut keys: Vec<&PublicKey> = bindings.iter().map(|b| &b.key).collect();
    while let Some(key) = keys.pop() {
        if *key == identity || keys.contains(&key) {
            return Err(GenesisError::Uses);
        }
    }
    Ok(Genesis {
        ledger,
        identity,
        bindings,
    })
}

fn binding(
    key_use: Use,
    bound: &Bound,
    identity: &PublicKey,
    ledger: &Digest,
) -> Result<Binding, GenesisError> {
    if bound.key_use != key_use.name() {
        return Err(GenesisError::Uses);
    }
    let binding = Binding {
        key_use,
        key: public_key(&bound.key)?,
        signature: signature(&bound.sig)?,
    };
    if binding.holds(identity, ledger) {
        Ok(binding)
    } else {
        Err(GenesisError::Binding(key_use))
    }
}

fn public_key(text: &str) -> Result<PublicKey, GenesisError> {
    let bytes = digest_from_hex(text).ok_or(GenesisError::Malformed)?;
    Ok(PublicKey::from_bytes(&bytes)?)
}

pub(crate) fn signature(text: &str) -> Result<Signature, GenesisError> {
    data_encoding::HEXLOWER
        .decode(text.as_bytes())
        .ok()
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or(GenesisError::Malformed)
}

impl Genesis {
    /// The key bound to a use.
    #[must_use]
    pub fn key(&self, key_use: Use) -> Option<&PublicKey> {
        self.bindings
            .iter()
            .find(|b| b.key_use == key_use)
            .map(|b| &b.key)
    }
}
