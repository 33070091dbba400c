//! Figures of a large ledger: `ledger_load fill DIR RECORDS`, then
//! `ledger_load audit DIR` in a new process; `ledger_load store DIR` opens the
//! store alone.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement prints, takes the time and has no caller to report to"
)]

use receipt_core::commit::Content;
use receipt_core::genesis;
use receipt_core::key::PrivateKey;
use receipt_core::record::{Kind, LEDGER_STREAM, stream_id};
use receipt_core::seal::{Draft, Time};
use receipt_ledger::{Disk, FsDisk, KeyRing, Ledger, Lock, Options, SledStores, Stores};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Records of one session.
const SESSION: u64 = 200;

/// Records of one batch.
const BATCH: u64 = 16;

fn key(byte: u8) -> PrivateKey {
    PrivateKey::from_seed(&[byte; 32]).unwrap()
}

fn ring() -> KeyRing {
    KeyRing {
        record: key(2),
        checkpoint: key(4),
        next: Vec::new(),
    }
}

fn draft(n: u64) -> Draft {
    let facts = format!("{{\"n\":{n},\"call\":\"{n:064x}\",\"run\":[1,2,3]}}");
    let payload =
        format!("{{\"session\":{n},\"tool\":\"Bash\",\"output\":\"line {n}\"}}").repeat(20);
    Draft {
        kind: Kind::ToolSucceeded,
        flags: 0,
        stream: stream_id("load", &(n / SESSION).to_string()),
        client_event: n.into(),
        client_us: n,
        policy: [5; 32],
        secret: [6; 32],
        content: Content {
            evidence: vec![payload.into_bytes()],
            ..Content::of_facts(facts.into_bytes())
        },
    }
}

fn fill(root: &Path, records: u64) {
    let disk: Arc<dyn Disk> = Arc::new(FsDisk::new(root));
    let facts = genesis::facts(
        &[8; 32],
        &key(1),
        &key(2).public(),
        &key(3).public(),
        &key(4).public(),
    );
    let mut first = draft(0);
    first.kind = Kind::Genesis;
    first.stream = LEDGER_STREAM;
    first.content = Content::of_facts(facts);
    let lock = Lock::acquire(&*disk).unwrap();
    let mut stores = SledStores::new(root);
    let time = Time::default();
    let mut ledger = Ledger::create(disk, lock, &mut stores, ring(), first, time).unwrap();
    let start = Instant::now();
    let mut next = 0;
    while next < records {
        let drafts = (next..next + BATCH).map(draft).collect();
        if next % 1024 == 0 {
            ledger
                .append_with_checkpoint(drafts, [7; 32], time)
                .unwrap();
            ledger.publish_head().unwrap();
        } else {
            ledger.append(drafts, time).unwrap();
        }
        next += BATCH;
    }
    ledger.settle().unwrap();
    report("appended", ledger.size(), start);
}

fn audit(root: &Path) {
    let disk: Arc<dyn Disk> = Arc::new(FsDisk::new(root));
    let start = Instant::now();
    let lock = Lock::acquire(&*disk).unwrap();
    let mut stores = SledStores::new(root);
    let opened = Ledger::open(disk, lock, &mut stores, ring(), Options::default());
    let (ledger, found) = opened.unwrap();
    report("opened", ledger.size(), start);
    println!("{found:?}");
    memory();
    let start = Instant::now();
    let found = ledger.audit(&mut |_, _| {});
    report("audited", found.records, start);
    println!("{found:?}");
    memory();
}

/// What of an opening is the store's alone.
fn store(root: &Path) {
    let start = Instant::now();
    let store = SledStores::new(root).open().unwrap();
    report("opened the store", store.frontier().unwrap().size(), start);
    memory();
}

fn report(what: &str, records: u64, start: Instant) {
    let seconds = start.elapsed().as_secs_f64();
    let rate = f64::from(u32::try_from(records).unwrap()) / seconds;
    println!("{what}: {records} records in {seconds:.3} s, {rate:.0} a second");
}

fn memory() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let lines = status.lines();
    for line in lines.filter(|l| l.starts_with("VmHWM") || l.starts_with("VmRSS")) {
        println!("{line}");
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [_, "fill", root, records] => fill(Path::new(root), records.parse().unwrap()),
        [_, "audit", root] => audit(Path::new(root)),
        [_, "store", root] => store(Path::new(root)),
        _ => println!("usage: ledger_load fill DIR RECORDS | audit DIR | store DIR"),
    }
}
