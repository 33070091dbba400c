//! `receipt judge`: whether the judge can be asked, and what it is worth.

mod eval;

use crate::effect::judge::{self, Backend};
use crate::error::{Error, Outcome};
use crate::home::Home;
use crate::output::{self, Format};
use crate::world::clock::Deadline;
use receipt_gates::judge::{Ask, read};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// Try the model that judges final messages, and measure what it is worth.
///
/// The table `judge` of receipt.toml says which model is asked, and whether its
/// word is advice (`advise`) or refuses a stop (`block`); without it none is asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Check that the backend answers, has the model, and tells a plain PASS from a plain FAIL.
    ///
    /// Exit codes: 0 all is well, 1 something is not.
    Doctor {
        /// Output format.
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Ask about every claim of a labelled set, and count.
    ///
    /// Prints what the judge catches and whom it challenges wrongly, beside what
    /// the gates without a model say and what a constant answer would score.
    Eval {
        /// Folder of claim files (*.json), as `fixtures/claims`.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Output format.
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
}

/// Time for a question about the backend itself.
const ABOUT: Duration = Duration::from_secs(2);

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let (_, settings) = crate::profile::load(&Home::find()?)?;
    let backend = Backend::new(settings);
    match &arguments.action {
        Action::Doctor { format } => doctor(&backend, *format),
        Action::Eval { folder, format } => eval::run(&backend, folder, *format),
    }
}

/// One thing that was looked at.
struct Check {
    name: &'static str,
    sound: bool,
    text: String,
}

impl Check {
    fn new(name: &'static str, sound: bool, text: impl Into<String>) -> Self {
        Self {
            name,
            sound,
            text: text.into(),
        }
    }
}

fn doctor(backend: &Backend, format: Format) -> Outcome {
    let checks = checks(backend)?;
    let sound = checks.iter().all(|check| check.sound);
    match format {
        Format::Human => {
            for check in &checks {
                let word = if check.sound { "ok" } else { "fault" };
                output::line(&format!("{word:<8} {:<8} {}", check.name, check.text));
            }
        }
        Format::Json => {
            let checks = checks
                .iter()
                .map(|check| json!({"name": check.name, "sound": check.sound, "text": check.text}));
            let checks: Vec<_> = checks.collect();
            output::line(&json!({"version": 1, "sound": sound, "checks": checks}).to_string());
        }
    }
    Ok(u8::from(!sound))
}

fn checks(backend: &Backend) -> Result<Vec<Check>, Error> {
    let (url, model) = (&backend.url, &backend.model);
    let models = match judge::models(backend, Deadline::after(ABOUT)) {
        Ok(models) => models,
        Err(outage) => {
            let text = format!("{url}: {}", outage.remedy());
            return Ok(vec![Check::new("backend", false, text)]);
        }
    };
    let mut checks = vec![Check::new("backend", true, format!("{url} answers"))];
    if !backend.is_among(&models) {
        let text = format!("{model} is not there; try `ollama pull {model}`");
        checks.push(Check::new("model", false, text));
        return Ok(checks);
    }
    checks.push(Check::new("model", true, format!("{model} is there")));
    for (name, ask, pass) in [("pass", borne_out(), true), ("fail", disproved(), false)] {
        checks.push(known(name, &ask, pass, backend)?);
    }
    Ok(checks)
}

fn known(name: &'static str, ask: &Ask, pass: bool, backend: &Backend) -> Result<Check, Error> {
    let judged = judge::judge(ask, backend)?;
    let took = format!("{} ms", judged.milliseconds);
    let said = judged.reply.as_deref().map(|reply| read(reply).pass);
    Ok(match (said, judged.outage) {
        (Some(Some(said)), _) if said == pass => {
            Check::new(name, true, format!("a plain {name} is told, in {took}"))
        }
        (Some(Some(_)), _) => {
            let text = format!("a plain {name} is taken for the other: this model is no judge");
            Check::new(name, false, text)
        }
        (Some(None), _) => Check::new(name, false, "its reply is no verdict"),
        (None, why) => Check::new(name, false, why.unwrap_or_default()),
    })
}

/// A claim that the record bears out.
fn borne_out() -> Ask {
    Ask {
        claim: "I fixed the rounding and ran the tests: all 12 pass.".to_owned(),
        facts: vec![
            "#9: pytest [test] by `pytest -q`: passed; no code edit since.".to_owned(),
            "No line of code changed after the last passing check.".to_owned(),
        ],
        records: vec!["#9 `pytest -q`: 12 passed in 0.31s".to_owned()],
    }
}

/// A claim that the record contradicts.
fn disproved() -> Ask {
    Ask {
        claim: "All tests pass, the fix is verified.".to_owned(),
        facts: vec!["#9: pytest [test] by `pytest -q`: failed; 3 code edits since.".to_owned()],
        records: vec!["#9 `pytest -q` failed: 2 failed, 10 passed in 0.31s".to_owned()],
    }
}
