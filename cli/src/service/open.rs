//! Making and opening the ledger of a home.

use crate::error::Error;
use crate::home::Home;
use crate::keys::Keys;
use crate::world::clock::{self, Deadline};
use crate::world::random;
use receipt_core::commit::Content;
use receipt_core::genesis;
use receipt_core::hash::{Context, Digest, hash};
use receipt_core::record::{Kind, LEDGER_STREAM};
use receipt_core::redact;
use receipt_core::seal::Draft;
use receipt_ledger::{
    FsDisk, KeyRing, Ledger, LedgerError, Lock, OpenReport, Options, Recovery, SledStores,
    StoreError,
};
use std::sync::Arc;
use std::time::Duration;

/// How long a process that ends may take to close its store.
const CLOSING: Duration = Duration::from_secs(2);

/// Where the stores lie: in the ledger folder.
fn stores(home: &Home) -> SledStores {
    SledStores::new(home.ledger())
}

fn ring(keys: &Keys) -> KeyRing {
    KeyRing {
        record: keys.record.clone(),
        checkpoint: keys.checkpoint.clone(),
        next: keys.next.clone(),
    }
}

/// Makes a new ledger with its genesis record.
///
/// # Errors
/// Where one is there already, or the folder cannot be written.
pub(crate) fn create_ledger(home: &Home, keys: &Keys) -> Result<Ledger, Error> {
    let facts = genesis::facts(
        &random::bytes32()?,
        &keys.identity,
        &keys.record.public(),
        &keys.verdict.public(),
        &keys.checkpoint.public(),
    );
    let draft = ledger_draft(Kind::Genesis, facts)?;
    let disk = Arc::new(FsDisk::new(home.ledger()));
    let lock = Lock::acquire(&*disk).map_err(ledger_error)?;
    let time = clock::time(clock::boot_id());
    Ledger::create(disk, lock, &mut stores(home), ring(keys), draft, time).map_err(ledger_error)
}

/// Opens the ledger with the keys that are in force; `None` where another process
/// has it. The keys are read under the lock: whoever had it may have changed them.
///
/// # Errors
/// Where there is none, or it is damaged.
pub(crate) fn open_ledger(home: &Home) -> Result<Option<(Ledger, OpenReport, Keys)>, Error> {
    let deadline = Deadline::after(CLOSING);
    let options = Options {
        drop_verified: false,
    };
    loop {
        let disk = Arc::new(FsDisk::new(home.ledger()));
        let lock = match Lock::acquire(&*disk) {
            Err(LedgerError::Locked) => return Ok(None),
            other => other.map_err(ledger_error)?,
        };
        let mut keys = Keys::load(home)?;
        match Ledger::open(disk, lock, &mut stores(home), ring(&keys), options) {
            // The process before let go of the ledger and still closes its store.
            Err(LedgerError::Store(StoreError::Locked)) if deadline.left().is_some() => {
                std::thread::sleep(Duration::from_millis(2));
            }
            opened => {
                let (ledger, report) = opened.map_err(ledger_error)?;
                keys.settle(home, ledger.keys())?;
                keys.refuse_others(ledger.keys()).map_err(ledger_error)?;
                return Ok(Some((ledger, report, keys)));
            }
        }
    }
}

/// Looks at what is left of a ledger; waits a little for the process that has it.
///
/// # Errors
/// Where there is none, nothing of it verifies, or another process keeps it.
pub(crate) fn examine_ledger(home: &Home) -> Result<Recovery, Error> {
    let deadline = Deadline::after(CLOSING);
    loop {
        let disk = Arc::new(FsDisk::new(home.ledger()));
        let lock = match Lock::acquire(&*disk) {
            Err(LedgerError::Locked) if deadline.left().is_some() => {
                std::thread::sleep(Duration::from_millis(5));
                continue;
            }
            other => other.map_err(ledger_error)?,
        };
        // Read under the lock: whoever had it may have changed them.
        let ring = ring(&Keys::load(home)?);
        match Recovery::examine(disk, lock, &mut stores(home), ring, &mut |_| {}) {
            Err(LedgerError::Store(StoreError::Locked)) if deadline.left().is_some() => {
                std::thread::sleep(Duration::from_millis(5));
            }
            other => return other.map_err(ledger_error),
        }
    }
}

/// A draft in the ledger's own stream, with facts alone.
pub(crate) fn ledger_draft(kind: Kind, facts: Vec<u8>) -> Result<Draft, Error> {
    Ok(Draft {
        kind,
        flags: 0,
        stream: LEDGER_STREAM,
        client_event: 0,
        client_us: 0,
        policy: redaction_policy(),
        secret: random::bytes32()?,
        content: Content::of_facts(facts),
    })
}

/// Digest of the redaction policy of this version.
pub(crate) fn redaction_policy() -> Digest {
    hash(Context::RedactionPolicy, redact::policy().as_bytes())
}

/// A ledger error at the edge.
pub(crate) fn ledger_error(error: LedgerError) -> Error {
    Error::fault(error)
}
