//! Every region of a small ledger's files, flipped, zeroed, cut or removed: it is
//! detected and named, mended from what is whole, or proven irrelevant. Nothing
//! panics, hangs or opens empty. `RECEIPT_REGIONS` makes the regions smaller.

use crate::common::{copy_tree, create, draft, large_draft, open, time};
use receipt_core::hash::Digest;
use receipt_ledger::{Disk, FsDisk, SledStores};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// Regions that a file is cut into, without `RECEIPT_REGIONS`.
const REGIONS: usize = 12;

struct Small {
    folder: TempDir,
    size: u64,
    root: Digest,
}

/// A ledger of a few records; opened twice it has a snapshot of sled's too.
fn small(snapshot: bool) -> Small {
    let folder = tempfile::tempdir().unwrap();
    let disk: Arc<dyn Disk> = Arc::new(FsDisk::new(folder.path()));
    let mut ledger = create(&disk, &mut SledStores::new(folder.path())).unwrap();
    for n in 0..4 {
        let drafts = vec![draft("a", n), large_draft("b", 5_000)];
        ledger
            .append_with_checkpoint(drafts, [1; 32], time(n))
            .unwrap();
        ledger.publish_head().unwrap();
    }
    ledger.settle().unwrap();
    let (size, root) = (ledger.size(), ledger.root());
    let mut copy = copy_tree(folder.path());
    if snapshot {
        // Opened elsewhere: a store is not opened twice in one place.
        let disk: Arc<dyn Disk> = Arc::new(FsDisk::new(copy.path()));
        drop(open(&disk, &mut SledStores::new(copy.path())).unwrap());
        copy = copy_tree(copy.path());
    }
    Small {
        folder: copy,
        size,
        root,
    }
}

fn files(folder: &Path, below: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder.join(below)).unwrap() {
        let entry = entry.unwrap();
        let name = below.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(folder, &name));
        } else {
            found.push(name);
        }
    }
    found.sort();
    found
}

/// What is done to a region.
#[derive(Debug, Clone, Copy)]
enum Damage {
    Flip,
    Zero,
    CutFrom,
}

fn spoil(path: &Path, damage: Damage, from: usize, to: usize) {
    let mut bytes = fs::read(path).unwrap();
    match damage {
        Damage::Flip => bytes[from + (to - from) / 2] ^= 0x10,
        Damage::Zero => bytes[from..to].fill(0),
        Damage::CutFrom => bytes.truncate(from),
    }
    fs::write(path, bytes).unwrap();
}

/// Opens what is left: all records are there as they were, or it says why not.
fn judge(small: &Small, folder: &Path, when: &str) -> &'static str {
    let disk: Arc<dyn Disk> = Arc::new(FsDisk::new(folder));
    let (ledger, report) = match open(&disk, &mut SledStores::new(folder)) {
        Err(error) => {
            assert!(!error.to_string().is_empty(), "{when}");
            return "named";
        }
        Ok(opened) => opened,
    };
    let audit = ledger.audit(&mut |_, _| {});
    if audit.fault.is_some() {
        return "found by the audit";
    }
    assert_eq!(
        (ledger.size(), ledger.root()),
        (small.size, small.root),
        "{when}"
    );
    if report.is_remarkable() || report.replayed > 0 {
        "mended"
    } else {
        "irrelevant"
    }
}

fn matrix(snapshot: bool) {
    let regions = std::env::var("RECEIPT_REGIONS").ok();
    let regions = regions.map_or(REGIONS, |text| text.parse().unwrap());
    let small = small(snapshot);
    let mut counts = std::collections::BTreeMap::new();
    for name in files(small.folder.path(), Path::new("")) {
        let len = usize::try_from(fs::metadata(small.folder.path().join(&name)).unwrap().len());
        let len = len.unwrap();
        let mut cases = vec![None];
        for region in 0..regions.min(len) {
            let (from, to) = (
                len * region / regions.min(len),
                len * (region + 1) / regions.min(len),
            );
            let all = [Damage::Flip, Damage::Zero, Damage::CutFrom];
            cases.extend(all.map(|damage| Some((damage, from, to))));
        }
        for case in cases {
            let copy = copy_tree(small.folder.path());
            let path = copy.path().join(&name);
            match case {
                None => fs::remove_file(&path).unwrap(),
                Some((damage, from, to)) => spoil(&path, damage, from, to),
            }
            let when = format!("{}: {case:?}", name.display());
            *counts.entry(judge(&small, copy.path(), &when)).or_insert(0) += 1;
        }
    }
    println!("snapshot {snapshot}: {counts:?}");
    assert!(counts["mended"] > 10 && counts["named"] > 3, "{counts:?}");
}

#[test]
fn damage_anywhere_is_found_or_mended_without_a_snapshot() {
    matrix(false);
}

#[test]
fn damage_anywhere_is_found_or_mended_with_a_snapshot() {
    matrix(true);
}
