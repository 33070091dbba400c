//! `receipt verify`: is this receipt true, by a key that was pinned beforehand?

use super::checkpoint::{read_note, read_proof};
use crate::effect::file::read_limited;
use crate::error::{Error, Outcome};
use crate::output::{self, Format};
use crate::world::clock;
use receipt_core::limits::{MAX_RECEIPT, MAX_TRUST_FILE};
use receipt_gates::verdict::Basis;
use receipt_receipts::report;
use receipt_receipts::tier::Tier;
use receipt_receipts::trust::{Revoked, TrustFile};
use receipt_receipts::verify::{self, Fault, Known, Options, Subject, verify};
use std::cmp::Reverse;
use std::path::{Path, PathBuf};

/// Verify a receipt offline, with nothing but the file and a pinned key.
///
/// Checks every signature and proof, folds the gates again over the disclosed
/// facts, and compares. Exits 0 only for VERIFIED; the other results and their
/// codes are listed in spec/cli.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The receipts; `-` for stdin. Of several, one line each is printed.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// OpenSSH allowed_signers file with the identity keys you trust.
    #[arg(long, value_name = "FILE")]
    trust: PathBuf,
    /// Git tree that the receipt must be about.
    #[arg(long, value_name = "TREE", value_parser = subject)]
    subject: Option<Subject>,
    /// Weaker bases of a pass to accept: small, no-code, open, unanchored.
    #[arg(long, value_delimiter = ',', value_parser = basis)]
    accept: Vec<Basis>,
    /// Gates that must have decided.
    #[arg(long, value_delimiter = ',', value_name = "GATE")]
    require: Vec<String>,
    /// Refuse a receipt older than this, by the signer's own clock (90s, 30m, 24h, 7d).
    #[arg(long, value_name = "AGE", value_parser = age)]
    max_age: Option<u64>,
    /// The weakest tier that is enough: same-user, separate-user.
    #[arg(long, value_name = "TIER", value_parser = tier)]
    tier: Option<Tier>,
    /// List of keys that are believed no more, one public key a line.
    #[arg(long, value_name = "FILE")]
    revoked: Option<PathBuf>,
    /// A checkpoint of the ledger that you kept: the receipt must be of the same
    /// history.
    #[arg(long, value_name = "NOTE")]
    checkpoint: Option<PathBuf>,
    /// Proof that the larger of the two continues the smaller one, as `receipt
    /// checkpoint consistency --format json` writes it.
    #[arg(long, value_name = "PROOF", requires = "checkpoint")]
    consistency: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let trust = read_limited(&arguments.trust, MAX_TRUST_FILE)?;
    let trust = String::from_utf8(trust)
        .map_err(|_| Error::input(format!("{} is not UTF-8", arguments.trust.display())))?;
    let trust = TrustFile::parse(&trust).map_err(|e| {
        let place = match e.line {
            0 => String::new(),
            line => format!(", line {line}"),
        };
        let message = format!("{}{place}: {}", arguments.trust.display(), e.why);
        Error::input(message).hint("`receipt key show --format allowed-signers` writes such a file")
    })?;
    let options = Options {
        now_us: clock::wall_us(),
        subject: arguments.subject.clone(),
        accept: arguments.accept.clone(),
        require: arguments.require.clone(),
        max_age_us: arguments.max_age,
        revoked: revoked(arguments.revoked.as_deref())?,
        tier: arguments.tier,
        known: known(arguments)?,
    };
    if let [file] = arguments.files.as_slice() {
        let found = verify(&read_limited(file, MAX_RECEIPT)?, &trust, &options);
        match arguments.format {
            Format::Human => output::out(&report::human(&found, output::colour())),
            Format::Json => output::line(&report::json(&found).to_string()),
        }
        return Ok(found.outcome.exit_code());
    }
    let outcomes = arguments.files.iter().map(|file| {
        let outcome = one_of_several(file, &trust, &options, arguments.format);
        outcome.unwrap_or_else(|error| {
            output::note(&error.to_string());
            verify::Outcome::Failed(Fault::Unreadable)
        })
    });
    let gravest = outcomes.max_by_key(|outcome| match outcome {
        verify::Outcome::Verified => None,
        verify::Outcome::Failed(fault) => Some(Reverse(*fault)),
    });
    Ok(gravest.map_or(1, verify::Outcome::exit_code))
}

/// Verifies one file of several, and prints a line for it.
fn one_of_several(
    file: &Path,
    trust: &TrustFile,
    options: &Options,
    format: Format,
) -> Result<verify::Outcome, Error> {
    let found = verify(&read_limited(file, MAX_RECEIPT)?, trust, options);
    let name = file.display();
    match format {
        Format::Human => output::out(&format!(
            "{name}: {}",
            report::line(&found, output::colour())
        )),
        Format::Json => {
            let mut value = report::json(&found);
            if let Some(object) = value.as_object_mut() {
                object.insert("file".to_owned(), name.to_string().into());
            }
            output::line(&value.to_string());
        }
    }
    Ok(found.outcome)
}

fn known(arguments: &Arguments) -> Result<Option<Known>, Error> {
    let Some(path) = &arguments.checkpoint else {
        return Ok(None);
    };
    let proof = arguments
        .consistency
        .as_deref()
        .map(read_proof)
        .transpose()?;
    Ok(Some(Known {
        note: read_note(path)?,
        proof: proof.unwrap_or_default(),
    }))
}

fn revoked(path: Option<&Path>) -> Result<Revoked, Error> {
    let Some(path) = path else {
        return Ok(Revoked::default());
    };
    let named = |what: &dyn std::fmt::Display| {
        Error::input(format!("revocation list {}: {what}", path.display()))
    };
    let bytes = read_limited(path, MAX_TRUST_FILE)?;
    let text = String::from_utf8(bytes).map_err(|_| named(&"not UTF-8"))?;
    Revoked::parse(&text).map_err(|error| named(&error))
}

fn basis(word: &str) -> Result<Basis, String> {
    [Basis::Small, Basis::NoCode, Basis::Open, Basis::Unanchored]
        .into_iter()
        .find(|b| b.as_str() == word)
        .ok_or_else(|| "one of small, no-code, open, unanchored".to_owned())
}

/// A tier that a receipt can show.
fn tier(word: &str) -> Result<Tier, String> {
    Tier::from_word(word)
        .filter(|tier| tier.shown() == *tier)
        .ok_or_else(|| "one of same-user, separate-user".to_owned())
}

/// An age in microseconds.
pub(crate) fn age(text: &str) -> Result<u64, String> {
    let units = [('s', 1u64), ('m', 60), ('h', 3_600), ('d', 86_400)];
    let parsed = units.iter().find_map(|(unit, seconds)| {
        let number: u64 = text.strip_suffix(*unit)?.parse().ok()?;
        number.checked_mul(*seconds)?.checked_mul(1_000_000)
    });
    parsed.ok_or_else(|| "a number with s, m, h or d, such as 7d".to_owned())
}

fn subject(text: &str) -> Result<Subject, String> {
    Subject::tree(text).ok_or_else(|| "a git tree id of 40 or 64 hexadecimal digits".to_owned())
}
