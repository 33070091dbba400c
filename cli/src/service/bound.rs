//! What a client says is cut to what a record may hold. A message that could
//! not be recorded would end the service, and one in the spool every service
//! after it.

use crate::wire::{HookEvent, Judged, Snapshot, Transcript};
use receipt_core::limits::MAX_PAYLOAD;
use receipt_gates::facts::DiffFile;

/// Longest name of an agent or of a redaction rule.
const MAX_NAME: usize = 64;

/// Longest id of a call.
const MAX_ID: usize = 256;

/// Longest path of a worktree's root.
const MAX_ROOT: usize = 16 << 10;

/// Most settings files that hold our hooks.
const MAX_WIRED: usize = 64;

/// Most redaction rules that are counted.
const MAX_RULES: usize = 64;

/// Longest reply of a judge (`spec/judge.md`).
const MAX_REPLY: usize = 64 << 10;

/// Why a judge gave no reply.
const OUTAGES: [&str; 8] = [
    "cut",
    "unreachable",
    "time",
    "status",
    "no-model",
    "too-large",
    "broken",
    "remote",
];

/// Most differences in a snapshot: one for each tree that was asked for.
const MAX_DIFFS: usize = 128;

/// Bytes of facts that all differing files of a snapshot may take.
const MAX_FILES: usize = 2 << 20;

/// An event within the limits. What is cut off its payload is said to be.
pub(crate) fn event(mut message: HookEvent) -> HookEvent {
    if message.payload.len() > MAX_PAYLOAD {
        message.payload.truncate(MAX_PAYLOAD);
        message.cut = true;
    }
    shorten(&mut message.agent);
    message.user_home = message.user_home.filter(|home| home.len() <= MAX_ROOT);
    message.wired.truncate(MAX_WIRED);
    message.wired.retain(|(file, _)| file.len() <= MAX_ROOT);
    message.root = message.root.filter(|root| root.len() <= MAX_ROOT);
    message.redacted.truncate(MAX_RULES);
    for (rule, _) in &mut message.redacted {
        shorten(rule);
    }
    message
}

/// A snapshot that holds object ids where they belong, and no other text.
pub(crate) fn snapshot(mut taken: Snapshot) -> Snapshot {
    let id = |text: &String| is_object_id(text);
    taken.commit = taken.commit.filter(id);
    taken.tree = taken.tree.filter(id);
    if taken.tree.is_some() {
        taken.missing = None;
    } else {
        let known = |why: &String| ["no-repository", "time", "git"].contains(&why.as_str());
        let why = taken.missing.filter(known);
        taken.missing = Some(why.unwrap_or_else(|| "git".to_owned()));
        taken.diffs.clear();
    }
    taken.diffs.retain(|diff| is_object_id(&diff.from));
    taken.diffs.truncate(MAX_DIFFS);
    taken
}

/// Results of a transcript whose ids are no longer than a client's are.
pub(crate) fn transcript(mut found: Transcript) -> Transcript {
    found.results.retain(|(id, _)| id.len() <= MAX_ID);
    found
}

/// What a judge said, with words of ours where it gave none. A reply over the
/// limit is none.
pub(crate) fn judged(mut judged: Judged) -> Judged {
    if judged.reply.as_ref().is_some_and(|r| r.len() > MAX_REPLY) {
        judged.reply = None;
        judged.outage = Some("too-large".to_owned());
    }
    match &judged.reply {
        Some(_) => judged.outage = None,
        None => {
            let known = |why: &String| OUTAGES.contains(&why.as_str());
            let why = judged.outage.filter(known);
            judged.outage = Some(why.unwrap_or_else(|| "broken".to_owned()));
        }
    }
    shorten(&mut judged.model);
    let hex = |text: &String| text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
    judged.digest = judged.digest.filter(|d| d.len() <= MAX_ID);
    if !hex(&judged.prompt) {
        judged.prompt.clear();
    }
    judged
}

/// Room for the files of a snapshot's differences in its facts.
pub(crate) struct Room(usize);

impl Room {
    /// All of it.
    pub(crate) const fn new() -> Self {
        Self(MAX_FILES)
    }

    /// Takes as many files as there is room for, and tells whether that is all.
    pub(crate) fn take(&mut self, files: impl Iterator<Item = DiffFile>) -> (Vec<DiffFile>, bool) {
        let mut taken = Vec::new();
        for file in files {
            let Some(left) = self.0.checked_sub(size(&file)) else {
                return (taken, false);
            };
            self.0 = left;
            taken.push(file);
        }
        (taken, true)
    }
}

/// Upper bound of a file's JSON.
fn size(file: &DiffFile) -> usize {
    let blob = file.blob.as_ref().map_or(0, String::len);
    let texts = [file.path.len(), file.language.len(), blob];
    texts.iter().fold(128, |sum, n| sum.saturating_add(*n))
}

fn is_object_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit())
}

fn shorten(name: &mut String) {
    name.truncate(name.floor_char_boundary(MAX_NAME));
}
