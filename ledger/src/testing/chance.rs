//! What a power cut leaves, by a seed.

use super::Kept;

/// A file: what is there, and what was synced.
#[derive(Debug, Default, Clone)]
pub(super) struct File {
    pub(super) live: Vec<u8>,
    pub(super) durable: Vec<u8>,
}

/// Decides what a power cut leaves.
pub(super) struct Chance {
    kept: Kept,
    state: u64,
}

impl Chance {
    pub(super) const fn new(kept: Kept) -> Self {
        let state = match kept {
            Kept::Some(seed) => seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            _ => 1,
        };
        Self { kept, state }
    }

    const fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    pub(super) fn keeps(&mut self) -> bool {
        match self.kept {
            Kept::Synced => false,
            Kept::All => true,
            Kept::Some(_) => self.next() & 1 == 1,
        }
    }

    /// What remains of a file. What was synced does, unless the file was cut.
    pub(super) fn remains(&mut self, file: &File) -> Vec<u8> {
        let durable = file.durable.len();
        let appended = match file.live.get(durable..) {
            Some(rest) if file.live.starts_with(&file.durable) => rest,
            _ if self.keeps() => return file.live.clone(),
            _ => return file.durable.clone(),
        };
        match self.kept {
            Kept::Synced => file.durable.clone(),
            Kept::All => file.live.clone(),
            Kept::Some(_) => {
                let span = (appended.len() as u64).saturating_add(1);
                let len = usize::try_from(self.next() % span).unwrap_or(0);
                let mut bytes = file.durable.clone();
                bytes.extend_from_slice(appended.get(..len).unwrap_or_default());
                if self.keeps() {
                    // The length reached the disk, a block of the data did not.
                    let from = durable.saturating_add(len / 2);
                    bytes.iter_mut().skip(from).for_each(|byte| *byte = 0);
                }
                bytes
            }
        }
    }
}
