//! The bytes of a session: its transcript, and those of its subagents put in
//! between by time. Subagents write to files of their own, in
//! `SESSION/subagents` beside `SESSION.jsonl`.

use crate::effect::file::open_input;
use receipt_core::agent::claude_code::transcript::{MAX_LINE, time};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Bytes read at a time.
const CHUNK: usize = 1 << 20;

/// Largest transcript; the largest seen have some hundred megabytes.
const MAX_TRANSCRIPT: u64 = 4 << 30;

/// Most transcripts of subagents that are read; each is an open file.
const MAX_SUBAGENTS: usize = 200;

/// Hands the bytes to `each`, piece by piece.
///
/// # Errors
/// Where the transcript cannot be read. A subagent's is left out instead.
pub(super) fn read(path: &Path, each: impl FnMut(&[u8])) -> io::Result<()> {
    let mut main = Source::open(path)?;
    let others = subagents(path);
    // A file that is one JSON array has no lines to put others between.
    if others.is_empty() || main.is_array()? {
        return chunks(main.file, each);
    }
    let mut sources = vec![main];
    sources.extend(others.iter().filter_map(|other| Source::open(other).ok()));
    merge(sources, each)
}

fn chunks(mut file: impl Read, mut each: impl FnMut(&[u8])) -> io::Result<()> {
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = file.read(&mut chunk)?;
        if read == 0 {
            return Ok(());
        }
        each(chunk.get(..read).unwrap_or_default());
    }
}

fn subagents(path: &Path) -> Vec<PathBuf> {
    let folder = path.with_extension("").join("subagents");
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .collect();
    files.sort();
    files.truncate(MAX_SUBAGENTS);
    files
}

/// A file, line by line.
struct Source {
    file: BufReader<File>,
    /// The line that is next, or a part of one that is too long to hold.
    line: Vec<u8>,
    /// When that line was written; without a time, when the one before was.
    time: Vec<u8>,
}

impl Source {
    fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: BufReader::with_capacity(CHUNK, open_input(path, MAX_TRANSCRIPT)?),
            line: Vec::new(),
            time: Vec::new(),
        })
    }

    fn is_array(&mut self) -> io::Result<bool> {
        let start = self.file.fill_buf()?;
        let blank = |byte: &&u8| byte.is_ascii_whitespace() || b"\xef\xbb\xbf".contains(byte);
        Ok(start.iter().find(|byte| !blank(byte)) == Some(&b'['))
    }

    /// Reads the next line; false at the end.
    fn advance(&mut self) -> io::Result<bool> {
        self.line.clear();
        let limit = u64::try_from(MAX_LINE).unwrap_or(u64::MAX);
        self.file
            .by_ref()
            .take(limit)
            .read_until(b'\n', &mut self.line)?;
        if let Some(time) = time(&self.line) {
            self.time = time.to_vec();
        }
        Ok(!self.line.is_empty())
    }

    /// Hands out the whole line, a long one in parts.
    fn emit(&mut self, each: &mut impl FnMut(&[u8])) -> io::Result<()> {
        each(&self.line);
        while !self.line.ends_with(b"\n") {
            let time = self.time.clone();
            let more = self.advance()?;
            self.time = time;
            if !more {
                each(b"\n");
                return Ok(());
            }
            each(&self.line);
        }
        Ok(())
    }
}

/// Hands out lines by time; the first source goes before the others.
fn merge(mut sources: Vec<Source>, mut each: impl FnMut(&[u8])) -> io::Result<()> {
    let mut ready = Vec::new();
    for mut source in sources.drain(..) {
        if source.advance()? {
            ready.push(source);
        }
    }
    loop {
        let times = ready.iter().enumerate();
        let Some((at, _)) = times.min_by(|(_, a), (_, b)| a.time.cmp(&b.time)) else {
            return Ok(());
        };
        let Some(source) = ready.get_mut(at) else {
            return Ok(());
        };
        source.emit(&mut each)?;
        if !source.advance()? {
            ready.remove(at);
        }
    }
}
