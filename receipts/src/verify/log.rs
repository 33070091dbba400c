//! The list of steps, filled in as they are taken.

use super::outcome::{Fault, Outcome};
use alloc::string::String;
use alloc::vec::Vec;

/// One step of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its number in `spec/receipt.md`.
    pub number: usize,
    /// Its name there.
    pub name: &'static str,
    /// Whether it passed; `None` where it was not reached.
    pub passed: Option<bool>,
    /// What had to be found.
    pub expected: String,
    /// What was found.
    pub found: String,
}

/// What a step has found before it is taken.
const NOT_REACHED: &str = "not reached";

impl Step {
    /// Whether the verification came this far.
    pub fn reached(&self) -> bool {
        self.passed.is_some() || self.found != NOT_REACHED
    }
}

/// Something that stands against a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// What kind of thing.
    pub fault: Fault,
    /// In which step.
    pub step: usize,
    /// In words.
    pub text: String,
}

/// A step, by its place in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    Size,
    Json,
    Envelope,
    Payload,
    PayloadType,
    Statement,
    Records,
    Genesis,
    Keys,
    Signature,
    RecordSignatures,
    Stream,
    Range,
    Subjects,
    Disclosures,
    Checkpoint,
    Inclusion,
    Heads,
    Tail,
    Chain,
    Versions,
    Profile,
    Fold,
    Trust,
    Verdict,
    Policy,
    Tree,
}

/// Name and expectation of every step, in the order of [`At`].
const STEPS: [(&str, &str); 27] = [
    ("size", "at most 16 MiB"),
    ("json", "one line of strict JSON and a final newline"),
    (
        "envelope",
        "a DSSE envelope with a receipt member of version 1",
    ),
    ("payload", "canonical padded base64"),
    ("payload type", "application/vnd.in-toto+json"),
    ("statement", "an in-toto statement about a gate verdict"),
    ("records", "every record can be put together from its row"),
    ("genesis", "facts that name this ledger and its keys"),
    (
        "keys",
        "every key and every change of keys bound by the identity key",
    ),
    ("statement signature", "by the key bound for verdicts"),
    ("record signatures", "by the key bound for records"),
    ("stream", "one whole turn of one stream, without a gap"),
    ("range", "the range that the statement names"),
    (
        "subjects",
        "worktree, commit and records as the statement names them",
    ),
    ("disclosures", "strict JSON in every disclosed group"),
    (
        "checkpoint",
        "signed by the key bound for checkpoints; size and root as stated",
    ),
    (
        "inclusion",
        "genesis, heads, verdict and key records are in the checkpoint's tree",
    ),
    (
        "heads",
        "the stream's head is in the heads of the checkpoint; no change of keys is left out",
    ),
    (
        "tail",
        "reaches the stream's head; no later verdict on this turn",
    ),
    (
        "chain",
        "neighbours in the ledger are linked as they are in the tree",
    ),
    ("versions", "observer and gates known to this version"),
    ("profile", "the profile whose digest the records hold"),
    ("fold", "the verdict follows from the records"),
    (
        "trust",
        "the identity key is in the trust file and valid now",
    ),
    ("verdict", "pass"),
    ("policy", "as strong as asked for"),
    ("tree", "the tree compared with is the tree at the stop"),
];

/// What a step found to be wrong.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) fault: Fault,
    pub(crate) expected: Option<String>,
    pub(crate) found: String,
}

/// What a step yields.
#[derive(Debug, Clone)]
pub(crate) struct Seen<T> {
    pub(crate) value: T,
    pub(crate) expected: Option<String>,
    pub(crate) found: String,
}

pub(crate) type Checked<T> = Result<Seen<T>, Failure>;

impl Failure {
    pub(crate) fn new(fault: Fault, found: impl Into<String>) -> Self {
        Self {
            fault,
            expected: None,
            found: found.into(),
        }
    }

    pub(crate) fn invalid(found: impl Into<String>) -> Self {
        Self::new(Fault::Invalid, found)
    }

    pub(crate) fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }
}

/// A step that passed.
pub(crate) fn seen<T>(value: T, found: impl Into<String>) -> Checked<T> {
    Ok(Seen {
        value,
        expected: None,
        found: found.into(),
    })
}

/// Nothing further can be checked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Halt;

/// The steps so far.
#[derive(Debug, Clone)]
pub(crate) struct Log {
    pub(crate) steps: Vec<Step>,
    pub(crate) reasons: Vec<Reason>,
}

impl Log {
    pub(crate) fn new() -> Self {
        let steps = STEPS
            .iter()
            .zip(1..)
            .map(|((name, expected), number)| Step {
                number,
                name,
                passed: None,
                expected: (*expected).into(),
                found: NOT_REACHED.into(),
            });
        Self {
            steps: steps.collect(),
            reasons: Vec::new(),
        }
    }

    /// Enters a step's result and hands on its value.
    pub(crate) fn take<T>(&mut self, at: At, result: Checked<T>) -> Result<T, Halt> {
        match result {
            Ok(seen) => {
                self.enter(at, true, seen.expected, seen.found);
                Ok(seen.value)
            }
            Err(failure) => {
                self.object(at, failure.fault, failure.found.clone());
                self.enter(at, false, failure.expected, failure.found);
                Err(Halt)
            }
        }
    }

    /// Enters that a step did not apply.
    pub(crate) fn skip(&mut self, at: At, found: &str) {
        if let Some(step) = self.steps.get_mut(at as usize) {
            step.found = found.into();
        }
    }

    /// Adds a reason, without entering a result.
    pub(crate) fn object(&mut self, at: At, fault: Fault, text: String) {
        self.reasons.push(Reason {
            fault,
            step: (at as usize).saturating_add(1),
            text,
        });
    }

    pub(crate) fn enter(&mut self, at: At, passed: bool, expected: Option<String>, found: String) {
        if let Some(step) = self.steps.get_mut(at as usize) {
            step.passed = Some(passed);
            step.found = found;
            if let Some(expected) = expected {
                step.expected = expected;
            }
        }
    }

    /// The outcome. This is the one place where a receipt becomes green: no
    /// reason stands against it and every step passed, but for the comparison
    /// with a tree where none was given.
    pub(crate) fn conclude(&self, compared: bool) -> Outcome {
        if let Some(gravest) = self.reasons.iter().map(|r| r.fault).min() {
            return Outcome::Failed(gravest);
        }
        let optional = |step: &Step| !compared && step.number == self.steps.len();
        let passed = |step: &Step| step.passed == Some(true) || optional(step);
        if self.steps.len() == STEPS.len() && self.steps.iter().all(passed) {
            Outcome::Verified
        } else {
            Outcome::Failed(Fault::Invalid)
        }
    }
}
