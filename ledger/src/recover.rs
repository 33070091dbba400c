//! Recovering a ledger that refuses to open: what verifies from the first record
//! on is kept, what does not is set aside, and a record says so
//! (`spec/ledger.md`, "Recovering").

mod gather;

use crate::append::own_draft;
use crate::disk::Disk;
use crate::error::{LedgerError, io};
use crate::exchange::{self, Old};
use crate::head::open_note;
use crate::intake::journal::Journal;
use crate::keys::KeyRing;
use crate::layout::{GENESIS, HEAD, INTAKE, Lock, exists, replace};
use crate::ledger::{Health, Ledger};
use crate::open::suspicion;
use crate::resume::Resume;
use crate::store::memory::MemoryStores;
use crate::store::{Store, Stores};
use gather::Gather;
use receipt_core::hash::{Digest, hex};
use receipt_core::keychain::KeyChain;
use receipt_core::limits::MAX_NOTE;
use receipt_core::record::Kind;
use receipt_core::seal::Time;
use std::sync::Arc;

/// What was found of a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Findings {
    /// Records that verify, from the first on without a gap.
    pub records: u64,
    /// Records that there were, as far as anything tells.
    pub known: u64,
    /// What is wrong, in words for a person.
    pub wrong: Vec<String>,
    /// The head register's note, if a key of the ledger signed it.
    pub register: Option<String>,
}

impl Findings {
    /// Records that are lost.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.known.saturating_sub(self.records)
    }
}

/// A ledger that was looked at and can be written anew.
pub struct Recovery {
    disk: Arc<dyn Disk>,
    ring: KeyRing,
    keys: KeyChain,
    under: Arc<dyn Disk>,
    journal: Journal,
    /// What was found.
    pub findings: Findings,
    _lock: Lock,
}

impl std::fmt::Debug for Recovery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recovery")
            .field("findings", &self.findings)
            .finish_non_exhaustive()
    }
}

impl Recovery {
    /// Looks at everything that is left, and writes what verifies to a new
    /// journal beside the old one. The ledger itself is not changed. `progress`
    /// is told the number of records so far.
    ///
    /// # Errors
    /// [`LedgerError::NoLedger`] where there is nothing at all;
    /// [`LedgerError::Missing`] where not even the genesis record is left;
    /// [`LedgerError::KeyNotBound`] where the keys here are not its keys.
    pub fn examine(
        disk: Arc<dyn Disk>,
        lock: Lock,
        stores: &mut dyn Stores,
        ring: KeyRing,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, LedgerError> {
        exchange::finish(&*disk, stores)?;
        let mut findings = Findings::default();
        let store = open_store(&*disk, stores, &mut findings)?;
        let keys = gather::keys(&*disk, store.as_deref(), &mut findings)?;
        check_marker(&*disk, &keys, &mut findings)?;
        check_mark(&*disk, &mut findings);
        let under = exchange::begin(&disk)?;
        let journal = Journal::open(Arc::clone(&under), *keys.ledger())?;
        let note = read_register(&*disk, &mut findings)?;
        let stated = note.as_deref().map_or(0, stated_size);
        let signers = (keys, &ring.checkpoint);
        let mut gather = Gather::new(&*disk, store.as_deref(), signers, journal, stated);
        gather.run(&mut findings, progress)?;
        let root = gather.watched_root();
        let (journal, keys) = gather.finish();
        if let Some(note) = note {
            check_register(note, &keys, root, &mut findings);
        }
        Ok(Self {
            journal,
            ring: ring.fit(&keys)?,
            disk,
            keys,
            under,
            findings,
            _lock: lock,
        })
    }

    /// Makes what verifies the ledger: adds a `recovery` record that tells what
    /// was lost, and a checkpoint. The old files are kept in a folder that is
    /// named. The exchange itself is left to the next opening, in a new process.
    ///
    /// # Errors
    /// [`LedgerError`]; then nothing has changed, and it can be tried again.
    pub fn accept(
        self,
        policy: Digest,
        secrets: [Digest; 2],
        time: Time,
    ) -> Result<String, LedgerError> {
        let aside = self.aside()?;
        let [secret, heads_secret] = secrets;
        let told = own_draft(
            Kind::Recovery,
            facts(&self.findings, &aside),
            policy,
            secret,
        );
        replace(&*self.disk, GENESIS, marker(&self.keys).as_bytes())?;
        let mut ledger = self.fresh()?;
        ledger.append_with_checkpoint(vec![told], heads_secret, time)?;
        ledger.publish_head()?;
        let segments = ledger.journal.segments().to_vec();
        exchange::decide(&*self.disk, &segments, Old::Aside(aside.clone()))?;
        Ok(aside)
    }

    /// The new journal, verified from its first record on, as a ledger to append
    /// to; its store is none that lasts.
    fn fresh(&self) -> Result<Ledger, LedgerError> {
        let resume = Resume {
            disk: &self.under,
            id: *self.keys.ledger(),
            ring: &self.ring,
            options: crate::Options::default(),
        };
        let state = resume.dry_run("it is being recovered")?.state;
        let mut journal = Journal::open(Arc::clone(&self.under), *self.keys.ledger())?;
        if let Some(last) = self.journal.segments().last() {
            journal.read(*last)?;
        }
        Ok(Ledger {
            store: MemoryStores::new().open()?,
            disk: Arc::clone(&self.under),
            journal,
            ring: self.ring.clone(),
            keys: self.keys.clone(),
            state,
            unsettled: 0,
            published: 0,
            health: Health::Well,
            lock: Arc::new(Lock::none()),
        })
    }

    /// A folder that is not there yet.
    fn aside(&self) -> Result<String, LedgerError> {
        for n in 1..u32::MAX {
            let name = format!("recovered-{n}");
            if self.disk.list(&name).map_err(io("list", &name))?.is_empty() {
                return Ok(name);
            }
        }
        Err(LedgerError::TooLarge("the number of recoveries"))
    }
}

fn marker(keys: &KeyChain) -> String {
    format!("{}\n", hex(keys.ledger()))
}

/// The store, if it opens; what is wrong with it otherwise.
fn open_store(
    disk: &dyn Disk,
    stores: &mut dyn Stores,
    findings: &mut Findings,
) -> Result<Option<Box<dyn Store>>, LedgerError> {
    if !stores.exists()? {
        let nothing = !exists(disk, HEAD)?
            && !exists(disk, GENESIS)?
            && disk.list(INTAKE).map_err(io("list", INTAKE))?.is_empty();
        if nothing {
            return Err(LedgerError::NoLedger);
        }
        findings.wrong.push("there is no store".to_owned());
        return Ok(None);
    }
    match stores.open() {
        Ok(store) => Ok(Some(store)),
        Err(error) if error.is_broken() => {
            findings.wrong.push(format!("the store: {error}"));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

fn check_marker(
    disk: &dyn Disk,
    keys: &KeyChain,
    findings: &mut Findings,
) -> Result<(), LedgerError> {
    let there = exists(disk, GENESIS)?;
    if gather::marked(disk) != Some(*keys.ledger()) {
        let what = if there { "is damaged" } else { "is missing" };
        findings.wrong.push(format!("`{GENESIS}` {what}"));
    }
    Ok(())
}

/// The head register's text, if it is there.
fn read_register(disk: &dyn Disk, findings: &mut Findings) -> Result<Option<String>, LedgerError> {
    if !exists(disk, HEAD)? {
        let what = format!("the head register `{HEAD}` is missing");
        findings.wrong.push(what);
        return Ok(None);
    }
    match disk.read(HEAD, MAX_NOTE as u64) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) => {
            let what = format!("the head register `{HEAD}` cannot be read: {error}");
            findings.wrong.push(what);
            Ok(None)
        }
    }
}

/// A mark on the store that cannot be read keeps the ledger from opening; one
/// that can be has the store rebuilt.
fn check_mark(disk: &dyn Disk, findings: &mut Findings) {
    if let Err(error) = suspicion(disk) {
        findings.wrong.push(error.to_string());
    }
}

/// The size that a note states, its signature not looked at.
fn stated_size(note: &str) -> u64 {
    note.lines()
        .nth(1)
        .and_then(|line| line.parse().ok())
        .unwrap_or(0)
}

/// What the register says beside what the records yield; `root` is theirs at
/// the size that it states, if they reach it.
fn check_register(note: String, keys: &KeyChain, root: Option<Digest>, findings: &mut Findings) {
    let checkpoint = match open_note(&note, keys) {
        Ok(checkpoint) => checkpoint,
        Err(error) => return findings.wrong.push(format!("the head register: {error}")),
    };
    let size = checkpoint.size;
    if size > findings.records {
        findings.known = findings.known.max(size);
        findings.wrong.push(format!(
            "the head register names {size} records, {} are left",
            findings.records
        ));
    } else if root != Some(checkpoint.root) {
        findings.wrong.push(format!(
            "fork: at {size} records the head register names another root than they yield"
        ));
    }
    findings.register = Some(note);
}

fn facts(findings: &Findings, aside: &str) -> Vec<u8> {
    serde_json::json!({"recovery": {
        "records": findings.records,
        "lost": findings.lost(),
        "wrong": findings.wrong,
        "register": findings.register,
        "aside": aside,
    }})
    .to_string()
    .into_bytes()
}
