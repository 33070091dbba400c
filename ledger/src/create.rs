//! Making a new ledger: an explicit act, never a fallback.

use crate::append::too_large;
use crate::disk::Disk;
use crate::error::{LedgerError, io};
use crate::head;
use crate::intake::journal::{self, Journal};
use crate::intake::segment;
use crate::keys::KeyRing;
use crate::layout::{GENESIS, HEAD, INTAKE, Lock, ROOT, SPOOL, UNFINISHED, exists, replace};
use crate::ledger::{Health, Ledger};
use crate::state::{Stage, State};
use crate::store::Stores;
use crate::store::watch::Watched;
use crate::stored::encode;
use receipt_core::checkpoint::Checkpoint;
use receipt_core::genesis;
use receipt_core::hash::hex;
use receipt_core::keychain::KeyChain;
use receipt_core::record::{Kind, LEDGER_STREAM};
use receipt_core::seal::{Draft, Time, seal};
use receipt_core::tree::{Frontier, empty_root};
use std::sync::Arc;

impl Ledger {
    /// Makes a new ledger. The draft's facts come from [`genesis::facts`] and
    /// bind the keys of `ring`. The marker gets its name last, so a creation
    /// that was interrupted can be begun again.
    ///
    /// # Errors
    /// [`LedgerError::Exists`] if there is anything of a ledger already.
    pub fn create(
        disk: Arc<dyn Disk>,
        lock: Lock,
        stores: &mut dyn Stores,
        ring: KeyRing,
        genesis: Draft,
        time: Time,
    ) -> Result<Self, LedgerError> {
        let keys = checked_keys(&genesis, &ring)?;
        clear_unfinished(&*disk, stores)?;
        for folder in [ROOT, INTAKE, SPOOL] {
            disk.create_dir_all(folder).map_err(io("create", folder))?;
        }
        disk.sync_dir(ROOT).map_err(io("sync", ROOT))?;
        write_marker(&*disk, &keys)?;
        let mut state = State::empty(*keys.ledger(), Frontier::default());
        let mut stage = Stage::new(&state);
        let record = seal(genesis, stage.place(&LEDGER_STREAM, time), &ring.record);
        let bytes = encode(&record).map_err(too_large)?;
        stage.push(&record, bytes);
        let batch = stage.batch;
        let mut journal = Journal::open(Arc::clone(&disk), *keys.ledger())?;
        journal.append(&batch)?;
        let mut store = stores.open()?;
        store.append(&batch)?;
        store.sync()?;
        state.commit(batch);
        head::write(&*disk, &empty_note(&keys, &ring))?;
        finish_marker(&*disk)?;
        Ok(Self {
            store: Watched::new(store, &disk),
            disk,
            journal,
            ring,
            keys,
            state,
            unsettled: 0,
            published: 0,
            health: Health::Well,
            lock: Arc::new(lock),
        })
    }
}

fn checked_keys(draft: &Draft, ring: &KeyRing) -> Result<KeyChain, LedgerError> {
    if draft.kind != Kind::Genesis || draft.stream != LEDGER_STREAM {
        return Err(LedgerError::Draft(
            "a ledger begins with a genesis record in its own stream",
        ));
    }
    let facts = draft
        .content
        .group(receipt_core::commit::Group::Facts)
        .ok_or(LedgerError::Draft("the genesis record has no facts"))?;
    let keys = KeyChain::of(&genesis::parse(facts)?);
    ring.fit(&keys)?;
    Ok(keys)
}

/// The register of a ledger without checkpoints: its absence is a fault.
fn empty_note(keys: &KeyChain, ring: &KeyRing) -> String {
    let checkpoint = Checkpoint {
        ledger: *keys.ledger(),
        size: 0,
        root: empty_root(),
    };
    checkpoint.sign(&ring.checkpoint)
}

/// Writes the marker under the name that says: not finished.
fn write_marker(disk: &dyn Disk, keys: &KeyChain) -> Result<(), LedgerError> {
    let text = format!("{}\n", hex(keys.ledger()));
    replace(disk, UNFINISHED, text.as_bytes())
}

fn finish_marker(disk: &dyn Disk) -> Result<(), LedgerError> {
    disk.rename(UNFINISHED, GENESIS)
        .map_err(io("rename", UNFINISHED))?;
    disk.sync_dir(ROOT).map_err(io("sync", ROOT))
}

/// Removes what an interrupted creation left, which nobody was told of: the
/// marker under its first name is there, and no segment but the first. Refuses
/// anything else of a ledger.
fn clear_unfinished(disk: &dyn Disk, stores: &mut dyn Stores) -> Result<(), LedgerError> {
    if exists(disk, GENESIS)? {
        return Err(LedgerError::Exists(GENESIS.to_owned()));
    }
    let segments = journal::list(disk)?;
    let first = segment::name(0);
    let unfinished = exists(disk, UNFINISHED)?;
    if segments.iter().any(|segment| *segment != 0) || !(unfinished || segments.is_empty()) {
        return Err(LedgerError::Exists(INTAKE.to_owned()));
    }
    if !unfinished && (exists(disk, HEAD)? || stores.exists()?) {
        return Err(LedgerError::Exists("head or store".to_owned()));
    }
    stores.set_aside()?;
    for file in [HEAD, first.as_str(), UNFINISHED] {
        if exists(disk, file)? {
            disk.remove(file).map_err(io("remove", file))?;
        }
    }
    Ok(())
}
