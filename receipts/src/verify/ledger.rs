//! Steps 8, 9 and 16 to 20: the records as part of their ledger.

use super::log::{Checked, Failure, seen};
use super::outcome::Fault;
use super::records::{Records, seq};
use crate::bundle::{Bundle, Entry};
use crate::encode::array;
use crate::row::Known;
use crate::statement::Statement;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use receipt_core::checkpoint::Checkpoint;
use receipt_core::genesis::{self, Genesis};
use receipt_core::hash::{Digest, digest_from_hex, hex};
use receipt_core::heads::{Head, HeadProof};
use receipt_core::key::Use;
use receipt_core::keychain::{KeyChain, KeyChange};
use receipt_core::limits::MAX_PROOF;
use receipt_core::record::{Flags, Kind, LEDGER_STREAM};
use receipt_core::tree::{leaf_hash, verify_inclusion};
use serde::Deserialize;

/// Step 8.
pub(super) fn step_genesis(
    records: &Records,
    bundle: &Bundle,
    statement: &Statement,
) -> Checked<Genesis> {
    let header = &records.genesis.signed.header;
    let first = header.kind() == Some(Kind::Genesis)
        && header.seq == 0
        && header.prev == [0; 32]
        && header.stream == LEDGER_STREAM
        && header.stream_seq == 0
        && header.stream_prev == [0; 32];
    if !first {
        return Err(Failure::invalid("not the first record of a ledger"));
    }
    let facts = records
        .genesis
        .facts()
        .ok_or_else(|| Failure::invalid("its facts are not disclosed"))?;
    let genesis = genesis::parse(facts.as_bytes()).map_err(|e| Failure::invalid(e.to_string()))?;
    if genesis.ledger != statement.ledger {
        let found = format!("ledger {}", hex(&genesis.ledger));
        let expected = format!("ledger {}", hex(&statement.ledger));
        return Err(Failure::invalid(found).expected(expected));
    }
    if bundle.identity != hex(genesis.identity.as_bytes()) {
        return Err(Failure::invalid("the file names another identity key"));
    }
    let found = format!("ledger {}", hex(&genesis.ledger));
    seen(genesis, found)
}

/// Step 9. The bindings of the genesis record, and every change since.
pub(super) fn step_keys(
    records: &Records,
    genesis: &Genesis,
    statement: &Statement,
) -> Checked<KeyChain> {
    let unbound = genesis
        .bindings
        .iter()
        .find(|b| !b.holds(&genesis.identity, &genesis.ledger));
    match unbound {
        Some(binding) => Err(Failure::invalid(format!(
            "the {} key is not bound",
            binding.key_use.name()
        ))),
        None => follow(records, KeyChain::of(genesis), statement),
    }
}

fn follow(records: &Records, mut chain: KeyChain, statement: &Statement) -> Checked<KeyChain> {
    let mut before = 0;
    for known in &records.keys {
        let header = &known.signed.header;
        let refused = |what: &str| Failure::invalid(format!("record #{}: {what}", header.seq));
        let placed = header.kind() == Some(Kind::Key)
            && header.stream == LEDGER_STREAM
            && header.seq > before
            && header.seq < statement.size;
        if !placed {
            return Err(refused("not a key record, or out of order"));
        }
        let facts = known
            .facts()
            .ok_or_else(|| refused("its facts are not disclosed"))?;
        KeyChange::parse(facts.as_bytes())
            .and_then(|change| chain.follow(header.seq, &change))
            .map_err(|error| refused(&error.to_string()))?;
        before = header.seq;
    }
    let identity = hex(chain.identity().as_bytes());
    let found = match records.keys.len() {
        0 => format!("identity {identity}"),
        changes => format!("identity {identity}, {changes} changes of keys"),
    };
    seen(chain, found)
}

/// Step 16.
pub(super) fn step_checkpoint(
    bundle: &Bundle,
    keys: &KeyChain,
    statement: &Statement,
) -> Checked<()> {
    let key = keys
        .at(Use::Checkpoint, statement.size.saturating_sub(1))
        .ok_or_else(|| Failure::invalid("no checkpoint key"))?;
    let checkpoint =
        Checkpoint::open(&bundle.checkpoint, key).map_err(|e| Failure::invalid(e.to_string()))?;
    let stated = Checkpoint {
        ledger: statement.ledger,
        size: statement.size,
        root: statement.root,
    };
    let say = |c: &Checkpoint| format!("size {}, root {}", c.size, hex(&c.root));
    if checkpoint == stated {
        seen((), say(&checkpoint))
    } else {
        Err(Failure::invalid(say(&checkpoint)).expected(say(&stated)))
    }
}

/// Step 17.
pub(super) fn step_inclusion(
    records: &Records,
    bundle: &Bundle,
    statement: &Statement,
) -> Checked<()> {
    if statement.size.checked_sub(1) != Some(seq(&records.heads)) {
        return Err(Failure::invalid(
            "the heads record is not the last of the checkpoint",
        ));
    }
    let three = [
        ("genesis", &records.genesis, &bundle.genesis.proof),
        ("heads", &records.heads, &bundle.heads.proof),
        ("verdict", &records.last, &bundle.verdict_proof),
    ];
    let keys = records.keys.iter().zip(&bundle.keys);
    let keys = keys.map(|(known, proved)| ("key", known, &proved.proof));
    for (name, known, proof) in three.into_iter().chain(keys) {
        let included = hashes(proof).is_some_and(|proof| {
            let leaf = leaf_hash(&known.signed.leaf());
            verify_inclusion(&leaf, seq(known), statement.size, &proof, &statement.root)
        });
        if !included {
            let found = format!("the proof of the {name} record (#{}) fails", seq(known));
            return Err(Failure::invalid(found));
        }
    }
    let proofs = records.keys.len().saturating_add(3);
    seen((), format!("{proofs} proofs under size {}", statement.size))
}

/// The hashes of a proof; `None` where it is longer than any proof can be.
fn hashes(proof: &[String]) -> Option<Vec<Digest>> {
    if proof.len() > MAX_PROOF {
        return None;
    }
    proof.iter().map(|text| array(text)).collect()
}

#[derive(Deserialize)]
struct HeadsFacts {
    heads: HeadsRoot,
}

#[derive(Deserialize)]
struct HeadsRoot {
    root: String,
    count: u64,
    keys: u64,
}

/// Step 18. Yields the stream's head.
pub(super) fn step_heads(
    records: &Records,
    bundle: &Bundle,
    statement: &Statement,
) -> Checked<Head> {
    let header = &records.heads.signed.header;
    if header.kind() != Some(Kind::Heads) || header.stream != LEDGER_STREAM {
        return Err(Failure::invalid("not a heads record"));
    }
    let facts: HeadsFacts = records
        .heads
        .facts()
        .and_then(|text| serde_json::from_str(text).ok())
        .ok_or_else(|| Failure::invalid("its facts are not disclosed or malformed"))?;
    let changes = records.keys.len() as u64;
    if facts.heads.keys != changes {
        // Left out, a change would leave the key before it in force.
        return Err(
            Failure::invalid(format!("{changes} changes of keys are here"))
                .expected(format!("{} changes of keys", facts.heads.keys)),
        );
    }
    let root = digest_from_hex(&facts.heads.root)
        .ok_or_else(|| Failure::invalid("its root is malformed"))?;
    let proof = head_proof(&bundle.heads.entry)
        .filter(|p| p.count == facts.heads.count && p.head.seq < header.seq)
        .ok_or_else(|| Failure::invalid("the stream's entry is malformed"))?;
    if !proof.verifies(&statement.stream, &root) {
        return Err(Failure::invalid("the proof of the stream's entry fails"));
    }
    let head = proof.head;
    seen(
        head,
        format!("head #{}, stream position {}", head.seq, head.stream_seq),
    )
}

fn head_proof(entry: &Entry) -> Option<HeadProof> {
    Some(HeadProof {
        head: Head {
            stream_seq: entry.stream_seq,
            seq: entry.seq,
            link: array(&entry.link)?,
        },
        index: entry.index,
        count: entry.count,
        proof: hashes(&entry.proof)?,
    })
}

/// Step 19.
pub(super) fn step_tail(records: &Records, head: &Head) -> Checked<()> {
    let newest = records.tail.last().unwrap_or(&records.last);
    let header = &newest.signed.header;
    let reached =
        header.seq == head.seq && header.stream_seq == head.stream_seq && newest.link == head.link;
    if !reached {
        return Err(Failure::invalid(format!("ends at #{}", header.seq))
            .expected(format!("reaches #{}", head.seq)));
    }
    let same_turn = records
        .tail
        .iter()
        .take_while(|k| !k.signed.header.has(Flags::OPENS_TURN));
    let later = same_turn
        .filter(|k| k.signed.header.kind() == Some(Kind::VerdictStop))
        .last();
    match later {
        Some(known) => Err(Failure::new(
            Fault::Stale,
            format!("record #{} holds a later verdict on this turn", seq(known)),
        )),
        None => seen((), format!("{} later records", records.tail.len())),
    }
}

/// Step 20.
pub(super) fn step_chain(records: &Records) -> Checked<()> {
    let mut all: Vec<&Known> = records.all().collect();
    all.sort_by_key(|k| seq(k));
    let mut links = 0u64;
    for (before, after) in all.iter().zip(all.iter().skip(1)) {
        let (header, expected) = (&after.signed.header, before.link);
        let distance = header.seq.checked_sub(seq(before));
        let broken = match distance {
            Some(0) | None => true,
            Some(1) => header.prev != expected,
            Some(_) => false,
        };
        if broken {
            let found = format!("#{} and #{} contradict each other", seq(before), seq(after));
            return Err(Failure::invalid(found));
        }
        links = links.saturating_add(u64::from(distance == Some(1)));
    }
    seen((), format!("{links} links"))
}
