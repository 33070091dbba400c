//! Files that others wrote, read without trust. Anything may stand in a file's
//! place: to open or read a pipe or a device may never end.

use crate::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Largest file that is read whole.
const MAX_FILE: u64 = 8 << 20;

/// Opens a regular file that is not over a limit.
///
/// # Errors
/// Where it cannot be opened, is larger, or is a folder, a pipe or a device.
pub(crate) fn open_input(path: &Path, limit: u64) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
        .open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        let what = if metadata.is_dir() {
            "a folder"
        } else {
            "a pipe or a device"
        };
        return Err(io::Error::other(format!(
            "it is {what}, not a regular file"
        )));
    }
    if metadata.len() > limit {
        return Err(io::Error::other(format!("it is larger than {limit} bytes")));
    }
    Ok(file)
}

/// Reads a file, or stdin for `-`; one byte over the limit is enough to refuse it.
///
/// # Errors
/// Where it cannot be read.
pub(crate) fn read_limited(path: &Path, limit: usize) -> Result<Vec<u8>, Error> {
    let failed = |e: std::io::Error| Error::input(format!("cannot read {}: {e}", path.display()));
    let mut bytes = Vec::new();
    let most = (limit as u64).saturating_add(1);
    if path == Path::new("-") {
        std::io::stdin()
            .lock()
            .take(most)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
    } else {
        // A file over the limit is told by what is read of it.
        let file = open_input(path, u64::MAX).map_err(failed)?;
        file.take(most).read_to_end(&mut bytes).map_err(failed)?;
    }
    Ok(bytes)
}

/// [`open_input`], where why not does not matter.
pub(crate) fn open_regular(path: &Path, limit: u64) -> Option<File> {
    open_input(path, limit).ok()
}

/// A small regular file's bytes.
pub(crate) fn read_bytes(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open_regular(path, MAX_FILE)?;
    file.take(MAX_FILE).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// A small regular file's text.
pub(crate) fn read_text(path: &Path) -> Option<String> {
    String::from_utf8(read_bytes(path)?).ok()
}

/// The JSON files of a folder, by name; `what` is what they are.
///
/// # Errors
/// Where it cannot be read or holds none.
pub(crate) fn input_files(folder: &Path, what: &str) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |e: io::Error| Error::input(format!("{}: {e}", folder.display()));
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    if files.is_empty() {
        let message = format!("{} holds no {what} file", folder.display());
        return Err(Error::input(message).hint(format!("a {what} file is a .json file")));
    }
    files.sort();
    Ok(files)
}

/// Writes a file so that it is there whole or not at all.
///
/// # Errors
/// Where it cannot be written.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |e: std::io::Error| Error::fault(format!("cannot write {}: {e}", path.display()));
    if path.is_dir() {
        let message = format!("cannot write {}: it is a folder", path.display());
        return Err(Error::usage(message).hint("-o takes the name of the file"));
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let mut file = File::create(&part).map_err(failed)?;
    file.write_all(bytes)
        .and_then(|()| file.sync_all())
        .map_err(failed)?;
    std::fs::rename(&part, path).map_err(failed)
}
