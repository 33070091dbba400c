//! Observations as phrases: what a record adds to the turn.

use super::{Names, check_name, plural, shorten};
use crate::facts::{
    CallSeen, ClaimSeen, EditSeen, Facts, Judged, Observation, RunSeen, SnapshotSeen, StopSeen,
};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What a record's facts say, a phrase for each thing.
#[must_use]
pub fn seen(seq: u64, facts: &Facts, names: &dyn Names) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(open) = &facts.open {
        said.push("opens the turn".to_string());
        if let Some(carry) = &open.carry {
            let codes = carry.codes.join(", ");
            said.push(format!("carries from #{}: {codes}", carry.seq));
        }
    }
    said.extend(facts.obs.iter().filter_map(|o| observation(seq, o, names)));
    said
}

fn observation(seq: u64, observation: &Observation, names: &dyn Names) -> Option<String> {
    Some(match observation {
        Observation::Prompt(prompt) if prompt.human && prompt.waiver => {
            "a person's prompt, which waives verification".to_string()
        }
        Observation::Prompt(prompt) if prompt.human => "a person's prompt".to_string(),
        Observation::Prompt(_) => "a prompt of a machine".to_string(),
        Observation::Call(call) => return call_seen(call),
        Observation::Ended(end) if end.interrupted => "interrupted".to_string(),
        Observation::Ended(end) if end.not_run => "did not run".to_string(),
        Observation::Ended(end) if end.background => "goes on in the background".to_string(),
        Observation::Denied => "refused before it ran".to_string(),
        Observation::Guarded(guarded) if guarded.denied => {
            format!("refused: would {} the {}", guarded.how, guarded.what)
        }
        Observation::Guarded(guarded) => format!("may {} the {}", guarded.how, guarded.what),
        Observation::Edit(edit) => edit_seen(seq, edit, names),
        Observation::Run(run) => run_seen(seq, run, names),
        Observation::BackgroundFailed(exit) => format!("ended in the background with {exit}"),
        Observation::SnapshotsUpdated => "recorded outputs of tests are written anew".to_string(),
        Observation::Snapshot(snapshot) => snapshot_seen(snapshot),
        Observation::Transcript(seen) if !seen.whole => "transcript not read whole".to_string(),
        Observation::Transcript(seen) => match seen.unconfirmed.len() {
            0 => "the transcript confirms what counts".to_string(),
            n => format!("the transcript lacks {n} results"),
        },
        Observation::Stop(stop) => stop_seen(stop),
        Observation::Judged(judged) => judged_seen(judged),
        Observation::Config(config) => format!("settings changed ({})", config.source),
        Observation::Gap(reason) => format!("events are missing: {reason}"),
        Observation::Ended(_) | Observation::Batch(_) | Observation::Scheduled(_) => return None,
    })
}

fn call_seen(call: &CallSeen) -> Option<String> {
    let what = match (call.check, call.write) {
        (true, _) => "begins a check",
        (false, true) => "begins a call that may write",
        (false, false) => return None,
    };
    let background = if call.background {
        " in the background"
    } else {
        ""
    };
    Some(format!("{what}{background}"))
}

fn edit_seen(seq: u64, edit: &EditSeen, names: &dyn Names) -> String {
    let name = names.path(seq, &edit.path);
    let name = name.map_or_else(|| "a file".to_string(), |path| format!("`{path}`"));
    let (added, removed) = (edit.added, edit.removed);
    let counts = if edit.code {
        format!(
            "{} of code",
            plural(i64::try_from(edit.lines).unwrap_or(i64::MAX), "line")
        )
    } else {
        format!("no code: {}", edit.class)
    };
    format!("edits {name}: +{added} -{removed}, {counts}")
}

fn run_seen(seq: u64, run: &RunSeen, names: &dyn Names) -> String {
    let name = check_name(&run.check);
    let command = names.command(seq);
    let command = command.map_or_else(String::new, |c| format!(" by `{}`", shorten(&c)));
    let why = match (run.basis.as_str(), run.exit) {
        ("exit", Some(code)) => format!("its exit status is {code}"),
        ("exit", None) => "its exit status tells".to_string(),
        ("summary", _) => "its own summary tells".to_string(),
        _ => "nothing tells how it ended".to_string(),
    };
    let executed = run
        .executed
        .map_or_else(String::new, |n| format!(", {n} tests"));
    let words = match run.qualifiers.as_slice() {
        [] => String::new(),
        words => format!("; {}", words.join(", ")),
    };
    format!(
        "check {name}{command}: {} ({why}{executed}{words})",
        run.outcome
    )
}

fn snapshot_seen(snapshot: &SnapshotSeen) -> String {
    let Some(tree) = &snapshot.tree else {
        let why = snapshot.missing.as_deref().unwrap_or("unknown");
        return format!("no worktree snapshot: {why}");
    };
    let short = tree.get(..10).unwrap_or(tree);
    let differ = snapshot.diffs.iter().map(|diff| {
        let from = diff.from.get(..10).unwrap_or(&diff.from);
        format!(", {} code files differ from {from}", diff.files.len())
    });
    format!("worktree {short}{}", differ.collect::<String>())
}

fn stop_seen(stop: &StopSeen) -> String {
    let claims: Vec<String> = stop.claims.iter().map(claim).collect();
    let claims = match claims.as_slice() {
        [] => String::new(),
        claims => format!("; it says: {}", claims.join(", ")),
    };
    let background = match stop.background {
        0 => String::new(),
        n => format!("; {n} background tasks run"),
    };
    let question = if stop.question {
        "; it ends by asking"
    } else {
        ""
    };
    format!("wants to stop{claims}{question}{background}")
}

fn claim(claim: &ClaimSeen) -> String {
    let not = if claim.negated { "not " } else { "" };
    let perhaps = if claim.hedged { " (not outright)" } else { "" };
    format!("{not}{}{perhaps}", claim.kind)
}

fn judged_seen(judged: &Judged) -> String {
    let why = judged
        .why
        .as_ref()
        .map_or_else(String::new, |why| format!(" ({why})"));
    format!("the judge `{}` says {}{why}", judged.model, judged.verdict)
}
