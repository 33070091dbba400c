//! Files of a repository, read without trust. Anything may stand in a file's
//! place: to open or read a pipe or a device may never end.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Largest file that is read whole.
const MAX_FILE: u64 = 8 << 20;

/// Opens a regular file that is not over a limit.
pub(crate) fn open_regular(path: &Path, limit: u64) -> Option<File> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
        .open(path)
        .ok()?;
    let metadata = file.metadata().ok()?;
    (metadata.is_file() && metadata.len() <= limit).then_some(file)
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
