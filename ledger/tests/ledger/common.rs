//! Keys, drafts and ledgers for tests.

use receipt_core::commit::Content;
use receipt_core::genesis;
use receipt_core::hash::Digest;
use receipt_core::key::{PrivateKey, Use};
use receipt_core::keychain::KeyChange;
use receipt_core::record::{Kind, LEDGER_STREAM, stream_id};
use receipt_core::seal::{Draft, Time};
use receipt_ledger::{Disk, KeyRing, Ledger, LedgerError, Lock, OpenReport, Options, Stores};
use std::sync::Arc;

/// A key from one repeated byte.
pub(crate) fn key(byte: u8) -> PrivateKey {
    PrivateKey::from_seed(&[byte; 32]).unwrap()
}

pub(crate) fn ring() -> KeyRing {
    KeyRing {
        record: key(2),
        checkpoint: key(4),
        next: Vec::new(),
    }
}

pub(crate) fn genesis_draft(random: u8) -> Draft {
    let facts = genesis::facts(
        &[random; 32],
        &key(1),
        &key(2).public(),
        &key(3).public(),
        &key(4).public(),
    );
    draft_in(LEDGER_STREAM, Kind::Genesis, facts, Vec::new())
}

/// A change of keys by the identity.
pub(crate) fn change_draft(ledger: &Digest, next: &[(Use, PrivateKey)]) -> Draft {
    let named: Vec<(Use, &PrivateKey)> = next.iter().map(|(of, key)| (*of, key)).collect();
    let change = KeyChange::new(&key(1), ledger, &named, false);
    draft_in(LEDGER_STREAM, Kind::Key, change.facts(), Vec::new())
}

fn draft_in(stream: Digest, kind: Kind, facts: Vec<u8>, evidence: Vec<Vec<u8>>) -> Draft {
    Draft {
        kind,
        flags: 0,
        stream,
        client_event: 7,
        client_us: 9,
        policy: [5; 32],
        secret: [6; 32],
        content: Content {
            evidence,
            ..Content::of_facts(facts)
        },
    }
}

/// The n-th event of a session.
pub(crate) fn draft(session: &str, n: u64) -> Draft {
    let facts = format!("{{\"n\":{n}}}").into_bytes();
    let payload = format!("payload {n} of {session} ").repeat(20).into_bytes();
    draft_in(stream(session), Kind::ToolSucceeded, facts, vec![payload])
}

/// An event whose evidence does not compress.
pub(crate) fn large_draft(session: &str, bytes: usize) -> Draft {
    let mut state = 1u64;
    let mut noise = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    };
    let evidence = (0..bytes).map(|_| noise()).collect();
    draft_in(
        stream(session),
        Kind::ToolFailed,
        b"{}".to_vec(),
        vec![evidence],
    )
}

pub(crate) fn stream(session: &str) -> Digest {
    stream_id("claude-code", session)
}

pub(crate) fn time(n: u64) -> Time {
    Time {
        wall_us: 1_800_000_000_000_000 + n,
        mono_ns: n,
        boot: 3,
    }
}

pub(crate) fn create(disk: &Arc<dyn Disk>, stores: &mut dyn Stores) -> Result<Ledger, LedgerError> {
    let lock = Lock::acquire(&**disk)?;
    Ledger::create(
        Arc::clone(disk),
        lock,
        stores,
        ring(),
        genesis_draft(8),
        time(0),
    )
}

pub(crate) fn open(
    disk: &Arc<dyn Disk>,
    stores: &mut dyn Stores,
) -> Result<(Ledger, OpenReport), LedgerError> {
    open_with(disk, stores, Options::default())
}

pub(crate) fn open_with(
    disk: &Arc<dyn Disk>,
    stores: &mut dyn Stores,
    options: Options,
) -> Result<(Ledger, OpenReport), LedgerError> {
    let lock = Lock::acquire(&**disk)?;
    Ledger::open(Arc::clone(disk), lock, stores, ring(), options)
}

/// A copy of a directory, as a new process would find it.
pub(crate) fn copy_tree(from: &std::path::Path) -> tempfile::TempDir {
    let to = tempfile::tempdir().unwrap();
    copy_into(from, to.path());
    to
}

fn copy_into(from: &std::path::Path, to: &std::path::Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            std::fs::create_dir_all(&target).unwrap();
            copy_into(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), &target).unwrap();
        }
    }
}
