//! A ledger in memory, with fixed seeds, and turns to record in it.

mod facts;
mod ledger;

pub(crate) use facts::*;
pub(crate) use ledger::*;
