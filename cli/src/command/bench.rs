//! `receipt bench`: runs the gates over a folder of turns and counts.

mod score;

use crate::effect::file::{input_files, open_input};
use crate::error::{Error, Outcome};
use crate::output::{self, Format};
use crate::replay::{Expected, Got, TurnFile};
use score::Score;
use serde::Serialize;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Largest turn file.
const MAX_TURN_FILE: u64 = 64 << 20;

/// Run the gates over a folder of turns with known answers.
///
/// Exit codes: 0 all came out as written, 10 some did not, 3 the folder holds
/// no turn or one that cannot be read.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Folder of turn files (*.json).
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// How to print.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

/// One stop of a turn file.
#[derive(Debug, Serialize)]
struct Line {
    name: String,
    why: String,
    expected: Expected,
    got: Got,
    pass: bool,
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut lines = Vec::new();
    for file in input_files(&arguments.folder, "turn")? {
        lines.extend(lines_of(&file)?);
    }
    let mut score = Score::default();
    for line in &lines {
        score.count(line);
    }
    match arguments.format {
        Format::Human => output::out(&human(&lines, &score)),
        Format::Json => {
            let json = serde_json::json!({ "turns": lines, "score": score });
            output::line(&json.to_string());
        }
    }
    Ok(if lines.iter().all(|l| l.pass) { 0 } else { 10 })
}

/// One line per stop of a file.
fn lines_of(file: &Path) -> Result<Vec<Line>, Error> {
    let unreadable = |e: &dyn std::fmt::Display| Error::input(format!("{}: {e}", file.display()));
    let mut bytes = Vec::new();
    open_input(file, MAX_TURN_FILE)
        .and_then(|open| open.take(MAX_TURN_FILE).read_to_end(&mut bytes))
        .map_err(|e| unreadable(&e))?;
    let turn = TurnFile::parse(&bytes).map_err(|e| unreadable(&e))?;
    let stops = turn.run().map_err(|e| unreadable(&e))?;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let several = stops.len() > 1;
    let mut lines = Vec::new();
    for (at, (expected, got)) in stops.into_iter().enumerate() {
        if let Some(code) = expected.codes.iter().find(|c| score::gate(c).is_none()) {
            return Err(unreadable(&format!("no gate has a finding `{code}`")));
        }
        lines.push(Line {
            name: match several {
                true => format!("{stem}#{}", at.saturating_add(1)),
                false => stem.clone().into_owned(),
            },
            why: turn.why.clone(),
            pass: expected.matches(&got),
            expected,
            got,
        });
    }
    Ok(lines)
}

fn human(lines: &[Line], score: &Score) -> String {
    let width = |cell: fn(&Line) -> usize| lines.iter().map(cell).max().unwrap_or_default();
    let names = width(|l| l.name.chars().count());
    let answers = width(|l| l.expected.phrase().chars().count());
    let mut text = String::new();
    for line in lines {
        let expected = line.expected.phrase();
        let got = line.got.phrase();
        let word = if line.pass { "PASS" } else { "FAIL" };
        let name = &line.name;
        text.push_str(&format!(
            "{name:<names$}  {expected:<answers$}  {got:<answers$}  {word}\n"
        ));
        if !line.pass {
            text.push_str(&line.difference());
        }
    }
    text.push_str(&score.human());
    text
}

impl Line {
    /// What the two phrases do not show.
    fn difference(&self) -> String {
        let mut text = format!("    why: {}\n", self.why);
        let missing: Vec<&str> = self
            .expected
            .notes
            .difference(&self.got.notes)
            .map(String::as_str)
            .collect();
        if !missing.is_empty() {
            text.push_str(&format!("    missing notes: {}\n", missing.join(", ")));
        }
        if self.expected.carried != self.got.carried {
            text.push_str(&format!(
                "    carried: expected {:?}, got {:?}\n",
                self.expected.carried, self.got.carried
            ));
        }
        text
    }
}
