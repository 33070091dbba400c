//! Verdicts, findings and actions (`spec/gates.md`, "Verdict").
//!
//! The verdict follows from evidence alone; the action is what was done about
//! it. Yielding, warning, switching a gate off or waiving never changes the
//! verdict.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use crate::facts::{Carry, CheckId};

/// What the evidence says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing stands against stopping.
    Pass,
    /// A finding stands.
    Block,
    /// A withheld input: neither can be said.
    Undetermined,
}

/// On what a pass rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The code at the stop is the code that a passing check covered.
    Checked,
    /// Files differ from what is covered, in at most 14 lines that count.
    Small,
    /// No code changed.
    NoCode,
    /// Background work is still running.
    Open,
    /// No worktree snapshot ties the check to the code.
    Unanchored,
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// The agent may stop; there was nothing to enforce.
    Allowed,
    /// The agent was refused its stop.
    Blocked,
    /// A finding stands, but the turn's blocks are spent.
    Yielded,
    /// A finding stands; the profile asks only for a warning.
    Warned,
    /// A finding stands; the profile switched its gate off.
    Off,
    /// A finding stands; a person waived it.
    Waived,
}

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Shown, never blocking.
    Note,
    /// Shown as advice.
    Advice,
    /// Blocks once.
    Soft,
    /// Blocks twice.
    Hard,
}

/// One thing a gate has to say. Its text is made at the edge and never compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The gate.
    pub gate: String,
    /// The gate's version.
    pub version: u32,
    /// Its weight.
    pub severity: Severity,
    /// What it says, as a code of `spec/gates.md`.
    pub code: String,
    /// The check it speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<CheckId>,
    /// Numbers it names, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub numbers: BTreeMap<String, i64>,
    /// Words it names, by name: path ids, kinds, codes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<String, String>,
    /// The records it rests on.
    pub records: Vec<u64>,
}

impl Finding {
    /// Whether it stands against stopping.
    #[must_use]
    pub fn blocks(&self) -> bool {
        self.severity >= Severity::Soft
    }
}

/// The facts of a verdict record: a pure function of the records before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictFacts {
    /// The record that opened the turn.
    pub turn: u64,
    /// The stop request that is answered.
    pub stop: u64,
    /// What the evidence says.
    pub verdict: Verdict,
    /// On what a pass rests; absent unless the verdict is pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// What was done.
    pub action: Action,
    /// Every finding, the heaviest first, notes included.
    pub findings: Vec<Finding>,
    /// Digest of the profile in force.
    pub profile: String,
    /// The observer's version.
    pub observer: u32,
    /// Gates that decided, with their versions.
    pub gates: BTreeMap<String, u32>,
    /// Tree of the worktree at the stop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
    /// Tree before the covering check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked_tree: Option<String>,
    /// Commit the worktree stands on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Id of the repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// What the turn before had left open and this one did not clear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<Carry>,
    /// What this verdict leaves open for the next turn (`seq` is 0 here and
    /// becomes this record's number there).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carry: Option<Carry>,
    /// Blocks issued in this turn, this one included.
    pub blocks: u64,
}

macro_rules! words {
    ($type:ty { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $type {
            /// The word used in records, statements and output.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }
    };
}
words!(Verdict { Pass => "pass", Block => "block", Undetermined => "undetermined" });
words!(Basis { Checked => "checked", Small => "small", NoCode => "no-code", Open => "open", Unanchored => "unanchored" });
words!(Action { Allowed => "allowed", Blocked => "blocked", Yielded => "yielded", Warned => "warned", Off => "off", Waived => "waived" });
words!(Severity { Note => "note", Advice => "advice", Soft => "soft", Hard => "hard" });
