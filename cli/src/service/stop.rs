//! What a hook is answered: snapshots to take, stops to allow or refuse.

use crate::error::Error;
use crate::service::absence;
use crate::service::bound::Room;
use crate::service::confirm;
use crate::service::duplicate::Identity;
use crate::service::engine::{Batch, Engine, Waiting, done};
use crate::wire::{Diff, Snapshot, ToClient};
use receipt_core::agent::{self, Answer};
use receipt_core::commit::Group;
use receipt_core::event::{Agent, Event, EventKind};
use receipt_core::record::Kind;
use receipt_gates::explain::{self, Names};
use receipt_gates::facts::{CallSeen, DiffFile, DiffSeen, Facts, Guarded, Moment, SnapshotSeen};
use receipt_gates::gate::Request;
use receipt_gates::keyed::Keyer;
use receipt_gates::path;
use receipt_gates::verdict::{Action, VerdictFacts};

/// Answers an event that was just recorded.
pub(crate) fn reply(
    engine: &mut Engine,
    event: &Event,
    waiting: impl FnOnce(Moment) -> Waiting,
    batch: &mut Batch,
) -> Result<ToClient, Error> {
    match &event.kind {
        EventKind::ToolRequested { call } => {
            let seen = receipt_gates::observe::call_seen(call);
            Ok(before_call(engine, &seen, waiting))
        }
        EventKind::StopRequested { .. } => {
            let waiting = waiting(Moment::Stop);
            absence::at_end(engine, waiting.stream, event, batch)?;
            at_stop(engine, waiting, batch)
        }
        EventKind::SessionEnded { .. } => {
            let stream = waiting(Moment::Stop).stream;
            absence::at_end(engine, stream, event, batch)?;
            let folder = engine.warm(stream)?.snapshot_folder();
            engine.ended.push(stream);
            Ok(ToClient::Done {
                answer: String::new(),
                forget: Some(folder),
            })
        }
        _ => Ok(done("")),
    }
}

/// Refuses a call that would touch the ledger or its wiring.
pub(crate) fn refuse(engine: &mut Engine, guarded: &Guarded, identity: &Identity) -> ToClient {
    let reason = explain::guard_reason(guarded);
    let answer = agent::answer(Agent::ClaudeCode, Answer::Deny { reason }).unwrap_or_default();
    engine.duplicates.decided(identity, &answer);
    done(&answer)
}

/// Asks for a snapshot before a call where a later verdict will need one.
fn before_call(
    engine: &mut Engine,
    seen: &CallSeen,
    waiting: impl FnOnce(Moment) -> Waiting,
) -> ToClient {
    let moment = if seen.check {
        Moment::Check
    } else {
        Moment::Write
    };
    let waiting = waiting(moment);
    let Some(warm) = engine.streams.get(&waiting.stream) else {
        return done("");
    };
    let wanted = warm
        .folded
        .fold()
        .is_some_and(|f| f.wants_snapshot(seen.write, seen.check));
    if !wanted {
        return done("");
    }
    let folder = warm.snapshot_folder();
    engine.waiting.insert(waiting.caller.connection, waiting);
    ToClient::NeedsSnapshot {
        folder,
        diff_from: Vec::new(),
        edited: Vec::new(),
    }
}

/// Asks for what the verdict needs, or gives it.
fn at_stop(engine: &mut Engine, waiting: Waiting, batch: &mut Batch) -> Result<ToClient, Error> {
    let Some(warm) = engine.streams.get(&waiting.stream) else {
        return Ok(done(""));
    };
    let Some(fold) = warm.folded.fold() else {
        return Ok(done(""));
    };
    if let Some(asked) = confirm::wanted(engine, &waiting) {
        engine.waiting.insert(waiting.caller.connection, waiting);
        return Ok(asked);
    }
    let needs = fold.needs(&engine.profile).into_iter().next();
    if let Some(Request::Snapshot { diff_from }) = needs {
        let folder = warm.snapshot_folder();
        let edited = warm.edited.asked().cloned().collect();
        engine.waiting.insert(waiting.caller.connection, waiting);
        return Ok(ToClient::NeedsSnapshot {
            folder,
            diff_from,
            edited,
        });
    }
    if needs.is_some() {
        return engine.ask_judge(waiting, batch);
    }
    let verdict = fold.verdict(&engine.profile, &engine.profile_bytes);
    give(engine, &waiting, verdict, batch)
}

/// Goes on after an answer was recorded.
pub(crate) fn go_on(
    engine: &mut Engine,
    waiting: Waiting,
    batch: &mut Batch,
) -> Result<ToClient, Error> {
    let identity = waiting.identity.clone();
    let reply = match waiting.moment {
        Moment::Stop => at_stop(engine, waiting, batch)?,
        Moment::Write | Moment::Check => done(""),
    };
    if matches!(reply, ToClient::Done { .. }) {
        batch.answered.push(identity);
    }
    Ok(reply)
}

/// Records the verdict; it is printed only after it is durable.
fn give(
    engine: &mut Engine,
    waiting: &Waiting,
    verdict: VerdictFacts,
    batch: &mut Batch,
) -> Result<ToClient, Error> {
    let names = LedgerNames { engine, batch };
    let answer = match verdict.action {
        Action::Blocked => Answer::Block {
            reason: explain::block_reason(&verdict, &names),
        },
        _ => {
            match explain::notice(&verdict, &names).or_else(|| outage(engine, waiting, &verdict)) {
                Some(text) => Answer::Notice { text },
                None => Answer::Silent,
            }
        }
    };
    let facts = Facts {
        verdict: Some(verdict),
        ..Facts::default()
    };
    engine.say(waiting.stream, Kind::VerdictStop, facts, batch)?;
    batch.checkpoint = true;
    let answer = agent::answer(Agent::ClaudeCode, answer).unwrap_or_default();
    engine.duplicates.decided(&waiting.identity, &answer);
    Ok(done(&answer))
}

/// What the user is told of the first outage of the judge in a session.
fn outage(engine: &Engine, waiting: &Waiting, verdict: &VerdictFacts) -> Option<String> {
    let warm = engine.streams.get(&waiting.stream)?;
    let text = explain::outage(verdict)?;
    (!warm.outage_told.replace(true)).then_some(text)
}

/// A snapshot as facts: code files alone, paths as ids.
pub(crate) fn snapshot_seen(
    engine: &mut Engine,
    waiting: &Waiting,
    snapshot: &Snapshot,
) -> Result<SnapshotSeen, Error> {
    let warm = engine.warm(waiting.stream)?;
    let mut room = Room::new();
    let diffs = snapshot.diffs.iter().map(|diff| {
        let (files, all) = room.take(code_files(diff, &warm.keyer));
        DiffSeen {
            from: diff.from.clone(),
            files,
            more: diff.more || !all,
        }
    });
    let at_stop = waiting.moment == Moment::Stop && snapshot.tree.is_some();
    Ok(SnapshotSeen {
        unseen: warm.edited.ids(&snapshot.unseen),
        unasked: at_stop && !warm.edited.all_asked(),
        moment: waiting.moment,
        tree: snapshot.tree.clone(),
        missing: snapshot.missing.clone(),
        commit: snapshot.commit.clone(),
        diffs: diffs.collect(),
    })
}

fn code_files(diff: &Diff, keyer: &Keyer) -> impl Iterator<Item = DiffFile> {
    let code = diff
        .files
        .iter()
        .filter(|f| path::is_code(path::classify(&f.path, true)));
    code.map(move |file| DiffFile {
        path: keyer.path(&file.path),
        language: path::language(&file.path).to_owned(),
        added: file.added,
        removed: file.removed,
        lines: file.lines,
        test: path::classify(&file.path, true) == path::Class::Test,
        blob: file.blob.clone(),
    })
}

/// Names from the ledger and from the batch that is being made.
pub(super) struct LedgerNames<'a> {
    pub(super) engine: &'a Engine,
    pub(super) batch: &'a Batch,
}

impl LedgerNames<'_> {
    fn group(&self, seq: u64, group: Group) -> Option<serde_json::Value> {
        let size = self.engine.ledger.size();
        let bytes = match seq.checked_sub(size) {
            None => {
                let record = self.engine.ledger.record(seq).ok()??;
                record.disclosure?.content.group(group)?.to_vec()
            }
            Some(index) => {
                let draft = self.batch.drafts.get(usize::try_from(index).ok()?)?;
                draft.content.group(group)?.to_vec()
            }
        };
        serde_json::from_slice(&bytes).ok()
    }
}

impl Names for LedgerNames<'_> {
    fn command(&self, seq: u64) -> Option<String> {
        let group = self.group(seq, Group::Commands)?;
        Some(group.get("command")?.as_str()?.to_owned())
    }

    fn path(&self, seq: u64, id: &str) -> Option<String> {
        let group = self.group(seq, Group::Paths)?;
        Some(group.get(id)?.as_str()?.to_owned())
    }

    fn text(&self, seq: u64, name: &str) -> Option<String> {
        let group = self.group(seq, Group::Texts)?;
        Some(group.get(name)?.as_str()?.to_owned())
    }
}
