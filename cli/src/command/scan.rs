//! `receipt scan`: judges turns of a transcript.

mod human;
mod summary;

use crate::error::{Error, Outcome};
use crate::output::{self, Format};
use crate::replay::{self, Scanned};
use receipt_gates::verdict::Verdict;
use std::path::{Path, PathBuf};

/// Judge the last turn of a transcript.
///
/// Exit codes: 0 the verdict is pass, 10 it is block, 12 it is undetermined,
/// 3 the file cannot be read or holds no turn. With --all-turns or --summary 0
/// whatever the verdicts are.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A transcript; with --summary a folder of them.
    #[arg(value_name = "TRANSCRIPT")]
    path: PathBuf,
    /// Judge this turn, counted from 1.
    #[arg(long, value_name = "N", conflicts_with_all = ["all_turns", "summary"])]
    turn: Option<u64>,
    /// Judge every turn; as JSON one line each.
    #[arg(long, conflicts_with = "summary")]
    all_turns: bool,
    /// Count verdicts and findings over all transcripts in a folder.
    #[arg(long)]
    summary: bool,
    /// How to print.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if arguments.summary {
        return summary::run(&arguments.path, arguments.format);
    }
    if arguments.path.is_dir() {
        let message = format!("{} is a folder", arguments.path.display());
        return Err(Error::usage(message).hint("count over its transcripts with --summary"));
    }
    if arguments.all_turns {
        all_turns(&arguments.path, arguments.format)
    } else {
        one_turn(arguments)
    }
}

fn one_turn(arguments: &Arguments) -> Outcome {
    let path = &arguments.path;
    let mut turns = 0;
    let mut wanted = None;
    let skipped = replay::scan(path, |scanned| {
        turns = scanned.number;
        if arguments.turn.is_none_or(|turn| turn == scanned.number) {
            wanted = Some(scanned);
        }
    })?;
    note_skipped(skipped);
    if turns == 0 {
        return Err(no_turn(path));
    }
    let Some(scanned) = wanted else {
        let message = format!("{} has no such turn", path.display());
        return Err(Error::usage(message).hint(format!("its turns are numbered 1 to {turns}")));
    };
    print(&scanned, arguments.format)?;
    Ok(match scanned.verdict.verdict {
        Verdict::Pass => 0,
        Verdict::Block => 10,
        Verdict::Undetermined => 12,
    })
}

fn all_turns(path: &Path, format: Format) -> Outcome {
    let mut turns = 0;
    let mut outcome = Ok(());
    let skipped = replay::scan(path, |scanned| {
        turns = scanned.number;
        if outcome.is_ok() {
            outcome = print(&scanned, format);
        }
    })?;
    note_skipped(skipped);
    outcome?;
    match turns {
        0 => Err(no_turn(path)),
        _ => Ok(0),
    }
}

fn print(scanned: &Scanned, format: Format) -> Result<(), Error> {
    match format {
        Format::Human => output::out(&human::turn(scanned)),
        Format::Json => {
            let json = serde_json::to_string(&output::turn::Turn::new(scanned));
            output::line(&json.map_err(Error::fault)?);
        }
    }
    Ok(())
}

fn note_skipped(lines: u64) {
    if lines > 0 {
        output::note(&format!("note: {lines} unreadable lines were passed over"));
    }
}

fn no_turn(path: &Path) -> Error {
    Error::input(format!("{} holds no turn", path.display()))
        .hint("a transcript is a .jsonl file below the agent's projects folder")
}
