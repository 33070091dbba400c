//! A turn as its fold goes, record by record: what is seen, what opens, what clears.
//!
//! Nothing is checked here; the verdict at the end is the file's, and is said to
//! differ where the fold gives another.

use super::names::Disclosed;
use crate::encode::without_green;
use crate::show::{Opened, ShowError, is_hidden};
use alloc::string::String;
use alloc::vec::Vec;
use receipt_core::record::Kind;
use receipt_gates::explain;
use receipt_gates::facts::Facts;
use receipt_gates::fold::Stream;
use receipt_gates::profile::Profile;
use receipt_gates::record::RecordView;
use receipt_gates::verdict::VerdictFacts;
use serde::Serialize;

/// A turn's story.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Story {
    /// What each record did; those that did nothing to the fold are left out.
    pub steps: Vec<StoryStep>,
    /// What stands against stopping at the end, and all notes.
    pub findings: Vec<String>,
    /// The verdict, as it follows from the records.
    pub verdict: Option<VerdictFacts>,
    /// The file states another verdict than follows.
    pub differs: bool,
    /// The profile's text.
    pub profile: String,
}

/// One record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoryStep {
    /// Its number.
    pub record: u64,
    /// Its kind.
    pub kind: String,
    /// What it says.
    pub seen: Vec<String>,
    /// What stands against stopping from here on.
    pub opens: Vec<String>,
    /// What no longer does.
    pub clears: Vec<String>,
}

/// Tells the turn of a receipt.
///
/// # Errors
/// [`ShowError`] where the file is too damaged to be told.
pub fn story(file: &[u8]) -> Result<Story, ShowError> {
    let opened = Opened::read(file)?;
    let text = opened.envelope.receipt.profile.as_str();
    let profile = Profile::parse(text.as_bytes()).unwrap_or_default();
    let names = Disclosed::of(&opened.records.range);
    let mut stream = Stream::default();
    let mut open: Vec<String> = Vec::new();
    let mut steps = Vec::new();
    let before = opened.records.range.len().saturating_sub(1);
    for known in opened.records.range.iter().take(before) {
        let header = &known.signed.header;
        let facts: Option<Facts> = known.facts().and_then(|f| serde_json::from_str(f).ok());
        stream.apply(&RecordView::new(header, facts.as_ref()));
        let seen = facts.map_or_else(Vec::new, |f| explain::seen(header.seq, &f, &names));
        let now = standing(&stream, &profile, text, &names);
        let only = |these: &[String], those: &[String]| -> Vec<String> {
            let new = these.iter().filter(|f| !those.contains(f));
            new.map(|f| clean(f)).collect()
        };
        let step = StoryStep {
            record: header.seq,
            kind: header.kind().map_or("unknown", Kind::name).into(),
            seen: seen.iter().map(|s| clean(s)).collect(),
            opens: only(&now, &open),
            clears: only(&open, &now),
        };
        open = now;
        if !(step.seen.is_empty() && step.opens.is_empty() && step.clears.is_empty()) {
            steps.push(step);
        }
    }
    let verdict = stream.fold().map(|f| f.verdict(&profile, text.as_bytes()));
    let value = verdict.as_ref().and_then(|v| serde_json::to_value(v).ok());
    let findings = verdict.iter().flat_map(|v| &v.findings);
    let findings = findings.map(|f| {
        let said = explain::finding(f, &names);
        alloc::format!("{}: {}", f.severity.as_str(), clean(&said))
    });
    Ok(Story {
        findings: findings.collect(),
        differs: value.as_ref() != Some(&opened.statement.verdict),
        verdict,
        steps,
        profile: clean(text),
    })
}

/// What stands against stopping now.
fn standing(stream: &Stream, profile: &Profile, text: &str, names: &Disclosed<'_>) -> Vec<String> {
    let Some(fold) = stream.fold() else {
        return Vec::new();
    };
    let verdict = fold.verdict(profile, text.as_bytes());
    let standing = verdict.findings.iter().filter(|f| f.blocks());
    standing.map(|f| explain::finding(f, names)).collect()
}

fn clean(text: &str) -> String {
    let plain = text.chars().map(|c| if is_hidden(c) { ' ' } else { c });
    without_green(&plain.collect::<String>())
}
