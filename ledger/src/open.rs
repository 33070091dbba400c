//! Opening a ledger: what is there is verified before it is trusted, and what
//! can be rebuilt is rebuilt and reported.

use crate::disk::Disk;
use crate::error::{LedgerError, io};
use crate::exchange;
use crate::head::{self, Register};
use crate::intake::journal::{self, Torn};
use crate::keys::KeyRing;
use crate::layout::{self, GENESIS, HEAD, Lock, ROOT, SUSPECT, UNFINISHED, exists};
use crate::ledger::{Health, Ledger};
use crate::read::root_at;
use crate::resume::{Resume, Resumed, Trouble};
use crate::store::watch::Watched;
use crate::store::{Store, Stores};
use receipt_core::hash::{Digest, digest_from_hex};
use std::sync::Arc;

/// How to open a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Drop segments of the journal whose records the store, opened from disk,
    /// was found to hold. Saves the space, and with it the means to rebuild the
    /// store from its first record on.
    pub drop_verified: bool,
}

/// What was found and done while opening.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpenReport {
    /// Number of records.
    pub size: u64,
    /// Records that the store lacked and the journal had.
    pub replayed: u64,
    /// Records that the journal lacked and the store had.
    pub refilled: u64,
    /// A torn write that was cut off the journal. It was never acknowledged.
    pub torn: Option<Torn>,
    /// The store was unusable, and was filled anew from the journal.
    pub rebuilt: Option<Rebuilt>,
    /// The head register was behind and was brought up to this size.
    pub published: Option<u64>,
    /// Segments that were dropped.
    pub dropped: Vec<String>,
}

impl OpenReport {
    /// Whether something happened that a record should tell of. A torn write
    /// is: what it held cannot be told from a damaged acknowledged batch.
    #[must_use]
    pub const fn is_remarkable(&self) -> bool {
        self.rebuilt.is_some() || self.refilled > 0 || self.torn.is_some()
    }
}

/// A store that was filled anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebuilt {
    /// What the old store is called now; `None` if there was none.
    pub aside: Option<String>,
    /// What was wrong with it.
    pub why: String,
    /// How many records were filled in.
    pub records: u64,
}

impl Ledger {
    /// Opens the ledger of a directory. Fills the store from the journal, and
    /// sets a store aside that cannot be used, if the journal reaches back to
    /// the genesis record.
    ///
    /// After an error a store that was opened stays open in this process, and
    /// its files locked: try again in a new one.
    ///
    /// # Errors
    /// [`LedgerError`] naming file, place and remedy; nothing is lost by trying.
    pub fn open(
        disk: Arc<dyn Disk>,
        lock: Lock,
        stores: &mut dyn Stores,
        ring: KeyRing,
        options: Options,
    ) -> Result<(Self, OpenReport), LedgerError> {
        let id = read_marker(&*disk, stores)?;
        let exchanged = exchange::finish(&*disk, stores)?;
        let resume = Resume {
            disk: &disk,
            id,
            ring: &ring,
            options,
        };
        let existed = stores.exists()?;
        let suspicion = suspicion(&*disk)?;
        let attempted = match &suspicion {
            Some(why) if existed => Err(Trouble::Store(why.clone())),
            _ => attempt(&resume, stores, existed),
        };
        let (resumed, rebuilt) = match attempted {
            Ok(resumed) if existed || exchanged => (resumed, None),
            Ok(resumed) => {
                let records = resumed.replayed;
                (resumed, Some(rebuilt(None, "it was missing", records)))
            }
            Err(Trouble::Ledger(error)) => return Err(error),
            Err(Trouble::Store(why)) => rebuild(&resume, stores, &why)?,
        };
        if suspicion.is_some() {
            disk.remove(SUSPECT).map_err(io("remove", SUSPECT))?;
            disk.sync_dir(ROOT).map_err(io("sync", ROOT))?;
        }
        finish(disk, lock, resumed, rebuilt)
    }
}

/// Leaves the mark that the store is not to be trusted: the next open sets it
/// aside and fills another one from the journal, if the journal is whole.
///
/// # Errors
/// [`LedgerError::Io`].
pub fn distrust_store(disk: &dyn Disk, why: &str) -> Result<(), LedgerError> {
    layout::replace(disk, SUSPECT, why.as_bytes())
}

/// Why the store is not to be trusted, if it is marked so.
pub(crate) fn suspicion(disk: &dyn Disk) -> Result<Option<String>, LedgerError> {
    if !exists(disk, SUSPECT)? {
        return Ok(None);
    }
    let bytes = disk.read(SUSPECT, 1 << 16).map_err(io("read", SUSPECT))?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn rebuilt(aside: Option<String>, why: &str, records: u64) -> Rebuilt {
    Rebuilt {
        aside,
        why: why.to_owned(),
        records,
    }
}

/// The ledger's id, from the marker that its creation ended.
fn read_marker(disk: &dyn Disk, stores: &dyn Stores) -> Result<Digest, LedgerError> {
    if !exists(disk, GENESIS)? {
        if exists(disk, UNFINISHED)? {
            return Err(LedgerError::Unfinished);
        }
        let nothing =
            !exists(disk, HEAD)? && journal::list(disk)?.is_empty() && !stores.exists()?;
        return Err(if nothing {
            LedgerError::NoLedger
        } else {
            LedgerError::GenesisMissing
        });
    }
    read_id(disk)
}

/// The ledger's id as the marker has it.
pub(crate) fn read_id(disk: &dyn Disk) -> Result<Digest, LedgerError> {
    let bytes = disk.read(GENESIS, 128).map_err(io("read", GENESIS))?;
    std::str::from_utf8(&bytes)
        .ok()
        .and_then(|text| digest_from_hex(text.strip_suffix('\n')?))
        .ok_or_else(|| LedgerError::Malformed {
            file: GENESIS.to_owned(),
            why: "it is not a ledger id in hexadecimal and a newline".to_owned(),
        })
}

fn attempt(
    resume: &Resume<'_>,
    stores: &mut dyn Stores,
    existed: bool,
) -> Result<Resumed, Trouble> {
    let store = stores.open().map_err(Trouble::from)?;
    resume.run(store, existed)
}

/// Sets the store aside and fills a new one, if the journal is sound from the
/// genesis record up to the head register.
fn rebuild(
    resume: &Resume<'_>,
    stores: &mut dyn Stores,
    why: &str,
) -> Result<(Resumed, Option<Rebuilt>), LedgerError> {
    let tried = resume.dry_run(why)?;
    let reach = tried.state.size();
    let register = head::read(&**resume.disk, &tried.keys)?;
    if register.checkpoint.size > reach {
        return Err(LedgerError::TruncatedOrRolledBack {
            register: register.checkpoint.size,
            store: reach,
        });
    }
    let aside = stores.set_aside()?;
    let resumed = attempt(resume, stores, false).map_err(|trouble| match trouble {
        Trouble::Ledger(error) => error,
        Trouble::Store(why) => LedgerError::Unusable { why },
    })?;
    let records = resumed.replayed;
    Ok((resumed, Some(rebuilt(aside, why, records))))
}

fn finish(
    disk: Arc<dyn Disk>,
    lock: Lock,
    mut resumed: Resumed,
    rebuilt: Option<Rebuilt>,
) -> Result<(Ledger, OpenReport), LedgerError> {
    let register = head::read(&*disk, &resumed.keys)?;
    check_register(&register, &*resumed.store, resumed.state.size())?;
    // Not before: with a register ahead, the bytes were no torn write.
    resumed.journal.cut_torn()?;
    let mut report = OpenReport {
        size: resumed.state.size(),
        replayed: resumed.replayed,
        refilled: resumed.refilled,
        torn: resumed.torn,
        rebuilt,
        published: None,
        dropped: resumed.dropped,
    };
    let mut ledger = Ledger {
        store: Watched::new(resumed.store, &disk),
        disk,
        journal: resumed.journal,
        ring: resumed.ring,
        keys: resumed.keys,
        state: resumed.state,
        unsettled: 0,
        published: register.checkpoint.size,
        health: Health::Well,
        lock: Arc::new(lock),
    };
    ledger.publish_head()?;
    report.published = (ledger.published > register.checkpoint.size).then_some(ledger.published);
    Ok((ledger, report))
}

/// The load rules of the head register.
pub(crate) fn check_register(
    register: &Register,
    store: &dyn Store,
    size: u64,
) -> Result<(), LedgerError> {
    let known = register.checkpoint.size;
    if known > size {
        return Err(LedgerError::TruncatedOrRolledBack {
            register: known,
            store: size,
        });
    }
    if root_at(store, known)? != register.checkpoint.root {
        return Err(LedgerError::Fork { size: known });
    }
    Ok(())
}
