//! The profile: which gates enforce, and from where on (`spec/gates.md`, "Profile").
//!
//! The profile in force is a record of its own; its bytes are hashed as they
//! stand and never re-serialised.

use crate::check;
use crate::gate::Gate;
use crate::gate::claim_unsupported::ClaimUnsupported;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
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
    /// Checks that must pass, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub required: BTreeMap<String, Required>,
    /// Whether a model judges final messages; without it none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<Judge>,
}

/// A check that must pass after code changed for which it speaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Required {
    /// The command, as the profile's author wrote it.
    pub command: String,
    /// The canonical name of what it runs.
    pub runner: String,
    /// The kind of check.
    pub kind: String,
    /// Languages that it speaks for; none stands for any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
}

/// Why a command cannot be required.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RequiredError {
    /// It runs no check that is known.
    #[error("this is no command whose outcome is understood")]
    Unknown,
    /// It runs several.
    #[error("this runs several checks; give each a name of its own")]
    Several,
    /// It looks at a part, or its outcome is hidden.
    #[error("this checks only a part, or hides its outcome")]
    Weak,
}

impl Required {
    /// The check that a command is.
    ///
    /// # Errors
    /// [`RequiredError`] where it is not exactly one whole check.
    pub fn of(command: &str) -> Result<Self, RequiredError> {
        let runs = check::runs(command);
        let [run] = runs.as_slice() else {
            let none = runs.is_empty();
            return Err(if none {
                RequiredError::Unknown
            } else {
                RequiredError::Several
            });
        };
        if run.scope != check::Scope::Whole || !run.exit_reaches || !run.qualifiers.is_empty() {
            return Err(RequiredError::Weak);
        }
        Ok(Self {
            command: command.to_string(),
            runner: run.runner.clone(),
            kind: run.kind.as_str().to_string(),
            languages: run.languages.iter().map(|l| (*l).to_string()).collect(),
        })
    }
}

/// How a model's judgement counts (`spec/judge.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judge {
    /// What its FAIL leads to.
    pub mode: JudgeMode,
    /// In mode `block`: what is no clear answer leads to the same.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub strict: bool,
}

/// What a model's FAIL leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JudgeMode {
    /// The user is told.
    Advise,
    /// The stop is refused while the turn's blocks last.
    Block,
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
            required: BTreeMap::new(),
            judge: None,
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

    /// Whether a finding of that gate refuses a stop. Of the judge's it does only
    /// where the user asked for that.
    #[must_use]
    pub fn enforces(&self, gate: &str) -> bool {
        let judge = self.judge_mode() == Some(JudgeMode::Block);
        self.mode(gate) == Mode::Block && (judge || gate != ClaimUnsupported::ID)
    }

    /// What a model's FAIL leads to, where one is asked.
    #[must_use]
    pub fn judge_mode(&self) -> Option<JudgeMode> {
        self.judge.map(|judge| judge.mode)
    }

    /// Whether a judge that gives no clear answer counts like one that says FAIL.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.judge.is_some_and(|judge| judge.strict)
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
