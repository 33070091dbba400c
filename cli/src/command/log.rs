//! `receipt log`: the records, one a line.

use crate::access::Access;
use crate::error::{Error, Outcome};
use crate::home::Home;
use crate::output::{self, Format};
use receipt_core::record::{Kind, stream_id};
use receipt_core::seal::Record;
use regex::Regex;

/// List the records of the ledger.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only this session's records.
    #[arg(long)]
    session: Option<String>,
    /// Only records of these kinds (see spec/record.md).
    #[arg(long, value_delimiter = ',')]
    kind: Vec<String>,
    /// First record number.
    #[arg(long, default_value_t = 0, value_name = "RECORD")]
    from: u64,
    /// Only records whose disclosed body, as JSON, matches this regular expression.
    #[arg(long, value_name = "PATTERN", value_parser = Regex::new)]
    grep: Option<Regex>,
    /// Output format: `json` is JSON Lines, one record with its body each.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    for kind in &arguments.kind {
        if Kind::from_name(kind).is_none() {
            return Err(Error::usage(format!("no record kind is called `{kind}`"))
                .hint("spec/record.md lists the kinds, such as verdict-stop"));
        }
    }
    let stream = arguments
        .session
        .as_ref()
        .map(|s| stream_id("claude-code", s));
    let mut access = Access::open(&Home::find()?)?;
    access.each(arguments.from, |record| {
        let header = record.header();
        let kind = output::record::kind(header.kind);
        let wanted = stream.is_none_or(|s| s == header.stream)
            && (arguments.kind.is_empty() || arguments.kind.contains(&kind))
            && arguments
                .grep
                .as_ref()
                .is_none_or(|pattern| says(&record, pattern));
        if wanted {
            match arguments.format {
                Format::Json => output::line(&output::record::json(&record, false).to_string()),
                Format::Human => output::line(&line(&record)),
            }
        }
        Ok(true)
    })?;
    Ok(0)
}

/// Whether a record's disclosed body matches.
fn says(record: &Record, pattern: &Regex) -> bool {
    let shown = output::record::json(record, false);
    shown
        .get("body")
        .is_some_and(|body| pattern.is_match(&body.to_string()))
}

/// `#12  tool-failed  late  cargo test: failed`
fn line(record: &Record) -> String {
    let header = record.header();
    let flags = output::record::flags(header.flags).join(",");
    let said = output::record::json(record, false);
    format!(
        "#{:<6} {:<16} {:<12} {}",
        header.seq,
        output::record::kind(header.kind),
        flags,
        summary(&said)
    )
    .trim_end()
    .to_owned()
}

/// What a record says, in a few words.
fn summary(record: &serde_json::Value) -> String {
    let text = |path: &str| record.pointer(path).and_then(serde_json::Value::as_str);
    let observations = record
        .pointer("/body/facts/obs")
        .and_then(serde_json::Value::as_array);
    let mut words: Vec<String> = Vec::new();
    if let Some(verdict) = text("/body/facts/verdict/verdict") {
        words.push(verdict.to_owned());
        words.extend(text("/body/facts/verdict/basis").map(str::to_owned));
        words.extend(text("/body/facts/verdict/action").map(str::to_owned));
    }
    for path in [
        "/body/commands/command",
        "/body/texts/prompt",
        "/body/texts/message",
    ] {
        words.extend(text(path).map(|t| first_line(t, 60)));
    }
    for observation in observations.into_iter().flatten() {
        let at = |path: &str| {
            observation
                .pointer(path)
                .and_then(serde_json::Value::as_str)
        };
        if let (Some(runner), Some(outcome)) = (at("/run/check/runner"), at("/run/outcome")) {
            words.push(format!("[{runner}: {outcome}]"));
        }
        if let Some(edit) = observation.get("edit") {
            words.push(edit_words(edit, record));
        }
        words.extend(at("/gap").map(str::to_owned));
    }
    words.join("  ")
}

fn edit_words(edit: &serde_json::Value, record: &serde_json::Value) -> String {
    let id = edit
        .get("path")
        .and_then(serde_json::Value::as_str)
        .unwrap_or_default();
    let path = record.pointer("/body/paths").and_then(|p| p.get(id));
    let path = path.and_then(serde_json::Value::as_str).unwrap_or(id);
    let number = |name| {
        edit.get(name)
            .and_then(serde_json::Value::as_u64)
            .unwrap_or(0)
    };
    format!("{path} +{} -{}", number("added"), number("removed"))
}

fn first_line(text: &str, most: usize) -> String {
    let line = text.lines().next().unwrap_or_default();
    let cut: String = line.chars().take(most).collect();
    if cut.len() < text.trim_end().len() {
        format!("{cut}…")
    } else {
        cut
    }
}
