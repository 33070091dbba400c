//! The client's transcript, read at a stop: it confirms what hooks reported.

use super::file::open_regular;
use crate::wire::Transcript;
use receipt_core::agent::claude_code::transcript::Confirmed;
use receipt_gates::observe::is_waiver;
use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Bytes that are read in all.
const BUDGET: u64 = 8 << 20;

/// Largest file that is opened: only its end is read.
const MAX_FILE: u64 = u64::MAX;

/// Reads what was added since a length, and subagents' files that were written
/// since a time.
pub(crate) fn read(path: &Path, from: u64, since_us: u64) -> Transcript {
    let mut found = Confirmed::default();
    let whole = read_all(path, from, since_us, &mut found).is_some();
    Transcript {
        whole,
        waiver: found.prompts.iter().any(|prompt| is_waiver(prompt)),
        results: found.results,
    }
}

/// `None` where something is missing, cut, or over the budget.
fn read_all(path: &Path, from: u64, since_us: u64, found: &mut Confirmed) -> Option<()> {
    let mut left = BUDGET;
    read_from(path, from, &mut left, found)?;
    for file in subagents(path, since_us) {
        read_from(&file, 0, &mut left, found)?;
    }
    Some(())
}

fn read_from(path: &Path, from: u64, left: &mut u64, found: &mut Confirmed) -> Option<()> {
    let mut file = open_regular(path, MAX_FILE)?;
    let added = file.metadata().ok()?.len().checked_sub(from)?;
    *left = left.checked_sub(added)?;
    file.seek(SeekFrom::Start(from)).ok()?;
    let mut bytes = Vec::new();
    file.take(added).read_to_end(&mut bytes).ok()?;
    found.read(&bytes);
    Some(())
}

/// `<session>/subagents/agent-*.jsonl` beside `<session>.jsonl`.
fn subagents(path: &Path, since_us: u64) -> Vec<PathBuf> {
    let folder = path.with_extension("").join("subagents");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let recent = |path: &PathBuf| {
        let seconds = fs::metadata(path).map_or(0, |m| m.mtime());
        u64::try_from(seconds).is_ok_and(|s| s >= since_us / 1_000_000)
    };
    entries
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some(OsStr::new("jsonl")))
        .filter(recent)
        .collect()
}
