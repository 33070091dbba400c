//! The service: the one writer of a ledger (`spec/hook.md`, "Service").
//!
//! Started by the first hook that finds none, guarded by the ledger's lock,
//! detached from everything the hook had: session, folder, environment, stdio.

mod begin;
mod bound;
mod confirm;
mod connection;
mod duplicate;
mod edited;
mod engine;
mod export;
mod guests;
mod open;
mod query;
mod record;
mod spool;
mod stop;
mod stream;

use crate::error::{Error, Outcome};
use crate::home::Home;
use crate::keys::private_folder;
use crate::output;
use crate::world::clock::{self, Deadline};
use crate::world::{process, socket};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::time::Duration;

pub(crate) use engine::Engine;
pub(crate) use open::{create_ledger, redaction_policy};
pub(crate) use query::reply;

/// The service ends after so long without a message. The next hook starts
/// another, and sled's snapshot is fresh again.
const IDLE: Duration = Duration::from_secs(15 * 60);

/// How long hooks may take for the snapshots that they were asked for before the
/// service was told to end.
const FAREWELL: Duration = Duration::from_secs(1);

/// How long clients may take to read their last answers.
const ANSWERS: Duration = Duration::from_secs(1);

/// Messages that may wait before senders are slowed down.
const QUEUE: usize = 1_024;

/// Whether there is a ledger to serve: none is ever made by a hook.
pub(crate) fn may_start(home: &Home) -> bool {
    home.ledger().join(receipt_ledger::layout::GENESIS).exists()
}

/// Starts the service in the background. It outlives this process; should it
/// end before, then well if another process has the ledger, else at fault.
///
/// # Errors
/// Where the program cannot be started.
pub(crate) fn start(home: &Home) -> Result<Child, Error> {
    let program = std::env::current_exe()
        .map_err(|e| Error::fault(format!("cannot find this program: {e}")))?;
    process::command(&program)
        .args(["service", "run"])
        .env("RECEIPT_HOME", &home.root)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| Error::fault(format!("cannot start the service: {e}")))
}

/// Runs the service until it is idle, told to stop, or at fault.
pub(crate) fn run(home: &Home, idle: Option<Duration>) -> Outcome {
    let _ = rustix::process::setsid();
    match serve(home, idle.unwrap_or(IDLE)) {
        Ok(()) => Ok(0),
        Err(error) => {
            log_fault(home, &error);
            Err(error)
        }
    }
}

fn serve(home: &Home, idle: Duration) -> Result<(), Error> {
    let Some((mut engine, report)) = Engine::open(home)? else {
        return Ok(());
    };
    engine.begin(&report)?;
    let path = home.socket();
    if let Some(folder) = path.parent() {
        private_folder(folder)?;
        refuse_shared(folder)?;
    }
    let listener = socket::listen(&path)
        .map_err(|e| Error::fault(format!("cannot listen on {}: {e}", path.display())))?;
    let _ = std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600));
    let (sender, receiver) = mpsc::sync_channel(QUEUE);
    std::thread::spawn(move || connection::accept(&listener, &sender));
    let result = engine.run(&receiver, idle);
    // Whoever comes now starts the next service and waits for it.
    let _ = std::fs::remove_file(&path);
    let result = result.and_then(|()| engine.farewell(&receiver, Deadline::after(FAREWELL)));
    // What was not taken is refused, what was taken is answered.
    drop(receiver);
    connection::finish(Deadline::after(ANSWERS));
    let ended = engine.end();
    result.and(ended)
}

/// Opens the ledger for a command while no service runs, and takes in what waits
/// in the spool; `None` where another process has the ledger.
///
/// # Errors
/// Where there is no ledger, or it is damaged.
pub(crate) fn open(home: &Home) -> Result<Option<Engine>, Error> {
    let Some((mut engine, report)) = Engine::open(home)? else {
        return Ok(None);
    };
    if let Err(error) = engine.begin(&report) {
        // What is there can be read all the same.
        output::note(&format!("note: what waits could not be taken in: {error}"));
    }
    Ok(Some(engine))
}

/// A socket's folder that others may enter, or made beforehand, is no private one.
fn refuse_shared(folder: &Path) -> Result<(), Error> {
    let failed = |e| Error::fault(format!("cannot look at {}: {e}", folder.display()));
    let found = std::fs::symlink_metadata(folder).map_err(failed)?;
    let own = found.uid() == rustix::process::getuid().as_raw();
    if found.is_dir() && own && found.mode() & 0o077 == 0 {
        return Ok(());
    }
    Err(Error::fault(format!("{} is not private", folder.display()))
        .hint(format!("remove it, or chmod 700 {}", folder.display())))
}

/// Keeps the newest fault where `receipt service status` finds it.
fn log_fault(home: &Home, error: &Error) {
    let text = format!("{} {error}\n", clock::wall_us());
    let path = home.service_log();
    let small = std::fs::metadata(&path).is_ok_and(|m| m.len() < 256 << 10);
    let file = std::fs::OpenOptions::new()
        .create(true)
        .append(small)
        .write(true)
        .truncate(!small)
        .open(path);
    if let Ok(mut file) = file {
        let _ = std::io::Write::write_all(&mut file, text.as_bytes());
    }
}
