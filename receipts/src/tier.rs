//! Trust tiers: how far the records were out of the agent's reach.

use serde::Serialize;

/// How a ledger was kept, by the word of the one who signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// The agent's user can read the keys: evidence against outsiders and accidents.
    SameUser,
    /// The service runs as a user of its own: records cannot be changed by the agent's.
    SeparateUser,
    /// The checkpoint is anchored outside the machine.
    Witnessed,
    /// Checks were executed again by CI.
    Ci,
}

impl Tier {
    /// All tiers, the weakest first.
    pub const ALL: [Self; 4] = [
        Self::SameUser,
        Self::SeparateUser,
        Self::Witnessed,
        Self::Ci,
    ];

    /// The word in statements and on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::SameUser => "same-user",
            Self::SeparateUser => "separate-user",
            Self::Witnessed => "witnessed",
            Self::Ci => "ci",
        }
    }

    /// The tier of that word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.word() == word)
    }

    /// The strongest tier that a receipt of version 1 can show: nothing in it
    /// proves a witness or a second run, so those remain a claim.
    #[must_use]
    pub fn shown(self) -> Self {
        self.min(Self::SeparateUser)
    }
}
