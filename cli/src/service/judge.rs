//! Asking a hook for a model's judgement at a stop, and what follows from it
//! (`spec/judge.md`).

use crate::error::Error;
use crate::service::engine::{Batch, Caller, Engine, Waiting};
use crate::service::open::ledger_error;
use crate::service::stop::{self, LedgerNames};
use crate::wire::{JudgeSettings, Judged, Refusal, ToClient};
use receipt_core::agent;
use receipt_core::event::Agent;
use receipt_core::record::Kind;
use receipt_core::seal::Record;
use receipt_gates::explain::Names;
use receipt_gates::facts::{Facts, Observation};
use receipt_gates::{facts, judge};
use serde_json::json;
use std::time::Duration;

/// The first pause after an outage, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(30 * 60));

/// Records that the judge is shown.
const SHOWN: u64 = 40;

/// Stands for the judge: how it is reached, and whether it is left alone.
#[derive(Debug, Default)]
pub(crate) struct Judge {
    /// What the user's file says of the backend.
    pub(crate) settings: JudgeSettings,
    /// How long the newest pause is.
    pause: Duration,
    /// When it ends, microseconds since 1970.
    paused_until_us: u64,
}

impl Judge {
    /// A judge that is reached so.
    pub(crate) fn new(settings: JudgeSettings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// Notes how a call ended.
    fn ended(&mut self, answered: bool, now_us: u64) {
        if answered {
            self.pause = Duration::ZERO;
            self.paused_until_us = 0;
            return;
        }
        let (first, longest) = PAUSES;
        self.pause = (self.pause.saturating_mul(2)).clamp(first, longest);
        let micros = u64::try_from(self.pause.as_micros()).unwrap_or(u64::MAX);
        self.paused_until_us = now_us.saturating_add(micros);
    }
}

impl Engine {
    /// Asks the hook for a judgement, or goes on without while the judge is left alone.
    pub(super) fn ask_judge(
        &mut self,
        waiting: Waiting,
        batch: &mut Batch,
    ) -> Result<ToClient, Error> {
        if batch.time.wall_us < self.judge.paused_until_us {
            let model = self.judge.settings.model.clone().unwrap_or_default();
            let outage = facts::Judged {
                verdict: "error".to_owned(),
                why: Some("backing-off".to_owned()),
                model,
                ..facts::Judged::default()
            };
            self.say_judged(&waiting, outage, None, batch)?;
            return stop::go_on(self, waiting, batch);
        }
        let (claim, facts, records) = self.question(&waiting, batch)?;
        let settings = self.judge.settings.clone();
        self.waiting.insert(waiting.caller.connection, waiting);
        Ok(ToClient::NeedsJudgement {
            claim,
            facts,
            records,
            settings,
        })
    }

    /// The claim, what the gates know, and the newest records before the stop.
    fn question(
        &mut self,
        waiting: &Waiting,
        batch: &Batch,
    ) -> Result<(String, Vec<String>, Vec<String>), Error> {
        let stream = waiting.stream;
        let names = LedgerNames {
            engine: self,
            batch,
        };
        let fold = self.streams.get(&stream).and_then(|w| w.folded.fold());
        let facts = fold.map_or_else(Vec::new, |fold| fold.facts_for_judge(&names));
        let stop = fold.and_then(|f| f.turn().stop.as_ref()).map(|s| s.seq);
        let claim = stop.and_then(|stop| names.text(stop, "message"));
        let mut records = Vec::new();
        let length = self.ledger.stream_len(&stream);
        for position in length.saturating_sub(SHOWN)..length {
            let record = self.ledger.stream_record(&stream, position);
            let Some(record) = record.map_err(ledger_error)? else {
                continue;
            };
            if stop.is_none_or(|stop| record.header().seq < stop) {
                records.extend(line(&record));
            }
        }
        Ok((claim.unwrap_or_default(), facts, records))
    }

    /// Records what the judge said, and goes on with the stop.
    pub(crate) fn judged(
        &mut self,
        caller: Caller,
        judged: Judged,
        batch: &mut Batch,
    ) -> Result<ToClient, Error> {
        let Some(waiting) = self.waiting.remove(&caller.connection) else {
            return Ok(ToClient::Refused(Refusal::NotAsked));
        };
        let (verdict, reply) = match &judged.reply {
            None => ("error", judge::Reply::default()),
            Some(text) => {
                let reply = judge::read(text);
                let verdict = match reply.pass {
                    Some(true) => "pass",
                    Some(false) => "fail",
                    None => "unparseable",
                };
                (verdict, reply)
            }
        };
        self.judge.ended(judged.reply.is_some(), batch.time.wall_us);
        let seen = facts::Judged {
            verdict: verdict.to_owned(),
            why: judged.outage,
            model: judged.model,
            digest: judged.digest,
            prompt: Some(judged.prompt),
            milliseconds: judged.milliseconds,
            asked: judged.asked,
            said: judged.said,
        };
        let said = judged.reply.map(|text| (text, reply));
        self.say_judged(&waiting, seen, said, batch)?;
        stop::go_on(self, waiting, batch)
    }

    fn say_judged(
        &mut self,
        waiting: &Waiting,
        judged: facts::Judged,
        said: Option<(String, judge::Reply)>,
        batch: &mut Batch,
    ) -> Result<(), Error> {
        let facts = Facts {
            obs: vec![Observation::Judged(judged)],
            ..Facts::default()
        };
        let (mut texts, mut evidence) = (None, Vec::new());
        if let Some((text, reply)) = said {
            let prose = json!({"reason": reply.reason, "missing": reply.missing});
            texts = Some(prose.to_string().into_bytes());
            evidence.push(text.into_bytes());
        }
        let said = (texts, evidence);
        self.say_with(waiting.stream, Kind::Judgement, facts, said, batch)
    }
}

/// A record as a line for the judge; nothing where it says nothing.
fn line(record: &Record) -> Option<String> {
    let evidence = &record.disclosure.as_ref()?.content.evidence;
    let (payload, origin) = (evidence.first()?, evidence.get(1)?);
    let origin: serde_json::Value = serde_json::from_slice(origin).ok()?;
    let agent = Agent::from_name(origin.get("agent")?.as_str()?)?;
    judge::record(record.header().seq, &agent::event(agent, payload))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_that_fails_is_left_alone_longer_each_time() {
        let mut judge = Judge::default();
        let mut pauses = Vec::new();
        for _ in 0..7 {
            judge.ended(false, 1_000_000);
            pauses.push((judge.paused_until_us - 1_000_000) / 1_000_000);
        }
        assert_eq!(pauses, [60, 120, 240, 480, 960, 1_800, 1_800]);
        judge.ended(true, 0);
        assert_eq!(judge.paused_until_us, 0);
        judge.ended(false, 0);
        assert_eq!(judge.paused_until_us, 60_000_000);
    }
}
