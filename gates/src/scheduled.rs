//! Prompts that the agent scheduled in its session (`spec/gates.md`, "Scheduled").
//!
//! The client submits such a prompt later as if a person had typed it, and says
//! nowhere that none did. Its text is the only thing by which it is known.

use crate::facts::{Facts, Observation};
use crate::keyed::{Keyer, Thing};
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// Most prompts that are remembered; a client keeps fewer schedules.
pub const MAX_SCHEDULED: usize = 256;

/// Keyed ids of the prompts that were scheduled last, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Scheduled(Vec<String>);

impl Scheduled {
    /// Whether nothing was scheduled.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a prompt of this id was scheduled.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.0.iter().any(|known| known == id)
    }

    /// Takes what a record's facts report.
    pub(crate) fn take(&mut self, facts: &Facts) {
        if let Some(open) = &facts.open {
            self.extend(&open.scheduled.0);
        }
        for observation in &facts.obs {
            if let Observation::Scheduled(ids) = observation {
                self.extend(ids);
            }
        }
    }

    fn extend(&mut self, ids: &[String]) {
        for id in ids {
            self.0.retain(|known| known != id);
            self.0.push(id.clone());
        }
        let surplus = self.0.len().saturating_sub(MAX_SCHEDULED);
        self.0.drain(..surplus);
    }
}

/// The id of a prompt's text; space around it does not matter.
#[must_use]
pub fn prompt_id(keyer: &Keyer, text: &str) -> String {
    keyer.id(Thing::Prompt, text.trim())
}
