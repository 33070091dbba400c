//! Judging a receipt (`spec/receipt.md`, "Verification").
//!
//! The steps are those of the page, in its order, one function each. Nothing
//! is green unless every one of them passed.

mod fold;
mod judge;
mod known;
mod ledger;
pub(crate) mod log;
pub mod open;
mod options;
mod outcome;
pub(crate) mod records;
mod signed;

pub use log::{Reason, Step};
pub use options::{Known, Options, Subject};
pub use outcome::{Fault, Outcome};
pub use records::MAX_ITEMS;

use crate::envelope::Envelope;
use crate::statement::Statement;
use crate::trust::TrustFile;
use alloc::string::String;
use alloc::vec::Vec;
use log::{At, Halt, Log};
use receipt_core::hash::hex;
use receipt_core::key::{PublicKey, Use};
use receipt_core::keychain::KeyChain;
use receipt_gates::profile::Profile;
use receipt_gates::verdict::VerdictFacts;
use records::Records;
use serde_json::Value;

/// What a pass does not establish, whatever the receipt.
const LIMITS: [&str; 6] = [
    "that every event of the session reached the ledger: a hook that never fired leaves no record",
    "that what the client reported is true: results, snapshots and prompts are its own word",
    "that the code is correct: only that the named checks passed on the named tree",
    "that the opening record carries over what the turn before left open: only that record says so",
    "when it happened: all times are by the signer's own clock",
    "that no later verdict exists beyond the checkpoint in the file",
];

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// Every step, reached or not.
    pub steps: Vec<Step>,
    /// Everything that stands against the receipt.
    pub reasons: Vec<Reason>,
    /// The verdict, once it was computed again from the records.
    pub verdict: Option<VerdictFacts>,
    /// Principals of the trust file for the identity key, once pinned.
    pub signer: Option<String>,
    /// What the statement says, once its signature held.
    pub stated: Option<Stated>,
    /// The tree it was compared with.
    pub subject: Option<String>,
    /// What a pass does not establish.
    pub limits: Vec<&'static str>,
}

/// Whose a receipt is and what it covers, once the statement's signature held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// The identity key, hexadecimal. Not trusted unless `signer` is set.
    pub identity: String,
    /// The statement.
    pub statement: Statement,
    /// Wall clock of the verdict record, microseconds since 1970.
    pub time_us: u64,
}

/// Verifies a receipt against a trust file. Reads nothing else.
#[must_use]
pub fn verify(file: &[u8], trust: &TrustFile, options: &Options) -> Report {
    let mut log = Log::new();
    let mut report = Partial::default();
    // A halt has been entered into the log, which decides the outcome.
    let _ = run(&mut log, &mut report, file, trust, options);
    if options.subject.is_none() {
        log.skip(At::Tree, "not compared with any tree");
    }
    Report {
        outcome: log.conclude(options.subject.is_some()),
        steps: log.steps,
        reasons: log.reasons,
        verdict: report.verdict,
        signer: report.signer,
        stated: report.stated,
        subject: options.subject.as_ref().map(|s| s.as_str().into()),
        limits: LIMITS.to_vec(),
    }
}

#[derive(Default)]
struct Partial {
    verdict: Option<VerdictFacts>,
    signer: Option<String>,
    stated: Option<Stated>,
}

fn run(
    log: &mut Log,
    report: &mut Partial,
    file: &[u8],
    trust: &TrustFile,
    options: &Options,
) -> Result<(), Halt> {
    let parts = authentic(log, report, file)?;
    if let Some(known) = &options.known {
        let step = known::step_known(known, &parts.keys, &parts.statement);
        let _ = log.take(At::Checkpoint, step);
    }
    let (profile, fold) = folded(log, &parts)?;
    let signed = parts.signed_by();
    let trusted = log.take(At::Trust, judge::step_trust(trust, options, &signed));
    report.signer = trusted.ok();
    if let Ok(verdict) = &fold {
        // Each of these is entered for itself; none hides another.
        let _ = log.take(At::Verdict, judge::step_verdict(verdict));
        let policy = judge::Policy {
            options,
            verdict,
            profile: &profile,
            statement: &parts.statement,
            header: &parts.records.last.signed.header,
        };
        let _ = judge::step_policy(log, &policy);
    }
    if let Some(subject) = &options.subject {
        let step = judge::step_tree(subject.as_str(), &parts.statement.verdict);
        let _ = log.take(At::Tree, step);
    }
    report.verdict = fold.ok();
    Ok(())
}

/// A receipt that hangs together.
struct Parts {
    envelope: Envelope,
    statement: Statement,
    records: Records,
    keys: KeyChain,
    facts: Vec<Option<Value>>,
}

impl Parts {
    /// Every key whose signature the receipt rests on, the identity first.
    fn signed_by(&self) -> Vec<&PublicKey> {
        let last = self.statement.size.saturating_sub(1);
        let daily = [(Use::Verdict, last), (Use::Checkpoint, last)];
        let records = self
            .records
            .all()
            .map(|k| (Use::Record, k.signed.header.seq));
        let mut keys = Vec::from([self.keys.identity()]);
        for (key_use, seq) in daily.into_iter().chain(records) {
            keys.extend(self.keys.at(key_use, seq).filter(|key| !keys.contains(key)));
        }
        keys
    }
}

/// Steps 1 to 20.
fn authentic(log: &mut Log, report: &mut Partial, file: &[u8]) -> Result<Parts, Halt> {
    log.take(At::Size, open::step_size(file))?;
    let value = log.take(At::Json, open::step_json(file))?;
    let envelope = log.take(At::Envelope, open::step_envelope(value))?;
    let bundle = &envelope.receipt;
    let payload = log.take(At::Payload, signed::step_payload(&envelope))?;
    log.take(At::PayloadType, signed::step_payload_type(&envelope))?;
    let statement = log.take(At::Statement, signed::step_statement(&payload))?;
    let records = log.take(At::Records, records::step_records(bundle, &statement))?;
    let genesis = ledger::step_genesis(&records, bundle, &statement);
    let genesis = log.take(At::Genesis, genesis)?;
    let keys = ledger::step_keys(&records, &genesis, &statement);
    let keys = log.take(At::Keys, keys)?;
    let signature = signed::step_signature(&envelope, &payload, &keys, statement.size);
    log.take(At::Signature, signature)?;
    report.stated = Some(Stated {
        identity: hex(genesis.identity.as_bytes()),
        statement: statement.clone(),
        time_us: records.last.signed.header.wall_us,
    });
    let signatures = records::step_signatures(&records, &keys);
    log.take(At::RecordSignatures, signatures)?;
    log.take(At::Stream, records::step_stream(&records))?;
    log.take(At::Range, records::step_range(&records, &statement))?;
    log.take(At::Subjects, records::step_subjects(&records, &statement))?;
    let facts = log.take(At::Disclosures, records::step_disclosures(&records))?;
    let checkpoint = ledger::step_checkpoint(bundle, &keys, &statement);
    log.take(At::Checkpoint, checkpoint)?;
    let inclusion = ledger::step_inclusion(&records, bundle, &statement);
    log.take(At::Inclusion, inclusion)?;
    let head = log.take(At::Heads, ledger::step_heads(&records, bundle, &statement))?;
    stale_goes_on(log.take(At::Tail, ledger::step_tail(&records, &head)), log)?;
    log.take(At::Chain, ledger::step_chain(&records))?;
    Ok(Parts {
        envelope,
        statement,
        records,
        keys,
        facts,
    })
}

/// A stale receipt is whole: the other steps still tell something about it.
fn stale_goes_on(result: Result<(), Halt>, log: &Log) -> Result<(), Halt> {
    let stale = log.reasons.iter().all(|r| r.fault == Fault::Stale);
    if stale { Ok(()) } else { result }
}

/// Steps 21 to 23. Withheld facts stop the fold and nothing else.
fn folded(log: &mut Log, parts: &Parts) -> Result<(Profile, Result<VerdictFacts, Halt>), Halt> {
    let verdict = &parts.statement.verdict;
    let text = &parts.envelope.receipt.profile;
    log.take(At::Versions, fold::step_versions(verdict, &parts.facts))?;
    let profile = fold::step_profile(text, verdict, &parts.facts);
    let profile = log.take(At::Profile, profile)?;
    let step = fold::step_fold(&parts.records, &parts.facts, verdict, (&profile, text));
    let withheld = matches!(&step, Err(f) if f.fault == Fault::Undetermined);
    let fold = log.take(At::Fold, step);
    if fold.is_err() && !withheld {
        return Err(Halt);
    }
    Ok((profile, fold))
}
