//! The ledger of `receipt`: an append-only, signed, chained log on disk
//! (`spec/ledger.md`).
//!
//! What is acknowledged stands in the intake journal, synced. sled holds the
//! same records in an order that can be queried and can always be rebuilt from
//! the journal. Clocks and randomness are passed in; files are touched through
//! [`disk::Disk`] alone, sled through [`store::Store`].
#![forbid(unsafe_code)]

mod append;
pub mod audit;
mod check;
mod create;
pub mod disk;
pub mod error;
mod exchange;
pub mod head;
mod heads;
pub mod intake;
pub mod keys;
pub mod layout;
pub mod ledger;
mod open;
mod prune;
mod read;
pub mod recover;
mod refill;
mod resume;
mod state;
pub mod store;
pub mod stored;
pub mod testing;
mod view;

pub use append::Checkpointed;
pub use audit::{Audit, AuditReport, Fault};
pub use disk::{Disk, FsDisk};
pub use error::LedgerError;
pub use intake::journal::Torn;
pub use intake::spool::Spool;
pub use keys::KeyRing;
pub use layout::Lock;
pub use ledger::Ledger;
pub use open::{OpenReport, Options, Rebuilt, distrust_store};
pub use prune::Prunable;
pub use read::Range;
pub use recover::{Findings, Recovery};
pub use store::memory::MemoryStores;
pub use store::sled::SledStores;
pub use store::{Store, StoreError, Stores};
pub use view::View;
