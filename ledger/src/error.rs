//! What can go wrong with a ledger: one type, each case with file, place and
//! remedy.

use crate::store::StoreError;
use receipt_core::checkpoint::NoteError;
use receipt_core::genesis::GenesisError;

/// Why a ledger refuses.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// A file operation failed.
    #[error("cannot {action} `{file}` in the ledger directory: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file, relative to the ledger directory.
        file: String,
        /// The system's word.
        source: std::io::Error,
    },
    /// The store failed.
    #[error("the store failed: {0}; nothing acknowledged is lost, the next opening mends it")]
    Store(#[from] StoreError),
    /// Another process has the ledger.
    #[error("another process has the ledger; ask the service, or stop it first")]
    Locked,
    /// There is no ledger.
    #[error("there is no ledger here; `receipt init` makes one")]
    NoLedger,
    /// Its creation was interrupted.
    #[error("the creation of the ledger was interrupted; `receipt init` begins it again")]
    Unfinished,
    /// Files of a ledger are there, but not the marker that its creation ended.
    #[error("`genesis` is missing beside the files of a ledger; `receipt recover` examines them")]
    GenesisMissing,
    /// A ledger is there already.
    #[error("a ledger is here already (`{0}`); it is never overwritten")]
    Exists(String),
    /// A small file of the ledger is malformed.
    #[error("`{file}` is malformed: {why}; `receipt recover` examines it")]
    Malformed {
        /// The file.
        file: String,
        /// What is wrong.
        why: String,
    },
    /// The intake is damaged where a torn write cannot explain it.
    #[error("`{file}` is damaged at byte {offset}: {why}; `receipt recover` examines it")]
    Damaged {
        /// The segment.
        file: String,
        /// Where.
        offset: u64,
        /// What is wrong.
        why: &'static str,
    },
    /// The journal does not reach what the store lacks.
    #[error(
        "records {from} to {to} are in neither store nor intake; restore a copy or run `receipt recover`"
    )]
    Missing {
        /// The first missing record.
        from: u64,
        /// The first record after the gap.
        to: u64,
    },
    /// The store cannot be used and cannot be rebuilt.
    #[error(
        "the store cannot be used ({why}) and the intake does not reach back to the genesis record; \
         restore a copy of the ledger directory or run `receipt recover`"
    )]
    Unusable {
        /// What is wrong with the store.
        why: String,
    },
    /// The register knows more than the store holds.
    #[error(
        "truncated or rolled back: the head register names {register} records, {store} are here; \
         restore the rest or run `receipt recover`"
    )]
    TruncatedOrRolledBack {
        /// Size in the register.
        register: u64,
        /// Size found.
        store: u64,
    },
    /// Another history than the register's.
    #[error(
        "fork: at {size} records the head register names another root than the records yield; \
         run `receipt recover`"
    )]
    Fork {
        /// The size at which both differ.
        size: u64,
    },
    /// The head register is gone.
    #[error("the head register `head` is missing; run `receipt recover`")]
    HeadMissing,
    /// A signed note is refused.
    #[error("the note in `{file}` is refused: {source}; run `receipt recover`")]
    Note {
        /// Where the note stands.
        file: String,
        /// Why.
        source: NoteError,
    },
    /// The genesis record is refused.
    #[error("the genesis record is refused: {0}")]
    Genesis(#[from] GenesisError),
    /// The genesis record is of another ledger than the marker.
    #[error("the genesis record is of another ledger than `genesis` names; run `receipt recover`")]
    OtherLedger,
    /// A private key is not the one bound in the genesis record.
    #[error(
        "the {0} key in keys/ is not the one that this ledger has in force; put back the keys that belong to it"
    )]
    KeyNotBound(&'static str),
    /// A record is wrong.
    #[error("record {seq}: {why}; run `receipt audit`")]
    Record {
        /// Its number.
        seq: u64,
        /// What is wrong.
        why: &'static str,
    },
    /// A draft is larger than the limits.
    #[error("the draft is larger than a record may be: {0}")]
    TooLarge(&'static str),
    /// A draft cannot stand where it was put.
    #[error("the draft is refused: {0}")]
    Draft(&'static str),
    /// An earlier error left it open what is on disk.
    #[error("an earlier write failed, so nothing is appended until the ledger is opened again")]
    Poisoned,
    /// A name for a spooled file is refused.
    #[error("`{0}` is no name for a spooled file")]
    SpoolName(String),
}

/// Wraps an operating system error with what was tried on which file.
pub(crate) fn io<'a>(
    action: &'static str,
    file: &'a str,
) -> impl FnOnce(std::io::Error) -> LedgerError + 'a {
    move |source| LedgerError::Io {
        action,
        file: if file.is_empty() { "." } else { file }.to_owned(),
        source,
    }
}
