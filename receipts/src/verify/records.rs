//! Steps 7 and 11 to 15: the records, taken for themselves.

use super::log::{Checked, Failure, seen};
use super::outcome::Fault;
use crate::build::digest;
use crate::bundle::{Bundle, Row};
use crate::envelope::{MAX_VALUES, count_values};
use crate::row::{self, Known, Rows, State, Wrong};
use crate::statement::{Statement, subjects};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use receipt_core::commit::Group;
use receipt_core::hash::hex;
use receipt_core::json::strict;
use receipt_core::key::Use;
use receipt_core::keychain::KeyChain;
use receipt_core::limits::{MAX_GROUP, MAX_RECEIPT_RECORDS};
use receipt_core::record::{Flags, Kind};
use serde_json::Value;

/// Most list items in the facts of one receipt. A fold may compare each with
/// each; this keeps a hostile file to seconds.
pub const MAX_ITEMS: usize = 32_768;

/// Most members of an object that are not counted as items.
const MAX_MEMBERS: usize = 32;

/// Every record of a receipt, put together.
#[derive(Debug, Clone)]
pub(crate) struct Records {
    pub(crate) genesis: Known,
    pub(crate) heads: Known,
    pub(crate) keys: Vec<Known>,
    pub(crate) range: Vec<Known>,
    pub(crate) tail: Vec<Known>,
    pub(crate) first: Known,
    pub(crate) last: Known,
}

impl Records {
    /// All records, in no order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Known> {
        [&self.genesis, &self.heads]
            .into_iter()
            .chain(&self.keys)
            .chain(&self.range)
            .chain(&self.tail)
    }
}

/// Puts the records of a bundle together.
pub(crate) fn assemble(bundle: &Bundle, statement: &Statement) -> Result<Records, String> {
    let rows = [bundle.records.len(), bundle.tail.len(), bundle.keys.len()];
    let count = rows.into_iter().fold(0, usize::saturating_add);
    if count > MAX_RECEIPT_RECORDS {
        return Err(format!("{count} records"));
    }
    let place = (statement.ledger, statement.stream);
    let mut rows = Rows::new(place, &bundle.defaults, &bundle.first).map_err(String::from)?;
    let name = |row: &Row, what: Wrong| format!("record #{}: {what}", row.seq);
    let full = |row: &Row| row::full(row, statement.ledger).map_err(|w| name(row, w));
    let genesis = full(&bundle.genesis.record)?;
    let heads = full(&bundle.heads.record)?;
    let keys = bundle.keys.iter().map(|proved| full(&proved.record));
    let keys = keys.collect::<Result<Vec<Known>, _>>()?;
    let listed = bundle.records.iter().map(|r| (r, rows.listed(r)));
    let listed = listed.map(|(r, known)| known.map_err(|w| name(r, w)));
    let range = listed.collect::<Result<Vec<Known>, _>>()?;
    let stubs = bundle.tail.iter().map(|r| (r, rows.stub(r)));
    let stubs = stubs.map(|(r, known)| known.map_err(|w| name(r, w)));
    let tail = stubs.collect::<Result<Vec<Known>, _>>()?;
    let (Some(first), Some(last)) = (range.first().cloned(), range.last().cloned()) else {
        return Err("no records".into());
    };
    Ok(Records {
        genesis,
        heads,
        keys,
        range,
        tail,
        first,
        last,
    })
}

/// Step 7.
pub(super) fn step_records(bundle: &Bundle, statement: &Statement) -> Checked<Records> {
    let records = assemble(bundle, statement).map_err(Failure::invalid)?;
    let mut values = 0usize;
    for known in records.all() {
        for text in known.groups.iter().filter_map(State::text) {
            values = values.saturating_add(count_values(text.as_bytes()));
            if text.len() > MAX_GROUP || values > MAX_VALUES {
                let found = format!("record #{}: its groups are too large", seq(known));
                return Err(Failure::invalid(found));
            }
        }
    }
    let found = format!(
        "{} records, {} later",
        records.range.len(),
        records.tail.len()
    );
    seen(records, found)
}

/// Step 11.
pub(super) fn step_signatures(records: &Records, keys: &KeyChain) -> Checked<()> {
    let mut count = 0u64;
    for known in records.all() {
        let key = keys
            .at(Use::Record, seq(known))
            .ok_or_else(|| Failure::invalid("no record key"))?;
        if !known.signed.verifies(key) {
            let found = format!("record #{}: the signature does not hold", seq(known));
            return Err(Failure::invalid(found).expected(format!("key {}", hex(&key.id()))));
        }
        count = count.saturating_add(1);
    }
    seen((), format!("{count} signatures"))
}

/// Step 12. The links were computed, so a signature that holds shows them.
pub(super) fn step_stream(records: &Records) -> Checked<()> {
    let opens = |known: &&Known| known.signed.header.has(Flags::OPENS_TURN);
    if !opens(&&records.first) {
        return Err(Failure::invalid("the first record opens no turn"));
    }
    if let Some(second) = records.range.iter().skip(1).find(opens) {
        return Err(Failure::invalid(format!(
            "record #{} opens another turn",
            seq(second)
        )));
    }
    let kind = records.last.signed.header.kind();
    if !matches!(kind, Some(Kind::VerdictStop | Kind::VerdictInterim)) {
        return Err(Failure::invalid("the last record is no verdict"));
    }
    let found = format!(
        "stream positions {} to {}",
        records.first.signed.header.stream_seq, records.last.signed.header.stream_seq
    );
    seen((), found)
}

/// Step 13.
pub(super) fn step_range(records: &Records, statement: &Statement) -> Checked<()> {
    let stated = statement.records;
    let expected = format!("#{} to #{}, {}", stated.first, stated.last, stated.count);
    let (first, last) = (seq(&records.first), seq(&records.last));
    let found = format!("#{first} to #{last}, {}", records.range.len());
    let equal = expected == found && statement.verdict_record == stated.last;
    if equal {
        seen((), found)
    } else {
        Err(Failure::invalid(found).expected(expected))
    }
}

/// Step 14.
pub(super) fn step_subjects(records: &Records, statement: &Statement) -> Checked<()> {
    let digest = digest(records.range.iter().map(|k| &k.signed));
    let expected = subjects(&statement.verdict, &digest)
        .ok_or_else(|| Failure::invalid("the verdict names a tree that is no git object"))?;
    if statement.subjects == expected {
        return seen((), format!("sha256 {}", hex(&digest)));
    }
    Err(Failure::invalid("other subjects").expected(format!("sha256 {}", hex(&digest))))
}

/// Step 15. Yields the facts of the range, `None` where there are none to read.
pub(super) fn step_disclosures(records: &Records) -> Checked<Vec<Option<Value>>> {
    for known in records.all() {
        for (group, state) in Group::ALL.into_iter().zip(&known.groups).skip(1) {
            strict(known, group, state)?;
        }
    }
    for known in [&records.genesis, &records.heads]
        .into_iter()
        .chain(&records.keys)
    {
        strict(known, Group::Facts, known.group(Group::Facts))?;
    }
    let facts = records
        .range
        .iter()
        .map(|known| strict(known, Group::Facts, known.group(Group::Facts)))
        .collect::<Result<Vec<_>, _>>()?;
    let items = facts
        .iter()
        .flatten()
        .map(items)
        .fold(0, usize::saturating_add);
    if items > MAX_ITEMS {
        return Err(Failure::invalid(format!("{items} list items in the facts")));
    }
    let open = facts.iter().flatten().count();
    seen(
        facts,
        format!("facts of {open} of {} records", records.range.len()),
    )
}

/// Items of lists, and members of objects with more of them than any observer
/// writes: what the time of a fold grows with.
fn items(value: &Value) -> usize {
    let (own, children): (usize, Vec<&Value>) = match value {
        Value::Array(list) => (list.len(), list.iter().collect()),
        Value::Object(map) if map.len() > MAX_MEMBERS => (map.len(), map.values().collect()),
        Value::Object(map) => (0, map.values().collect()),
        _ => return 0,
    };
    children
        .into_iter()
        .map(items)
        .fold(own, usize::saturating_add)
}

fn strict(known: &Known, group: Group, state: &State) -> Result<Option<Value>, Failure> {
    let State::Open(text) = state else {
        return Ok(None);
    };
    strict::parse(text.as_bytes()).map(Some).map_err(|error| {
        let found = format!("record #{}, {}: {error}", seq(known), group.name());
        Failure::new(Fault::Invalid, found)
    })
}

pub(super) const fn seq(known: &Known) -> u64 {
    known.signed.header.seq
}
