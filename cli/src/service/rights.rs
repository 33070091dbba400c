//! Who may ask a service for what.

use crate::home::own_user;
use crate::wire::{Query, ToService};

/// Whom a service is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Its own user, and root.
    Keeper,
    /// Every user of the machine.
    Everyone,
}

/// What a client may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rights {
    /// Everything.
    Keep,
    /// Report what happens to it, and have its own receipts.
    Report,
}

impl Rights {
    /// A user's; `None` for a stranger.
    pub(crate) fn of(user: u32, audience: Audience) -> Option<Self> {
        if user == 0 || user == own_user() {
            Some(Self::Keep)
        } else if audience == Audience::Everyone {
            Some(Self::Report)
        } else {
            None
        }
    }

    /// Whether a message is allowed.
    pub(crate) const fn allow(self, message: &ToService) -> bool {
        match (self, message) {
            (Self::Keep, _)
            | (
                Self::Report,
                ToService::Event(_)
                | ToService::Spooled(_)
                | ToService::Snapshot(_)
                | ToService::Transcript(_)
                | ToService::Judged(_)
                | ToService::Query(
                    Query::Status
                    | Query::Export(_)
                    | Query::Checkpoint { .. }
                    | Query::Consistency { .. },
                ),
            ) => true,
            (
                Self::Report,
                ToService::Query(Query::Stop | Query::Records { .. } | Query::Audit),
            ) => false,
        }
    }
}
