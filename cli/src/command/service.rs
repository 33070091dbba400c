//! `receipt service`: the one writer of the ledger.

use crate::access::{self, unexpected};
use crate::error::{Error, Outcome};
use crate::home::Home;
use crate::output::{self, Format};
use crate::service;
use crate::wire::{Query, Reply};
use std::io::Read;
use std::time::Duration;

/// How long a service may take to end.
const END: Duration = Duration::from_secs(5);

/// Look at or end the background service that writes the ledger.
///
/// The service is started by the first hook that needs it and ends by itself
/// when idle. Stopping it loses nothing: hooks start another or spool.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Say whether it runs, with its process id and the ledger's size.
    Status {
        /// Output format.
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// End it gracefully.
    Stop,
    /// Run it in the foreground (hooks do this).
    #[command(hide = true)]
    Run,
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let home = Home::find()?;
    match arguments.action {
        Action::Status { format } => status(&home, format),
        Action::Stop => stop(&home),
        Action::Run => service::run(&home),
    }
}

fn status(home: &Home, format: Format) -> Outcome {
    let status = match access::connect(home) {
        None => None,
        Some(mut stream) => match access::ask(&mut stream, Query::Status)? {
            Reply::Status(status) => Some(status),
            _ => return Err(unexpected()),
        },
    };
    let text = match (&status, format) {
        (None, Format::Human) => "not running".to_owned(),
        (Some(s), Format::Human) => format!(
            "running: pid {}, version {}, ledger {} with {} records",
            s.pid,
            s.version,
            s.ledger.get(..16).unwrap_or(&s.ledger),
            s.records
        ),
        (status, Format::Json) => serde_json::json!({
            "version": 1,
            "running": status.is_some(),
            "pid": status.as_ref().map(|s| s.pid),
            "program_version": status.as_ref().map(|s| s.version.clone()),
            "ledger": status.as_ref().map(|s| s.ledger.clone()),
            "records": status.as_ref().map(|s| s.records),
            "started_us": status.as_ref().map(|s| s.started_us),
        })
        .to_string(),
    };
    output::line(&text);
    Ok(0)
}

fn stop(home: &Home) -> Outcome {
    let Some(mut stream) = access::connect(home) else {
        output::line("not running");
        return Ok(0);
    };
    match access::ask(&mut stream, Query::Stop)? {
        Reply::Stopping => {}
        _ => return Err(unexpected()),
    }
    // The connection ends with the process. Its lock is no sign of that: a hook
    // may have started another service already.
    let _ = stream.set_read_timeout(Some(END));
    match stream.read(&mut [0]) {
        Ok(0) => {
            output::line("stopped");
            Ok(0)
        }
        _ => Err(Error::fault("the service did not end within five seconds")
            .hint("`receipt service status` says whether it runs")),
    }
}
