//! Withholding parts of a receipt without the ledger (`spec/receipt.md`, "Redaction").
//!
//! Only disclosures are dropped: each becomes the commitment that it opened. The
//! statement, its signature and every proof stay as they are.

use crate::bundle::{Evidence, Part, Row};
use crate::disclose::Disclose;
use crate::encode::base64url;
use crate::row;
use crate::verify::open::{self, OpenError};
use alloc::vec::Vec;
use receipt_core::commit::Group;

/// Why a file cannot be redacted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RedactError {
    /// It is no receipt.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A disclosure is malformed.
    #[error("record {0}: {1}")]
    Record(u64, &'static str),
}

/// The receipt with nothing disclosed but what `keep` names.
///
/// The genesis and `Heads` records keep their facts: without them nobody could
/// verify anything. Dropping the facts of the range makes it UNDETERMINED.
///
/// # Errors
/// [`RedactError`] where the file is no receipt. Whether it verifies is not asked.
pub fn redact(file: &[u8], keep: Disclose) -> Result<Vec<u8>, RedactError> {
    let mut envelope = open::envelope(file)?;
    for row in &mut envelope.receipt.records {
        withhold(row, keep).map_err(|what| RedactError::Record(row.seq, what))?;
    }
    Ok(envelope.to_file())
}

fn withhold(row: &mut Row, keep: Disclose) -> Result<(), row::Wrong> {
    for (group, part) in Group::ALL.into_iter().zip(row.groups.iter_mut().flatten()) {
        if let Some(Part::Open(open)) = part
            && !keep.group(group)
        {
            *part = Some(Part::Withheld(base64url(&row::open_group(group, open)?)));
        }
    }
    if let Some(Evidence::Items(_)) = &row.evidence
        && !keep.evidence
    {
        let (_, root) = row::evidence(row.evidence.as_ref())?;
        row.evidence = Some(Evidence::Root(base64url(&root)));
    }
    Ok(())
}
