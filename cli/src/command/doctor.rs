//! `receipt doctor`: whether everything is in place, and what to do if not.

use crate::doctor::{self, Check, State};
use crate::error::Outcome;
use crate::output::{self, Format};
use serde_json::json;

/// Check that everything is in place: tier, home, socket, service, keys, spool, judge.
///
/// Changes nothing. Ends with 1 if there is a fault.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let report = doctor::examine();
    let sound = report.iter().all(|check| check.state != State::Fault);
    match arguments.format {
        Format::Human => {
            for check in &report {
                tell(check);
            }
        }
        Format::Json => output::line(&json(&report, sound)),
    }
    Ok(u8::from(!sound))
}

fn tell(check: &Check) {
    let (state, name) = (check.state.word(), check.name);
    output::line(&format!("{state:<8} {name:<8} {}", check.text));
    if let Some(remedy) = &check.remedy {
        output::line(&format!("{:<17} remedy: {remedy}", ""));
    }
}

fn json(report: &[Check], sound: bool) -> String {
    let checks: Vec<_> = report
        .iter()
        .map(|check| {
            json!({
                "name": check.name,
                "state": check.state.word(),
                "text": check.text,
                "remedy": check.remedy,
            })
        })
        .collect();
    json!({"version": 1, "sound": sound, "checks": checks}).to_string()
}
