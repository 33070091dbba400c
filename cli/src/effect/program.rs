//! Programs of the machine, found by hand.

use crate::world::environment;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The first program of a name on the path: an absolute one, never of the worktree.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let path = environment::get("PATH")?;
    std::env::split_paths(&path)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(name))
        .find(|file| file.is_file())
}

/// Lays out a folder with a program of that name that does nothing.
pub(crate) fn idle(folder: &Path, name: &str) -> io::Result<()> {
    let idle = find("true").ok_or(ErrorKind::NotFound)?;
    std::fs::create_dir_all(folder)?;
    match std::os::unix::fs::symlink(idle, folder.join(name)) {
        Err(e) if e.kind() != ErrorKind::AlreadyExists => Err(e),
        _ => Ok(()),
    }
}
