//! `receipt explain`: how a turn's verdict came about, record by record.

use crate::access::Access;
use crate::effect::file::read_limited;
use crate::error::{Error, Outcome};
use crate::home::Home;
use crate::output::{self, Format};
use crate::wire::ExportWish;
use receipt_core::limits::MAX_RECEIPT;
use receipt_core::record::Kind;
use receipt_gates::facts::Facts;
use receipt_gates::verdict::{Action, Basis};
use receipt_receipts::report::{Story, StoryStep, story};
use std::path::{Path, PathBuf};

/// Tell how a turn's verdict came about: the fold, record by record.
///
/// Each record with what the gates see in it, what it opens (`+`) and what it clears
/// (`-`), then the verdict. Of a receipt file the same is told without the ledger, as far
/// as it discloses names. Nothing is verified here.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A receipt file, instead of the ledger (`-` for stdin).
    file: Option<PathBuf>,
    /// The newest turn of this session, instead of the ledger's newest.
    #[arg(long, conflicts_with = "file")]
    session: Option<String>,
    /// The turn that this record belongs to.
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["file", "session"])]
    turn: Option<u64>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let (file, name) = match &arguments.file {
        Some(path) => (read_limited(path, MAX_RECEIPT)?, path.as_path()),
        None => (from_ledger(arguments)?, Path::new("the ledger")),
    };
    let story = story(&file).map_err(|e| Error::input(format!("{}: {e}", name.display())))?;
    match arguments.format {
        Format::Human => output::out(&human(&story)),
        Format::Json => {
            let mut value = serde_json::to_value(&story).map_err(Error::fault)?;
            if let Some(object) = value.as_object_mut() {
                object.insert("version".to_owned(), 1.into());
            }
            output::line(&value.to_string());
        }
    }
    Ok(0)
}

fn from_ledger(arguments: &Arguments) -> Result<Vec<u8>, Error> {
    let mut access = Access::open(&Home::find()?)?;
    let verdict = match arguments.turn {
        Some(seq) => Some(verdict_of(&mut access, seq)?),
        None => None,
    };
    access.receipt(ExportWish {
        session: arguments.session.clone(),
        verdict,
        paths: true,
        commands: true,
        texts: true,
        evidence: false,
    })
}

/// The verdict that ended the turn of a record: the first of its stream from there on
/// that let the agent stop, else the newest.
fn verdict_of(access: &mut Access, seq: u64) -> Result<u64, Error> {
    let stream = access.record(seq)?.header().stream;
    let mut found = None;
    access.each(seq, |record| {
        let header = record.header();
        if header.stream != stream || header.kind() != Some(Kind::VerdictStop) {
            return Ok(true);
        }
        found = Some(header.seq);
        let facts: Option<Facts> = record.facts().and_then(|f| serde_json::from_slice(f).ok());
        let action = facts.and_then(|f| f.verdict).map(|verdict| verdict.action);
        Ok(action == Some(Action::Blocked))
    })?;
    found.ok_or_else(|| {
        Error::input(format!("no verdict follows record #{seq} in its session"))
            .hint("a verdict is recorded when the agent stops; `receipt log --kind verdict-stop` lists them")
    })
}

fn human(story: &Story) -> String {
    let mut text = String::new();
    for step in &story.steps {
        text.push_str(&told(step));
    }
    if let Some(verdict) = &story.verdict {
        let basis = verdict.basis.map(Basis::as_str);
        let basis = basis.map_or_else(String::new, |basis| format!(" ({basis})"));
        text.push_str(&format!(
            "\nverdict {}{basis}, {}\n",
            verdict.verdict.as_str(),
            verdict.action.as_str()
        ));
    }
    for finding in &story.findings {
        text.push_str(&format!("  {finding}\n"));
    }
    if story.differs {
        text.push_str(
            "  the verdict that is recorded is another one: `receipt verify` tells more\n",
        );
    }
    text
}

fn told(step: &StoryStep) -> String {
    let number = format!("#{}", step.record);
    let lines = step.seen.iter().map(|line| format!("  {line}"));
    let opens = step.opens.iter().map(|line| format!("+ {line}"));
    let clears = step.clears.iter().map(|line| format!("- {line}"));
    let mut text = String::new();
    for (at, line) in lines.chain(opens).chain(clears).enumerate() {
        let (number, kind) = match at {
            0 => (number.as_str(), step.kind.as_str()),
            _ => ("", ""),
        };
        text.push_str(&format!("{number:>7} {kind:<17} {line}\n"));
    }
    text
}
