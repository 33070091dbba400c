//! The service: the one writer of a ledger (`spec/hook.md`, "Service").
//!
//! Started by the first hook that finds none, guarded by the ledger's lock,
//! detached from everything the hook had: session, folder, environment, stdio.

mod absence;
mod aside;
mod begin;
mod bound;
mod confirm;
mod connection;
mod crew;
mod duplicate;
mod edited;
mod engine;
mod export;
mod guests;
mod judge;
mod open;
mod origin;
mod query;
mod record;
mod rights;
mod spool;
mod stop;
mod stream;

use crate::error::{Error, Outcome};
use crate::home::{Home, Keeper, own_user};
use crate::keys::private_folder;
use crate::output;
use crate::world::clock::{self, Deadline};
use crate::world::{process, socket};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::time::Duration;

pub(crate) use engine::Engine;
pub(crate) use export::Reader;
pub(crate) use open::{create_ledger, examine_ledger, redaction_policy};
pub(crate) use query::reply;
use rights::Audience;

/// The service ends after so long without a message. The next hook starts
/// another, and sled's snapshot is fresh again.
const IDLE: Duration = Duration::from_secs(15 * 60);

/// How long hooks may take for the snapshots that they were asked for before the
/// service was told to end.
const FAREWELL: Duration = Duration::from_secs(1);

/// How long clients may take to read their last answers.
const ANSWERS: Duration = Duration::from_secs(1);

/// How the C library is to hold memory, where it is the GNU one: one heap, and
/// what is freed in large pieces goes back to the system. A service lives long
/// and is nearly always idle.
const ALLOCATION: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "131072"),
    ("MALLOC_TRIM_THRESHOLD_", "131072"),
];

/// Messages that may wait before senders are slowed down.
const QUEUE: usize = 1_024;

/// Whether a hook may start a service: not in another's place, and none that
/// makes a ledger.
pub(crate) fn may_start(home: &Home) -> bool {
    matches!(home.keeper, Keeper::Own) && has_ledger(home)
}

/// Whether there is a ledger in the home.
pub(crate) fn has_ledger(home: &Home) -> bool {
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
        .envs(ALLOCATION)
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
    match serve(home, idle.unwrap_or(IDLE), Audience::Keeper) {
        Ok(()) => Ok(0),
        Err(error) => {
            log_fault(home, &error);
            Err(error)
        }
    }
}

/// Runs a service for every user of the machine in the foreground, until it is
/// told to stop or at fault.
pub(crate) fn run_for_everyone(home: &Home) -> Outcome {
    if !has_ledger(home) {
        return Err(
            Error::input(format!("there is no ledger in {}", home.root.display()))
                .hint("`receipt init --no-hooks` as the service's user makes one"),
        );
    }
    serve(home, Duration::MAX, Audience::Everyone)?;
    Ok(0)
}

fn serve(home: &Home, idle: Duration, audience: Audience) -> Result<(), Error> {
    let Some((mut engine, report)) = Engine::open(home)? else {
        return match audience {
            // Hooks start several at once: the first serves.
            Audience::Keeper => Ok(()),
            Audience::Everyone => Err(Error::fault("another process has the ledger")
                .hint("`receipt service status` says whether a service runs")),
        };
    };
    engine.audience = audience;
    engine.begin(&report)?;
    engine.begins()?;
    let path = home.socket();
    let listener = listen(&path, audience)?;
    let (sender, receiver) = mpsc::sync_channel(QUEUE);
    std::thread::spawn(move || connection::accept(&listener, &sender, audience));
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

/// Listens where the audience can connect, and nobody else can listen.
fn listen(path: &Path, audience: Audience) -> Result<UnixListener, Error> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let (mode, barred) = match audience {
        Audience::Keeper => {
            private_folder(folder)?;
            (0o600, 0o077)
        }
        // Whoever runs the service makes the folder.
        Audience::Everyone => (0o666, 0o022),
    };
    refuse_shared(folder, barred)?;
    let failed = |e| Error::fault(format!("cannot listen on {}: {e}", path.display()));
    let listener = socket::listen(path).map_err(failed)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).map_err(failed)?;
    Ok(listener)
}

/// A folder that is another's, or open to others, is none for a socket.
fn refuse_shared(folder: &Path, barred: u32) -> Result<(), Error> {
    let failed = |e| Error::fault(format!("cannot look at {}: {e}", folder.display()));
    let found = std::fs::symlink_metadata(folder).map_err(failed)?;
    if found.is_dir() && found.uid() == own_user() && found.mode() & barred == 0 {
        return Ok(());
    }
    let asked = 0o777 & !barred;
    Err(Error::fault(format!(
        "{} is not this user's, or others may use it",
        folder.display()
    ))
    .hint(format!(
        "remove it, or chmod {asked:o} {}",
        folder.display()
    )))
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
        // A pipe in its place would be waited for.
        .custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
        .open(path);
    if let Ok(mut file) = file {
        let _ = std::io::Write::write_all(&mut file, text.as_bytes());
    }
}
