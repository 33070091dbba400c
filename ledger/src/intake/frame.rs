//! Frames: length, checksum, payload (`spec/ledger.md`, "Intake").
//!
//! The checksum binds a frame to its ledger, its segment and its offset, so
//! bytes that look like a frame elsewhere, inside a hook payload say, are none.

use receipt_core::hash::{Context, Digest, Hasher};
use receipt_core::limits::MAX_RECORD;

/// Length of what stands before a payload: length and checksum.
pub const FRAME_HEAD: usize = 36;

/// Largest payload of a frame: one batch.
pub const MAX_FRAME: usize = 2 * MAX_RECORD;

/// Where a frame stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// The ledger.
    pub ledger: &'a Digest,
    /// The segment, by the number of its first record.
    pub segment: u64,
    /// Offset of the frame in the segment.
    pub offset: u64,
}

fn checksum(place: &Place<'_>, payload: &[u8]) -> Digest {
    Hasher::new(Context::Frame)
        .fixed(place.ledger)
        .number(place.segment)
        .number(place.offset)
        .sized(payload)
        .finish()
}

/// Adds a frame to `out`. The payload is at most [`MAX_FRAME`] bytes.
pub fn write(out: &mut Vec<u8>, place: &Place<'_>, payload: &[u8]) {
    out.extend_from_slice(
        &u32::try_from(payload.len())
            .unwrap_or(u32::MAX)
            .to_le_bytes(),
    );
    out.extend_from_slice(&checksum(place, payload));
    out.extend_from_slice(payload);
}

/// The payload that the frame at the start of `bytes` claims to have, and its
/// checksum; `None` where it does not fit.
fn claimed(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = bytes.split_first_chunk::<4>()?;
    let len = u32::from_le_bytes(*len) as usize;
    if len == 0 || len > MAX_FRAME {
        return None;
    }
    let (sum, rest) = rest.split_at_checked(32)?;
    Some((sum, rest.get(..len)?))
}

/// The payload of what may be a frame, its checksum not compared.
#[must_use]
pub fn unchecked(bytes: &[u8]) -> Option<&[u8]> {
    claimed(bytes).map(|(_, payload)| payload)
}

/// The payload of the frame at the start of `bytes`; `None` if there is no
/// whole and sound frame.
#[must_use]
pub fn read<'a>(bytes: &'a [u8], place: &Place<'_>) -> Option<&'a [u8]> {
    let (sum, payload) = claimed(bytes)?;
    (checksum(place, payload) == sum).then_some(payload)
}

/// What a search for a sound frame came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Searched {
    /// One begins here.
    At(usize),
    /// None is there.
    Nowhere,
    /// More would have to be hashed than a torn write can hold.
    GaveUp,
}

/// Where the next sound frame begins in `bytes[from..]`, where `bytes` is a
/// segment and `plausible` tells quickly what can be no payload.
#[must_use]
pub fn next_after(
    bytes: &[u8],
    from: usize,
    (ledger, segment): (&Digest, u64),
    plausible: impl Fn(&[u8]) -> bool,
) -> Searched {
    let mut budget = bytes.len().saturating_mul(4).saturating_add(1 << 20);
    for offset in from..bytes.len() {
        let rest = bytes.get(offset..).unwrap_or_default();
        let Some((_, payload)) = claimed(rest) else {
            continue;
        };
        if !plausible(payload) {
            continue;
        }
        let Some(left) = budget.checked_sub(payload.len()) else {
            return Searched::GaveUp;
        };
        budget = left;
        let place = Place {
            ledger,
            segment,
            offset: offset as u64,
        };
        if read(rest, &place).is_some() {
            return Searched::At(offset);
        }
    }
    Searched::Nowhere
}
