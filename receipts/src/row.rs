//! Records as rows of a bundle: left-out fields put back (`spec/receipt.md`, "Rows").

use crate::bundle::{Defaults, Evidence, First, Opening, Part, Row};
use crate::encode::{array, bytes};
use alloc::string::String;
use alloc::vec::Vec;
use receipt_core::commit::{
    Group, absent_group, body_root, evidence_commitment, evidence_root, group_commitment,
};
use receipt_core::hash::Digest;
use receipt_core::limits::MAX_EVIDENCE_ITEMS;
use receipt_core::record::{Header, Signed, VERSION};

/// A record put together again. Its signature has not been checked.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) signed: Signed,
    pub(crate) link: Digest,
    pub(crate) groups: [State; 4],
    pub(crate) evidence: Items,
}

/// Evidence items, `None` where withheld.
pub(crate) type Items = Vec<Option<Vec<u8>>>;

/// What is known of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    Absent,
    Withheld,
    Open(String),
}

impl Known {
    pub(crate) fn group(&self, group: Group) -> &State {
        self.groups.get(group.index()).unwrap_or(&State::Absent)
    }

    /// The disclosed facts.
    pub(crate) fn facts(&self) -> Option<&str> {
        self.group(Group::Facts).text()
    }
}

impl State {
    /// The disclosed text.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Open(text) => Some(text),
            Self::Absent | Self::Withheld => None,
        }
    }
}

/// The fields of a header that its row may leave out.
#[derive(Debug, Clone)]
struct Place {
    prev: Digest,
    stream: Digest,
    stream_seq: u64,
    stream_prev: Digest,
    policy: Digest,
    key: Digest,
    boot: u128,
}

/// Why a row is no record: what of it is wrong.
pub(crate) type Wrong = &'static str;

/// Puts the rows of one stream together, one after another.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    ledger: Digest,
    stream: Digest,
    policy: Digest,
    key: Digest,
    boot: u128,
    next_seq: u64,
    prev: Option<Digest>,
    stream_seq: u64,
    stream_prev: Digest,
}

impl Rows {
    pub(crate) fn new(
        (ledger, stream): (Digest, Digest),
        defaults: &Defaults,
        first: &First,
    ) -> Result<Self, Wrong> {
        Ok(Self {
            ledger,
            stream,
            policy: array(&defaults.policy).ok_or("defaults.policy")?,
            key: array(&defaults.key).ok_or("defaults.key")?,
            boot: boot(&defaults.boot).ok_or("defaults.boot")?,
            next_seq: 0,
            prev: None,
            stream_seq: first.stream_seq,
            stream_prev: array(&first.stream_prev).ok_or("first.stream_prev")?,
        })
    }

    /// The next record of the range.
    pub(crate) fn listed(&mut self, row: &Row) -> Result<Known, Wrong> {
        if row.body.is_some() {
            return Err("body");
        }
        let (groups, root) = groups(row.groups.as_ref().ok_or("groups")?)?;
        self.push(row, groups, root)
    }

    /// The next record of the tail.
    pub(crate) fn stub(&mut self, row: &Row) -> Result<Known, Wrong> {
        if row.groups.is_some() || matches!(row.evidence, Some(Evidence::Items(_))) {
            return Err("content in the tail");
        }
        let root = row.body.as_deref().and_then(array).ok_or("body")?;
        self.push(row, [const { State::Withheld }; 4], root)
    }

    fn push(&mut self, row: &Row, groups: [State; 4], body: Digest) -> Result<Known, Wrong> {
        if row.stream.is_some() || row.stream_seq.is_some() || row.stream_prev.is_some() {
            return Err("a stream field that can be computed");
        }
        let place = Place {
            prev: self.prev_of(row)?,
            stream: self.stream,
            stream_seq: self.stream_seq,
            stream_prev: self.stream_prev,
            policy: or(row.policy.as_deref(), self.policy).ok_or("policy")?,
            key: or(row.key.as_deref(), self.key).ok_or("key")?,
            boot: row
                .boot
                .as_deref()
                .map_or(Some(self.boot), boot)
                .ok_or("boot")?,
        };
        let known = assemble(row, self.ledger, place, groups, body)?;
        self.next_seq = row.seq.saturating_add(1);
        self.prev = Some(known.link);
        self.stream_seq = self.stream_seq.checked_add(1).ok_or("stream_seq")?;
        self.stream_prev = known.link;
        Ok(known)
    }

    /// The link to the record before: given exactly where it cannot be computed.
    fn prev_of(&self, row: &Row) -> Result<Digest, Wrong> {
        match (self.prev, row.prev.as_deref()) {
            (Some(_), _) if row.seq < self.next_seq => Err("seq does not rise"),
            (Some(link), None) if row.seq == self.next_seq => Ok(link),
            (Some(_), Some(_)) if row.seq == self.next_seq => Err("prev can be computed"),
            (_, Some(prev)) => array(prev).ok_or("prev"),
            (_, None) => Err("prev is missing"),
        }
    }
}

/// A record whose row leaves nothing out but the ledger.
pub(crate) fn full(row: &Row, ledger: Digest) -> Result<Known, Wrong> {
    if row.body.is_some() {
        return Err("body");
    }
    let place = Place {
        prev: row.prev.as_deref().and_then(array).ok_or("prev")?,
        stream: row.stream.as_deref().and_then(array).ok_or("stream")?,
        stream_seq: row.stream_seq.ok_or("stream_seq")?,
        stream_prev: row
            .stream_prev
            .as_deref()
            .and_then(array)
            .ok_or("stream_prev")?,
        policy: row.policy.as_deref().and_then(array).ok_or("policy")?,
        key: row.key.as_deref().and_then(array).ok_or("key")?,
        boot: row.boot.as_deref().and_then(boot).ok_or("boot")?,
    };
    let (groups, root) = groups(row.groups.as_ref().ok_or("groups")?)?;
    assemble(row, ledger, place, groups, root)
}

fn assemble(
    row: &Row,
    ledger: Digest,
    place: Place,
    groups: [State; 4],
    body_root: Digest,
) -> Result<Known, Wrong> {
    let time = Time::read(&row.time).ok_or("time")?;
    let (evidence, evidence_root) = evidence(row.evidence.as_ref())?;
    let header = Header {
        version: VERSION,
        kind: row.kind,
        flags: row.flags,
        ledger,
        seq: row.seq,
        prev: place.prev,
        stream: place.stream,
        stream_seq: place.stream_seq,
        stream_prev: place.stream_prev,
        wall_us: time.wall_us,
        mono_ns: time.mono_ns,
        boot: place.boot,
        client_us: time.client_us,
        client_event: time.client_event,
        body_root,
        evidence_root,
        policy: place.policy,
        key: place.key,
    };
    let signature = array(&row.sig).ok_or("sig")?;
    let signed = Signed { header, signature };
    let link = signed.link();
    Ok(Known {
        signed,
        link,
        groups,
        evidence,
    })
}

/// The clocks of a header, packed as they stand there.
struct Time {
    wall_us: u64,
    mono_ns: u64,
    client_us: u64,
    client_event: u128,
}

impl Time {
    fn read(text: &str) -> Option<Self> {
        let packed: [u8; 40] = array(text)?;
        let (wall, rest) = packed.split_first_chunk()?;
        let (mono, rest) = rest.split_first_chunk()?;
        let (client, event) = rest.split_first_chunk()?;
        Some(Self {
            wall_us: u64::from_le_bytes(*wall),
            mono_ns: u64::from_le_bytes(*mono),
            client_us: u64::from_le_bytes(*client),
            client_event: u128::from_le_bytes(event.try_into().ok()?),
        })
    }
}

/// The clocks of a header as a row holds them.
pub(crate) fn time_of(header: &Header) -> Vec<u8> {
    let mut packed = Vec::with_capacity(40);
    packed.extend_from_slice(&header.wall_us.to_le_bytes());
    packed.extend_from_slice(&header.mono_ns.to_le_bytes());
    packed.extend_from_slice(&header.client_us.to_le_bytes());
    packed.extend_from_slice(&header.client_event.to_le_bytes());
    packed
}

fn or(text: Option<&str>, default: Digest) -> Option<Digest> {
    text.map_or(Some(default), array)
}

fn boot(text: &str) -> Option<u128> {
    array(text).map(u128::from_le_bytes)
}

/// The states of the groups, and the root over their commitments.
fn groups(parts: &[Option<Part>; 4]) -> Result<([State; 4], Digest), Wrong> {
    let mut states = [const { State::Absent }; 4];
    let mut commitments = Group::ALL.map(absent_group);
    let all = Group::ALL.into_iter().zip(parts);
    for ((group, part), (state, commitment)) in all.zip(states.iter_mut().zip(&mut commitments)) {
        match part {
            None => {}
            Some(Part::Withheld(text)) => {
                *state = State::Withheld;
                *commitment = array(text).ok_or("group commitment")?;
            }
            Some(Part::Open(open)) => {
                *commitment = open_group(group, open)?;
                *state = State::Open(open.text.clone().ok_or("group text")?);
            }
        }
    }
    Ok((states, body_root(&commitments)))
}

/// The commitment that an opened group yields.
pub(crate) fn open_group(group: Group, open: &Opening) -> Result<Digest, Wrong> {
    let salt = array(&open.salt).ok_or("group salt")?;
    match (&open.text, &open.bytes) {
        (Some(text), None) => Ok(group_commitment(&salt, group, Some(text.as_bytes()))),
        _ => Err("group text"),
    }
}

/// The evidence items that are disclosed, and the root over all.
pub(crate) fn evidence(given: Option<&Evidence>) -> Result<(Items, Digest), Wrong> {
    match given {
        None => Ok((Vec::new(), evidence_root(&[]))),
        Some(Evidence::Root(text)) => Ok((Vec::new(), array(text).ok_or("evidence")?)),
        Some(Evidence::Items(items)) => {
            if items.is_empty() || items.len() > MAX_EVIDENCE_ITEMS {
                return Err("number of evidence items");
            }
            let mut commitments = Vec::with_capacity(items.len());
            let mut contents = Vec::with_capacity(items.len());
            for (item, index) in items.iter().zip(0u64..) {
                let (content, commitment) = evidence_item(item, index)?;
                contents.push(content);
                commitments.push(commitment);
            }
            Ok((contents, evidence_root(&commitments)))
        }
    }
}

fn evidence_item(item: &Part, index: u64) -> Result<(Option<Vec<u8>>, Digest), Wrong> {
    match item {
        Part::Withheld(text) => Ok((None, array(text).ok_or("evidence commitment")?)),
        Part::Open(open) => {
            let salt = array(&open.salt).ok_or("evidence salt")?;
            let (None, Some(text)) = (&open.text, &open.bytes) else {
                return Err("evidence bytes");
            };
            let content = bytes(text).ok_or("evidence bytes")?;
            let commitment = evidence_commitment(&salt, index, &content);
            Ok((Some(content), commitment))
        }
    }
}
