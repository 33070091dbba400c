//! Every disk and every store does what the suites ask.

use receipt_ledger::store::Stores;
use receipt_ledger::testing::{FaultDisk, disk_conformance, store_conformance};
use receipt_ledger::{FsDisk, MemoryStores, SledStores};
use std::sync::Arc;

#[test]
fn memory_disk() {
    disk_conformance(&mut || Arc::new(FaultDisk::new())).unwrap();
}

#[test]
fn real_disk() {
    let folder = tempfile::tempdir().unwrap();
    let mut n = 0;
    disk_conformance(&mut || {
        n += 1;
        Arc::new(FsDisk::new(
            folder.path().join(n.to_string()).join("ledger"),
        ))
    })
    .unwrap();
}

#[test]
fn files_are_for_the_owner_alone() {
    use receipt_ledger::Disk;
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("home/ledger");
    let disk = FsDisk::new(&root);
    disk.create_dir_all("").unwrap();
    disk.create_dir_all("a").unwrap();
    disk.append("a/one", b"x").unwrap();
    disk.write_new("two", b"x").unwrap();
    let mode = |name: &str| root.join(name).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (mode(""), mode("a"), mode("a/one"), mode("two")),
        (0o700, 0o700, 0o600, 0o600)
    );
}

#[test]
fn memory_store() {
    store_conformance(&mut || MemoryStores::new().open().unwrap()).unwrap();
}

#[test]
fn sled_store_without_blob_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut n = 0;
    store_conformance(&mut || {
        n += 1;
        let root = folder.path().join(n.to_string());
        std::fs::create_dir(&root).unwrap();
        SledStores::new(root).open().unwrap()
    })
    .unwrap();
    for store in 1..=n {
        let blobs = folder.path().join(store.to_string()).join("db-1/blobs");
        assert_eq!(std::fs::read_dir(blobs).unwrap().count(), 0);
    }
}
