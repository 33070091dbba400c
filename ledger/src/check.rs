//! Whether a record may follow what is there.

use crate::error::LedgerError;
use crate::head::open_note;
use crate::state::Stage;
use crate::store::Note;
use receipt_core::genesis;
use receipt_core::hash::Digest;
use receipt_core::key::Use;
use receipt_core::keychain::KeyChain;
use receipt_core::keychain::KeyChange;
use receipt_core::record::{Kind, LEDGER_STREAM};
use receipt_core::seal::{Record, RecordError};

/// The keys that a genesis record binds, itself signed by one of them.
pub(crate) fn genesis_keys(record: &Record, ledger: &Digest) -> Result<KeyChain, LedgerError> {
    let refused = |why| LedgerError::Record { seq: 0, why };
    if record.header().kind() != Some(Kind::Genesis) {
        return Err(refused("it is no genesis record"));
    }
    content(record).map_err(refused)?;
    let facts = record.facts().ok_or(refused("it has no facts"))?;
    let genesis = genesis::parse(facts)?;
    if genesis.ledger != *ledger {
        return Err(LedgerError::OtherLedger);
    }
    let keys = KeyChain::of(&genesis);
    signature(record, &keys).map_err(refused)?;
    Ok(keys)
}

/// Content against commitments, commitments against header.
pub(crate) fn content(record: &Record) -> Result<(), &'static str> {
    record.check().map_err(|error| match error {
        RecordError::Roots => "its commitments do not match its header",
        RecordError::Content => "its content does not match its commitments",
    })
}

/// The signature, by a record key of this ledger.
pub(crate) fn signature(record: &Record, keys: &KeyChain) -> Result<(), &'static str> {
    let header = record.header();
    let key = keys
        .at(Use::Record, header.seq)
        .filter(|key| key.id() == header.key)
        .ok_or("it is signed by a key that the ledger does not bind there")?;
    if record.signed.verifies(key) {
        Ok(())
    } else {
        Err("its signature does not verify")
    }
}

/// Follows the change of keys that a record tells, if it tells one.
pub(crate) fn follow(record: &Record, keys: &mut KeyChain) -> Result<(), &'static str> {
    let header = record.header();
    if header.kind() != Some(Kind::Key) {
        return Ok(());
    }
    if header.stream != LEDGER_STREAM {
        return Err("a key record stands in the ledger's own stream alone");
    }
    let facts = record.facts().ok_or("a key record has facts")?;
    KeyChange::parse(facts)
        .and_then(|change| keys.follow(header.seq, &change))
        .map_err(|_| "the change of keys that it tells is refused")
}

/// Its place in ledger, chain and stream.
pub(crate) fn place(stage: &Stage<'_>, record: &Record) -> Result<(), &'static str> {
    let header = record.header();
    let place = stage.place(&header.stream, receipt_core::seal::Time::default());
    if header.ledger != place.ledger {
        return Err("it belongs to another ledger");
    }
    if header.seq != place.seq {
        return Err("it does not have the next number");
    }
    if header.prev != place.prev {
        return Err("it is not chained to the record before");
    }
    if header.stream_seq != place.stream_seq {
        return Err("it does not have the next number of its stream");
    }
    if header.stream_prev != place.stream_prev {
        return Err("it is not chained to the record before in its stream");
    }
    if (header.kind() == Some(Kind::Genesis)) != (header.seq == 0) {
        return Err("the genesis record is the first record and no other");
    }
    Ok(())
}

/// A note over exactly the records of the stage.
pub(crate) fn note(stage: &Stage<'_>, text: &str, keys: &KeyChain) -> Result<Note, &'static str> {
    let checkpoint =
        open_note(text, keys).map_err(|_| "the note over the records up to it is refused")?;
    let frontier = &stage.batch.frontier;
    if checkpoint.size != frontier.size() || checkpoint.root != frontier.root() {
        return Err("the note over the records up to it states another size or root");
    }
    Ok(Note {
        size: checkpoint.size,
        text: text.to_owned(),
    })
}
