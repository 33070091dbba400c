//! `receipt checkpoint`: signed notes over the ledger, and what they prove.

use crate::access::{Access, unexpected};
use crate::effect::file::read_limited;
use crate::error::{Error, Outcome};
use crate::home::Home;
use crate::output::{self, Format};
use crate::wire::{Query, Reply};
use receipt_core::checkpoint::{Checkpoint, VerifierKey};
use receipt_core::hash::{Digest, digest_from_hex, hex};
use receipt_core::limits::MAX_NOTE;
use receipt_core::tree::verify_consistency;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Show checkpoints, check them, and prove that one continues another.
///
/// A checkpoint is a C2SP signed note over the ledger's size and root. Whoever
/// keeps one can tell later whether the ledger still says the same: nothing up
/// to it can be changed or taken out unseen.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Print a checkpoint of this ledger: the newest, or the first of some size.
    Show {
        /// The smallest checkpoint of at least so many records.
        #[arg(long, value_name = "RECORDS")]
        size: Option<u64>,
        /// Output format; JSON has the verifier key, to be pinned elsewhere.
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Check a checkpoint's signature, by this ledger's key or by a pinned one.
    Verify {
        /// The note; `-` for stdin.
        note: PathBuf,
        /// C2SP verifier key, as `show --format json` prints it.
        #[arg(long, value_name = "KEY", value_parser = verifier_key)]
        key: Option<VerifierKey>,
        /// Output format.
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Prove that a checkpoint continues an older one; exits 30 if it does not.
    ///
    /// With the ledger at hand the proof is made and printed. With `--proof` and
    /// `--key` somebody else checks it, without the ledger.
    Consistency {
        /// The older note.
        old: PathBuf,
        /// The newer note; this ledger's newest if left out.
        new: Option<PathBuf>,
        /// A proof that was printed by this command as JSON.
        #[arg(long, value_name = "FILE", requires = "key", requires = "new")]
        proof: Option<PathBuf>,
        /// C2SP verifier key of the ledger.
        #[arg(long, value_name = "KEY", value_parser = verifier_key)]
        key: Option<VerifierKey>,
        /// Output format.
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
}

/// Exit code for a checkpoint that conflicts with another (`spec/cli.md`).
const CONTRADICTED: u8 = 30;

/// Exit code for a note that does not hold (`spec/cli.md`).
const INVALID: u8 = 40;

/// Largest proof file: 63 hashes and their frame.
const MAX_PROOF_FILE: usize = 64 << 10;

fn verifier_key(text: &str) -> Result<VerifierKey, String> {
    VerifierKey::parse(text).ok_or_else(|| "receipt-ledger/<id>+<8 hex>+<base64>".to_owned())
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.action {
        Action::Show { size, format } => show(*size, *format),
        Action::Verify { note, key, format } => verify(note, key.as_ref(), *format),
        Action::Consistency {
            old,
            new,
            proof,
            key,
            format,
        } => match (proof, key, new) {
            (Some(proof), Some(key), Some(new)) => check(old, new, proof, key, *format),
            _ => prove(old, new.as_deref(), key.as_ref(), *format),
        },
    }
}

/// A checkpoint of this ledger.
struct Own {
    note: String,
    keys: Vec<VerifierKey>,
}

fn own(access: &mut Access, size: Option<u64>) -> Result<Own, Error> {
    let Reply::Checkpoint { note, keys } = access.ask(Query::Checkpoint { size })? else {
        return Err(unexpected());
    };
    let keys = keys.iter().filter_map(|key| VerifierKey::parse(key));
    Ok(Own {
        note,
        keys: keys.collect(),
    })
}

fn show(size: Option<u64>, format: Format) -> Outcome {
    let mut access = Access::open(&Home::find()?)?;
    let own = own(&mut access, size)?;
    let checkpoint = open(&own.note, &own.keys).ok_or_else(unexpected)?;
    match format {
        Format::Human => output::out(&own.note),
        Format::Json => output::line(
            &json!({
                "version": 1,
                "size": checkpoint.size,
                "root": hex(&checkpoint.root),
                "note": own.note,
                "verifier_key": own.keys.last().map(ToString::to_string),
            })
            .to_string(),
        ),
    }
    Ok(0)
}

/// Opens a note by the first key that signed it.
fn open(note: &str, keys: &[VerifierKey]) -> Option<Checkpoint> {
    keys.iter().find_map(|key| key.open(note).ok())
}

/// The text of a note's file.
pub(super) fn read_note(path: &Path) -> Result<String, Error> {
    String::from_utf8(read_limited(path, MAX_NOTE)?)
        .map_err(|_| Error::input(format!("{} is no note: not UTF-8", path.display())))
}

fn keys_or_own(key: Option<&VerifierKey>) -> Result<Vec<VerifierKey>, Error> {
    match key {
        Some(key) => Ok(vec![key.clone()]),
        None => Ok(own(&mut Access::open(&Home::find()?)?, None)?.keys),
    }
}

fn verify(path: &Path, key: Option<&VerifierKey>, format: Format) -> Outcome {
    let note = read_note(path)?;
    let found = open(&note, &keys_or_own(key)?);
    let text = match (&found, format) {
        (Some(c), Format::Human) => format!("signed: {} records, root {}", c.size, hex(&c.root)),
        (None, Format::Human) => "INVALID the note is not signed by that key".to_owned(),
        (found, Format::Json) => json!({
            "version": 1,
            "signed": found.is_some(),
            "size": found.as_ref().map(|c| c.size),
            "root": found.as_ref().map(|c| hex(&c.root)),
        })
        .to_string(),
    };
    output::line(&text);
    Ok(if found.is_some() { 0 } else { INVALID })
}

fn opened(path: &Path, keys: &[VerifierKey]) -> Result<Checkpoint, Error> {
    let note = read_note(path)?;
    open(&note, keys).ok_or_else(|| {
        Error::input(format!(
            "{} is not signed by that ledger's key",
            path.display()
        ))
        .hint("`receipt checkpoint verify` checks one note")
    })
}

fn prove(old: &Path, new: Option<&Path>, key: Option<&VerifierKey>, format: Format) -> Outcome {
    let mut access = Access::open(&Home::find()?)?;
    let own = own(&mut access, None)?;
    let keys: Vec<VerifierKey> = key.map_or(own.keys, |key| vec![key.clone()]);
    let old = opened(old, &keys)?;
    let new = match new {
        Some(path) => opened(path, &keys)?,
        None => open(&own.note, &keys).ok_or_else(unexpected)?,
    };
    let wish = Query::Consistency {
        old: old.size,
        new: new.size,
    };
    let Reply::Consistency { proof } = access.ask(wish)? else {
        return Err(unexpected());
    };
    say(&old, &new, &proof, format)
}

fn check(old: &Path, new: &Path, proof: &Path, key: &VerifierKey, format: Format) -> Outcome {
    let keys = std::slice::from_ref(key);
    let (old, new) = (opened(old, keys)?, opened(new, keys)?);
    say(&old, &new, &read_proof(proof)?, format)
}

/// The hashes of a proof that `checkpoint consistency` wrote.
pub(super) fn read_proof(path: &Path) -> Result<Vec<Digest>, Error> {
    let named = || Error::input(format!("{} is no proof of consistency", path.display()));
    let value: Value =
        serde_json::from_slice(&read_limited(path, MAX_PROOF_FILE)?).map_err(|_| named())?;
    let hashes = value
        .get("proof")
        .and_then(Value::as_array)
        .ok_or_else(named)?;
    let hashes: Option<Vec<Digest>> = hashes
        .iter()
        .map(|hash| digest_from_hex(hash.as_str()?))
        .collect();
    hashes.ok_or_else(named)
}

fn say(old: &Checkpoint, new: &Checkpoint, proof: &[Digest], format: Format) -> Outcome {
    let continues = verify_consistency((old.size, &old.root), (new.size, &new.root), proof);
    let text = match format {
        Format::Human if continues => {
            format!(
                "the checkpoint over {} records continues the one over {}",
                new.size, old.size
            )
        }
        Format::Human => format!(
            "CONTRADICTED the checkpoint over {} records does not continue the one over {}",
            new.size, old.size
        ),
        Format::Json => json!({
            "version": 1,
            "continues": continues,
            "old": {"size": old.size, "root": hex(&old.root)},
            "new": {"size": new.size, "root": hex(&new.root)},
            "proof": proof.iter().map(|hash| hex(hash)).collect::<Vec<_>>(),
        })
        .to_string(),
    };
    output::line(&text);
    Ok(if continues { 0 } else { CONTRADICTED })
}
