//! The code files that a turn edited, by name: a snapshot is asked for them.

use receipt_core::commit::Group;
use receipt_core::record::Flags;
use receipt_core::seal::Record;
use receipt_gates::facts::{Facts, Observation};
use std::collections::BTreeMap;

/// Most paths that a snapshot is asked for.
const MAX_ASKED: usize = 4_096;

/// Paths of code files inside the worktree by path id.
#[derive(Debug, Default)]
pub(crate) struct Edited(BTreeMap<String, String>);

impl Edited {
    /// Forgets them: a new turn begins.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes what one record's facts report, with the paths that they name.
    pub(crate) fn take(&mut self, facts: &Facts, paths: &BTreeMap<String, String>) {
        for observation in &facts.obs {
            let Observation::Edit(edit) = observation else {
                continue;
            };
            if let Some(path) = paths.get(&edit.path).filter(|_| edit.code && !edit.outside) {
                self.0.insert(edit.path.clone(), path.clone());
            }
        }
    }

    /// Takes a stored record.
    pub(crate) fn take_record(&mut self, record: &Record) {
        if record.header().has(Flags::OPENS_TURN) {
            self.clear();
        }
        let content = record.disclosure.as_ref().map(|d| &d.content);
        let paths = content.and_then(|content| content.group(Group::Paths));
        let facts = record.facts().and_then(|b| serde_json::from_slice(b).ok());
        let paths = paths.and_then(|b| serde_json::from_slice(b).ok());
        if let (Some(facts), Some(paths)) = (facts, paths) {
            self.take(&facts, &paths);
        }
    }

    /// The paths that a snapshot is asked for.
    pub(crate) fn asked(&self) -> impl Iterator<Item = &String> {
        self.0.values().take(MAX_ASKED)
    }

    /// Whether these are all.
    pub(crate) fn all_asked(&self) -> bool {
        self.0.len() <= MAX_ASKED
    }

    /// The ids of those among `paths` that were asked for.
    pub(crate) fn ids(&self, paths: &[String]) -> Vec<String> {
        let named = self.0.iter().filter(|(_, path)| paths.contains(path));
        named.map(|(id, _)| id.clone()).collect()
    }
}
