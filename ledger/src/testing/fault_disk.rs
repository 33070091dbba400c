//! A disk in memory that fails and loses power on demand.

use super::chance::{Chance, File};
use crate::disk::{Disk, LockGuard};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Nothing happens.
    Before,
    /// It happens, and an error is returned all the same.
    After,
    /// An append writes half of its bytes; other calls do nothing.
    Half,
}

/// What a power cut leaves of what was not synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Nothing.
    Synced,
    /// Everything.
    All,
    /// Some of it, by this seed: names each for itself, appended bytes up to
    /// any length, and not always the bytes that were written.
    Some(u64),
}

#[derive(Debug, Default)]
struct World {
    files: Vec<File>,
    names: BTreeMap<String, usize>,
    durable_names: BTreeMap<String, usize>,
    folders: BTreeSet<String>,
    durable_folders: BTreeSet<String>,
    calls: u64,
    fail: Option<(u64, Failure)>,
    stop: Option<u64>,
    locked: Arc<AtomicBool>,
}

/// A disk in memory with two images: what is there, and what a power cut
/// would leave. Calls that change or sync something are counted from 0.
#[derive(Debug, Default, Clone)]
pub struct FaultDisk(Arc<Mutex<World>>);

fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn missing(name: &str) -> io::Error {
    io::Error::new(ErrorKind::NotFound, format!("`{name}` is missing"))
}

fn injected() -> io::Error {
    io::Error::other("an injected fault")
}

impl World {
    fn id(&self, name: &str) -> io::Result<usize> {
        self.names.get(name).copied().ok_or_else(|| missing(name))
    }

    fn file(&mut self, name: &str) -> io::Result<&mut File> {
        let id = self.id(name)?;
        self.files.get_mut(id).ok_or_else(|| missing(name))
    }

    fn has_folder(&self, name: &str) -> io::Result<()> {
        if name.is_empty() || self.folders.contains(name) {
            Ok(())
        } else {
            Err(missing(name))
        }
    }

    fn make(&mut self, name: &str) -> io::Result<()> {
        self.has_folder(folder_of(name))?;
        self.names.insert(name.to_owned(), self.files.len());
        self.files.push(File::default());
        Ok(())
    }

    fn append(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        if !self.names.contains_key(name) {
            self.make(name)?;
        }
        self.file(name)?.live.extend_from_slice(bytes);
        Ok(())
    }

    /// Counts a call and says how it fails, if it does.
    fn call(&mut self) -> io::Result<Option<Failure>> {
        let call = self.calls;
        self.calls = call.saturating_add(1);
        if self.stop.is_some_and(|stop| call >= stop) {
            return Err(io::Error::other("the power is off"));
        }
        Ok(self.fail.filter(|(at, _)| *at == call).map(|(_, how)| how))
    }

    fn sync_dir(&mut self, folder: &str) {
        let inside = |name: &String| folder_of(name) == folder;
        self.durable_names.retain(|name, _| !inside(name));
        let names = self.names.iter().filter(|(name, _)| inside(name));
        self.durable_names
            .extend(names.map(|(name, id)| (name.clone(), *id)));
        let folders = self.folders.iter().filter(|name| inside(name));
        self.durable_folders.extend(folders.cloned());
    }
}

impl FaultDisk {
    /// An empty disk that does not fail.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn world(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of calls so far.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.world().calls
    }

    /// Fails one call, by its number.
    pub fn fail(&self, call: u64, how: Failure) {
        self.world().fail = Some((call, how));
    }

    /// Fails that call and all after it, without effect.
    pub fn stop(&self, call: u64) {
        self.world().stop = Some(call);
    }

    /// A file's bytes.
    #[must_use]
    pub fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        let mut world = self.world();
        world.file(name).ok().map(|file| file.live.clone())
    }

    /// The names of all files.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.world().names.keys().cloned().collect()
    }

    /// Puts a file there as if it had always been.
    ///
    /// # Errors
    /// A missing folder.
    pub fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut world = self.world();
        world.make(name)?;
        let id = world.id(name)?;
        world.durable_names.insert(name.to_owned(), id);
        let file = world.file(name)?;
        file.live = bytes.to_vec();
        file.durable = bytes.to_vec();
        Ok(())
    }

    /// The disk as the next process finds it when this one was killed.
    #[must_use]
    pub fn copy(&self) -> Self {
        self.power_cut(Kept::All)
    }

    /// The disk as it is found after a power cut.
    #[must_use]
    pub fn power_cut(&self, kept: Kept) -> Self {
        let world = self.world();
        let mut chance = Chance::new(kept);
        let mut found = World {
            folders: world.durable_folders.clone(),
            ..World::default()
        };
        for folder in &world.folders {
            if chance.keeps() {
                found.folders.insert(folder.clone());
            }
        }
        let mut names = world.durable_names.clone();
        for (name, id) in &world.names {
            if chance.keeps() {
                // A rename is atomic: the new name or the old one.
                names.retain(|old, of| of != id || world.names.contains_key(old));
                names.insert(name.clone(), *id);
            }
        }
        if kept == Kept::All {
            names.clone_from(&world.names);
        }
        for (name, id) in names {
            let folder = folder_of(&name);
            let (Some(file), true) = (
                world.files.get(id),
                folder.is_empty() || found.folders.contains(folder),
            ) else {
                continue;
            };
            let bytes = chance.remains(file);
            found.names.insert(name, found.files.len());
            found.files.push(File {
                live: bytes.clone(),
                durable: bytes,
            });
        }
        found.durable_names = found.names.clone();
        found.durable_folders = found.folders.clone();
        Self(Arc::new(Mutex::new(found)))
    }

    /// Counts the call, then does it, does half of it, or does not.
    fn act(
        &self,
        whole: impl FnOnce(&mut World) -> io::Result<()>,
        half: impl FnOnce(&mut World) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut world = self.world();
        match world.call()? {
            None => whole(&mut world),
            Some(Failure::Before) => Err(injected()),
            Some(Failure::After) => whole(&mut world).and(Err(injected())),
            Some(Failure::Half) => half(&mut world).and(Err(injected())),
        }
    }

    fn change(&self, change: impl FnOnce(&mut World) -> io::Result<()>) -> io::Result<()> {
        self.act(change, |_| Ok(()))
    }
}

impl Disk for FaultDisk {
    fn create_dir_all(&self, name: &str) -> io::Result<()> {
        self.change(|world| {
            let mut folder = name;
            while !folder.is_empty() {
                world.folders.insert(folder.to_owned());
                folder = folder_of(folder);
            }
            Ok(())
        })
    }

    fn list(&self, name: &str) -> io::Result<Vec<String>> {
        let world = self.world();
        let inside = |full: &&String| folder_of(full) == name;
        let all = world.names.keys().chain(world.folders.iter());
        let last = |full: &String| full.rsplit('/').next().unwrap_or_default().to_owned();
        let mut names: Vec<_> = all.filter(inside).map(last).collect();
        names.sort_unstable();
        Ok(names)
    }

    fn len(&self, name: &str) -> io::Result<Option<u64>> {
        let mut world = self.world();
        Ok(world.file(name).ok().map(|file| file.live.len() as u64))
    }

    fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        let mut world = self.world();
        let bytes = &world.file(name)?.live;
        if bytes.len() as u64 > limit {
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                "larger than it may be",
            ));
        }
        Ok(bytes.clone())
    }

    fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let half = bytes.get(..bytes.len() / 2).unwrap_or_default();
        self.act(
            |world| world.append(name, bytes),
            |world| world.append(name, half),
        )
    }

    fn sync(&self, name: &str) -> io::Result<()> {
        self.change(|world| {
            let file = world.file(name)?;
            file.durable = file.live.clone();
            Ok(())
        })
    }

    fn write_new(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.change(|world| {
            if world.names.contains_key(name) {
                return Err(ErrorKind::AlreadyExists.into());
            }
            world.append(name, bytes)
        })
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.change(|world| {
            world.has_folder(folder_of(to))?;
            let id = world.id(from)?;
            world.names.remove(from);
            world.names.insert(to.to_owned(), id);
            Ok(())
        })
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.change(|world| {
            world.id(name)?;
            world.names.remove(name);
            Ok(())
        })
    }

    fn sync_dir(&self, name: &str) -> io::Result<()> {
        self.change(|world| {
            world.has_folder(name)?;
            world.sync_dir(name);
            Ok(())
        })
    }

    fn truncate(&self, name: &str, len: u64) -> io::Result<()> {
        self.change(|world| {
            let len = usize::try_from(len).unwrap_or(usize::MAX);
            world.file(name)?.live.resize(len, 0);
            Ok(())
        })
    }

    fn lock(&self, _name: &str) -> io::Result<Option<LockGuard>> {
        let locked = Arc::clone(&self.world().locked);
        let was = locked.swap(true, Ordering::AcqRel);
        Ok((!was).then(|| LockGuard::new(Unlock(locked))))
    }
}

struct Unlock(Arc<AtomicBool>);

impl Drop for Unlock {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
