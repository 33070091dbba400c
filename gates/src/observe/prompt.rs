//! Prompts: whose they are, and what they report.

use super::{Observer, is_waiver};
use crate::facts::{Observation, PromptSeen};
use crate::keyed::Thing;
use crate::scheduled::{MAX_SCHEDULED, prompt_id};
use crate::stub;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use receipt_core::event::{BackgroundFailure, PromptOrigin};
use receipt_core::record::Kind;

impl Observer<'_> {
    pub(super) fn prompt(&mut self, text: &str, origin: PromptOrigin) {
        let scheduled = self.scheduled.has(&prompt_id(self.keyer, text));
        let human = origin == PromptOrigin::Human && !scheduled;
        if !human {
            self.out.kind = Kind::PromptMachine;
        }
        self.text("prompt", text);
        let waiver = human && is_waiver(text);
        let asks = if human { stub::asked(text) } else { Vec::new() };
        let asks = asks.iter().map(|kind| kind.as_str().to_string());
        self.say(Observation::Prompt(PromptSeen {
            human,
            waiver,
            asks: asks.collect(),
        }));
    }

    pub(super) fn background_failure(&mut self, failure: Option<&BackgroundFailure>) {
        if let Some(failure) = failure {
            self.out.facts.call = Some(self.keyer.id(Thing::Call, &failure.call));
            self.say(Observation::BackgroundFailed(failure.exit));
        }
    }

    pub(super) fn schedules(&mut self, prompts: &[String]) {
        let ids = prompts.iter().take(MAX_SCHEDULED);
        let ids: Vec<String> = ids.map(|text| prompt_id(self.keyer, text)).collect();
        if !ids.is_empty() {
            self.say(Observation::Scheduled(ids));
        }
    }
}
