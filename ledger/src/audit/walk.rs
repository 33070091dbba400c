//! What can be said of the records in their order.

use super::intake::Intake;
use super::prune::Rules;
use super::verify::{self, Verified};
use super::{AuditReport, Fault, Progress};
use crate::check;
use crate::head;
use crate::heads::HeadsTree;
use crate::ledger::Ledger;
use crate::open::read_id;
use crate::read::root_at;
use crate::resume::keys_of;
use crate::state::{Stage, State};
use crate::store::{Batch, KEPT_LEVEL, Note, Store};
use receipt_core::hash::Digest;
use receipt_core::keychain::KeyChain;
use receipt_core::record::{Kind, LEDGER_STREAM};
use receipt_core::tree::Frontier;
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::ops::Range;

/// The next page; empty at the end.
fn fetch(store: &dyn Store, from: u64, size: u64) -> Result<Vec<Vec<u8>>, Fault> {
    if from >= size {
        return Ok(Vec::new());
    }
    // A page that cannot be read whole is read record by record, to name the
    // one at fault.
    match store.records(from, size) {
        Ok(page) if !page.is_empty() => return Ok(page),
        _ => {}
    }
    match store.record(from) {
        Ok(Some(bytes)) => Ok(vec![bytes]),
        Ok(None) => Err(Fault::at(from, "the store does not have it")),
        Err(error) => Err(Fault::at(
            from,
            format!("the store cannot read it: {error}"),
        )),
    }
}

/// The records that were verified, and what the next ones must continue.
#[derive(Debug)]
pub(super) struct Walk {
    keys: KeyChain,
    /// Key records that the store's index names and the walk has yet to meet.
    key_records: VecDeque<u64>,
    state: State,
    heads: HeadsTree,
    /// The first note over more records than were walked.
    note: Option<Note>,
    intake: Intake,
    rules: Rules,
}

impl Walk {
    /// At the first record.
    pub(super) fn new(ledger: &Ledger) -> Result<Self, Fault> {
        let id = read_id(&*ledger.disk).map_err(Fault::of)?;
        if id != *ledger.id() {
            return Err(Fault::of("`genesis` names another ledger"));
        }
        let store = &*ledger.store;
        let keys =
            keys_of(store, &id, ledger.size()).map_err(|error| Fault::at(0, error.to_string()))?;
        Ok(Self {
            keys,
            key_records: VecDeque::new(),
            state: State::empty(id, Frontier::default()),
            heads: HeadsTree::default(),
            note: None,
            intake: Intake::default(),
            rules: Rules::default(),
        })
    }

    /// Verifies up to the ledger's end; the report counts what was sound before
    /// a fault.
    pub(super) fn go_on(
        &mut self,
        ledger: &Ledger,
        report: &mut AuditReport,
        progress: Progress<'_>,
    ) -> Result<ControlFlow<()>, Fault> {
        let (store, size) = (&*ledger.store, ledger.size());
        let done = self.state.size();
        self.intake = Intake::new(&ledger.journal, &*ledger.disk, done)?;
        self.keys =
            keys_of(store, ledger.id(), size).map_err(|error| Fault::at(0, error.to_string()))?;
        let key_records = store.key_records().map_err(Fault::of)?;
        self.key_records = key_records.into_iter().filter(|s| *s >= done).collect();
        let after = if done == 0 { 0 } else { done.saturating_add(1) };
        self.note = store.note_from(after).map_err(Fault::of)?;
        let mut next = fetch(store, done, size)?;
        let mut flow = progress(done, size);
        while flow.is_continue() && !next.is_empty() {
            let page = std::mem::take(&mut next);
            let first = self.state.size();
            let after = first.saturating_add(page.len() as u64);
            let (verified, fetched) =
                verify::page(&page, first, &self.keys, || fetch(store, after, size));
            self.page(ledger, page, verified, report)?;
            next = fetched?;
            flow = progress(report.records, size);
        }
        Ok(flow)
    }

    fn page(
        &mut self,
        ledger: &Ledger,
        page: Vec<Vec<u8>>,
        verified: Vec<Result<Verified, String>>,
        report: &mut AuditReport,
    ) -> Result<(), Fault> {
        let store = &*ledger.store;
        let mut stage = Stage::new(&self.state);
        for (bytes, verified) in page.into_iter().zip(verified) {
            let seq = stage.batch.end();
            let verified = verified.map_err(|what| Fault::at(seq, what))?;
            let record = &verified.record;
            check::place(&stage, record).map_err(|what| Fault::at(seq, what))?;
            let is_key = record.header().kind() == Some(Kind::Key);
            if is_key && self.key_records.pop_front() != Some(seq) {
                return Err(Fault::at(seq, "the index of key records lacks it"));
            }
            let is_heads = record.header().kind() == Some(Kind::Heads);
            let due = is_heads.then(|| self.heads.facts(self.keys.changes_below(seq)));
            if is_heads && verified.heads != due {
                return Err(Fault::at(
                    seq,
                    "it states other heads than the records yield",
                ));
            }
            self.intake.record(&ledger.journal, seq, &bytes)?;
            if verified.pruned {
                self.rules.allow(store, ledger.size(), record.header())?;
            }
            stage.push(record, bytes);
            let stream = record.header().stream;
            if let Some(head) = stage.batch.heads.get(&stream) {
                self.heads.put(&stream, head);
            }
            let note = take_note(store, &mut self.note, stage.batch.end())?;
            check_note(&stage, note.as_ref(), is_heads, &self.keys)?;
            self.intake.note(stage.batch.end(), note.as_ref())?;
            let noted = u64::from(note.is_some());
            report.checkpoints = report.checkpoints.saturating_add(noted);
            report.pruned = report.pruned.saturating_add(verified.pruned.into());
        }
        let batch = stage.batch;
        compare_nodes(store, &batch)?;
        compare_streams(store, &batch)?;
        self.state.commit(batch);
        report.records = self.state.size();
        report.streams = self.state.heads.len() as u64;
        Ok(())
    }

    /// What is said of the records as a whole.
    pub(super) fn end(&self, ledger: &Ledger) -> Result<(), Fault> {
        let (store, size) = (&*ledger.store, self.state.size());
        if let Some(note) = &self.note {
            return Err(Fault::of(format!(
                "a note over {} records, of which {size} are here",
                note.size
            )));
        }
        self.intake.end(&ledger.journal, &*ledger.disk)?;
        let frontier = store.frontier().map_err(Fault::of)?;
        if frontier != self.state.frontier || frontier != ledger.state.frontier {
            return Err(Fault::of("the frontier is not that of the records"));
        }
        let heads = store.heads().map_err(Fault::of)?;
        if heads != self.state.heads || heads != ledger.state.heads {
            return Err(Fault::of(
                "the heads of the streams are not those of the records",
            ));
        }
        if let Some(seq) = self.key_records.front() {
            return Err(Fault::at(
                *seq,
                "the index calls it a key record, which it is not",
            ));
        }
        self.nothing_beyond(store)?;
        self.register(ledger)
    }

    /// Index and tree end where the records end.
    fn nothing_beyond(&self, store: &dyn Store) -> Result<(), Fault> {
        for (stream, head) in &self.state.heads {
            let after = head.stream_seq.saturating_add(1);
            let more = store.stream_entries(stream, after..u64::MAX);
            if more.map_or(true, |more| !more.is_empty()) {
                return Err(Fault::at(head.seq, "the stream index goes on after it"));
            }
        }
        for level in 0..64 {
            let kept = level >= KEPT_LEVEL;
            let after = if kept { self.state.size() >> level } else { 0 };
            let more = store.nodes(level, after..u64::MAX);
            if more.map_or(true, |more| !more.is_empty()) {
                return Err(Fault::of("the tree has nodes beyond the records"));
            }
        }
        Ok(())
    }

    fn register(&self, ledger: &Ledger) -> Result<(), Fault> {
        let register = head::read(&*ledger.disk, &self.keys).map_err(Fault::of)?;
        let known = register.checkpoint.size;
        if known > self.state.size() {
            return Err(Fault::of(format!(
                "the head register names {known} records, {} are here",
                self.state.size()
            )));
        }
        if root_at(&*ledger.store, known).map_err(Fault::of)? != register.checkpoint.root {
            return Err(Fault::of(format!(
                "the head register names another root at {known} records than they yield"
            )));
        }
        Ok(())
    }
}

/// The note over `size` records, if there is one; the next one takes its place.
fn take_note(store: &dyn Store, next: &mut Option<Note>, size: u64) -> Result<Option<Note>, Fault> {
    let note = next.take_if(|note| note.size <= size);
    if note.is_some() {
        *next = store.note_from(size.saturating_add(1)).map_err(Fault::of)?;
    }
    Ok(note)
}

/// A note stands after each `Heads` record and nowhere else.
fn check_note(
    stage: &Stage<'_>,
    note: Option<&Note>,
    is_heads: bool,
    keys: &KeyChain,
) -> Result<(), Fault> {
    let seq = stage.batch.end().saturating_sub(1);
    match (note, is_heads) {
        (None, false) => Ok(()),
        (None, true) => Err(Fault::at(
            seq,
            "the note over the records up to it is missing",
        )),
        (Some(note), true) if note.size == stage.batch.end() => {
            check::note(stage, &note.text, keys)
                .map(|_| ())
                .map_err(|what| Fault::at(seq, what))
        }
        (Some(note), _) => Err(Fault::at(
            seq,
            format!("a note over {} records does not stand on heads", note.size),
        )),
    }
}

/// The tree's nodes that a page completes, level by level.
fn compare_nodes(store: &dyn Store, batch: &Batch) -> Result<(), Fault> {
    let mut levels: BTreeMap<u32, (u64, Vec<Digest>)> = BTreeMap::new();
    for node in &batch.nodes {
        let (_, hashes) = levels.entry(node.level).or_insert((node.index, Vec::new()));
        hashes.push(node.hash);
    }
    for (level, (first, hashes)) in levels {
        let range = range(first, hashes.len());
        let there = store.nodes(level, range).unwrap_or_default();
        if let Some(wrong) = first_difference(&hashes, &there) {
            let index = first.saturating_add(wrong);
            let seq = (index.saturating_add(1) << level).saturating_sub(1);
            return Err(Fault::at(
                seq,
                format!("the tree node of level {level} that it completes is wrong or missing"),
            ));
        }
    }
    Ok(())
}

/// The stream index of a page, stream by stream.
fn compare_streams(store: &dyn Store, batch: &Batch) -> Result<(), Fault> {
    let mut streams: BTreeMap<&Digest, (u64, Vec<u64>)> = BTreeMap::new();
    for entry in &batch.entries {
        let (_, entries) = streams
            .entry(&entry.stream)
            .or_insert((entry.stream_seq, Vec::new()));
        entries.push(entry.seq);
    }
    for (stream, (first, entries)) in streams {
        let range = range(first, entries.len());
        let there = store.stream_entries(stream, range).unwrap_or_default();
        if let Some(wrong) = first_difference(&entries, &there) {
            let seq = usize::try_from(wrong).ok().and_then(|i| entries.get(i));
            return Err(Fault {
                record: seq.copied(),
                what: if *stream == LEDGER_STREAM {
                    "its place in the index of the ledger's own stream is wrong or missing"
                } else {
                    "its place in the stream index is wrong or missing"
                }
                .to_owned(),
            });
        }
    }
    Ok(())
}

fn range(first: u64, len: usize) -> Range<u64> {
    first..first.saturating_add(len as u64)
}

/// Index of the first element of `expected` that `there` lacks or has otherwise.
fn first_difference<T: PartialEq>(expected: &[T], there: &[T]) -> Option<u64> {
    let same = expected.iter().zip(there).take_while(|(a, b)| a == b);
    let same = same.count();
    (same < expected.len()).then_some(same as u64)
}
