//! Building a receipt: a function of one verdict record and its checkpoint.

use crate::error::Error;
use crate::keys::Keys;
use crate::service::open::ledger_error;
use crate::service::origin;
use crate::wire::ExportWish;
use receipt_core::hash::Digest;
use receipt_core::record::{Flags, Kind, LEDGER_STREAM, Signed, stream_id};
use receipt_core::seal::Record;
use receipt_ledger::Ledger;
use receipt_receipts::build::{self, Input};
use receipt_receipts::disclose::Disclose;
use receipt_receipts::tier::Tier;

/// Whose sessions a receipt may be of.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reader {
    /// Anyone's.
    Keeper,
    /// This user's own.
    User(u32),
}

impl Reader {
    fn may_read(self, ledger: &Ledger, stream: &Digest) -> Result<bool, Error> {
        match self {
            Self::Keeper => Ok(true),
            Self::User(user) => Ok(origin::user_of(ledger, stream)? == Some(user)),
        }
    }
}

/// How the ledger was kept from those who reported what is in these records.
fn tier(records: &[Record]) -> Tier {
    if origin::is_kept_apart(records) {
        Tier::SeparateUser
    } else {
        Tier::SameUser
    }
}

/// Builds the receipt of a verdict.
///
/// # Errors
/// Where there is no such verdict, or the ledger cannot be read.
pub(crate) fn build(
    ledger: &Ledger,
    keys: &Keys,
    wish: &ExportWish,
    reader: Reader,
) -> Result<Vec<u8>, Error> {
    let verdict = find_verdict(ledger, wish, reader)?;
    let header = verdict.header();
    let stream = header.stream;
    let records = turn_records(ledger, &stream, header.stream_seq)?;
    // The statement is signed by the key in force now: every change of keys lies
    // below the checkpoint.
    let changes = ledger.key_records().map_err(ledger_error)?;
    let after = changes
        .last()
        .map_or(header.seq, |change| header.seq.max(*change));
    let note = ledger
        .checkpoint_at_or_after(after)
        .map_err(ledger_error)?
        .ok_or_else(|| Error::fault("no checkpoint covers the verdict yet"))?;
    let size = note.size;
    let heads_seq = size.saturating_sub(1);
    let head = ledger
        .head_proof(&stream, size)
        .map_err(ledger_error)?
        .ok_or_else(|| Error::fault("the checkpoint does not know the verdict's stream"))?;
    let keys_proved = changes
        .iter()
        .map(|seq| Ok((record(ledger, *seq)?, proof(ledger, *seq, size)?)));
    let keys_proved = keys_proved.collect::<Result<Vec<_>, Error>>()?;
    let input = Input {
        keys: &keys_proved,
        ledger: *ledger.id(),
        stream,
        tier: tier(&records),
        tail: &tail(ledger, &stream, header.stream_seq, head.head.stream_seq)?,
        genesis: &record(ledger, 0)?,
        genesis_proof: &proof(ledger, 0, size)?,
        heads: &record(ledger, heads_seq)?,
        heads_proof: &proof(ledger, heads_seq, size)?,
        verdict_proof: &proof(ledger, header.seq, size)?,
        head: &head,
        note: &note.text,
        profile: &profile_text(ledger, &records)?,
        records: &records,
        verdict_key: &keys.verdict,
        disclose: Disclose {
            facts: true,
            paths: wish.paths,
            commands: wish.commands,
            texts: wish.texts,
            evidence: wish.evidence,
        },
    };
    build::build(&input).map_err(Error::fault)
}

fn record(ledger: &Ledger, seq: u64) -> Result<Record, Error> {
    let found = ledger.record(seq).map_err(ledger_error)?;
    found.ok_or_else(|| Error::input(format!("the ledger has no record #{seq}")))
}

fn proof(ledger: &Ledger, seq: u64, size: u64) -> Result<Vec<Digest>, Error> {
    ledger.inclusion_proof(seq, size).map_err(ledger_error)
}

fn in_stream(ledger: &Ledger, stream: &Digest, position: u64) -> Result<Record, Error> {
    let found = ledger
        .stream_record(stream, position)
        .map_err(ledger_error)?;
    found.ok_or_else(|| Error::fault("the stream's index has a hole"))
}

/// The verdict that is wished for: by number, else the newest of the session,
/// else the newest of the ledger.
fn find_verdict(ledger: &Ledger, wish: &ExportWish, reader: Reader) -> Result<Record, Error> {
    if let Some(seq) = wish.verdict {
        let found = record(ledger, seq)?;
        let may_read = reader.may_read(ledger, &found.header().stream)?;
        return if is_verdict(&found) && may_read {
            Ok(found)
        } else {
            Err(Error::input(format!("record #{seq} is no verdict"))
                .hint("`receipt log --kind verdict-stop` lists them"))
        };
    }
    let newest = match &wish.session {
        Some(session) => newest_in(ledger, &stream_id("claude-code", session), reader)?,
        None => newest_of_all(ledger, reader)?,
    };
    newest.ok_or_else(|| {
        let message = match &wish.session {
            Some(session) => format!("no turn of session `{session}` has ended with a verdict"),
            None => "no turn has ended with a verdict yet".into(),
        };
        Error::input(message).hint("a verdict is recorded when the agent stops; see `receipt log`")
    })
}

fn is_verdict(record: &Record) -> bool {
    matches!(
        record.header().kind(),
        Some(Kind::VerdictStop | Kind::VerdictInterim)
    )
}

fn newest_in(ledger: &Ledger, stream: &Digest, reader: Reader) -> Result<Option<Record>, Error> {
    if !reader.may_read(ledger, stream)? {
        return Ok(None);
    }
    for position in (0..ledger.stream_len(stream)).rev() {
        let record = in_stream(ledger, stream, position)?;
        if record.header().kind() == Some(Kind::VerdictStop) {
            return Ok(Some(record));
        }
    }
    Ok(None)
}

fn newest_of_all(ledger: &Ledger, reader: Reader) -> Result<Option<Record>, Error> {
    let mut newest: Option<Record> = None;
    for stream in ledger.streams().keys().filter(|s| **s != LEDGER_STREAM) {
        if let Some(found) = newest_in(ledger, stream, reader)?
            && newest
                .as_ref()
                .is_none_or(|n| n.header().seq < found.header().seq)
        {
            newest = Some(found);
        }
    }
    Ok(newest)
}

/// The turn's records, from the one that opened it to the verdict.
fn turn_records(ledger: &Ledger, stream: &Digest, verdict: u64) -> Result<Vec<Record>, Error> {
    let mut records = Vec::new();
    for position in (0..=verdict).rev() {
        let record = in_stream(ledger, stream, position)?;
        let opens = record.header().has(Flags::OPENS_TURN);
        records.push(record);
        if opens {
            records.reverse();
            return Ok(records);
        }
    }
    Err(Error::fault("no record opens the verdict's turn"))
}

fn tail(ledger: &Ledger, stream: &Digest, verdict: u64, head: u64) -> Result<Vec<Signed>, Error> {
    (verdict.saturating_add(1)..=head)
        .map(|position| in_stream(ledger, stream, position).map(|r| r.signed))
        .collect()
}

/// The bytes of the profile under which the turn was folded, from its record.
fn profile_text(ledger: &Ledger, records: &[Record]) -> Result<Vec<u8>, Error> {
    let opening = records
        .first()
        .ok_or_else(|| Error::fault("the turn is empty"))?;
    let facts = opening.facts().ok_or_else(|| {
        let seq = opening.header().seq;
        Error::input(format!("record #{seq}, which opened the turn, was pruned"))
            .hint("receipts made before stay valid; `--session` or `--verdict` names another turn")
    })?;
    let opening: serde_json::Value = serde_json::from_slice(facts).unwrap_or_default();
    let digest = opening
        .pointer("/open/profile")
        .and_then(serde_json::Value::as_str);
    for position in (0..ledger.stream_len(&LEDGER_STREAM)).rev() {
        let record = in_stream(ledger, &LEDGER_STREAM, position)?;
        if record.header().kind() != Some(Kind::Profile) {
            continue;
        }
        let facts: serde_json::Value =
            serde_json::from_slice(record.facts().unwrap_or_default()).unwrap_or_default();
        if facts
            .pointer("/profile/digest")
            .and_then(serde_json::Value::as_str)
            == digest
        {
            let text = facts
                .pointer("/profile/text")
                .and_then(serde_json::Value::as_str);
            return Ok(text.unwrap_or_default().as_bytes().to_vec());
        }
    }
    Err(Error::fault(
        "the profile in force during the turn is not in the ledger",
    ))
}
