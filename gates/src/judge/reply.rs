//! What a model's reply says (`spec/judge.md`, "Reading the reply").
//!
//! Only a clear PASS or FAIL is one; nothing is guessed.

use super::object::{Member, objects};
use alloc::string::String;

/// Bytes of a reply that are read.
const MAX_REPLY: usize = 64 << 10;

/// What a reply says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// `Some(true)` for PASS, `Some(false)` for FAIL, nothing where it is not clear.
    pub pass: Option<bool>,
    /// The first object's `reason`.
    pub reason: String,
    /// The first object's `missing_evidence`.
    pub missing: String,
}

/// Reads a reply. Total, in linear time.
#[must_use]
pub fn read(text: &str) -> Reply {
    if text.len() > MAX_REPLY {
        return Reply::default();
    }
    let Ok(objects) = objects(spoken(text)) else {
        return Reply::default();
    };
    let mut reply = Reply::default();
    let mut votes = objects.iter().filter_map(|object| {
        let verdict = object.iter().find(|m| m.is("verdict"))?;
        Some(vote(object, verdict))
    });
    reply.pass = votes.next().flatten();
    if votes.any(|vote| vote.is_none() || vote != reply.pass) {
        reply.pass = None;
    }
    let said = |name: &str| {
        let mut members = objects.iter().flatten();
        let member = members.find(|m| m.is(name));
        member.and_then(|m| m.text.clone()).unwrap_or_default()
    };
    if reply.pass.is_some() {
        reply.reason = said("reason");
        reply.missing = said("missing_evidence");
    }
    reply
}

/// An object's vote; nothing where its verdicts are no such word or differ.
fn vote(object: &[Member], first: &Member) -> Option<bool> {
    let all = object.iter().filter(|m| m.is("verdict"));
    let vote = word(first)?;
    all.map(word).all(|v| v == Some(vote)).then_some(vote)
}

fn word(verdict: &Member) -> Option<bool> {
    let word = verdict.text.as_deref()?.trim();
    if word.eq_ignore_ascii_case("pass") {
        Some(true)
    } else if word.eq_ignore_ascii_case("fail") {
        Some(false)
    } else {
        None
    }
}

/// The reply without what the model thought before it spoke.
fn spoken(text: &str) -> &str {
    const ENDS: [&str; 2] = ["</think>", "</thinking>"];
    const BEGINS: [&str; 2] = ["<think>", "<thinking>"];
    let after = |end: &&str| text.rfind(*end).map(|at| at.saturating_add(end.len()));
    let from = ENDS.iter().filter_map(after).max().unwrap_or(0);
    let rest = text.get(from..).unwrap_or_default();
    let cut = BEGINS.iter().filter_map(|begin| rest.find(begin)).min();
    rest.get(..cut.unwrap_or(rest.len())).unwrap_or_default()
}
