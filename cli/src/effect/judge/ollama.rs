//! Ollama: `/api/generate`, and `/api/tags` for the model's digest.

use super::http::{self, Answer};
use super::{Backend, MAX_TOKENS, Outage, SCHEMA, Said};
use crate::world::clock::Deadline;
use serde_json::{Value, json};

const CALL: &str = "/api/generate";

/// Tokens that the model reads: prompt and reply. A prompt has at most 14,000 characters.
const CONTEXT: u32 = 8_192;

/// Has the model write. Where it says nothing under the schema, it is asked
/// once more without.
///
/// # Errors
/// [`Outage`].
pub(super) fn generate(
    prompt: &str,
    backend: &Backend,
    deadline: Deadline,
) -> Result<Said, Outage> {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap_or_default();
    let mut body = json!({
        "model": backend.model,
        "prompt": prompt,
        "stream": false,
        "think": false,
        "keep_alive": backend.keep_alive,
        "format": schema,
        "options": { "temperature": 0, "num_ctx": CONTEXT, "num_predict": MAX_TOKENS },
    });
    let url = format!("{}{CALL}", backend.base(CALL));
    let first = said(&http::post(&url, &body, deadline)?);
    match first {
        Ok(said) if !said.text.trim().is_empty() => return Ok(said),
        Ok(_) | Err(Outage::Status(400)) => {}
        Err(outage) => return Err(outage),
    }
    if let Some(body) = body.as_object_mut() {
        // An old server knows neither.
        body.remove("format");
        body.remove("think");
    }
    said(&http::post(&url, &body, deadline)?)
}

fn said(answer: &Answer) -> Result<Said, Outage> {
    let number = |name: &str| answer.body.get(name).and_then(Value::as_u64);
    let text = |name: &str| answer.body.get(name).and_then(Value::as_str);
    match answer.status {
        200 => Ok(Said {
            text: text("response").ok_or(Outage::Broken)?.to_owned(),
            cut: text("done_reason") == Some("length"),
            asked: number("prompt_eval_count"),
            said: number("eval_count"),
        }),
        404 if text("error").is_some_and(|e| e.contains("model")) => Err(Outage::NoModel),
        status => Err(Outage::Status(status)),
    }
}

/// The models that the server has, with their digests.
fn tags(backend: &Backend, deadline: Deadline) -> Result<Vec<(String, String)>, Outage> {
    let url = format!("{}/api/tags", backend.base(CALL));
    let answer = http::get(&url, deadline)?;
    if answer.status != 200 {
        return Err(Outage::Status(answer.status));
    }
    let models = answer.body.get("models").and_then(Value::as_array);
    let models = models.ok_or(Outage::Broken)?.iter().map(|model| {
        let text = |name| model.get(name).and_then(Value::as_str).unwrap_or_default();
        (text("name").to_owned(), text("digest").to_owned())
    });
    Ok(models.collect())
}

/// The models that the server has.
///
/// # Errors
/// [`Outage`].
pub(super) fn models(backend: &Backend, deadline: Deadline) -> Result<Vec<String>, Outage> {
    let names = tags(backend, deadline)?.into_iter().map(|(name, _)| name);
    Ok(names.collect())
}

/// The digest of the backend's model.
pub(super) fn digest(backend: &Backend, deadline: Deadline) -> Option<String> {
    let tags = tags(backend, deadline).ok()?;
    let ours = |name: &String| backend.is_among(std::slice::from_ref(name));
    let (_, digest) = tags.into_iter().find(|(name, _)| ours(name))?;
    let hex = |c: char| c.is_ascii_alphanumeric() || c == ':';
    (!digest.is_empty() && digest.len() <= 100 && digest.chars().all(hex)).then_some(digest)
}
