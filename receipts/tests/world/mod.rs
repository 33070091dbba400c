//! A ledger in memory, with fixed seeds, and turns to record in it.

mod edit;
mod facts;
mod ledger;

pub(crate) use edit::*;
pub(crate) use facts::*;
pub(crate) use ledger::*;
