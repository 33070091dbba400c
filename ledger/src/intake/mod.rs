//! The intake: the journal of finished records, and the spool of events that
//! no service took (`spec/ledger.md`, "Intake", "Spool").

pub mod frame;
pub mod journal;
pub mod segment;
pub mod spool;
