//! Counts over a folder of transcripts.

use crate::error::{Error, Outcome};
use crate::output::{self, Format};
use crate::replay::{self, Scanned};
use receipt_gates::gate::in_force;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Folders below this depth are not looked into.
const MAX_DEPTH: usize = 16;

/// What a folder of transcripts comes to. Frozen JSON, as the turn's.
#[derive(Debug, Default, Serialize)]
struct Summary {
    /// Transcripts read.
    files: u64,
    /// Transcripts that could not be read.
    unreadable: u64,
    /// Lines that could not be read.
    skipped_lines: u64,
    /// Turns judged.
    turns: u64,
    /// Turns that the agent ended by itself.
    stopped: u64,
    /// Turns by verdict.
    verdicts: BTreeMap<&'static str, u64>,
    /// Passed turns by basis.
    bases: BTreeMap<&'static str, u64>,
    /// Turns in which a gate has a finding that stands, by gate.
    gates: BTreeMap<String, u64>,
    /// Turns with a finding, notes included, by code.
    codes: BTreeMap<String, u64>,
}

/// Runs it.
pub(super) fn run(folder: &Path, format: Format) -> Outcome {
    let files = transcripts(folder)?;
    if files.is_empty() {
        return Err(Error::input(format!(
            "{} holds no .jsonl file",
            folder.display()
        )));
    }
    let mut summary = Summary {
        gates: in_force().into_keys().map(|gate| (gate, 0)).collect(),
        ..Summary::default()
    };
    for file in files {
        match replay::scan(&file, |scanned| summary.turn(&scanned)) {
            Ok(skipped) => {
                summary.files += 1;
                summary.skipped_lines += skipped;
            }
            Err(error) => {
                summary.unreadable += 1;
                output::note(&error.to_string());
            }
        }
    }
    match format {
        Format::Human => output::out(&summary.human()),
        Format::Json => output::line(&serde_json::to_string(&summary).map_err(Error::fault)?),
    }
    if summary.files == 0 {
        return Err(Error::input("no transcript could be read"));
    }
    Ok(0)
}

impl Summary {
    fn turn(&mut self, scanned: &Scanned) {
        let verdict = &scanned.verdict;
        self.turns += 1;
        self.stopped += u64::from(scanned.stopped);
        *self.verdicts.entry(verdict.verdict.as_str()).or_default() += 1;
        if let Some(basis) = verdict.basis {
            *self.bases.entry(basis.as_str()).or_default() += 1;
        }
        let standing = verdict.findings.iter().filter(|f| f.blocks());
        let gates: BTreeSet<&String> = standing.map(|f| &f.gate).collect();
        let codes: BTreeSet<&String> = verdict.findings.iter().map(|f| &f.code).collect();
        count(&mut self.gates, gates);
        count(&mut self.codes, codes);
    }

    fn human(&self) -> String {
        let mut text = format!(
            "{} turns in {} transcripts, {} of them ended by the agent\n",
            self.turns, self.files, self.stopped
        );
        let mut table = |title: &str, rows: &mut dyn Iterator<Item = (&str, u64)>| {
            text.push_str(&format!("{title}\n"));
            for (name, turns) in rows {
                text.push_str(&format!("  {turns:>6}  {name}\n"));
            }
        };
        table("verdict", &mut self.verdicts.iter().map(|(k, n)| (*k, *n)));
        table(
            "basis of a pass",
            &mut self.bases.iter().map(|(k, n)| (*k, *n)),
        );
        let named = |rows: &BTreeMap<String, u64>| -> Vec<(String, u64)> {
            rows.iter().map(|(k, n)| (k.clone(), *n)).collect()
        };
        for (title, rows) in [
            ("gate with a standing finding", named(&self.gates)),
            ("finding or note", named(&self.codes)),
        ] {
            table(title, &mut rows.iter().map(|(k, n)| (k.as_str(), *n)));
        }
        text
    }
}

fn count(counts: &mut BTreeMap<String, u64>, names: BTreeSet<&String>) {
    for name in names {
        *counts.entry(name.clone()).or_default() += 1;
    }
}

/// The transcripts below a folder, in order of their paths. Those of subagents
/// belong to their session's and hold no turn of their own.
fn transcripts(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_path_buf(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let unreadable = |e: std::io::Error| Error::input(format!("{}: {e}", folder.display()));
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if depth == 0 => return Err(unreadable(error)),
            Err(error) => {
                output::note(&unreadable(error).to_string());
                continue;
            }
        };
        for entry in entries.filter_map(Result::ok) {
            let path = entry.path();
            let kind = entry.file_type().ok();
            if kind.is_some_and(|k| k.is_dir()) {
                if entry.file_name() != "subagents" && depth < MAX_DEPTH {
                    folders.push((path, depth + 1));
                }
            } else if path.extension().is_some_and(|e| e == "jsonl") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
