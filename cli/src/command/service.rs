//! `receipt service`: the one writer of the ledger.

use crate::access::{self, Met, unexpected};
use crate::error::{Error, Outcome};
use crate::greeting::{Intent, Version};
use crate::home::Home;
use crate::output::{self, Format};
use crate::service;
use crate::wire::{Query, Reply, Status};
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
    Run {
        /// End after so many idle seconds.
        #[arg(long)]
        idle: Option<u64>,
    },
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let home = Home::find()?;
    match arguments.action {
        Action::Status { format } => status(&home, format),
        Action::Stop => stop(&home),
        Action::Run { idle } => service::run(&home, idle.map(Duration::from_secs)),
    }
}

/// What is known of a running service.
struct Seen {
    version: Version,
    /// Nothing from one that speaks another protocol.
    status: Option<Status>,
}

fn look(home: &Home) -> Result<Option<Seen>, Error> {
    Ok(match access::greet(home, Intent::Speak) {
        None | Some(Met::Ended) => None,
        Some(Met::Foreign(version)) => Some(Seen {
            version,
            status: None,
        }),
        Some(Met::Contact(mut contact)) => match access::ask(&mut contact.stream, Query::Status)? {
            Reply::Status(status) => Some(Seen {
                version: contact.version,
                status: Some(status),
            }),
            _ => return Err(unexpected()),
        },
    })
}

fn status(home: &Home, format: Format) -> Outcome {
    let seen = look(home)?;
    output::line(&match format {
        Format::Human => sentence(seen.as_ref()),
        Format::Json => json(seen.as_ref()),
    });
    Ok(0)
}

fn sentence(seen: Option<&Seen>) -> String {
    match seen {
        None => "not running".to_owned(),
        Some(Seen {
            version,
            status: None,
        }) => format!(
            "running: version {version}, whose protocol {} is not spoken here",
            version.protocol
        ),
        Some(Seen {
            version,
            status: Some(s),
        }) => format!(
            "running: pid {}, version {version}, ledger {} with {} records",
            s.pid,
            s.ledger.get(..16).unwrap_or(&s.ledger),
            s.records
        ),
    }
}

fn json(seen: Option<&Seen>) -> String {
    let status = seen.and_then(|s| s.status.as_ref());
    serde_json::json!({
        "version": 1,
        "running": seen.is_some(),
        "protocol": seen.map(|s| s.version.protocol),
        "program_version": seen.map(|s| s.version.to_string()),
        "pid": status.map(|s| s.pid),
        "ledger": status.map(|s| s.ledger.clone()),
        "records": status.map(|s| s.records),
        "started_us": status.map(|s| s.started_us),
    })
    .to_string()
}

fn stop(home: &Home) -> Outcome {
    let ran = access::greet(home, Intent::Speak).is_some();
    let Some(mut contact) = access::connect(home)? else {
        // One of an older protocol ended when it was greeted.
        output::line(if ran { "stopped" } else { "not running" });
        return Ok(0);
    };
    match access::try_ask(&mut contact.stream, Query::Stop)? {
        // It was about to end already.
        None | Some(Reply::Stopping) => {}
        Some(_) => return Err(unexpected()),
    }
    // The connection ends with the process. Its lock is no sign of that: a hook
    // may have started another service already.
    let _ = contact.stream.set_read_timeout(Some(END));
    match contact.stream.read(&mut [0]) {
        Ok(0) => {
            output::line("stopped");
            Ok(0)
        }
        _ => Err(Error::fault("the service did not end within five seconds")
            .hint("`receipt service status` says whether it runs")),
    }
}
