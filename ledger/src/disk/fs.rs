//! The real disk.

use super::{Disk, LockGuard};
use rustix::fs::OFlags;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A ledger directory in the file system.
#[derive(Debug)]
pub struct FsDisk {
    root: PathBuf,
    /// The file last appended to, kept open so that its write errors are seen
    /// by the very descriptor that syncs it.
    open: Mutex<Option<(String, File)>>,
}

impl FsDisk {
    /// The disk of that directory. Nothing is touched yet.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            open: Mutex::new(None),
        }
    }

    /// The directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn path(&self, name: &str) -> PathBuf {
        if name.is_empty() {
            self.root.clone()
        } else {
            self.root.join(name)
        }
    }

    fn open_file(&self) -> MutexGuard<'_, Option<(String, File)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets the open file if it has that name.
    fn forget(&self, name: &str) {
        let mut open = self.open_file();
        if open.as_ref().is_some_and(|(n, _)| n == name) {
            *open = None;
        }
    }
}

fn owner_only() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// Opens a regular file, at once: anything may stand in a file's place, and to
/// open a pipe or to read a device may never end.
fn open_regular(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let opened = options.custom_flags(flags(OFlags::NONBLOCK)).open(path);
    // A pipe that nobody reads and a socket cannot be opened at all.
    let metadata = match &opened {
        Ok(file) => file.metadata(),
        Err(_) => fs::metadata(path),
    };
    match metadata {
        Ok(metadata) if !metadata.is_file() => Err(not_regular(metadata.is_dir())),
        _ => opened,
    }
}

fn not_regular(is_folder: bool) -> io::Error {
    let (kind, what) = if is_folder {
        (io::ErrorKind::IsADirectory, "a folder")
    } else {
        (io::ErrorKind::InvalidInput, "a pipe, a socket or a device")
    };
    io::Error::new(kind, format!("it is {what}, not a regular file"))
}

/// Opens a folder, to sync it.
fn open_folder(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .custom_flags(flags(OFlags::DIRECTORY))
        .open(path)
}

const fn flags(flags: OFlags) -> i32 {
    flags.bits().cast_signed()
}

impl Disk for FsDisk {
    fn create_dir_all(&self, name: &str) -> io::Result<()> {
        let path = self.path(name);
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(0o700);
        if !name.is_empty() || path.exists() {
            return builder.create(&path);
        }
        // Nobody else syncs the folders above the ledger directory.
        let above: Vec<_> = path.ancestors().skip(1).collect();
        let made = above.iter().take_while(|folder| !folder.exists()).count();
        builder.create(&path)?;
        for folder in above.iter().take(made.saturating_add(1)) {
            let named = !folder.as_os_str().is_empty();
            open_folder(if named { folder } else { Path::new(".") })?.sync_all()?;
        }
        Ok(())
    }

    fn list(&self, name: &str) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(self.path(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let mut names = Vec::new();
        for entry in entries {
            // A name that is not UTF-8 is not ours.
            if let Ok(name) = entry?.file_name().into_string() {
                names.push(name);
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    fn len(&self, name: &str) -> io::Result<Option<u64>> {
        match fs::metadata(self.path(name)) {
            Ok(metadata) => Ok(Some(metadata.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        let file = open_regular(OpenOptions::new().read(true), &self.path(name))?;
        // Growing step by step would take twice the memory for a segment.
        let len = file.metadata()?.len().min(limit);
        let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0));
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the file is larger than it may be",
            ));
        }
        Ok(bytes)
    }

    fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut open = self.open_file();
        if let Some((open_name, file)) = open.as_mut()
            && open_name == name
        {
            return file.write_all(bytes);
        }
        let path = self.path(name);
        let mut file = open_regular(owner_only().append(true).create(true), &path)?;
        let written = file.write_all(bytes);
        *open = Some((name.to_owned(), file));
        written
    }

    fn sync(&self, name: &str) -> io::Result<()> {
        let open = self.open_file();
        match open.as_ref() {
            Some((open_name, file)) if open_name == name => file.sync_data(),
            _ => open_regular(OpenOptions::new().read(true), &self.path(name))?.sync_data(),
        }
    }

    fn write_new(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        owner_only()
            .write(true)
            .create_new(true)
            .open(self.path(name))?
            .write_all(bytes)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.forget(from);
        self.forget(to);
        fs::rename(self.path(from), self.path(to))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.forget(name);
        fs::remove_file(self.path(name))
    }

    fn sync_dir(&self, name: &str) -> io::Result<()> {
        open_folder(&self.path(name))?.sync_all()
    }

    fn truncate(&self, name: &str, len: u64) -> io::Result<()> {
        self.forget(name);
        open_regular(OpenOptions::new().write(true), &self.path(name))?.set_len(len)
    }

    fn lock(&self, name: &str) -> io::Result<Option<LockGuard>> {
        let mut options = owner_only();
        options.create(true).truncate(false).write(true);
        let file = open_regular(&mut options, &self.path(name))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(LockGuard::new(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}
