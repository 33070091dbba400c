//! What every [`Store`] must do.

use super::{Checked, ensure, told};
use crate::store::{Batch, Entry, Note, Store, StoreError};
use receipt_core::hash::Digest;
use receipt_core::heads::{Head, Heads};
use receipt_core::record::LEAF_LEN;
use receipt_core::tree::{Frontier, Node};

/// Lengths of records around the edges of a chunk, and large ones.
const LENGTHS: [usize; 9] = [1, 400, 4091, 4092, 4093, 8188, 8189, 1 << 20, 5 << 20];

/// Runs the suite. `empty` yields a fresh store each time.
///
/// # Errors
/// The first expectation that does not hold.
pub fn store_conformance(empty: &mut dyn FnMut() -> Box<dyn Store>) -> Checked {
    nothing(&*empty())?;
    order(&mut *empty())?;
    let mut store = empty();
    let model = fill(&mut *store)?;
    told("sync", store.sync())?;
    records(&*store, &model)?;
    index(&*store, &model)?;
    tree(&*store, &model)?;
    notes(&*store)
}

/// What was put in.
#[derive(Default)]
struct Model {
    entries: Vec<Entry>,
    nodes: Vec<Node>,
    heads: Heads,
    frontier: Frontier,
}

impl Model {
    /// The next batch, with records of these lengths and perhaps a note.
    fn batch(&mut self, lengths: &[usize], note: bool) -> Batch {
        let mut batch = Batch {
            first: self.frontier.size(),
            entries: Vec::new(),
            nodes: Vec::new(),
            heads: Heads::new(),
            frontier: Frontier::default(),
            notes: Vec::new(),
        };
        for len in lengths {
            self.push(&mut batch, *len);
        }
        batch.frontier = self.frontier.clone();
        if note {
            batch.notes.push(Note {
                size: batch.end(),
                text: format!("note {}\n", batch.end()),
            });
        }
        batch
    }

    fn push(&mut self, batch: &mut Batch, len: usize) {
        let seq = self.frontier.size();
        let stream: Digest = [u8::from(seq.is_multiple_of(3)); 32];
        let link = receipt_core::tree::leaf_hash(&seq.to_le_bytes());
        let stream_seq = self
            .heads
            .get(&stream)
            .map_or(0, |h| h.stream_seq.saturating_add(1));
        let head = Head {
            stream_seq,
            seq,
            link,
        };
        self.heads.insert(stream, head);
        batch.heads.insert(stream, head);
        let nodes = self.frontier.push(&seq.to_le_bytes());
        self.nodes.extend(&nodes);
        batch.nodes.extend(nodes);
        let byte = seq.to_le_bytes()[0];
        let entry = Entry {
            seq,
            stream,
            stream_seq,
            link,
            bytes: vec![byte; len],
        };
        self.entries.push(entry.clone());
        batch.entries.push(entry);
    }
}

fn nothing(store: &dyn Store) -> Checked {
    ensure(
        told("frontier", store.frontier())? == Frontier::default(),
        "an empty store has an empty frontier",
    )?;
    let empty = told("record", store.record(0))?.is_none()
        && told("records", store.records(0, 9))?.is_empty()
        && told("heads", store.heads())?.is_empty()
        && told("head", store.head(&[0; 32]))?.is_none()
        && told("node", store.node(0, 0))?.is_none()
        && told("entry", store.stream_entry(&[0; 32], 0))?.is_none()
        && told("note", store.note_from(0))?.is_none()
        && told("note", store.latest_note())?.is_none();
    ensure(empty, "an empty store holds nothing")
}

fn order(store: &mut dyn Store) -> Checked {
    let mut model = Model::default();
    let first = model.batch(&[10, 20], true);
    let second = model.batch(&[30], false);
    let refused = store.append(&second);
    ensure(
        matches!(refused, Err(StoreError::OutOfOrder { len: 0, .. })),
        "a batch with a gap before it is refused",
    )?;
    told("append", store.append(&first))?;
    let refused = store.append(&first);
    ensure(
        matches!(refused, Err(StoreError::OutOfOrder { len: 2, .. })),
        "a batch that is there already is refused",
    )?;
    told("append after a refusal", store.append(&second))?;
    ensure(
        told("frontier", store.frontier())? == model.frontier,
        "a refused batch changes nothing",
    )
}

fn fill(store: &mut dyn Store) -> Result<Model, String> {
    let mut model = Model::default();
    for len in LENGTHS {
        let batch = model.batch(&[len], false);
        told("append", store.append(&batch))?;
    }
    let batch = model.batch(&LENGTHS, true);
    told("append", store.append(&batch))?;
    for n in 0..300usize {
        let batch = model.batch(&[n, n.saturating_mul(7)], n.is_multiple_of(100));
        told("append", store.append(&batch))?;
    }
    Ok(model)
}

fn records(store: &dyn Store, model: &Model) -> Checked {
    let size = model.frontier.size();
    for entry in &model.entries {
        let there = told("record", store.record(entry.seq))?;
        ensure(
            there.as_deref() == Some(&entry.bytes[..]),
            format!("record {} is read back", entry.seq),
        )?;
        let leaf = entry.bytes.iter().take(LEAF_LEN).copied();
        ensure(
            told("leaf", store.leaf(entry.seq))? == Some(leaf.collect()),
            format!("the leaf of record {} is read back", entry.seq),
        )?;
    }
    ensure(
        told("record", store.record(size))?.is_none(),
        "there is no record past the end",
    )?;
    let mut expected = model.entries.iter().map(|e| &e.bytes);
    let mut next = 0u64;
    while next < size {
        let page = told("records", store.records(next, u64::MAX))?;
        ensure(!page.is_empty(), format!("a page from {next} has a record"))?;
        for bytes in &page {
            ensure(Some(bytes) == expected.next(), format!("page from {next}"))?;
        }
        next = next.saturating_add(page.len() as u64);
    }
    ensure(next == size, "pages end where the records end")?;
    let two = told("records", store.records(20, 22))?;
    ensure(two.len() <= 2, "a page ends before `to`")
}

fn index(store: &dyn Store, model: &Model) -> Checked {
    for entry in &model.entries {
        let there = told("entry", store.stream_entry(&entry.stream, entry.stream_seq))?;
        ensure(
            there == Some(entry.seq),
            format!("the index has record {}", entry.seq),
        )?;
    }
    ensure(
        told("heads", store.heads())? == model.heads,
        "the heads are the newest records",
    )?;
    for (stream, head) in &model.heads {
        ensure(
            told("head", store.head(stream))?.as_ref() == Some(head),
            "one head is that of all heads",
        )?;
        let after = head.stream_seq.saturating_add(1);
        ensure(
            told("entry", store.stream_entry(stream, after))?.is_none(),
            "the index ends at the head",
        )?;
        let all = told("entries", store.stream_entries(stream, 0..u64::MAX))?;
        ensure(
            all.len() as u64 == after && all.last() == Some(&head.seq),
            "a stream's entries are in order and whole",
        )?;
    }
    Ok(())
}

fn tree(store: &dyn Store, model: &Model) -> Checked {
    for node in &model.nodes {
        ensure(
            told("node", store.node(node.level, node.index))? == Some(node.hash),
            format!("node {} of level {} is kept", node.index, node.level),
        )?;
    }
    for level in 0..4 {
        let of_level = model.nodes.iter().filter(|n| n.level == level);
        let hashes: Vec<_> = of_level.map(|n| n.hash).collect();
        ensure(
            told("nodes", store.nodes(level, 0..u64::MAX))? == hashes,
            "nodes of a level are in order and whole",
        )?;
    }
    ensure(
        told("frontier", store.frontier())? == model.frontier,
        "the frontier is that of the last batch",
    )
}

/// Notes stand at 18, and then at 20, 220 and 420.
fn notes(store: &dyn Store) -> Checked {
    for (from, size) in [(0, 18), (18, 18), (19, 20), (21, 220), (221, 420)] {
        let note = told("note", store.note_from(from))?;
        ensure(
            note.is_some_and(|n| n.size == size && n.text == format!("note {size}\n")),
            format!("the first note from {from} on is {size}"),
        )?;
    }
    ensure(
        told("note", store.note_from(421))?.is_none(),
        "no note past the last",
    )?;
    let latest = told("note", store.latest_note())?;
    ensure(
        latest.is_some_and(|n| n.size == 420),
        "the latest note is the largest",
    )
}
