//! Asking a hook for the client's transcript at a stop, and what follows from it.

use crate::error::Error;
use crate::service::engine::{Batch, Caller, Engine, Waiting};
use crate::service::stop;
use crate::wire::{Refusal, ToClient, Transcript};
use receipt_core::record::Kind;
use receipt_gates::facts::{Facts, Observation, TranscriptSeen};
use receipt_gates::keyed::Thing;
use receipt_gates::turn::Turn;
use std::collections::BTreeMap;

/// Where the client's transcript stood when a turn began.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mark {
    /// Its length; 0 where it is not known, or there was none.
    pub(crate) from: u64,
    /// When, microseconds since 1970.
    pub(crate) since_us: u64,
}

impl Mark {
    /// From an event's second evidence item, which says where it came from.
    pub(crate) fn of(origin: &[u8], client_us: u64) -> Self {
        let origin: serde_json::Value = serde_json::from_slice(origin).unwrap_or_default();
        let length = origin.get("transcript_len");
        Self {
            from: length.and_then(serde_json::Value::as_u64).unwrap_or(0),
            since_us: client_us,
        }
    }
}

/// Asks for the transcript, if the verdict rests on something that it confirms.
pub(crate) fn wanted(engine: &Engine, waiting: &Waiting) -> Option<ToClient> {
    let warm = engine.streams.get(&waiting.stream)?;
    warm.folded.fold()?.turn().wants_transcript().then_some({
        ToClient::NeedsTranscript {
            from: warm.mark.from,
            since_us: warm.mark.since_us,
        }
    })
}

impl Engine {
    /// Records what a hook found in the transcript, and goes on with the stop.
    pub(crate) fn transcript(
        &mut self,
        caller: Caller,
        found: &Transcript,
        batch: &mut Batch,
    ) -> Result<ToClient, Error> {
        let Some(waiting) = self.waiting.remove(&caller.connection) else {
            return Ok(ToClient::Refused(Refusal::NotAsked));
        };
        let facts = Facts {
            obs: vec![Observation::Transcript(self.seen(&waiting, found)?)],
            ..Facts::default()
        };
        self.say(waiting.stream, Kind::Transcript, facts, batch)?;
        stop::go_on(self, waiting, batch)
    }

    fn seen(&mut self, waiting: &Waiting, found: &Transcript) -> Result<TranscriptSeen, Error> {
        let warm = self.warm(waiting.stream)?;
        let results: BTreeMap<String, bool> = found
            .results
            .iter()
            .map(|(id, error)| (warm.keyer.id(Thing::Call, id), *error))
            .collect();
        let turn = warm.folded.fold().map(|fold| fold.turn());
        let lacks = |turn: &Turn, call: &Option<String>| {
            let call = call.as_ref().filter(|call| turn.calls.ended_once(call));
            call.and_then(|call| results.get(call)) != Some(&false)
        };
        let unconfirmed = turn.into_iter().flat_map(|turn| {
            let listed = turn.passes.iter();
            let lacking = listed.filter(move |(_, call)| lacks(turn, call));
            // Of those over the bound the call is not known any more.
            turn.unlisted
                .into_iter()
                .chain(lacking.map(|(seq, _)| *seq))
        });
        Ok(TranscriptSeen {
            whole: found.whole,
            unconfirmed: unconfirmed.filter(|_| found.whole).collect(),
            no_waiver: found.whole && !found.waiver,
        })
    }
}
