//! Every region of a small ledger's files, flipped, zeroed, cut or removed: it is
//! detected and named, mended from what is whole, or proven irrelevant. Nothing
//! panics, hangs or opens empty. `RECEIPT_REGIONS` makes the regions smaller.

use crate::common::{copy_tree, create, draft, large_draft, open, time};
use receipt_core::hash::Digest;
use receipt_ledger::{Disk, FsDisk, SledStores, Spool};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;
use tempfile::TempDir;

/// Regions that a file is cut into, without `RECEIPT_REGIONS`.
const REGIONS: usize = 12;

/// Longer than the watch over the store waits.
const LIMIT: Duration = Duration::from_secs(60);

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
    for name in ["0001-event", "0002-event"] {
        Spool::write(&*disk, name, b"what a hook left").unwrap();
    }
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

/// What an error or a fault must say of damage to a file.
fn names(file: &Path, said: &str) -> bool {
    let file = file.to_str().unwrap();
    match file.split('/').next().unwrap() {
        name if name.starts_with("db-") => said.contains("store"),
        "intake" => said.contains("intake"),
        _ => said.contains(&format!("`{file}`")),
    }
}

/// Opens what is left: all records are there as they were, or it says why not.
fn judge(small: &Small, folder: &Path, file: &Path, when: &str) -> &'static str {
    let disk: Arc<dyn Disk> = Arc::new(FsDisk::new(folder));
    let (ledger, report) = match open(&disk, &mut SledStores::new(folder)) {
        Err(error) => {
            assert!(names(file, &error.to_string()), "{when}: {error}");
            return "named";
        }
        Ok(opened) => opened,
    };
    let spooled = spooled(&*disk);
    if file.starts_with("spool") && spooled < 2 {
        assert!(ledger.audit(&mut |_, _| {}).is_sound(), "{when}");
        return "of the spool, and seen";
    }
    assert_eq!(spooled, 2, "{when}");
    if let Some(fault) = ledger.audit(&mut |_, _| {}).fault {
        assert!(names(file, &fault.to_string()), "{when}: {fault}");
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

/// Spooled events that are whole. What is not is refused by its name.
fn spooled(disk: &dyn Disk) -> usize {
    let names = Spool::list(disk).unwrap();
    let whole = |name: &String| match Spool::read(disk, name) {
        Ok(event) => event == b"what a hook left",
        Err(error) => {
            assert!(error.to_string().contains(name.as_str()), "{error}");
            false
        }
    };
    names.into_iter().filter(whole).count()
}

/// The same under a time limit: nothing hangs.
fn judge_soon(small: &Arc<Small>, copy: TempDir, file: &Path, when: &str) -> &'static str {
    let (tell, told) = channel();
    let (small, file, at) = (Arc::clone(small), file.to_owned(), when.to_owned());
    std::thread::spawn(move || tell.send(judge(&small, copy.path(), &file, &at)));
    let judged = told.recv_timeout(LIMIT);
    judged.unwrap_or_else(|error| panic!("{when}: {error}"))
}

fn matrix(snapshot: bool) {
    let regions = std::env::var("RECEIPT_REGIONS").ok();
    let regions = regions.map_or(REGIONS, |text| text.parse().unwrap());
    let small = Arc::new(small(snapshot));
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
            let judged = judge_soon(&small, copy, &name, &when);
            *counts.entry(judged).or_insert(0) += 1;
        }
    }
    println!("snapshot {snapshot}: {counts:?}");
    assert!(counts["mended"] > 10 && counts["named"] > 3, "{counts:?}");
    assert!(counts["of the spool, and seen"] > 10, "{counts:?}");
}

#[test]
fn damage_anywhere_is_found_or_mended_without_a_snapshot() {
    matrix(false);
}

#[test]
fn damage_anywhere_is_found_or_mended_with_a_snapshot() {
    matrix(true);
}
