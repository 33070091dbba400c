//! What every [`Disk`] must do.

use super::{Checked, ensure, told};
use crate::disk::Disk;
use std::io::ErrorKind;
use std::sync::Arc;

/// Runs the suite. `empty` yields a fresh disk each time.
///
/// # Errors
/// The first expectation that does not hold.
pub fn disk_conformance(empty: &mut dyn FnMut() -> Arc<dyn Disk>) -> Checked {
    let disks: [fn(&dyn Disk) -> Checked; 5] = [folders, files, renames, cuts, locks];
    for check in disks {
        let disk = empty();
        told("create the root", disk.create_dir_all(""))?;
        check(&*disk)?;
    }
    Ok(())
}

fn folders(disk: &dyn Disk) -> Checked {
    ensure(
        told("list", disk.list("none"))?.is_empty(),
        "a missing folder lists nothing",
    )?;
    let refused = disk.append("none/file", b"x").map_err(|e| e.kind());
    ensure(
        refused == Err(ErrorKind::NotFound),
        "no file without its folder",
    )?;
    told("create", disk.create_dir_all("a/b"))?;
    told("create again", disk.create_dir_all("a/b"))?;
    told("write", disk.write_new("a/2", b"two"))?;
    told("write", disk.write_new("a/1", b"one"))?;
    told("sync", disk.sync_dir("a"))?;
    ensure(
        told("list", disk.list("a"))? == ["1", "2", "b"],
        "a listing is sorted and names folders too",
    )
}

fn files(disk: &dyn Disk) -> Checked {
    ensure(
        told("len", disk.len("file"))?.is_none(),
        "a missing file has no length",
    )?;
    told("append", disk.append("file", b"one"))?;
    told("sync", disk.sync("file"))?;
    told("append", disk.append("other", b"x"))?;
    told("append", disk.append("file", b"two"))?;
    ensure(
        told("read", disk.read("file", 6))? == b"onetwo",
        "appends follow each other",
    )?;
    let refused = disk.read("file", 5).map_err(|e| e.kind());
    ensure(
        refused == Err(ErrorKind::InvalidData),
        "a file over the limit is refused",
    )?;
    let refused = disk.write_new("file", b"x").map_err(|e| e.kind());
    ensure(
        refused == Err(ErrorKind::AlreadyExists),
        "a file that is there is not written anew",
    )?;
    told("remove", disk.remove("file"))?;
    ensure(disk.read("file", 9).is_err(), "a removed file is gone")?;
    told("append", disk.append("file", b"new"))?;
    ensure(
        told("read", disk.read("file", 9))? == b"new",
        "an append after a removal makes a new file",
    )
}

fn renames(disk: &dyn Disk) -> Checked {
    told("append", disk.append("old", b"old"))?;
    told("append", disk.append("new", b"new"))?;
    told("rename", disk.rename("new", "old"))?;
    ensure(
        told("read", disk.read("old", 9))? == b"new",
        "a rename replaces what is there",
    )?;
    ensure(
        told("len", disk.len("new"))?.is_none(),
        "the old name is gone",
    )?;
    told("append", disk.append("new", b"again"))?;
    told("append", disk.append("old", b"er"))?;
    ensure(
        told("read", disk.read("old", 9))? == b"newer",
        "appends follow names, not files once opened",
    )
}

fn cuts(disk: &dyn Disk) -> Checked {
    told("append", disk.append("file", b"0123456789"))?;
    told("truncate", disk.truncate("file", 4))?;
    told("append", disk.append("file", b"x"))?;
    ensure(
        told("read", disk.read("file", 9))? == b"0123x",
        "an append follows a cut",
    )
}

fn locks(disk: &dyn Disk) -> Checked {
    let held = told("lock", disk.lock("lock"))?;
    ensure(held.is_some(), "a free lock is taken")?;
    ensure(
        told("lock", disk.lock("lock"))?.is_none(),
        "a held lock is not",
    )?;
    drop(held);
    ensure(
        told("lock", disk.lock("lock"))?.is_some(),
        "a lock is free after it was let go",
    )
}
