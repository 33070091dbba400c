//! The spool: whole or absent, in order, and nothing unreadable stays in the way.

use receipt_ledger::testing::{Failure, FaultDisk, Kept};
use receipt_ledger::{Disk, FsDisk, LedgerError, Spool};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::Command;

#[test]
fn events_are_listed_in_order_read_and_removed() {
    let disk = FaultDisk::new();
    assert_eq!(Spool::list(&disk).unwrap(), Vec::<String>::new());
    for name in ["0003-c", "0001-a", "0002-b"] {
        Spool::write(&disk, name, name.as_bytes()).unwrap();
    }
    assert_eq!(Spool::list(&disk).unwrap(), ["0001-a", "0002-b", "0003-c"]);
    assert_eq!(Spool::read(&disk, "0002-b").unwrap(), b"0002-b");
    assert_eq!(Spool::len(&disk, "0002-b").unwrap(), Some(42));
    Spool::remove(&disk, "0002-b").unwrap();
    assert_eq!(Spool::list(&disk).unwrap(), ["0001-a", "0003-c"]);
    let aside = Spool::quarantine(&disk, "0001-a").unwrap();
    assert_eq!(Spool::list(&disk).unwrap(), ["0003-c"]);
    assert!(disk.bytes(&aside).is_some());
}

#[test]
fn a_power_cut_at_any_call_leaves_an_event_whole_or_absent() {
    for call in 0..12 {
        let disk = FaultDisk::new();
        disk.stop(call);
        let written = Spool::write(&disk, "0001", b"an event that matters");
        for kept in [
            Kept::Synced,
            Kept::All,
            Kept::Some(call),
            Kept::Some(call + 99),
        ] {
            let found = disk.power_cut(kept);
            let names = Spool::list(&found).unwrap();
            if written.is_ok() {
                assert_eq!(names, ["0001"], "call {call}, {kept:?}");
            }
            for name in names {
                assert_eq!(
                    Spool::read(&found, &name).unwrap(),
                    b"an event that matters"
                );
            }
            // What is left never keeps the next one out.
            Spool::write(&found, "0002", b"x").unwrap();
        }
    }
}

#[test]
fn a_file_that_is_not_whole_is_named_and_can_be_put_aside() {
    let disk = FaultDisk::new();
    Spool::write(&disk, "1", b"an event").unwrap();
    let whole = disk.bytes("spool/1").unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        disk.put("spool/1", &bytes).unwrap();
        assert!(
            matches!(Spool::read(&disk, "1"), Err(LedgerError::Damaged { .. })),
            "byte {at}"
        );
        disk.put("spool/1", &whole[..at]).unwrap();
        assert!(Spool::read(&disk, "1").is_err(), "cut at {at}");
    }
    let mut longer = whole;
    longer.push(0);
    disk.put("spool/1", &longer).unwrap();
    assert!(Spool::read(&disk, "1").is_err());
    Spool::quarantine(&disk, "1").unwrap();
    assert!(Spool::list(&disk).unwrap().is_empty());
}

#[test]
fn names_do_not_leave_the_folder() {
    let disk = FaultDisk::new();
    for name in [
        "",
        ".",
        "..",
        "../head",
        "a/b",
        ".hidden",
        "a b",
        "ä",
        &"x".repeat(121),
    ] {
        let refused = Spool::write(&disk, name, b"x").unwrap_err();
        assert!(matches!(refused, LedgerError::SpoolName(_)), "{name}");
    }
    assert!(Spool::write(&disk, "1", b"").is_err());
    disk.create_dir_all("spool/quarantine").unwrap();
    disk.put("spool/.1.tmp", b"half").unwrap();
    disk.put("spool/no good", b"x").unwrap();
    assert!(Spool::list(&disk).unwrap().is_empty());
}

#[test]
fn a_spool_that_fails_leaves_nothing_behind() {
    for call in 0..6 {
        for how in [Failure::Before, Failure::Half] {
            let disk = FaultDisk::new();
            disk.create_dir_all("spool").unwrap();
            disk.fail(disk.calls() + call, how);
            if Spool::write(&disk, "1", b"an event").is_err() {
                let left = disk.names();
                let known = left.iter().all(|name| name == "spool/1");
                assert!(known, "call {call}: {left:?}");
            }
        }
    }
}

const READ_ONLY: &str = "RECEIPT_LEDGER_READ_ONLY_HOME";

/// The child: an unprivileged process on a folder that it may only read.
/// Does nothing when the test binary runs it as a test.
#[test]
fn child() {
    let Ok(home) = std::env::var(READ_ONLY) else {
        return;
    };
    let disk = FsDisk::new(home);
    assert_eq!(Spool::list(&disk).unwrap(), ["1"]);
    assert_eq!(Spool::read(&disk, "1").unwrap(), b"an event");
    for refused in [
        Spool::write(&disk, "2", b"another"),
        Spool::remove(&disk, "1"),
        Spool::quarantine(&disk, "1").map(|_| ()),
    ] {
        assert!(matches!(refused, Err(LedgerError::Io { .. })));
    }
}

#[test]
fn a_folder_that_is_read_only_is_an_error_and_harms_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("ledger");
    let disk = FsDisk::new(&home);
    disk.create_dir_all("").unwrap();
    Spool::write(&disk, "1", b"an event").unwrap();
    // Root writes anywhere: the child runs as a user that owns nothing.
    let binary = folder.path().join("tests");
    fs::copy(std::env::current_exe().unwrap(), &binary).unwrap();
    let mode = |path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    mode(folder.path().to_path_buf(), 0o755);
    mode(binary.clone(), 0o755);
    mode(home.join("spool/1"), 0o444);
    mode(home.join("spool"), 0o555);
    mode(home.clone(), 0o555);
    let mut child = Command::new(&binary);
    child
        .args(["spool::child", "--exact"])
        .env(READ_ONLY, &home)
        .current_dir("/");
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        child.uid(65_534).gid(65_534);
    }
    let done = child.output().unwrap();
    mode(home.clone(), 0o755);
    mode(home.join("spool"), 0o755);
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(
        done.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&done.stderr)
    );
    assert_eq!(Spool::list(&disk).unwrap(), ["1"]);
}
