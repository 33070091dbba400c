//! sled hangs for ever when it is flushed or dropped after an error.

use crate::common::{copy_tree, large_draft, time};
use crate::sled::{RECORDS, base, reopen};
use receipt_ledger::LedgerError;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// sled's own files fail to be written: the size that a process may write is
/// used up, as a full disk would be. Everything after that ends, and at once.
#[test]
fn after_an_error_nothing_hangs() {
    let home = copy_tree(base().fresh.path());
    let log = fs::metadata(home.path().join("db-1/db")).unwrap().len();
    // A shell, because a signal that is ignored stays so in what it runs.
    let mut child = Command::new("sh")
        .args([
            "-c",
            r#"trap "" XFSZ; ulimit -f "$1"; shift; exec "$@""#,
            "sh",
        ])
        .arg((log / 512 + ROOM).to_string())
        .arg(std::env::current_exe().unwrap())
        .args(["hang::child", "--exact", "--nocapture"])
        .env(HOME, home.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = child.stdout.take().unwrap();
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || tell.send(std::io::read_to_string(out)));
    let said = told.recv_timeout(Duration::from_secs(120));
    let _ = child.kill();
    let _ = child.wait();
    let said = said.expect("it ends").unwrap();
    assert!(said.contains("the store failed and said so"), "{said}");
    let acked = said.matches("acknowledged").count() as u64;
    assert!(acked > 0, "{said}");
    let (ledger, _) = reopen(home.path()).unwrap();
    assert!(ledger.size() > RECORDS + acked, "{said}");
    assert_eq!(ledger.audit(&mut |_, _| {}).fault, None);
}

/// How much the largest file may grow, in blocks of 512 bytes: enough to open.
const ROOM: u64 = 2 << 11;

const HOME: &str = "RECEIPT_SLED_HANG_HOME";

/// The child: its store's files may not grow beyond what they are. Does nothing
/// when the test binary runs it as a test.
#[test]
fn child() {
    let Ok(home) = std::env::var(HOME) else {
        return;
    };
    let (mut ledger, _) = reopen(Path::new(&home)).unwrap();
    let mut failed = false;
    for n in 0..200 {
        match ledger.append(vec![large_draft("a", 50_000)], time(n)) {
            Ok(_) => println!("acknowledged {n}"),
            Err(LedgerError::Store(_)) => failed = true,
            Err(other) => panic!("{other}"),
        }
        failed |= matches!(ledger.settle(), Err(LedgerError::Store(_)));
        if failed {
            break;
        }
    }
    drop(ledger);
    assert!(failed);
    println!("the store failed and said so");
}
