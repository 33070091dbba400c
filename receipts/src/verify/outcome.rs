//! How a verification ends: one word and one exit code (`spec/cli.md`).

/// The result of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Every step passed under a pinned key.
    Verified,
    /// Something stands against it; the gravest.
    Failed(Fault),
}

/// What stands against a receipt, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The file is too large to be looked at.
    Unreadable,
    /// It does not hang together.
    Invalid,
    /// It needs something that this version does not know.
    Unsupported,
    /// It conflicts with a checkpoint known to the verifier.
    Contradicted,
    /// The signature holds, but the fold gives another verdict.
    Mismatch,
    /// It hangs together, but its key is not trusted.
    Unpinned,
    /// It is authentic, and its verdict is that the turn was not in order.
    Blocked,
    /// It is authentic, but an input of the verdict is withheld.
    Undetermined,
    /// It speaks of another tree, or a later verdict replaced it.
    Stale,
    /// It is authentic, but weaker than asked for.
    Policy,
}

impl Outcome {
    /// The result word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Verified => "VERIFIED",
            Self::Failed(fault) => fault.word(),
        }
    }

    /// The process exit code.
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Verified => 0,
            Self::Failed(fault) => fault.exit_code(),
        }
    }
}

impl Fault {
    /// The result word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unreadable => "UNREADABLE",
            Self::Invalid => "INVALID",
            Self::Unsupported => "UNSUPPORTED",
            Self::Contradicted => "CONTRADICTED",
            Self::Mismatch => "MISMATCH",
            Self::Unpinned => "UNPINNED",
            Self::Blocked => "BLOCKED",
            Self::Undetermined => "UNDETERMINED",
            Self::Stale => "STALE",
            Self::Policy => "POLICY",
        }
    }

    /// The process exit code.
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Unreadable => 3,
            Self::Blocked => 10,
            Self::Undetermined => 12,
            Self::Policy => 13,
            Self::Unpinned => 20,
            Self::Stale => 21,
            Self::Contradicted => 30,
            Self::Mismatch => 31,
            Self::Invalid => 40,
            Self::Unsupported => 41,
        }
    }
}
