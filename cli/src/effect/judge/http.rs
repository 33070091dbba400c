//! One bounded call over HTTP.

use super::Outage;
use crate::world::clock::Deadline;
use serde_json::Value;
use std::time::Duration;
use ureq::{Agent, Body, Error, Timeout, http};

/// Bytes of an answer.
const MAX_ANSWER: u64 = 1 << 20;

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_millis(500);

/// An answer: its status, and its body as JSON, null where it is none.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Value,
}

/// Posts JSON.
///
/// # Errors
/// [`Outage`]; an answer with whatever status is none.
pub(super) fn post(url: &str, body: &Value, deadline: Deadline) -> Result<Answer, Outage> {
    let request = agent(deadline)?
        .post(url)
        .header("content-type", "application/json");
    answer(request.send(body.to_string()))
}

/// Gets JSON.
///
/// # Errors
/// As [`post`].
pub(super) fn get(url: &str, deadline: Deadline) -> Result<Answer, Outage> {
    answer(agent(deadline)?.get(url).call())
}

/// An agent for one call. It follows no redirection and asks no proxy: the
/// address that was allowed is the one that is called.
fn agent(deadline: Deadline) -> Result<Agent, Outage> {
    let left = deadline.left().ok_or(Outage::Time)?;
    let config = Agent::config_builder()
        .timeout_global(Some(left))
        .timeout_connect(Some(CONNECT.min(left)))
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .proxy(None)
        .user_agent("receipt")
        .build();
    Ok(Agent::new_with_config(config))
}

fn answer(sent: Result<http::Response<Body>, Error>) -> Result<Answer, Outage> {
    let mut response = sent.map_err(|error| outage(&error))?;
    let body = response.body_mut().with_config().limit(MAX_ANSWER);
    let body = body.read_to_vec().map_err(|error| outage(&error))?;
    Ok(Answer {
        status: response.status().as_u16(),
        body: serde_json::from_slice(&body).unwrap_or_default(),
    })
}

fn outage(error: &Error) -> Outage {
    match error {
        Error::Timeout(Timeout::Connect | Timeout::Resolve) => Outage::Unreachable,
        Error::Timeout(_) => Outage::Time,
        Error::BodyExceedsLimit(_) => Outage::TooLarge,
        Error::ConnectionFailed | Error::HostNotFound | Error::BadUri(_) => Outage::Unreachable,
        Error::Io(io) if io.kind() == std::io::ErrorKind::ConnectionRefused => Outage::Unreachable,
        _ => Outage::Broken,
    }
}
