//! Making a receipt out of records, proofs and a verdict key.

mod rows;

use crate::bundle::{Bundle, Entry, First, HeadsProved, Proved, VERSION};
use crate::disclose::Disclose;
use crate::encode::{base64url, hashes};
use crate::envelope::{Envelope, PAYLOAD_TYPE, Signature, pre_authentication};
use crate::statement::{Range, Statement, subjects};
use crate::tier::Tier;
use alloc::string::ToString;
use alloc::vec::Vec;
use data_encoding::BASE64;
use receipt_core::checkpoint::{Checkpoint, NoteError};
use receipt_core::genesis::{self, GenesisError};
use receipt_core::hash::{Digest, hex};
use receipt_core::heads::HeadProof;
use receipt_core::json::strict;
use receipt_core::key::{PrivateKey, Use};
use receipt_core::keychain::{KeyChain, KeyChange};
use receipt_core::limits::{MAX_PROFILE, MAX_PROOF, MAX_RECEIPT, MAX_RECEIPT_RECORDS};
use receipt_core::record::{Kind, Signed};
use receipt_core::seal::{Record, RecordError};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

/// Everything a receipt is made of.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The ledger.
    pub ledger: Digest,
    /// The stream.
    pub stream: Digest,
    /// How the ledger is kept.
    pub tier: Tier,
    /// The turn: from the record that opened it to the one with the verdict.
    pub records: &'a [Record],
    /// Later records of the stream, up to its head in the `Heads` record.
    pub tail: &'a [Signed],
    /// The ledger's first record.
    pub genesis: &'a Record,
    /// Inclusion of the genesis record.
    pub genesis_proof: &'a [Digest],
    /// Every key record below the checkpoint, in order, with its inclusion.
    pub keys: &'a [(Record, Vec<Digest>)],
    /// The `Heads` record that the checkpoint ends with.
    pub heads: &'a Record,
    /// Inclusion of the `Heads` record.
    pub heads_proof: &'a [Digest],
    /// The stream's place in the heads.
    pub head: &'a HeadProof,
    /// Inclusion of the verdict record.
    pub verdict_proof: &'a [Digest],
    /// The signed note of the checkpoint.
    pub note: &'a str,
    /// The bytes of the profile in force.
    pub profile: &'a [u8],
    /// The key that signs the statement.
    pub verdict_key: &'a PrivateKey,
    /// What is disclosed. Facts always are, where the ledger still has them.
    pub disclose: Disclose,
}

/// Why no receipt can be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The range is empty, too long, or does not end with a verdict.
    #[error("the records are no turn that ends with a verdict")]
    Range,
    /// A record does not follow the one before in its stream and ledger.
    #[error("record {0} does not follow the one before it in the stream")]
    Chain(u64),
    /// A record's content does not match its header.
    #[error("record {0}: {1}")]
    Record(u64, RecordError),
    /// A disclosed group is not UTF-8.
    #[error("record {0}: a group is not UTF-8")]
    Text(u64),
    /// The verdict record's facts are gone or hold no verdict.
    #[error("the verdict record holds no verdict that could be stated")]
    Verdict,
    /// The genesis record's facts are gone or refused.
    #[error("the genesis record cannot be used: {0}")]
    Genesis(#[from] GenesisError),
    /// The facts of the genesis or the `Heads` record are gone.
    #[error("the facts of record {0} are gone")]
    Facts(u64),
    /// The note is not this ledger's.
    #[error("the checkpoint cannot be used: {0}")]
    Checkpoint(#[from] NoteError),
    /// The checkpoint is another ledger's or older than the verdict.
    #[error("the checkpoint does not cover the records")]
    NotCovered,
    /// The profile is not text or too large.
    #[error("the profile is no text of allowed size")]
    Profile,
    /// The verdict key is not the one in force, or a change of keys is refused.
    #[error("the verdict key is not the one in force in this ledger")]
    Key,
    /// The file would be larger than a verifier reads.
    #[error("the receipt would have {0} bytes, more than a verifier reads")]
    TooLarge(usize),
}

/// Makes a receipt.
///
/// The verdict is stated as its record holds it; nothing is folded here.
///
/// # Errors
/// [`BuildError`] where the parts do not belong together.
pub fn build(input: &Input<'_>) -> Result<Vec<u8>, BuildError> {
    let keys = keys_of(input)?;
    let checkpoint = checkpoint_of(input, &keys)?;
    check_range(input)?;
    let statement = statement(input, &checkpoint)?;
    let bundle = bundle(input, &keys)?;
    let file = sign(&statement.to_payload(), bundle, input.verdict_key).to_file();
    if file.len() > MAX_RECEIPT {
        return Err(BuildError::TooLarge(file.len()));
    }
    Ok(file)
}

/// The keys as they are when the checkpoint is made.
fn keys_of(input: &Input<'_>) -> Result<KeyChain, BuildError> {
    let facts = input.genesis.facts().ok_or(BuildError::Facts(0))?;
    let mut keys = KeyChain::of(&genesis::parse(facts)?);
    for (record, _) in input.keys {
        let seq = record.header().seq;
        let facts = record.facts().ok_or(BuildError::Facts(seq))?;
        KeyChange::parse(facts)
            .and_then(|change| keys.follow(seq, &change))
            .map_err(|_| BuildError::Key)?;
    }
    if keys.current(Use::Verdict) != Some(&input.verdict_key.public()) {
        return Err(BuildError::Key);
    }
    Ok(keys)
}

fn checkpoint_of(input: &Input<'_>, keys: &KeyChain) -> Result<Checkpoint, BuildError> {
    let key = keys.current(Use::Checkpoint).ok_or(BuildError::Key)?;
    let checkpoint = Checkpoint::open(input.note, key)?;
    let proofs = [
        input.genesis_proof,
        input.heads_proof,
        input.verdict_proof,
        &input.head.proof,
    ];
    let covered = checkpoint.ledger == input.ledger
        && *keys.ledger() == input.ledger
        && checkpoint.size.checked_sub(1) == Some(input.heads.header().seq)
        && proofs.iter().all(|p| p.len() <= MAX_PROOF);
    covered.then_some(checkpoint).ok_or(BuildError::NotCovered)
}

/// The range must be one stretch of the stream that ends with a verdict.
fn check_range(input: &Input<'_>) -> Result<(), BuildError> {
    let count = input.records.len().saturating_add(input.tail.len());
    let last = input.records.last().ok_or(BuildError::Range)?;
    let kind = last.header().kind();
    if count > MAX_RECEIPT_RECORDS
        || !matches!(kind, Some(Kind::VerdictStop | Kind::VerdictInterim))
    {
        return Err(BuildError::Range);
    }
    for record in input.records {
        let seq = record.header().seq;
        record.check().map_err(|e| BuildError::Record(seq, e))?;
    }
    let all = input.records.iter().map(|r| &r.signed).chain(input.tail);
    let mut before: Option<&Signed> = None;
    for signed in all {
        let header = &signed.header;
        let follows = before.is_none_or(|b| {
            header.stream_prev == b.link()
                && b.header.stream_seq.checked_add(1) == Some(header.stream_seq)
                && b.header.seq < header.seq
        });
        if !follows || header.stream != input.stream || header.ledger != input.ledger {
            return Err(BuildError::Chain(header.seq));
        }
        before = Some(signed);
    }
    Ok(())
}

fn statement(input: &Input<'_>, checkpoint: &Checkpoint) -> Result<Statement, BuildError> {
    let (Some(first), Some(last)) = (input.records.first(), input.records.last()) else {
        return Err(BuildError::Range);
    };
    let facts = last.facts().ok_or(BuildError::Verdict)?;
    let facts = strict::parse(facts).map_err(|_| BuildError::Verdict)?;
    let verdict = facts.get("verdict").ok_or(BuildError::Verdict)?.clone();
    let digest = digest(input.records.iter().map(|r| &r.signed));
    Ok(Statement {
        subjects: subjects(&verdict, &digest).ok_or(BuildError::Verdict)?,
        ledger: input.ledger,
        stream: input.stream,
        records: Range {
            first: first.header().seq,
            last: last.header().seq,
            count: input.records.len() as u64,
        },
        verdict_record: last.header().seq,
        size: checkpoint.size,
        root: checkpoint.root,
        tier: input.tier,
        verdict,
    })
}

/// SHA-256 over the leaves of the records.
pub(crate) fn digest<'a>(records: impl Iterator<Item = &'a Signed>) -> Digest {
    records
        .fold(Sha256::new(), |hash, signed| {
            hash.chain_update(signed.leaf())
        })
        .finalize()
        .into()
}

fn bundle(input: &Input<'_>, keys: &KeyChain) -> Result<Bundle, BuildError> {
    let profile = core::str::from_utf8(input.profile).map_err(|_| BuildError::Profile)?;
    if profile.len() > MAX_PROFILE {
        return Err(BuildError::Profile);
    }
    let first = input.records.first().ok_or(BuildError::Range)?.header();
    let head = input.head;
    let listed = rows::listed(input)?;
    Ok(Bundle {
        version: VERSION,
        identity: hex(keys.identity().as_bytes()),
        checkpoint: input.note.to_string(),
        profile: profile.to_string(),
        genesis: Proved {
            record: rows::full(input.genesis)?,
            proof: hashes(input.genesis_proof),
        },
        keys: changes(input.keys)?,
        heads: HeadsProved {
            record: rows::full(input.heads)?,
            proof: hashes(input.heads_proof),
            entry: Entry {
                stream_seq: head.head.stream_seq,
                seq: head.head.seq,
                link: base64url(&head.head.link),
                index: head.index,
                count: head.count,
                proof: hashes(&head.proof),
            },
        },
        verdict_proof: hashes(input.verdict_proof),
        defaults: rows::defaults(first),
        first: First {
            stream_seq: first.stream_seq,
            stream_prev: base64url(&first.stream_prev),
        },
        records: listed.records,
        tail: listed.tail,
    })
}

fn changes(keys: &[(Record, Vec<Digest>)]) -> Result<Vec<Proved>, BuildError> {
    let proved = keys.iter().map(|(record, proof)| {
        Ok(Proved {
            record: rows::full(record)?,
            proof: hashes(proof),
        })
    });
    proved.collect()
}

/// The envelope around a payload.
fn sign(payload: &[u8], receipt: Bundle, key: &PrivateKey) -> Envelope {
    let signature = key.sign(&pre_authentication(PAYLOAD_TYPE, payload));
    Envelope {
        payload_type: PAYLOAD_TYPE.to_string(),
        payload: BASE64.encode(payload),
        signatures: Vec::from([Signature {
            keyid: hex(&key.public().id()),
            sig: BASE64.encode(&signature),
        }]),
        receipt,
        other: Map::<_, Value>::new(),
    }
}
