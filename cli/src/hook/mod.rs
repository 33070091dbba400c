//! `receipt hook AGENT`: the fast path, run once for every event of the agent.
//!
//! It exits 0 for every argument list and every fault, and prints nothing but
//! the agent's answer: anything else would hurt the session (`spec/hook.md`).

mod client;
mod spool;
mod stdin;

use crate::greeting::Version;
use crate::home::Home;
use crate::install::wiring;
use crate::output;
use crate::wire::HookEvent;
use crate::world::{clock, environment, random};
use receipt_core::agent;
use receipt_core::event::Agent;
use receipt_core::limits::MAX_PAYLOAD;
use receipt_core::redact;
use std::ffi::OsString;
use std::path::Path;

/// Runs the hook. Whatever happens, the caller exits 0.
pub(crate) fn run(arguments: &[OsString]) {
    // A fault of ours must not reach the agent as text on stderr.
    std::panic::set_hook(Box::new(|_| {}));
    let agent = arguments
        .first()
        .map_or_else(String::new, |a| a.to_string_lossy().into_owned());
    let named = |name: &str| {
        let after = arguments.iter().skip_while(|a| *a != name);
        after.into_iter().nth(1).cloned()
    };
    let (home, system) = (named("--home"), named("--system"));
    let answer = std::panic::catch_unwind(|| event(&agent, home, system))
        .ok()
        .flatten();
    if let Some(answer) = answer.filter(|a| !a.is_empty()) {
        output::line(&answer);
    }
}

/// Records one event and returns what to print.
fn event(agent: &str, home: Option<OsString>, system: Option<OsString>) -> Option<String> {
    let client_us = clock::wall_us();
    // Whatever comes next, the agent never meets a closed pipe.
    let input = stdin::read();
    let home = Home::of_hook(home, system).ok()?;
    let redacted = redact::redact(&input.bytes);
    let mut payload = redacted.bytes.into_owned();
    // What stands in a secret's place may be longer than it was.
    let cut = input.cut || payload.len() > MAX_PAYLOAD;
    payload.truncate(MAX_PAYLOAD);
    let folder = std::env::current_dir().ok();
    let event = HookEvent {
        protocol: Version::own().protocol,
        agent: agent.to_owned(),
        client_event: random::id().ok()?,
        client_us,
        pid: std::process::id(),
        parent: rustix::process::getppid().map_or(0, |p| p.as_raw_nonzero().get().unsigned_abs()),
        root: folder.as_deref().and_then(worktree_root),
        transcript_len: transcript_len(agent, &payload),
        cut,
        redacted: redacted
            .counts
            .iter()
            .map(|(r, n)| (r.name().to_owned(), *n))
            .collect(),
        user_home: environment::get("HOME").and_then(|home| home.into_string().ok()),
        wired: wiring::wired(&payload, folder.as_deref()),
        payload,
    };
    match client::deliver(&home, &event) {
        client::Delivery::Answered(answer) => Some(answer),
        client::Delivery::Recorded => None,
        client::Delivery::Failed => {
            spool::keep(&home, &event);
            None
        }
    }
}

fn transcript_len(agent: &str, payload: &[u8]) -> Option<u64> {
    let path = agent::transcript_path(Agent::from_name(agent)?, payload)?;
    std::fs::metadata(path).ok().map(|m| m.len())
}

fn worktree_root(folder: &Path) -> Option<String> {
    let root = crate::effect::git::worktree_root(folder)?;
    Some(root.to_string_lossy().into_owned())
}
