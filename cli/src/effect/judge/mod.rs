//! The judge: a model on this machine is asked to disprove a claim (`spec/judge.md`).
//!
//! Whatever goes wrong is a value, told to the service like a reply.

mod backend;
mod http;
mod ollama;
mod openai;
mod trail;

pub(crate) use backend::{Backend, MAX_TIMEOUT};
pub(crate) use trail::leave;

use backend::Api;

use crate::error::Error;
use crate::wire::Judged;
use crate::world::clock::{self, Deadline};
use crate::world::random;
use receipt_core::hash::{Context, hash, hex};
use receipt_core::redact;
use receipt_gates::judge::{Ask, prompt, read};

/// Tokens of a reply; a verdict takes about sixty.
const MAX_TOKENS: u32 = 512;

/// The reply, as a schema of its JSON.
const SCHEMA: &str = r#"{"type":"object","properties":{"verdict":{"type":"string","enum":["PASS","FAIL"]},"reason":{"type":"string"},"missing_evidence":{"type":"string"}},"required":["verdict","reason","missing_evidence"]}"#;

/// Why there is no reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outage {
    /// Nothing listens there, or it cannot be reached.
    Unreachable,
    /// Time was up.
    Time,
    /// An answer that is no success.
    Status(u16),
    /// The backend lacks the model.
    NoModel,
    /// The answer is over the limit.
    TooLarge,
    /// The answer ends early or has another shape.
    Broken,
    /// The model was stopped by a limit before it gave a verdict.
    Cut,
    /// The address is not this machine's, and that was not allowed.
    Remote,
}

impl Outage {
    /// What is wrong, for a person.
    pub(crate) fn remedy(self) -> String {
        match self {
            Self::Unreachable => "nothing answers there; is the server running?".to_owned(),
            Self::Time => "no answer in time".to_owned(),
            Self::Status(status) => format!("it answers with status {status}"),
            Self::NoModel => "it does not have the model".to_owned(),
            Self::TooLarge => "its answer is too large".to_owned(),
            Self::Broken => "its answer is not of this protocol; is `api` right?".to_owned(),
            Self::Cut => "the model was cut off: by its context or by the reply's limit".to_owned(),
            Self::Remote => "another machine; `allow_remote = true` allows that".to_owned(),
        }
    }

    /// Its name in the record.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Time => "time",
            Self::Status(_) => "status",
            Self::NoModel => "no-model",
            Self::TooLarge => "too-large",
            Self::Broken => "broken",
            Self::Cut => "cut",
            Self::Remote => "remote",
        }
    }
}

/// What a backend said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Said {
    text: String,
    /// A limit ended it.
    cut: bool,
    /// Tokens of the prompt.
    asked: Option<u64>,
    /// Tokens of the reply.
    said: Option<u64>,
}

/// Asks, within the backend's time.
///
/// # Errors
/// Where the machine has no randomness.
pub(crate) fn judge(ask: &Ask, backend: &Backend) -> Result<Judged, Error> {
    let nonce = random::id().map_err(Error::fault)?;
    let prompt = prompt(ask, &format!("{nonce:032x}"));
    let deadline = Deadline::after(backend.timeout);
    let begun = clock::mono_ns();
    let said = said(&prompt, backend, deadline);
    let mut judged = Judged {
        model: backend.model.clone(),
        prompt: hex(&hash(Context::JudgePrompt, prompt.as_bytes())),
        milliseconds: clock::mono_ns().saturating_sub(begun) / 1_000_000,
        ..Judged::default()
    };
    match said {
        Err(outage) => judged.outage = Some(outage.name().to_owned()),
        Ok(said) if said.cut && read(&said.text).pass.is_none() => {
            judged.outage = Some(Outage::Cut.name().to_owned());
        }
        Ok(said) => {
            let reply = redact::redact(said.text.as_bytes()).bytes;
            judged.reply = Some(String::from_utf8_lossy(&reply).into_owned());
            judged.digest = digest(backend, deadline);
            (judged.asked, judged.said) = (said.asked, said.said);
        }
    }
    Ok(judged)
}

fn said(prompt: &str, backend: &Backend, deadline: Deadline) -> Result<Said, Outage> {
    backend.check()?;
    match backend.api {
        Api::Ollama => ollama::generate(prompt, backend, deadline),
        Api::OpenAi => openai::complete(prompt, backend, deadline),
    }
}

/// The model's digest, where the backend tells it in time.
pub(crate) fn digest(backend: &Backend, deadline: Deadline) -> Option<String> {
    match backend.api {
        Api::Ollama => ollama::digest(backend, deadline),
        Api::OpenAi => None,
    }
}

/// The models that a backend has.
///
/// # Errors
/// [`Outage`].
pub(crate) fn models(backend: &Backend, deadline: Deadline) -> Result<Vec<String>, Outage> {
    backend.check()?;
    match backend.api {
        Api::Ollama => ollama::models(backend, deadline),
        Api::OpenAi => openai::models(backend, deadline),
    }
}
