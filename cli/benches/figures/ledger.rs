//! The same hook on a short and on a long ledger.

use crate::process::Program;
use crate::table::Table;
use crate::world::World;
use receipt_core::commit::Content;
use receipt_core::key::PrivateKey;
use receipt_core::record::{Kind, stream_id};
use receipt_core::seal::{Draft, Time};
use receipt_ledger::{FsDisk, KeyRing, Ledger, Lock, Options, SledStores};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

/// The argument that makes the benchmark fill a ledger: home and size follow.
pub const ARGUMENT: &str = "fill-ledger";

/// Records of the short ledger.
const SHORT: usize = 1_000;

/// Records of one session.
const PER_SESSION: usize = 500;

/// Evidence of one record.
const EVIDENCE: usize = 1_000;

const ROUNDS: usize = 150;
const STARTS: usize = 10;

struct Filled {
    hook: Program,
    world: World,
    folder: PathBuf,
}

/// The section.
pub fn run() {
    compare(
        100_000,
        ["ledger of 1,000 records", "ledger of 100,000 records"],
    );
}

/// The section that is measured only when it is asked for: it takes ten minutes
/// and 4 GB.
pub fn million() {
    compare(
        1_000_000,
        ["ledger of 1,000 records", "ledger of 1,000,000 records"],
    );
}

fn compare(long: usize, names: [&str; 2]) {
    let filled = [fill(SHORT), fill(long)];
    events(&filled, names);
    starts(&filled, names);
    for (at, name) in filled.iter().zip(names) {
        whole(at, name);
    }
}

/// What the ledger as a whole costs.
fn whole(at: &Filled, name: &str) {
    at.world.receipt(&["service", "stop"]);
    at.hook.cost(&at.world.session("idle", &at.folder).start());
    println!("\n{name}\n  service, opened and idle: {} MiB", memory(at));
    let begun = Instant::now();
    let report = at.world.receipt(&["audit", "--format", "json"]).stdout;
    let seconds = begun.elapsed().as_secs_f64();
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["sound"], true);
    let rate = report["records"].as_f64().unwrap() / seconds;
    println!("  audit: {seconds:.1} s, {rate:.0} records/s");
    println!("  service, after the audit: {} MiB", memory(at));
}

/// Resident memory of the service.
fn memory(at: &Filled) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", at.world.service())).unwrap();
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"));
    let kib = line.unwrap().split_whitespace().next().unwrap();
    kib.parse::<u64>().unwrap() >> 10
}

fn events(filled: &[Filled], names: [&str; 2]) {
    let mut event = Table::new("one event, 10 KB, warm service", &names);
    let mut stop = Table::new("Stop of a turn without edits: verdict, checkpoint", &names);
    let session = |f: &Filled| f.world.session("measured", &f.folder);
    let mut sessions: Vec<_> = filled.iter().map(session).collect();
    for _ in 0..ROUNDS {
        for (row, (at, session)) in filled.iter().zip(&mut sessions).enumerate() {
            at.hook.cost(&session.prompt());
            event.add(row, at.hook.cost(&session.read(10_000)[1]));
            stop.add(row, at.hook.cost(&session.stop()));
        }
    }
    event.print();
    stop.print();
}

fn starts(filled: &[Filled], names: [&str; 2]) {
    let mut table = Table::new("one event, no service running", &names);
    for _ in 0..STARTS {
        for (row, at) in filled.iter().enumerate() {
            at.world.receipt(&["service", "stop"]);
            let input = at.world.session("started", &at.folder).start();
            table.add(row, at.hook.cost(&input));
        }
    }
    table.print();
}

/// A ledger of so many records. Another process writes them: sled keeps its
/// lock for the life of a process, and the service needs it.
fn fill(size: usize) -> Filled {
    let world = World::new();
    let folder = world.bare_folder();
    let status = Command::new(std::env::current_exe().unwrap())
        .args([ARGUMENT, world.home().to_str().unwrap(), &size.to_string()])
        .status();
    assert!(status.unwrap().success());
    let hook = world.hook(&folder);
    Filled {
        hook,
        world,
        folder,
    }
}

/// Writes records into a home's ledger.
pub fn write(home: &Path, size: usize) {
    let key = |name: &str| {
        let path = home.join("keys").join(format!("{name}.pem"));
        PrivateKey::from_pem(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    let ring = KeyRing {
        record: key("record"),
        checkpoint: key("checkpoint"),
        next: Vec::new(),
    };
    let root = home.join("ledger");
    let disk = Arc::new(FsDisk::new(&root));
    let lock = Lock::acquire(&*disk).unwrap();
    let mut stores = SledStores::new(&root);
    let (mut ledger, _) = Ledger::open(disk, lock, &mut stores, ring, Options::default()).unwrap();
    for session in 0..size / PER_SESSION {
        let drafts = (0..PER_SESSION).map(|n| draft(session, n)).collect();
        ledger
            .append_with_checkpoint(drafts, [1; 32], Time::default())
            .unwrap();
    }
    ledger.settle().unwrap();
    ledger.publish_head().unwrap();
}

fn draft(session: usize, number: usize) -> Draft {
    let mut content = Content::of_facts(b"{\"obs\":[{\"ended\":{\"ok\":true}}]}".to_vec());
    content.evidence = vec![
        format!("{session} {number} ")
            .repeat(EVIDENCE / 8)
            .into_bytes(),
    ];
    Draft {
        kind: Kind::ToolSucceeded,
        flags: 0,
        stream: stream_id("claude-code", &session.to_string()),
        client_event: 1,
        client_us: 1,
        policy: [0; 32],
        secret: [2; 32],
        content,
    }
}
