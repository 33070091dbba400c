//! A process that appends is killed at random; each reopening is a new process.

use crate::common::{create, draft, open, time};
use receipt_core::hash::hex;
use receipt_ledger::{Disk, FsDisk, SledStores};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

const HOME: &str = "RECEIPT_LEDGER_KILL_HOME";
const KILLS: u64 = 20;

/// The child: opens, appends, and tells of each acknowledgement. Does nothing
/// when the test binary runs it as a test.
#[test]
fn child() {
    let Ok(home) = std::env::var(HOME) else {
        return;
    };
    let disk: Arc<dyn Disk> = Arc::new(FsDisk::new(&home));
    let (mut ledger, _) = open(&disk, &mut SledStores::new(&home)).unwrap();
    let mut out = std::io::stdout();
    for n in ledger.size().. {
        let drafts = vec![draft("a", n), draft("b", n)];
        let records = if n % 5 == 0 {
            let made = ledger.append_with_checkpoint(drafts, [1; 32], time(n));
            made.unwrap().records
        } else {
            ledger.append(drafts, time(n)).unwrap()
        };
        for record in records {
            let link = hex(&record.signed.link());
            writeln!(out, "\nacked {} {link}", record.header().seq).unwrap();
        }
        ledger.publish_head().unwrap();
        if n % 3 == 0 {
            ledger.settle().unwrap();
        }
    }
}

/// Lets a child append and kills it; what it was told is safe.
fn run_and_kill(home: &Path, after: Duration) -> BTreeMap<u64, String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["kill::child", "--exact", "--nocapture", "--test-threads=1"])
        .env(HOME, home)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let lines = BufReader::new(out).lines().map_while(Result::ok);
        lines
            .filter_map(|line| {
                let (seq, link) = line.strip_prefix("acked ")?.split_once(' ')?;
                // The last line may be cut.
                (link.len() == 64).then(|| (seq.parse().unwrap(), link.to_owned()))
            })
            .collect()
    });
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
    reader.join().unwrap()
}

#[test]
fn a_killed_writer_loses_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("ledger");
    let disk: Arc<dyn Disk> = Arc::new(FsDisk::new(&home));
    drop(create(&disk, &mut SledStores::new(&home)).unwrap());
    // The database of this process stays open in it: children get a copy.
    let copy = crate::common::copy_tree(&home);
    let mut acked = BTreeMap::new();
    for n in 0..KILLS {
        // Some kills fall into the opening, the others into appending.
        let after = Duration::from_millis(3 + n * n * 37 % 150);
        acked.extend(run_and_kill(copy.path(), after));
    }
    assert!(acked.len() > 50, "{} acknowledged", acked.len());
    let disk: Arc<dyn Disk> = Arc::new(FsDisk::new(copy.path()));
    let (ledger, _) = open(&disk, &mut SledStores::new(copy.path())).unwrap();
    assert_eq!(ledger.audit(&mut |_, _| {}).fault, None);
    for (seq, link) in acked {
        let record = ledger.record(seq).unwrap();
        let record = record.unwrap_or_else(|| panic!("record {seq} is lost"));
        assert_eq!(hex(&record.signed.link()), link, "record {seq}");
    }
}
