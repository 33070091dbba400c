//! Findings as text, made at the edge: facts with record numbers, no accusations.

mod claim;
mod seen;

pub use seen::seen;

use crate::facts::{CheckId, Guarded, Scope};
use crate::turn::block_limit;
use crate::verdict::{Action, Finding, Severity, Verdict, VerdictFacts};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Names behind the ids, where they are known.
pub trait Names {
    /// The command of a record's tool call.
    fn command(&self, seq: u64) -> Option<String>;
    /// The path behind an id that a record holds.
    fn path(&self, seq: u64, id: &str) -> Option<String>;
    /// The prose of that name in a record.
    fn text(&self, seq: u64, name: &str) -> Option<String>;
}

/// No names: facts alone.
#[derive(Debug)]
pub struct NoNames;

impl Names for NoNames {
    fn command(&self, _: u64) -> Option<String> {
        None
    }
    fn path(&self, _: u64, _: &str) -> Option<String> {
        None
    }
    fn text(&self, _: u64, _: &str) -> Option<String> {
        None
    }
}

/// Longest command shown, in characters.
const MAX_COMMAND: usize = 80;

/// One finding, as a sentence.
#[must_use]
pub fn finding(finding: &Finding, names: &dyn Names) -> String {
    match finding.code.as_str() {
        "check-failed" => check_failed(finding, names),
        "stub-introduced" => stub_introduced(finding, names),
        "no-check-passed" => format!("{}, and no check has passed since", changed(finding)),
        "changed-after-check" => format!(
            "{}, not covered by the last passing check (#{})",
            changed(finding),
            number(finding, "check")
        ),
        "claim-contradicted" | "claim-without-run" | "claim-unchecked" => claim::sentence(finding),
        "claim-unsupported" => claim_unsupported(finding, names),
        "judge-outage" => judge_outage(finding),
        "required-check" => format!(
            "the required check `{}` (`{}`) has not passed since code changed ({})",
            word(finding, "name"),
            shorten(word(finding, "command")),
            records_list(&finding.records)
        ),
        _ => weakened(finding).unwrap_or_else(|| note(finding)),
    }
}

/// What makes checks ask for less, with how often and where.
fn weakened(finding: &Finding) -> Option<String> {
    let count = |word: &str| plural(number(finding, "count"), word);
    let text = match finding.code.as_str() {
        "assertions-removed" => format!("{} fewer than before", count("assertion")),
        "assertions-loosened" => {
            let verb = match number(finding, "count") {
                1 => "lets",
                _ => "let",
            };
            format!("{} {verb} more pass than before", count("assertion"))
        }
        "tests-removed" => format!("{} fewer than before", count("test")),
        "test-files-removed" => format!("{} deleted", count("test file")),
        "values-changed" => format!(
            "literals in {} of tests were changed while a test run stood failed",
            count("line")
        ),
        "snapshots-updated" => "recorded outputs of tests were updated".to_string(),
        "threshold-lowered" => format!("{} of a check fell", count("required number")),
        "rules-off" => format!("{} switched off in settings", count("rule")),
        "suppressions-added" => format!("{} more that silence a check", count("place")),
        _ => return None,
    };
    let files = match number(finding, "files") {
        0 => String::new(),
        n => format!(" in {}", plural(n, "file")),
    };
    Some(match finding.records.as_slice() {
        [] => format!("{text}{files}"),
        records => format!("{text}{files} ({})", records_list(records)),
    })
}

/// `24 lines of code changed in 1 file (#12)`, with the edits' records.
fn changed(finding: &Finding) -> String {
    let lines = plural(number(finding, "lines"), "line");
    let files = plural(number(finding, "files"), "file");
    let check = u64::try_from(number(finding, "check")).unwrap_or_default();
    let edits: Vec<u64> = finding
        .records
        .iter()
        .copied()
        .filter(|r| *r != check)
        .collect();
    let place = match edits.as_slice() {
        [] => String::new(),
        edits => format!(" ({})", records_list(edits)),
    };
    format!("{lines} of code changed in {files}{place}")
}

fn check_failed(finding: &Finding, names: &dyn Names) -> String {
    let seq = finding.records.first().copied().unwrap_or_default();
    let what = names
        .command(seq)
        .map(|c| format!("`{}`", shorten(&c)))
        .or_else(|| finding.check.as_ref().map(check_name))
        .unwrap_or_else(|| "a check".to_string());
    let exit = finding.numbers.get("exit").copied();
    let by_exit = finding.words.get("basis").is_some_and(|b| b == "exit");
    let how = match exit {
        Some(code) if by_exit => format!("exited {code}"),
        _ => "reported failures".to_string(),
    };
    let since = match number(finding, "edits_since") {
        0 => String::new(),
        n => format!(", {} since", plural(n, "edit")),
    };
    format!("{what} {how} at #{seq}{since}")
}

fn stub_introduced(finding: &Finding, names: &dyn Names) -> String {
    let seq = finding.records.first().copied().unwrap_or_default();
    let kind = match finding.words.get("kind").map(String::as_str) {
        Some("marker") => "a TODO, FIXME or XXX comment",
        Some("not-implemented") => "a not-implemented stub",
        Some("skipped-test") => "a skipped test",
        Some("only-test") => "a focused test (`.only`)",
        _ => "a stub",
    };
    let place = finding
        .words
        .get("path")
        .and_then(|id| names.path(seq, id))
        .map_or_else(String::new, |path| format!(" in `{path}`"));
    let asked = match finding.severity {
        Severity::Note => ", as the user asked",
        _ => "",
    };
    format!("{kind} was added{place} at #{seq}{asked}")
}

fn claim_unsupported(finding: &Finding, names: &dyn Names) -> String {
    let seq = finding.records.last().copied().unwrap_or_default();
    let reason = names.text(seq, "reason").filter(|r| !r.trim().is_empty());
    let reason = reason.map_or_else(String::new, |r| format!(": \"{}\"", shorten(r.trim())));
    let model = word(finding, "model");
    format!("the judge `{model}` does not find the final message borne out (#{seq}){reason}")
}

fn judge_outage(finding: &Finding) -> String {
    let why = match word(finding, "why") {
        "unreachable" => "nothing answers at its address",
        "time" => "its time was up",
        "no-model" => "its backend does not have the model",
        "remote" => "its address is another machine's, and `allow_remote` is not set",
        "backing-off" => "it failed a short while ago",
        "unparseable" => "its reply is no verdict",
        "cut" => "it was cut off, by its context or by the limit of a reply",
        _ => "its backend failed",
    };
    let seq = finding.records.last().copied().unwrap_or_default();
    let model = word(finding, "model");
    format!("the judge `{model}` gave no verdict (#{seq}): {why}")
}

fn note(finding: &Finding) -> String {
    let text = match finding.code.as_str() {
        "masked-exit" => "a check's exit status was hidden by its pipe or list",
        "hooks-skipped" => "a commit left its hooks out",
        "subset" => "only a part of the tests was run",
        "no-tests" => "a check ran no test",
        "all-skipped" => "a check skipped every test",
        "background" => "a check was started in the background; its outcome was not seen",
        "config-changed" => "settings changed",
        "guard-refused" => "a call that would have touched the ledger or its wiring was refused",
        "guard-passed" => "a call touched the ledger or its wiring",
        "gap" => "events are missing",
        "carried-open" => return carried_open(finding),
        "late-stop" => "the stop request came late and enforces nothing",
        "snapshot-missing" => "no worktree snapshot could be taken",
        "changed-outside" => "code changed although no call of the agent was writing",
        "unchecked" => {
            "the client's transcript could not be read whole, so results are not confirmed"
        }
        "unconfirmed" => "the client's transcript does not have this result",
        "unconfirmed-waiver" => "the client's transcript does not have this waiver",
        "truncated" => "a check's output was cut",
        "conditional" => "a check stood behind a condition",
        other => other,
    };
    match finding.records.as_slice() {
        [] => text.to_string(),
        records => format!("{text} ({})", records_list(records)),
    }
}

fn carried_open(finding: &Finding) -> String {
    let codes = finding.words.get("codes").map(String::as_str);
    format!(
        "left open by an earlier turn ({}): {}",
        records_list(&finding.records),
        codes.unwrap_or("unknown")
    )
}

/// The reason given to the agent with a block: fact, remedy, how it ends.
#[must_use]
pub fn block_reason(verdict: &VerdictFacts, names: &dyn Names) -> String {
    let standing: Vec<&Finding> = verdict.findings.iter().filter(|f| f.blocks()).collect();
    let mut text = String::from("receipt: this turn is not verified yet.\n");
    for sentence in sentences(&standing, names) {
        text.push_str(&format!("- {sentence}.\n"));
    }
    text.push_str(remedy(&standing));
    let hard = standing.iter().any(|f| f.severity == Severity::Hard);
    if verdict.blocks >= block_limit(hard) {
        text.push_str(" This is the last block: the next stop will be allowed.");
    }
    text.push_str(" The user can waive this with a prompt line `receipt: skip <reason>`.");
    text
}

/// One sentence for each finding; alike ones once, with their number.
fn sentences(findings: &[&Finding], names: &dyn Names) -> Vec<String> {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for sentence in findings.iter().map(|f| finding(f, names)) {
        match counted.iter_mut().find(|(said, _)| *said == sentence) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => counted.push((sentence, 1)),
        }
    }
    let with_count = |(sentence, count)| match count {
        1 => sentence,
        n => format!("{sentence} ({n} times)"),
    };
    counted.into_iter().map(with_count).collect()
}

fn remedy(standing: &[&Finding]) -> &'static str {
    match standing.first().map(|f| f.code.as_str()) {
        Some("check-failed") => "Fix it and run the check again, or say plainly that it fails.",
        Some("claim-contradicted") => "Run the check again, or say plainly that it fails.",
        Some("claim-without-run") => "Run it, or say plainly that it was not run.",
        Some("claim-unsupported" | "judge-outage") => {
            "Show what bears it out, or say plainly what was not done or not checked."
        }
        Some("stub-introduced") => "Finish it or remove it, or say plainly that it is unfinished.",
        _ => "Run the project's checks, or say plainly that this was not verified.",
    }
}

/// The notice shown to the user when findings stand but the stop is allowed.
#[must_use]
pub fn notice(verdict: &VerdictFacts, names: &dyn Names) -> Option<String> {
    if let Some(found) = unconfirmed(verdict) {
        return Some(format!(
            "receipt: stop allowed, but not verified: {}.",
            note(found)
        ));
    }
    let standing: Vec<&Finding> = verdict.findings.iter().filter(|f| f.blocks()).collect();
    let limit = block_limit(standing.iter().any(|f| f.severity == Severity::Hard));
    let why = match verdict.action {
        Action::Yielded if verdict.blocks < limit => "no tool was used since the last block",
        Action::Yielded => "the turn's blocks are spent",
        Action::Warned => "warning only",
        Action::Waived => "waived by the user",
        Action::Allowed => return advice(verdict, names),
        Action::Blocked | Action::Off => return None,
    };
    let standing = sentences(&standing, names);
    Some(format!(
        "receipt: stop allowed ({why}); still open: {}.",
        standing.join("; ")
    ))
}

/// What is advised where nothing stands.
fn advice(verdict: &VerdictFacts, names: &dyn Names) -> Option<String> {
    let advice = verdict
        .findings
        .iter()
        .filter(|f| f.severity == Severity::Advice);
    let advice = sentences(&advice.collect::<Vec<_>>(), names);
    (!advice.is_empty()).then(|| format!("receipt: stop allowed; advice: {}.", advice.join("; ")))
}

/// That a judge gave no verdict, for the first time of a session.
#[must_use]
pub fn outage(verdict: &VerdictFacts) -> Option<String> {
    let found = verdict.findings.iter().find(|f| f.code == "judge-outage")?;
    Some(format!("receipt: {}.", judge_outage(found)))
}

/// Why a verdict is undetermined though nothing is withheld.
fn unconfirmed(verdict: &VerdictFacts) -> Option<&Finding> {
    let mut findings = verdict.findings.iter();
    findings.find(|f| f.code == "unconfirmed" && verdict.verdict == Verdict::Undetermined)
}

/// Why a call is refused before it runs.
#[must_use]
pub fn guard_reason(guarded: &Guarded) -> String {
    let what = match (guarded.what.as_str(), guarded.how.as_str()) {
        ("keys", "read") => "read the keys that sign the ledger",
        ("keys", _) => "change the keys that sign the ledger",
        ("wiring", _) => "take receipt's hooks out of the settings, or make them inert",
        ("command", _) => "do to the ledger what only its user does",
        ("service", _) => "end the service that keeps the ledger",
        _ => "change the ledger that records this session",
    };
    format!(
        "receipt: not run: this call would {what}. `receipt log`, `show`, `audit`, `export` and \
         `verify` read it; anything else is done by the user, in a terminal of their own."
    )
}

/// A check without its command: runner, kind, scope.
#[must_use]
pub fn check_name(check: &CheckId) -> String {
    let scope = match &check.scope {
        Scope::Whole => "",
        Scope::Paths(_) => " (some paths)",
        Scope::Selector(_) => " (a selection)",
    };
    format!("{} [{}]{scope}", check.runner, check.kind)
}

/// `#1, #5, #9` with an ellipsis past five.
#[must_use]
pub fn records_list(records: &[u64]) -> String {
    let mut shown: Vec<String> = records.iter().take(5).map(|r| format!("#{r}")).collect();
    if records.len() > shown.len() {
        shown.push("…".to_string());
    }
    shown.join(", ")
}

fn word<'a>(finding: &'a Finding, name: &str) -> &'a str {
    finding.words.get(name).map_or("", String::as_str)
}

fn number(finding: &Finding, name: &str) -> i64 {
    finding.numbers.get(name).copied().unwrap_or_default()
}

fn plural(count: i64, word: &str) -> String {
    if count == 1 {
        format!("1 {word}")
    } else {
        format!("{count} {word}s")
    }
}

fn shorten(command: &str) -> String {
    let line = command.lines().next().unwrap_or_default();
    if line.chars().count() <= MAX_COMMAND {
        return line.to_string();
    }
    let head: String = line.chars().take(MAX_COMMAND).collect();
    format!("{head}…")
}
