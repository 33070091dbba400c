//! The spool: whole or absent, in order, and nothing unreadable stays in the way.

use receipt_ledger::testing::{FaultDisk, Kept};
use receipt_ledger::{Disk, LedgerError, Spool};

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
