//! Which parts of the records a receipt discloses.

use receipt_core::commit::Group;

/// What is disclosed; everything else is there as a commitment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disclose {
    /// The facts, which the gates fold. Without them the verdict cannot be
    /// computed again and the receipt is UNDETERMINED.
    pub facts: bool,
    /// The paths behind the path ids.
    pub paths: bool,
    /// The commands behind the runs.
    pub commands: bool,
    /// Prompts and messages.
    pub texts: bool,
    /// Raw payloads and excerpts.
    pub evidence: bool,
}

impl Disclose {
    /// Facts alone: enough to fold the verdict again, and no more.
    #[must_use]
    pub const fn facts_only() -> Self {
        Self {
            facts: true,
            paths: false,
            commands: false,
            texts: false,
            evidence: false,
        }
    }

    /// Everything.
    #[must_use]
    pub const fn everything() -> Self {
        Self {
            facts: true,
            paths: true,
            commands: true,
            texts: true,
            evidence: true,
        }
    }

    /// Whether a group is disclosed.
    #[must_use]
    pub const fn group(&self, group: Group) -> bool {
        match group {
            Group::Facts => self.facts,
            Group::Paths => self.paths,
            Group::Commands => self.commands,
            Group::Texts => self.texts,
        }
    }
}

impl Default for Disclose {
    fn default() -> Self {
        Self::facts_only()
    }
}
