//! Appending: seal, journal, sync, and only then acknowledge.

use crate::check;
use crate::error::LedgerError;
use crate::ledger::{Health, Ledger};
use crate::state::Stage;
use crate::store::Note;
use crate::stored::{self, StoredError};
use crate::{head, stored::encode};
use receipt_core::checkpoint::Checkpoint;
use receipt_core::commit::Content;
use receipt_core::hash::Digest;
use receipt_core::key::{PrivateKey, Use};
use receipt_core::record::{Kind, LEDGER_STREAM};
use receipt_core::seal::{Draft, Record, Time, seal};
use std::sync::Arc;

/// So many records may stand in the store unsynced.
const SETTLE_EVERY: u64 = 1024;

/// What [`Ledger::append_with_checkpoint`] wrote.
#[derive(Debug, Clone)]
pub struct Checkpointed {
    /// The drafts' records, then the `Heads` record.
    pub records: Vec<Arc<Record>>,
    /// The note over all records up to the `Heads` record.
    pub note: Note,
}

impl Ledger {
    /// Appends the drafts as one batch, all or nothing. When this returns,
    /// they are acknowledged: a power cut does not lose them.
    ///
    /// # Errors
    /// [`LedgerError::TooLarge`] and [`LedgerError::Draft`] before anything is
    /// written. After any other error the handle is poisoned.
    pub fn append(
        &mut self,
        drafts: Vec<Draft>,
        time: Time,
    ) -> Result<Vec<Arc<Record>>, LedgerError> {
        self.refuse_if_poisoned()?;
        if drafts.is_empty() {
            return Ok(Vec::new());
        }
        let mut stage = Stage::new(&self.state);
        let records = self.seal_all(&mut stage, drafts, time)?;
        let batch = stage.batch;
        self.write(batch)?;
        Ok(records)
    }

    /// Appends the drafts and closes them with a `Heads` record and a signed
    /// checkpoint, all in one batch. `heads_secret` is 32 random bytes.
    /// [`Ledger::publish_head`] comes afterwards.
    ///
    /// # Errors
    /// As [`Ledger::append`].
    pub fn append_with_checkpoint(
        &mut self,
        drafts: Vec<Draft>,
        heads_secret: Digest,
        time: Time,
    ) -> Result<Checkpointed, LedgerError> {
        self.refuse_if_poisoned()?;
        self.state.tree.settle();
        let mut stage = Stage::new(&self.state);
        let mut records = self.seal_all(&mut stage, drafts, time)?;
        let heads = own_draft(
            Kind::Heads,
            stage.heads_facts(&self.keys),
            [0; 32],
            heads_secret,
        );
        records.push(self.seal_one(&mut stage, heads, time)?);
        let checkpoint = Checkpoint {
            ledger: self.state.ledger,
            size: stage.batch.end(),
            root: stage.batch.frontier.root(),
        };
        let note = Note {
            size: checkpoint.size,
            text: checkpoint.sign(&self.ring.checkpoint),
        };
        stage.batch.notes.push(note.clone());
        let batch = stage.batch;
        self.write(batch)?;
        Ok(Checkpointed { records, note })
    }

    /// Appends a `key` record, signed by the key in force, and goes on with the
    /// keys that it binds, under a checkpoint by the new one. `next` are the
    /// private keys.
    ///
    /// # Errors
    /// [`LedgerError::Draft`] where the change is refused, before anything is
    /// written; after any other error the handle is poisoned, and the next
    /// opening tells which keys are in force.
    pub fn change_keys(
        &mut self,
        draft: Draft,
        next: &[(Use, PrivateKey)],
        heads_secret: Digest,
        time: Time,
    ) -> Result<Checkpointed, LedgerError> {
        self.refuse_if_poisoned()?;
        let mut stage = Stage::new(&self.state);
        let record = self.seal_one(&mut stage, draft, time)?;
        let mut keys = self.keys.clone();
        check::follow(&record, &mut keys).map_err(LedgerError::Draft)?;
        let mut ring = self.ring.clone();
        ring.next = next.to_vec();
        let ring = ring.fit(&keys)?;
        let batch = stage.batch;
        self.write(batch)?;
        self.keys = keys;
        self.ring = ring;
        self.append_with_checkpoint(Vec::new(), heads_secret, time)
    }

    fn seal_all(
        &self,
        stage: &mut Stage<'_>,
        drafts: Vec<Draft>,
        time: Time,
    ) -> Result<Vec<Arc<Record>>, LedgerError> {
        let mut records = Vec::with_capacity(drafts.len());
        for draft in drafts {
            refuse_own(&draft)?;
            records.push(self.seal_one(stage, draft, time)?);
        }
        Ok(records)
    }

    fn seal_one(
        &self,
        stage: &mut Stage<'_>,
        draft: Draft,
        time: Time,
    ) -> Result<Arc<Record>, LedgerError> {
        let place = stage.place(&draft.stream, time);
        let record = seal(draft, place, &self.ring.record);
        let bytes = encode(&record).map_err(too_large)?;
        stage.push(&record, bytes);
        Ok(Arc::new(record))
    }

    /// Journal, then state, then store. The acknowledgement rests on the
    /// journal alone; a store that fails here ends the handle, not the record.
    fn write(&mut self, batch: crate::store::Batch) -> Result<(), LedgerError> {
        match self.journal.append(&batch) {
            Ok(()) => {}
            Err(too_large @ LedgerError::TooLarge(_)) => return Err(too_large),
            Err(error) => {
                self.health = Health::Journal;
                return Err(error);
            }
        }
        let added = batch.entries.len() as u64;
        if self.store.append(&batch).is_err() {
            self.health = Health::Store;
        }
        self.state.commit(batch);
        self.unsettled = self.unsettled.saturating_add(added);
        if self.unsettled >= SETTLE_EVERY {
            // The records are acknowledged whether or not this succeeds.
            let _ = self.settle();
        }
        Ok(())
    }

    /// Brings the store to stable storage. Cheap to call after answering:
    /// what is not settled is replayed from the journal at the next open.
    ///
    /// # Errors
    /// [`LedgerError::Store`]; the handle is poisoned.
    pub fn settle(&mut self) -> Result<(), LedgerError> {
        self.refuse_if_poisoned()?;
        if self.unsettled == 0 {
            return Ok(());
        }
        if let Err(error) = self.store.sync() {
            self.health = Health::Store;
            return Err(error.into());
        }
        self.unsettled = 0;
        Ok(())
    }

    /// Writes the newest checkpoint into the head register, if it is not there.
    ///
    /// # Errors
    /// [`LedgerError::Io`]; it can be tried again.
    pub fn publish_head(&mut self) -> Result<(), LedgerError> {
        let Some(note) = self.state.note.as_ref() else {
            return Ok(());
        };
        if self.health == Health::Journal || note.size <= self.published {
            return Ok(());
        }
        head::write(&*self.disk, &note.text)?;
        self.published = note.size;
        Ok(())
    }
}

/// Records that only the ledger itself may make.
fn refuse_own(draft: &Draft) -> Result<(), LedgerError> {
    match draft.kind {
        Kind::Genesis => Err(LedgerError::Draft("a ledger has one genesis record")),
        Kind::Key => Err(LedgerError::Draft("keys are changed by themselves")),
        Kind::Heads => Err(LedgerError::Draft("heads are written with a checkpoint")),
        _ => Ok(()),
    }
}

/// A draft in the ledger's own stream.
pub(crate) fn own_draft(kind: Kind, facts: Vec<u8>, policy: Digest, secret: Digest) -> Draft {
    Draft {
        kind,
        flags: 0,
        stream: LEDGER_STREAM,
        client_event: 0,
        client_us: 0,
        policy,
        secret,
        content: Content::of_facts(facts),
    }
}

pub(crate) const fn too_large(error: StoredError) -> LedgerError {
    match error {
        stored::StoredError::TooLarge(what) => LedgerError::TooLarge(what),
        _ => LedgerError::TooLarge("the record"),
    }
}
