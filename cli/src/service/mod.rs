//! The service: the one writer of a ledger (`spec/hook.md`, "Service").
//!
//! Started by the first hook that finds none, guarded by the ledger's lock,
//! detached from everything the hook had: session, folder, environment, stdio.

mod begin;
mod connection;
mod duplicate;
mod engine;
mod export;
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
use crate::world::{clock, process, socket};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::time::Duration;

pub(crate) use engine::Engine;
pub(crate) use open::create_ledger;
pub(crate) use query::reply;

/// The service ends after so long without a message. The next hook starts
/// another, and sled's snapshot is fresh again.
const IDLE: Duration = Duration::from_secs(15 * 60);

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
        .env("RECEIPT_RUN", home.run())
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| Error::fault(format!("cannot start the service: {e}")))
}

/// Runs the service until it is idle, told to stop, or at fault.
pub(crate) fn run(home: &Home) -> Outcome {
    let _ = rustix::process::setsid();
    match serve(home) {
        Ok(()) => Ok(0),
        Err(error) => {
            log_fault(home, &error);
            Err(error)
        }
    }
}

fn serve(home: &Home) -> Result<(), Error> {
    let Some(lock) = open::take_lock(home)? else {
        return Ok(());
    };
    let (mut engine, report) = Engine::open(home, lock)?;
    engine.begin(&report)?;
    let path = home.socket();
    if let Some(folder) = path.parent() {
        private_folder(folder)?;
    }
    let listener = socket::listen(&path)
        .map_err(|e| Error::fault(format!("cannot listen on {}: {e}", path.display())))?;
    let _ = std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600));
    let (sender, receiver) = mpsc::sync_channel(QUEUE);
    std::thread::spawn(move || connection::accept(&listener, &sender));
    let result = engine.run(&receiver, IDLE);
    let _ = std::fs::remove_file(&path);
    let ended = engine.end();
    result.and(ended)
}

/// Opens the ledger for a command while no service runs, and takes in what waits
/// in the spool; `None` where another process has the ledger.
///
/// # Errors
/// Where there is no ledger, or it is damaged.
pub(crate) fn open(home: &Home) -> Result<Option<Engine>, Error> {
    let Some(lock) = open::take_lock(home)? else {
        return Ok(None);
    };
    let (mut engine, report) = Engine::open(home, lock)?;
    if let Err(error) = engine.begin(&report) {
        // What is there can be read all the same.
        output::note(&format!("note: what waits could not be taken in: {error}"));
    }
    Ok(Some(engine))
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
