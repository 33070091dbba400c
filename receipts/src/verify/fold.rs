//! Steps 21 to 23: the verdict, computed again.

use super::log::{Checked, Failure, seen};
use super::outcome::Fault;
use super::records::{Records, seq};
use crate::encode::shown;
use crate::row::{Known, State};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use receipt_core::commit::Group;
use receipt_core::hash::hex;
use receipt_core::limits::MAX_PROFILE;
use receipt_core::record::Flags;
use receipt_gates::facts::Facts;
use receipt_gates::fold::{OBSERVER, Stream};
use receipt_gates::gate::in_force;
use receipt_gates::profile::{Profile, ProfileError, digest};
use receipt_gates::record::RecordView;
use receipt_gates::verdict::VerdictFacts;
use serde_json::Value;

/// Step 21. Reads versions before anything whose form they decide.
pub(super) fn step_versions(verdict: &Value, facts: &[Option<Value>]) -> Checked<()> {
    versions(verdict)?;
    let opening = facts.first().and_then(Option::as_ref);
    if let Some(opening) = opening {
        let open = opening
            .get("open")
            .ok_or_else(|| Failure::invalid("the opening record opens nothing"))?;
        versions(open)?;
        if open.get("gates") != verdict.get("gates") {
            return Err(Failure::invalid("opening and verdict name different gates"));
        }
    }
    seen(
        (),
        format!("observer {OBSERVER}, {} gates", in_force().len()),
    )
}

fn versions(names: &Value) -> Result<(), Failure> {
    let observer = names.get("observer").and_then(Value::as_u64);
    let gates = names.get("gates").and_then(Value::as_object);
    let (Some(observer), Some(gates)) = (observer, gates) else {
        return Err(Failure::invalid("no observer or no gates are named"));
    };
    if observer != u64::from(OBSERVER) {
        let found = format!("observer {observer}");
        return Err(Failure::new(Fault::Unsupported, found));
    }
    let known = in_force();
    for (gate, version) in gates {
        let version = version
            .as_u64()
            .ok_or_else(|| Failure::invalid("a gate's version is no number"))?;
        if known.get(gate).copied().map(u64::from) != Some(version) {
            let found = format!("gate {} version {version}", shown(gate));
            return Err(Failure::new(Fault::Unsupported, found));
        }
    }
    Ok(())
}

/// Step 22.
pub(super) fn step_profile(
    text: &str,
    verdict: &Value,
    facts: &[Option<Value>],
) -> Checked<Profile> {
    if text.len() > MAX_PROFILE {
        return Err(Failure::invalid("the profile is too large"));
    }
    let found = hex(&digest(text.as_bytes()));
    let opening = facts.first().and_then(Option::as_ref);
    let opened = opening.and_then(|f| f.get("open"));
    for names in [Some(verdict), opened].into_iter().flatten() {
        let expected = names.get("profile").and_then(Value::as_str);
        if expected != Some(found.as_str()) {
            let expected = shown(expected.unwrap_or("a digest"));
            return Err(Failure::invalid(found).expected(expected));
        }
    }
    match Profile::parse(text.as_bytes()) {
        Ok(profile) => seen(profile, found),
        Err(error @ ProfileError::Version(_)) => {
            Err(Failure::new(Fault::Unsupported, error.to_string()))
        }
        Err(error) => Err(Failure::invalid(error.to_string())),
    }
}

/// Step 23.
pub(super) fn step_fold(
    records: &Records,
    facts: &[Option<Value>],
    verdict: &Value,
    (profile, text): (&Profile, &str),
) -> Checked<VerdictFacts> {
    refuse_withheld(records)?;
    let recorded = facts.last().and_then(Option::as_ref);
    if recorded.and_then(|f| f.get("verdict")) != Some(verdict) {
        let found = "the statement's verdict is not that of the verdict record";
        return Err(Failure::new(Fault::Mismatch, found));
    }
    let folded = fold(records, facts, profile, text)?;
    let value = serde_json::to_value(&folded).unwrap_or_default();
    if &value != verdict {
        return Err(differs(&value, verdict));
    }
    let found = format!(
        "{} follows from {} records",
        folded.verdict.as_str(),
        records.range.len()
    );
    seen(folded, found)
}

/// A withheld input never yields a pass.
fn refuse_withheld(records: &Records) -> Result<(), Failure> {
    let hidden = |k: &&Known| matches!(k.group(Group::Facts), State::Withheld);
    let withheld: Vec<&Known> = records.range.iter().filter(hidden).collect();
    let Some(first) = withheld.first() else {
        return Ok(());
    };
    let found = format!(
        "the facts of {} records are withheld, from #{} on",
        withheld.len(),
        seq(first)
    );
    Err(Failure::new(Fault::Undetermined, found))
}

fn fold(
    records: &Records,
    facts: &[Option<Value>],
    profile: &Profile,
    text: &str,
) -> Result<VerdictFacts, Failure> {
    let mut stream = Stream::default();
    let before = records.range.len().saturating_sub(1);
    for (known, value) in records.range.iter().zip(facts).take(before) {
        let facts = value.as_ref().map(|v| typed(known, v)).transpose()?;
        stream.apply(&RecordView::new(&known.signed.header, facts.as_ref()));
    }
    let folded = stream
        .fold()
        .map(|fold| fold.verdict(profile, text.as_bytes()));
    folded.ok_or_else(|| Failure::new(Fault::Mismatch, "the turn was closed before this verdict"))
}

/// The facts of one record, in the form that the gates read.
fn typed(known: &Known, value: &Value) -> Result<Facts, Failure> {
    let header = &known.signed.header;
    let facts: Result<Facts, _> = serde_json::from_value(value.clone());
    match facts {
        Ok(facts) if facts.open.is_some() == header.has(Flags::OPENS_TURN) => Ok(facts),
        Ok(_) => Err(Failure::invalid(format!(
            "record #{}: its flag and its facts differ on opening a turn",
            header.seq
        ))),
        Err(_) if header.kind().is_none() => Err(Failure::new(
            Fault::Unsupported,
            format!("record #{} is of kind {}", header.seq, header.kind),
        )),
        Err(_) => Err(Failure::invalid(format!(
            "record #{}: its facts are malformed",
            header.seq
        ))),
    }
}

/// Names the members in which a stated verdict differs from the folded one.
fn differs(folded: &Value, stated: &Value) -> Failure {
    let say = |value: &Value| {
        let of = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or("-");
        shown(&format!(
            "{}/{}/{}",
            of("verdict"),
            of("basis"),
            of("action")
        ))
    };
    let (Some(mine), Some(theirs)) = (folded.as_object(), stated.as_object()) else {
        return Failure::new(Fault::Mismatch, "the stated verdict is no object");
    };
    let names = mine
        .keys()
        .chain(theirs.keys().filter(|k| !mine.contains_key(*k)));
    let differing: Vec<String> = names
        .filter(|name| mine.get(*name) != theirs.get(*name))
        .map(|name| shown(name))
        .take(8)
        .collect();
    let found = format!(
        "stated {}; differing: {}",
        say(stated),
        differing.join(", ")
    );
    Failure::new(Fault::Mismatch, found).expected(format!("folded {}", say(folded)))
}
