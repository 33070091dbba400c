//! The head register: the newest checkpoint in a file of its own, outside the
//! store (`spec/ledger.md`, "Head register").

use crate::disk::Disk;
use crate::error::{LedgerError, io};
use crate::layout::{HEAD, exists, replace};
use receipt_core::checkpoint::{Checkpoint, NoteError};
use receipt_core::key::{PublicKey, Use};
use receipt_core::keychain::KeyChain;
use receipt_core::limits::MAX_NOTE;

/// What the register holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    /// The checkpoint, its signature verified.
    pub checkpoint: Checkpoint,
    /// Its note.
    pub text: String,
}

/// Replaces the register.
///
/// # Errors
/// [`LedgerError::Io`]; the old or the new register is there, whole.
pub fn write(disk: &dyn Disk, note: &str) -> Result<(), LedgerError> {
    replace(disk, HEAD, note.as_bytes())
}

/// Reads the register.
///
/// # Errors
/// [`LedgerError::HeadMissing`], [`LedgerError::Note`].
pub fn read(disk: &dyn Disk, keys: &KeyChain) -> Result<Register, LedgerError> {
    if !exists(disk, HEAD)? {
        return Err(LedgerError::HeadMissing);
    }
    let bytes = disk.read(HEAD, MAX_NOTE as u64).map_err(io("read", HEAD))?;
    let text = String::from_utf8(bytes).map_err(|_| refused(NoteError::Text))?;
    let checkpoint = open_note(&text, keys).map_err(refused)?;
    Ok(Register { checkpoint, text })
}

fn refused(source: NoteError) -> LedgerError {
    LedgerError::Note {
        file: HEAD.to_owned(),
        source,
    }
}

/// Opens a note with whichever checkpoint key of the ledger signed it.
///
/// # Errors
/// [`NoteError`]; of another ledger is [`NoteError::Checkpoint`].
pub fn open_note(text: &str, keys: &KeyChain) -> Result<Checkpoint, NoteError> {
    let mut refusal = NoteError::Unsigned;
    for key in keys.all() {
        match Checkpoint::open(text, key) {
            Ok(checkpoint) if is_due(&checkpoint, key, keys) => return Ok(checkpoint),
            Ok(_) => refusal = NoteError::Checkpoint,
            Err(NoteError::Unsigned) => {}
            Err(error) => refusal = error,
        }
    }
    Err(refusal)
}

/// Whether the key was the one for checkpoints when the last record was made.
fn is_due(checkpoint: &Checkpoint, key: &PublicKey, keys: &KeyChain) -> bool {
    let last = checkpoint.size.saturating_sub(1);
    checkpoint.ledger == *keys.ledger() && keys.at(Use::Checkpoint, last) == Some(key)
}
