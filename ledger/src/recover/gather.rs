//! Gathering what verifies: record by record from the first, from the journal
//! where it has a sound one, else from the store.

use super::Findings;
use crate::check;
use crate::disk::Disk;
use crate::error::{LedgerError, io};
use crate::intake::frame;
use crate::intake::journal::Journal;
use crate::intake::segment::{self, Item, MAGIC, MAX_SEGMENT, Segment};
use crate::layout::{GENESIS, INTAKE};
use crate::state::{Stage, State};
use crate::store::{Batch, Note, Store};
use crate::stored;
use receipt_core::checkpoint::Checkpoint;
use receipt_core::genesis;
use receipt_core::hash::{Digest, digest_from_hex};
use receipt_core::heads::Heads;
use receipt_core::key::{PrivateKey, Use};
use receipt_core::keychain::KeyChain;
use receipt_core::record::Kind;
use receipt_core::seal::Record;
use receipt_core::tree::Frontier;

/// Bytes of records after which a batch is written.
const FLUSH: usize = 4 << 20;

/// The ledger's keys, from a genesis record that verifies.
pub(super) fn keys(
    disk: &dyn Disk,
    store: Option<&dyn Store>,
    findings: &mut Findings,
) -> Result<KeyChain, LedgerError> {
    let stored = store.and_then(|store| store.record(0).ok().flatten());
    let journal = first_record(disk);
    if journal.is_none() {
        let what = "the journal does not begin with the genesis record";
        findings.wrong.push(what.to_owned());
    }
    let candidates = journal.into_iter().chain(stored);
    let mut keys = candidates.filter_map(|bytes| genesis_of(&bytes));
    keys.next().ok_or(LedgerError::Missing { from: 0, to: 1 })
}

fn genesis_of(bytes: &[u8]) -> Option<KeyChain> {
    let record = stored::decode(bytes).ok()?;
    let id = genesis::parse(record.facts()?).ok()?.ledger;
    check::genesis_keys(&record, &id).ok()
}

/// The first record of the first segment, whatever its checksum.
fn first_record(disk: &dyn Disk) -> Option<Vec<u8>> {
    let bytes = disk.read(&segment::name(0), MAX_SEGMENT).ok()?;
    let payload = frame::unchecked(bytes.get(MAGIC.len()..)?)?;
    match segment::items(payload)?.first()? {
        Item::Record(bytes) => Some(bytes.to_vec()),
        Item::Note(_) => None,
    }
}

/// The ledger's id in its marker, for what it is worth.
pub(super) fn marked(disk: &dyn Disk) -> Option<Digest> {
    let bytes = disk.read(GENESIS, 128).ok()?;
    digest_from_hex(std::str::from_utf8(&bytes).ok()?.strip_suffix('\n')?)
}

/// Where the gathering stands.
pub(super) struct Gather<'a> {
    disk: &'a dyn Disk,
    store: Option<&'a dyn Store>,
    keys: KeyChain,
    signer: &'a PrivateKey,
    journal: Journal,
    state: State,
    pending: Batch,
    bytes: usize,
    /// The newest record closes a checkpoint whose note was not met yet.
    owes_note: bool,
    /// A size and the root that the records yield there.
    watched: (u64, Option<Digest>),
}

impl<'a> Gather<'a> {
    /// Gathers into an empty journal. `watched` is a size whose root is wanted.
    pub(super) fn new(
        disk: &'a dyn Disk,
        store: Option<&'a dyn Store>,
        (keys, signer): (KeyChain, &'a PrivateKey),
        journal: Journal,
        watched: u64,
    ) -> Self {
        let state = State::empty(*keys.ledger(), Frontier::default());
        let root = (watched == 0).then(|| state.frontier.root());
        Self {
            disk,
            store,
            keys,
            signer,
            journal,
            state,
            pending: empty_batch(0),
            bytes: 0,
            owes_note: false,
            watched: (watched, root),
        }
    }

    /// Gathers all there is.
    pub(super) fn run(
        &mut self,
        findings: &mut Findings,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), LedgerError> {
        for name in self.disk.list(INTAKE).map_err(io("list", INTAKE))? {
            let file = format!("{INTAKE}/{name}");
            let Some(first) = segment::parse_name(&name) else {
                findings.wrong.push(format!("`{file}` is no segment"));
                continue;
            };
            match self.disk.read(&file, MAX_SEGMENT) {
                Ok(bytes) => self.segment(first, bytes, findings)?,
                Err(error) => findings
                    .wrong
                    .push(format!("cannot read `{file}`: {error}")),
            }
            progress(self.state.size());
        }
        while self.next_stored()? {}
        self.settle_note();
        self.flush()?;
        if let Some(store) = self.store {
            let there = store.frontier().map_or(0, |frontier| frontier.size());
            findings.known = findings.known.max(there);
        }
        findings.records = self.state.size();
        findings.known = findings.known.max(findings.records);
        if findings.lost() > 0 {
            let (from, to) = (findings.records, findings.known);
            findings.wrong.push(format!(
                "records #{from} to #{} do not verify or are gone",
                to - 1
            ));
        }
        Ok(())
    }

    fn segment(
        &mut self,
        first: u64,
        bytes: Vec<u8>,
        findings: &mut Findings,
    ) -> Result<(), LedgerError> {
        let segment = Segment::salvage(first, bytes, self.keys.ledger());
        let skipped = segment.skipped();
        if skipped > 0 {
            let file = segment::name(first);
            findings
                .wrong
                .push(format!("{skipped} bytes of `{file}` are no sound frame"));
        }
        for batch in segment.batches() {
            for item in batch.unwrap_or_default() {
                match item {
                    Item::Record(bytes) => self.record(bytes, findings)?,
                    Item::Note(text) => self.note(text),
                }
            }
        }
        Ok(())
    }

    fn record(&mut self, bytes: &[u8], findings: &mut Findings) -> Result<(), LedgerError> {
        let Ok(record) = stored::decode(bytes) else {
            return Ok(());
        };
        let seq = record.header().seq;
        findings.known = findings.known.max(seq.saturating_add(1));
        while self.state.size() < seq && self.next_stored()? {}
        if self.state.size() == seq && !self.take(&record, bytes)? {
            self.next_stored()?;
        }
        Ok(())
    }

    /// Takes the next record from the store; false where it has no sound one.
    fn next_stored(&mut self) -> Result<bool, LedgerError> {
        let next = self.state.size();
        let bytes = self
            .store
            .and_then(|store| store.record(next).ok().flatten());
        let Some(bytes) = bytes else { return Ok(false) };
        let Ok(record) = stored::decode(&bytes) else {
            return Ok(false);
        };
        let taken = self.take(&record, &bytes)?;
        let note = self
            .store
            .and_then(|store| store.note_from(self.state.size()).ok()?);
        if let Some(note) = note.filter(|_| taken) {
            self.note(&note.text);
        }
        Ok(taken)
    }

    /// Takes a record, if it verifies and follows.
    fn take(&mut self, record: &Record, bytes: &[u8]) -> Result<bool, LedgerError> {
        self.settle_note();
        let mut stage = Stage::new(&self.state);
        let sound = check::content(record)
            .and_then(|()| check::signature(record, &self.keys))
            .and_then(|()| check::place(&stage, record))
            .and_then(|()| check::follow(record, &mut self.keys));
        if sound.is_err() {
            return Ok(false);
        }
        stage.push(record, bytes.to_vec());
        let batch = stage.batch;
        self.pending.entries.extend(batch.entries.iter().cloned());
        self.bytes = self.bytes.saturating_add(bytes.len());
        self.state.commit(batch);
        self.owes_note = record.header().kind() == Some(Kind::Heads);
        if self.state.size() == self.watched.0 {
            self.watched.1 = Some(self.state.frontier.root());
        }
        if self.bytes >= FLUSH && !self.owes_note {
            self.flush()?;
        }
        Ok(true)
    }

    /// Takes a note, if it is over exactly the records so far.
    fn note(&mut self, text: &str) {
        if !self.owes_note {
            return;
        }
        if let Ok(note) = check::note(&Stage::new(&self.state), text, &self.keys) {
            self.put_note(note);
        }
    }

    /// A checkpoint whose note was lost is signed again: the same note.
    fn settle_note(&mut self) {
        let last = self.state.size().saturating_sub(1);
        let due = self.keys.at(Use::Checkpoint, last) == Some(&self.signer.public());
        if !self.owes_note || !due {
            return;
        }
        let checkpoint = Checkpoint {
            ledger: self.state.ledger,
            size: self.state.size(),
            root: self.state.frontier.root(),
        };
        self.put_note(Note {
            size: checkpoint.size,
            text: checkpoint.sign(self.signer),
        });
    }

    fn put_note(&mut self, note: Note) {
        self.owes_note = false;
        self.state.note = Some(note.clone());
        self.pending.notes.push(note);
    }

    fn flush(&mut self) -> Result<(), LedgerError> {
        if !self.pending.entries.is_empty() {
            self.journal.append(&self.pending)?;
        }
        self.pending = empty_batch(self.state.size());
        self.bytes = 0;
        Ok(())
    }

    /// The root at the watched size, if the records reach it.
    pub(super) const fn watched_root(&self) -> Option<Digest> {
        self.watched.1
    }

    /// The journal that was written, and the keys that its records bind.
    pub(super) fn finish(self) -> (Journal, KeyChain) {
        (self.journal, self.keys)
    }
}

fn empty_batch(first: u64) -> Batch {
    Batch {
        first,
        entries: Vec::new(),
        nodes: Vec::new(),
        heads: Heads::new(),
        frontier: Frontier::default(),
        notes: Vec::new(),
    }
}
