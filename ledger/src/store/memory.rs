//! A store in memory, for tests and simulations. It can lose what was not
//! synced, as a machine does that loses power.

use super::kv::{Kv, KvStore, Pair};
use super::{Store, StoreError, Stores};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug, Default, Clone)]
struct Image {
    live: BTreeMap<Vec<u8>, Vec<u8>>,
    durable: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Calls so far.
    calls: u64,
    /// Fails one call, by its number; `true` where it takes effect all the same.
    fail: Option<(u64, bool)>,
    /// Fails the n-th call from now on of `put` and `sync`, counted down.
    fail_in: Option<u64>,
}

/// An ordered map in memory, shared by all handles to it.
#[derive(Debug, Default, Clone)]
pub struct MemoryKv(Arc<Mutex<Image>>);

/// A store in memory.
pub type MemoryStore = KvStore<MemoryKv>;

impl MemoryKv {
    fn image(&self) -> MutexGuard<'_, Image> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Image {
    /// One call, which takes effect or not, and then fails or not.
    fn call<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> Result<T, StoreError> {
        let number = self.calls;
        self.calls = number.saturating_add(1);
        match self.fail {
            Some((call, effect)) if call == number => {
                if effect {
                    work(self);
                }
                Err(StoreError::Failed)
            }
            _ => Ok(work(self)),
        }
    }

    fn fails(&mut self) -> Result<(), StoreError> {
        match self.fail_in.as_mut() {
            None => Ok(()),
            Some(0) => Err(StoreError::Failed),
            Some(n) => {
                *n = n.saturating_sub(1);
                Ok(())
            }
        }
    }
}

impl Kv for MemoryKv {
    fn share(&self) -> Result<Self, StoreError> {
        Ok(self.clone())
    }

    fn put(&mut self, pairs: Vec<Pair>) -> Result<(), StoreError> {
        let mut image = self.image();
        image.fails()?;
        image.call(|image| image.live.extend(pairs))
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        let mut image = self.image();
        image.fails()?;
        image.call(|image| image.durable = image.live.clone())
    }

    fn many(&self, keys: Vec<Vec<u8>>) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.image().call(|image| {
            let values = keys.iter().map(|key| image.live.get(key).cloned());
            values.collect()
        })
    }

    fn page(&self, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<Pair>, StoreError> {
        self.image().call(|image| {
            let mut page = Vec::new();
            let mut bytes = 0usize;
            for (key, value) in image.live.range(from.to_vec()..to.to_vec()) {
                if bytes >= limit {
                    break;
                }
                bytes = bytes.saturating_add(key.len()).saturating_add(value.len());
                page.push((key.clone(), value.clone()));
            }
            page
        })
    }

    fn last(&self, from: &[u8], to: &[u8]) -> Result<Option<Pair>, StoreError> {
        self.image().call(|image| {
            let last = image.live.range(from.to_vec()..to.to_vec()).next_back();
            last.map(|(k, v)| (k.clone(), v.clone()))
        })
    }
}

/// Stores in memory: the one in force and how many were set aside.
#[derive(Debug, Default, Clone)]
pub struct MemoryStores {
    image: MemoryKv,
    aside: usize,
}

impl MemoryStores {
    /// No store yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What a power cut leaves: all that was synced. Handles to the old
    /// stores no longer matter.
    #[must_use]
    pub fn power_cut(&self) -> Self {
        let durable = self.image.image().durable.clone();
        Self::of(durable, self.aside)
    }

    /// A copy of the store as a new process would find it.
    #[must_use]
    pub fn copy(&self) -> Self {
        let live = self.image.image().live.clone();
        Self::of(live, self.aside)
    }

    fn of(map: BTreeMap<Vec<u8>, Vec<u8>>, aside: usize) -> Self {
        let image = Image {
            live: map.clone(),
            durable: map,
            ..Image::default()
        };
        Self {
            image: MemoryKv(Arc::new(Mutex::new(image))),
            aside,
        }
    }

    /// Number of calls so far, those that read among them.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.image.image().calls
    }

    /// Fails one call, by its number; with `effect` it takes effect all the same.
    pub fn fail(&self, call: u64, effect: bool) {
        self.image.image().fail = Some((call, effect));
    }

    /// Lets `calls` more writes and syncs pass and fails all after them.
    pub fn fail_after(&self, calls: u64) {
        self.image.image().fail_in = Some(calls);
    }

    /// The pairs whose keys begin with `prefix`.
    #[must_use]
    pub fn pairs(&self, prefix: &[u8]) -> Vec<Pair> {
        let image = self.image.image();
        let all = image.live.iter().filter(|(key, _)| key.starts_with(prefix));
        all.map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }

    /// Puts pairs there behind the store's back.
    pub fn plant(&self, pairs: Vec<Pair>) {
        self.image.image().live.extend(pairs);
    }

    /// Removes the pairs whose keys begin with `prefix`.
    pub fn forget(&self, prefix: &[u8]) {
        self.image
            .image()
            .live
            .retain(|key, _| !key.starts_with(prefix));
    }

    /// Changes the values under the keys that begin with `prefix`.
    pub fn damage(&self, prefix: &[u8], mut change: impl FnMut(&mut Vec<u8>)) {
        for (key, value) in &mut self.image.image().live {
            if key.starts_with(prefix) {
                change(value);
            }
        }
    }
}

impl Stores for MemoryStores {
    fn open(&mut self) -> Result<Box<dyn Store>, StoreError> {
        Ok(Box::new(KvStore::new(self.image.clone())?))
    }

    fn set_aside(&mut self) -> Result<Option<String>, StoreError> {
        if !self.exists()? {
            return Ok(None);
        }
        self.image = MemoryKv::default();
        self.aside = self.aside.saturating_add(1);
        Ok(Some(format!("memory-{}.aside", self.aside)))
    }

    fn erase(&mut self) -> Result<(), StoreError> {
        self.set_aside().map(drop)
    }

    fn exists(&self) -> Result<bool, StoreError> {
        Ok(!self.image.image().live.is_empty())
    }
}
