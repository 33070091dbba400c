//! What is known about a turn beside its facts: names for people.

use receipt_gates::claim::{Claim, claims};
use receipt_gates::explain::Names;
use receipt_gates::facts::{EditSeen, Observation, RunSeen};
use receipt_gates::observe::Observed;
use std::collections::BTreeMap;

/// Names, edits, checks and claims of one turn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    commands: BTreeMap<u64, String>,
    paths: BTreeMap<String, String>,
    /// File changes, in the order of their records.
    pub(crate) edits: Vec<Edit>,
    /// Checks, in the order of their records.
    pub(crate) checks: Vec<Check>,
    /// Claims of the newest stop request's message.
    pub(crate) claims: Vec<Claim>,
}

/// One file change.
#[derive(Debug, Clone)]
pub(crate) struct Edit {
    /// The file, from the root where it lies inside.
    pub(crate) path: String,
    /// The observed change.
    pub(crate) seen: EditSeen,
}

/// One check that ran or was to run.
#[derive(Debug, Clone)]
pub(crate) struct Check {
    /// The whole command line it was part of.
    pub(crate) command: String,
    /// The observed run.
    pub(crate) seen: RunSeen,
}

impl Seen {
    /// Keeps what one record tells.
    pub(crate) fn take(&mut self, observed: &Observed, seq: u64) {
        self.paths.extend(observed.paths.clone());
        let command = observed.command.as_ref().map(|c| c.command.clone());
        if let Some(command) = &command {
            self.commands.insert(seq, command.clone());
        }
        for observation in &observed.facts.obs {
            match observation {
                Observation::Edit(edit) => self.edits.push(Edit {
                    path: self
                        .paths
                        .get(&edit.path)
                        .cloned()
                        .unwrap_or_else(|| edit.path.clone()),
                    seen: edit.clone(),
                }),
                Observation::Run(run) => self.checks.push(Check {
                    command: command.clone().unwrap_or_default(),
                    seen: run.clone(),
                }),
                Observation::Stop(_) => {
                    let message = observed.texts.get("message");
                    self.claims = message.map_or_else(Vec::new, |m| claims(m));
                }
                _ => {}
            }
        }
    }
}

impl Names for Seen {
    fn command(&self, seq: u64) -> Option<String> {
        self.commands.get(&seq).cloned()
    }

    fn path(&self, _: u64, id: &str) -> Option<String> {
        self.paths.get(id).cloned()
    }

    fn text(&self, _: u64, _: &str) -> Option<String> {
        None
    }
}
