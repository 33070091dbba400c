//! A record as JSON, version 1: `receipt log --format json` and `receipt show`.

use receipt_core::commit::Group;
use receipt_core::hash::hex;
use receipt_core::record::{Flags, Kind};
use receipt_core::seal::Record;
use serde_json::{Map, Value, json};

/// The record with its disclosed body.
pub(crate) fn json(record: &Record, evidence: bool) -> Value {
    let header = record.header();
    let mut body = Map::new();
    for group in Group::ALL {
        let text = record
            .disclosure
            .as_ref()
            .and_then(|d| d.content.group(group));
        if let Some(value) = text.and_then(|t| serde_json::from_slice(t).ok()) {
            body.insert(group.name().to_owned(), value);
        }
    }
    let mut object = json!({
        "version": 1,
        "seq": header.seq,
        "kind": kind(header.kind),
        "flags": flags(header.flags),
        "stream": hex(&header.stream),
        "stream_seq": header.stream_seq,
        "wall_us": header.wall_us,
        "client_us": header.client_us,
        "pruned": record.disclosure.is_none(),
        "body": body,
    });
    if evidence && let (Some(map), Some(disclosure)) = (object.as_object_mut(), &record.disclosure)
    {
        let items = disclosure.content.evidence.iter();
        let items = items.map(|item| Value::String(String::from_utf8_lossy(item).into_owned()));
        map.insert("evidence".to_owned(), items.collect());
    }
    object
}

/// A kind's name, or its number where this version has none.
pub(crate) fn kind(number: u16) -> String {
    Kind::from_number(number).map_or_else(|| number.to_string(), |k| k.name().to_owned())
}

/// The names of the flag bits that are set.
pub(crate) fn flags(bits: u32) -> Vec<&'static str> {
    [
        (Flags::LATE, "late"),
        (Flags::FROM_TRANSCRIPT, "from-transcript"),
        (Flags::CLIENT_REPORTED, "client-reported"),
        (Flags::SUBAGENT, "subagent"),
        (Flags::CUT, "cut"),
        (Flags::MALFORMED, "malformed"),
        (Flags::OPENS_TURN, "opens-turn"),
    ]
    .into_iter()
    .filter(|(bit, _)| bits & bit != 0)
    .map(|(_, name)| name)
    .collect()
}
