//! The one error type at the edge, and the one exit-code table (`spec/cli.md`).

use std::fmt;

/// What kind of failure it is, which fixes the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A fault of ours or of the machine.
    Fault,
    /// Wrong arguments.
    Usage,
    /// Input that cannot be read or is malformed.
    Input,
}

impl Kind {
    /// The process's exit code.
    pub(crate) const fn exit_code(self) -> u8 {
        match self {
            Self::Fault => 1,
            Self::Usage => 2,
            Self::Input => 3,
        }
    }
}

/// An error for a person: what happened, where, and what to do.
#[derive(Debug)]
pub(crate) struct Error {
    pub(crate) kind: Kind,
    message: String,
    hint: Option<String>,
}

impl Error {
    /// A fault of ours or of the machine.
    pub(crate) fn fault(message: impl fmt::Display) -> Self {
        Self::new(Kind::Fault, message)
    }

    /// Wrong arguments.
    pub(crate) fn usage(message: impl fmt::Display) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// Input that cannot be read or is malformed.
    pub(crate) fn input(message: impl fmt::Display) -> Self {
        Self::new(Kind::Input, message)
    }

    fn new(kind: Kind, message: impl fmt::Display) -> Self {
        Self {
            kind,
            message: message.to_string(),
            hint: None,
        }
    }

    /// What happened, and where.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    pub(crate) fn remedy(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Says what to do about it.
    pub(crate) fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hint = Some(hint.to_string());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

/// What a command ends with: an exit code of `spec/cli.md`.
pub(crate) type Outcome = Result<u8, Error>;
