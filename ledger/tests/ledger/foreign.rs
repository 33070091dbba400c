//! A pipe, a socket, a device or a folder where a file of the ledger should be:
//! refused at once by its name, or mended, never waited for.

use crate::common::{copy_tree, create, draft, open, ring, time};
use receipt_core::prune::PruneRule;
use receipt_ledger::{
    Disk, FsDisk, LedgerError, Lock, OpenReport, Recovery, SledStores, Spool, distrust_store,
};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tempfile::TempDir;

const SEGMENT: &str = "intake/00000000000000000000.seg";

/// Longer than anything here takes, shorter than the watch over the store.
const SOON: Duration = Duration::from_secs(15);

/// Nine records, closed by a checkpoint, with a snapshot in the store.
fn base() -> &'static Path {
    static BASE: OnceLock<TempDir> = OnceLock::new();
    let made = BASE.get_or_init(|| {
        let home = tempfile::tempdir().unwrap();
        let mut ledger = create(&disk(home.path()), &mut SledStores::new(home.path())).unwrap();
        ledger.append(vec![draft("a", 0)], time(1)).unwrap();
        ledger.settle().unwrap();
        let home = copy_tree(home.path());
        let (mut ledger, _) = open(&disk(home.path()), &mut SledStores::new(home.path())).unwrap();
        let drafts = (1..7).map(|n| draft("a", n)).collect();
        ledger
            .append_with_checkpoint(drafts, [1; 32], time(2))
            .unwrap();
        ledger.publish_head().unwrap();
        ledger.settle().unwrap();
        copy_tree(home.path())
    });
    made.path()
}

fn disk(root: &Path) -> Arc<dyn Disk> {
    Arc::new(FsDisk::new(root))
}

/// Puts something at a path.
type Put = fn(&Path);

/// What may stand in a file's place.
const STRANGERS: [(&str, Put); 6] = [
    ("a pipe", |path| pipe(path)),
    ("a socket", |path| drop(UnixListener::bind(path).unwrap())),
    ("an endless device", |path| {
        symlink("/dev/zero", path).unwrap()
    }),
    ("a full device", |path| symlink("/dev/full", path).unwrap()),
    ("a link to itself", |path| {
        symlink(path.file_name().unwrap(), path).unwrap();
    }),
    ("a folder", |path| fs::create_dir(path).unwrap()),
];

fn pipe(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

/// A copy of the base in which something else stands in the place of `file`.
fn with(file: &str, stranger: Put) -> TempDir {
    let home = copy_tree(base());
    let path = home.path().join(file);
    if path.is_dir() {
        fs::remove_dir_all(&path).unwrap();
    } else if path.exists() {
        fs::remove_file(&path).unwrap();
    }
    stranger(&path);
    home
}

/// Runs in a thread, and fails by name where it does not end soon.
fn soon<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (tell, told) = channel();
    std::thread::spawn(move || tell.send(work()));
    let done = told.recv_timeout(SOON);
    done.unwrap_or_else(|e| panic!("{what}: {e}"))
}

/// Opens, audits, appends and audits again; the number of records before.
fn used(home: PathBuf) -> Result<(OpenReport, u64), LedgerError> {
    let (mut ledger, report) = open(&disk(&home), &mut SledStores::new(&home))?;
    let size = ledger.size();
    assert_eq!(ledger.audit(&mut |_, _| {}).fault, None);
    ledger.append(vec![draft("z", 0)], time(9))?;
    assert_eq!(ledger.audit(&mut |_, _| {}).fault, None);
    Ok((report, size))
}

fn examined(home: &Path) -> Result<Vec<String>, LedgerError> {
    let disk = disk(home);
    let lock = Lock::acquire(&*disk)?;
    let found = Recovery::examine(disk, lock, &mut SledStores::new(home), ring(), &mut |_| {})?;
    Ok(found.findings.wrong)
}

#[test]
fn the_base_is_sound() {
    let home = copy_tree(base());
    let (report, size) = used(home.path().to_owned()).unwrap();
    assert_eq!((report.is_remarkable(), size), (false, 9));
    let snapshots = fs::read_dir(base().join("db-1")).unwrap();
    let names = snapshots.map(|e| e.unwrap().file_name().into_string().unwrap());
    assert!(names.filter(|n| n.starts_with("snap.")).count() > 0);
}

#[test]
fn in_a_files_place_they_are_refused_by_its_name_at_once() {
    for file in [
        "genesis", "head", "lock", "suspect", "exchange", "intake", SEGMENT,
    ] {
        for (stranger, put) in STRANGERS {
            if (file, stranger) == ("intake", "a folder") {
                continue;
            }
            let what = format!("{stranger} as {file}");
            let home = with(file, put);
            let path = home.path().to_owned();
            let refused = soon(&what, move || used(path)).unwrap_err().to_string();
            assert!(refused.contains(&format!("`{file}")), "{what}: {refused}");
            // Neither does what examines the damage wait for it.
            let home = with(file, put);
            let path = home.path().to_owned();
            match soon(&what, move || examined(&path)) {
                Ok(wrong) => {
                    let wrong = wrong.join("; ");
                    let named = wrong.contains(&format!("`{file}"));
                    assert!(named && !wrong.contains("missing"), "{what}: {wrong}");
                }
                Err(error) => assert!(error.to_string().contains(file), "{what}: {error}"),
            }
        }
    }
}

#[test]
fn in_the_store_they_cost_nothing() {
    let mut files = vec!["db-1".to_owned()];
    for entry in fs::read_dir(base().join("db-1")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        files.push(format!("db-1/{name}"));
    }
    assert!(files.len() >= 5, "{files:?}");
    for file in files {
        for (stranger, put) in STRANGERS {
            if stranger == "a folder" && matches!(&*file, "db-1" | "db-1/blobs") {
                continue;
            }
            let what = format!("{stranger} as {file}");
            let home = with(&file, put);
            let path = home.path().to_owned();
            let (report, size) =
                soon(&what, move || used(path)).unwrap_or_else(|e| panic!("{what}: {e}"));
            assert_eq!(size, 9, "{what}");
            assert!(report.rebuilt.is_some(), "{what}: {report:?}");
        }
    }
}

#[test]
fn what_was_set_aside_does_not_keep_a_pruning_from_its_end() {
    for (stranger, put) in STRANGERS {
        let home = with("db-1", put);
        if stranger == "a folder" {
            put(&home.path().join("db-1/db"));
        }
        let path = home.path().to_owned();
        let what = format!("{stranger} as db-1");
        let (ledger, report) = open(&disk(&path), &mut SledStores::new(&path))
            .unwrap_or_else(|e| panic!("{what}: {e}"));
        assert!(report.rebuilt.unwrap().aside.is_some(), "{what}");
        let rule = PruneRule {
            before_us: time(99).wall_us,
            up_to: ledger.size(),
            streams: Vec::new(),
        };
        let found = ledger.prunable(&rule).unwrap();
        let secrets = [[7; 32], [8; 32]];
        ledger
            .prune(&rule, &found, [5; 32], secrets, time(30), &mut |_, _| {})
            .unwrap();
        let next = copy_kinds(&path);
        let path = next.path().to_owned();
        let (_, size) = soon(&what, move || used(path)).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert!(size > 9, "{what}");
        let left = next.path().join("db-1.aside");
        assert!(fs::symlink_metadata(left).is_err(), "{what}: it was erased");
    }
}

/// A copy that has pipes, sockets and links too.
fn copy_kinds(from: &Path) -> TempDir {
    let to = tempfile::tempdir().unwrap();
    let copied = std::process::Command::new("cp")
        .args(["-a", "--"])
        .arg(from.join("."))
        .arg(to.path())
        .status();
    assert!(copied.unwrap().success());
    to
}

#[test]
fn in_the_spool_they_are_put_aside() {
    for (stranger, put) in STRANGERS {
        let what = format!("{stranger} in the spool");
        let home = copy_tree(base());
        let path = home.path().to_owned();
        soon(&what, move || {
            let disk = disk(&path);
            Spool::write(&*disk, "0001", b"an event").unwrap();
            put(&path.join("spool/0002"));
            assert_eq!(Spool::list(&*disk).unwrap(), ["0001", "0002"]);
            assert_eq!(Spool::read(&*disk, "0001").unwrap(), b"an event");
            let refused = Spool::read(&*disk, "0002").unwrap_err().to_string();
            assert!(refused.contains("`spool/0002`"), "{refused}");
            Spool::quarantine(&*disk, "0002").unwrap();
            assert_eq!(Spool::list(&*disk).unwrap(), ["0001"]);
        });
    }
}

#[test]
fn a_mark_on_the_store_is_not_written_into_a_device() {
    for (stranger, put) in STRANGERS {
        let home = with("suspect.tmp", put);
        let path = home.path().to_owned();
        // It may be refused or replaced; it ends, and the ledger opens.
        let marked = soon(stranger, move || {
            distrust_store(&*disk(&path), "why").is_ok()
        });
        let there = fs::symlink_metadata(home.path().join("suspect"));
        assert!(!marked || there.unwrap().is_file(), "{stranger}");
    }
}
