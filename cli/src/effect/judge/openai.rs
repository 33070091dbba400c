//! `/v1/chat/completions`: llama.cpp's server, vLLM, LM Studio and others.

use super::http::{self, Answer};
use super::{Backend, MAX_TOKENS, Outage, SCHEMA, Said};
use crate::world::clock::Deadline;
use serde_json::{Value, json};

const CALL: &str = "/v1/chat/completions";

/// Has the model write. A server that knows no schema is asked once more without.
///
/// # Errors
/// [`Outage`].
pub(super) fn complete(
    prompt: &str,
    backend: &Backend,
    deadline: Deadline,
) -> Result<Said, Outage> {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap_or_default();
    let mut body = json!({
        "model": backend.model,
        "messages": [{ "role": "user", "content": prompt }],
        "stream": false,
        "temperature": 0,
        "max_tokens": MAX_TOKENS,
        "response_format": {
            "type": "json_schema",
            "json_schema": { "name": "verdict", "strict": true, "schema": schema },
        },
    });
    let url = format!("{}{CALL}", backend.base(CALL));
    let first = said(&http::post(&url, &body, deadline)?);
    match first {
        Ok(said) if !said.text.trim().is_empty() => return Ok(said),
        Ok(_) | Err(Outage::Status(400 | 422)) => {}
        Err(outage) => return Err(outage),
    }
    if let Some(body) = body.as_object_mut() {
        body.remove("response_format");
    }
    said(&http::post(&url, &body, deadline)?)
}

fn said(answer: &Answer) -> Result<Said, Outage> {
    let body = &answer.body;
    match answer.status {
        200 => {
            let text = body.pointer("/choices/0/message/content");
            let number = |at: &str| body.pointer(at).and_then(Value::as_u64);
            Ok(Said {
                text: text
                    .and_then(Value::as_str)
                    .ok_or(Outage::Broken)?
                    .to_owned(),
                cut: body
                    .pointer("/choices/0/finish_reason")
                    .is_some_and(|reason| reason == "length"),
                asked: number("/usage/prompt_tokens"),
                said: number("/usage/completion_tokens"),
            })
        }
        404 if body
            .pointer("/error/code")
            .is_some_and(|c| c == "model_not_found") =>
        {
            Err(Outage::NoModel)
        }
        status => Err(Outage::Status(status)),
    }
}

/// The models that the server has.
///
/// # Errors
/// [`Outage`].
pub(super) fn models(backend: &Backend, deadline: Deadline) -> Result<Vec<String>, Outage> {
    let url = format!("{}/v1/models", backend.base(CALL));
    let answer = http::get(&url, deadline)?;
    if answer.status != 200 {
        return Err(Outage::Status(answer.status));
    }
    let models = answer.body.get("data").and_then(Value::as_array);
    let models = models.ok_or(Outage::Broken)?.iter();
    let id = |model: &Value| model.get("id").and_then(Value::as_str).map(str::to_owned);
    Ok(models.filter_map(id).collect())
}
