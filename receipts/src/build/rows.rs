//! Records as rows: what is constant or can be computed is left out.

use super::{BuildError, Input};
use crate::bundle::{Defaults, Evidence, Opening, Part, Row};
use crate::disclose::Disclose;
use crate::encode::base64url;
use crate::row::time_of;
use alloc::string::ToString;
use alloc::vec::Vec;
use receipt_core::commit::{Group, absent_group, evidence_root, evidence_salt, group_salt};
use receipt_core::hash::Digest;
use receipt_core::record::{Header, Signed};
use receipt_core::seal::Record;

/// The rows of range and tail.
pub(super) struct Listed {
    pub(super) records: Vec<Row>,
    pub(super) tail: Vec<Row>,
}

/// The defaults: what the range's first record has.
pub(super) fn defaults(first: &Header) -> Defaults {
    Defaults {
        policy: base64url(&first.policy),
        key: base64url(&first.key),
        boot: base64url(&first.boot.to_le_bytes()),
    }
}

pub(super) fn listed(input: &Input<'_>) -> Result<Listed, BuildError> {
    let first = input.records.first().ok_or(BuildError::Range)?.header();
    let mut next = None;
    let mut records = Vec::with_capacity(input.records.len());
    for record in input.records {
        let mut row = elided(&record.signed, first, &mut next);
        disclose(&mut row, record, &input.disclose)?;
        records.push(row);
    }
    let tail = input.tail.iter().map(|signed| {
        let mut row = elided(signed, first, &mut next);
        row.body = Some(base64url(&signed.header.body_root));
        row.evidence = root_of(&signed.header.evidence_root);
        row
    });
    Ok(Listed {
        tail: tail.collect(),
        records,
    })
}

/// A row that leaves nothing out but the ledger, with its facts.
pub(super) fn full(record: &Record) -> Result<Row, BuildError> {
    let header = record.header();
    record
        .check()
        .map_err(|e| BuildError::Record(header.seq, e))?;
    if record.facts().is_none() {
        return Err(BuildError::Facts(header.seq));
    }
    let mut row = blank(&record.signed);
    row.prev = Some(base64url(&header.prev));
    row.stream = Some(base64url(&header.stream));
    row.stream_seq = Some(header.stream_seq);
    row.stream_prev = Some(base64url(&header.stream_prev));
    row.policy = Some(base64url(&header.policy));
    row.key = Some(base64url(&header.key));
    row.boot = Some(base64url(&header.boot.to_le_bytes()));
    disclose(&mut row, record, &Disclose::facts_only())?;
    Ok(row)
}

fn blank(signed: &Signed) -> Row {
    let header = &signed.header;
    Row {
        seq: header.seq,
        kind: header.kind,
        flags: header.flags,
        time: base64url(&time_of(header)),
        prev: None,
        stream: None,
        stream_seq: None,
        stream_prev: None,
        policy: None,
        key: None,
        boot: None,
        sig: base64url(&signed.signature),
        groups: None,
        body: None,
        evidence: None,
    }
}

/// A row of range or tail. `next` is the seq at which `prev` can be computed.
fn elided(signed: &Signed, first: &Header, next: &mut Option<u64>) -> Row {
    let header = &signed.header;
    let mut row = blank(signed);
    if *next != Some(header.seq) {
        row.prev = Some(base64url(&header.prev));
    }
    *next = header.seq.checked_add(1);
    if header.policy != first.policy {
        row.policy = Some(base64url(&header.policy));
    }
    if header.key != first.key {
        row.key = Some(base64url(&header.key));
    }
    if header.boot != first.boot {
        row.boot = Some(base64url(&header.boot.to_le_bytes()));
    }
    row
}

fn disclose(row: &mut Row, record: &Record, disclose: &Disclose) -> Result<(), BuildError> {
    let mut groups = [const { None }; 4];
    for ((group, commitment), slot) in Group::ALL
        .into_iter()
        .zip(&record.commitments.groups)
        .zip(&mut groups)
    {
        *slot = part(record, group, commitment, disclose)?;
    }
    row.groups = Some(groups);
    row.evidence = evidence(record, disclose.evidence);
    Ok(())
}

fn part(
    record: &Record,
    group: Group,
    commitment: &Digest,
    disclose: &Disclose,
) -> Result<Option<Part>, BuildError> {
    if *commitment == absent_group(group) {
        return Ok(None);
    }
    let wanted = disclose.group(group) || group == Group::Facts;
    let content = record.disclosure.as_ref().filter(|_| wanted);
    let Some((opened, bytes)) = content.and_then(|d| Some((d, d.content.group(group)?))) else {
        return Ok(Some(Part::Withheld(base64url(commitment))));
    };
    let text = core::str::from_utf8(bytes).map_err(|_| BuildError::Text(record.header().seq))?;
    Ok(Some(Part::Open(Opening {
        salt: base64url(&group_salt(&opened.secret, group)),
        text: Some(text.to_string()),
        bytes: None,
    })))
}

fn evidence(record: &Record, disclose: bool) -> Option<Evidence> {
    let root = root_of(&record.header().evidence_root)?;
    let Some(opened) = record.disclosure.as_ref().filter(|_| disclose) else {
        return Some(root);
    };
    let items = opened.content.evidence.iter().zip(0u64..);
    let items = items.map(|(bytes, index)| {
        Part::Open(Opening {
            salt: base64url(&evidence_salt(&opened.secret, index)),
            text: None,
            bytes: Some(base64url(bytes)),
        })
    });
    Some(Evidence::Items(items.collect()))
}

/// The root of a record's evidence; nothing where it has none.
fn root_of(root: &Digest) -> Option<Evidence> {
    (*root != evidence_root(&[])).then(|| Evidence::Root(base64url(root)))
}
