//! Stop requests: what the final message says.

use super::{Observer, exact};
use crate::claim;
use crate::facts::{ClaimSeen, Observation, StopSeen};
use alloc::string::ToString;

impl Observer<'_> {
    pub(super) fn stop(&mut self, active: bool, message: &str, background: u64) {
        self.text("message", message);
        let claims = claim::claims(message).into_iter().map(|c| ClaimSeen {
            kind: c.kind.as_str().to_string(),
            negated: c.negated,
            hedged: c.hedged,
            part: c.part,
            tool: c.tool.map(ToString::to_string),
            count: c.count.and_then(exact),
        });
        let claims = claims.collect();
        let question = claim::is_question(message);
        self.say(Observation::Stop(StopSeen {
            active,
            background,
            claims,
            question,
            completion: claim::completion_language(message),
        }));
    }
}
