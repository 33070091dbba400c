//! The profile: which gates enforce, and from where on (`spec/gates.md`, "Profile").
//!
//! The profile in force is a record of its own; its bytes are hashed as they
//! stand and never re-serialised.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use receipt_core::hash::{Context, Digest, hash};
use serde::{Deserialize, Serialize};

/// What a gate's finding leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The stop is refused while the turn's blocks last.
    Block,
    /// The user is told.
    Warn,
    /// Nothing happens; the finding is recorded.
    Off,
}

/// Lines of code churn from which `change-unverified` speaks, by default.
pub const DEFAULT_CHURN: u64 = 15;

/// Which gates enforce, and from where on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Format version, 1.
    pub version: u32,
    /// Mode of each gate that differs from `block`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub gates: BTreeMap<String, Mode>,
    /// Lines of code churn from which `change-unverified` speaks.
    #[serde(default = "default_churn")]
    pub churn: u64,
}

const fn default_churn() -> u64 {
    DEFAULT_CHURN
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            version: 1,
            gates: BTreeMap::new(),
            churn: DEFAULT_CHURN,
        }
    }
}

/// Why a profile's bytes are refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// Not strict JSON of this shape.
    #[error("the profile is malformed")]
    Malformed,
    /// A later format.
    #[error("profile version {0} is not known here")]
    Version(u32),
}

impl Profile {
    /// Reads a profile's bytes.
    ///
    /// # Errors
    /// [`ProfileError`] for other shapes and later versions.
    pub fn parse(bytes: &[u8]) -> Result<Self, ProfileError> {
        let value =
            receipt_core::json::strict::parse(bytes).map_err(|_| ProfileError::Malformed)?;
        let profile: Self = serde_json::from_value(value).map_err(|_| ProfileError::Malformed)?;
        if profile.version != 1 {
            return Err(ProfileError::Version(profile.version));
        }
        Ok(profile)
    }

    /// The bytes of a profile that is made here.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The mode of a gate.
    #[must_use]
    pub fn mode(&self, gate: &str) -> Mode {
        self.gates.get(gate).copied().unwrap_or(Mode::Block)
    }

    /// How it is weaker than the default, one code for each way.
    #[must_use]
    pub fn weaknesses(&self) -> Vec<String> {
        let mut found: Vec<String> = self
            .gates
            .iter()
            .filter(|(_, mode)| **mode != Mode::Block)
            .map(|(gate, mode)| alloc::format!("{gate}={mode:?}").to_lowercase())
            .collect();
        if self.churn > DEFAULT_CHURN {
            found.push(alloc::format!("churn={}", self.churn));
        }
        found
    }
}

/// The digest of a profile's bytes.
#[must_use]
pub fn digest(bytes: &[u8]) -> Digest {
    hash(Context::Profile, bytes)
}
