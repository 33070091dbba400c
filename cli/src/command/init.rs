//! `receipt init` and `receipt uninstall`.

use crate::error::{Error, Outcome};
use crate::home::Home;
use crate::install::claude_code::{self, Handler};
use crate::install::{Change, Settings, judge};
use crate::keys::{Keys, private_folder};
use crate::output;
use crate::profile;
use crate::service;
use crate::world::{clock, environment};
use receipt_core::hash::hex;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often, and how long apart, `init` asks for its turn.
const TRIES: u32 = 200;
const PAUSE: Duration = Duration::from_millis(25);

/// Make the keys and the ledger, and wire the hooks into Claude Code.
///
/// The settings file is backed up first; other hooks and settings stay as they
/// are. Run it again at any time: what is in place is left alone.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    scope: Scope,
    /// Make keys and ledger only; wire no hooks.
    #[arg(long)]
    no_hooks: bool,
    /// Show the settings as they would be, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

/// Take the hooks out of Claude Code's settings again.
///
/// Ledger and keys stay. Where nothing else changed since `init`, the file
/// comes back byte for byte.
#[derive(Debug, clap::Args)]
pub(crate) struct UninstallArguments {
    #[command(flatten)]
    scope: Scope,
}

/// Which settings file.
#[derive(Debug, Clone, Copy, clap::Args)]
#[group(multiple = false)]
struct Scope {
    /// Your own settings, for every project (the default).
    #[arg(long)]
    user: bool,
    /// This project's shared settings, .claude/settings.json.
    #[arg(long)]
    project: bool,
    /// This project's private settings, .claude/settings.local.json.
    #[arg(long)]
    local: bool,
}

impl Scope {
    fn path(self) -> Result<PathBuf, Error> {
        if self.project {
            return Ok(PathBuf::from(".claude/settings.json"));
        }
        if self.local {
            return Ok(PathBuf::from(".claude/settings.local.json"));
        }
        if let Some(folder) = environment::get("CLAUDE_CONFIG_DIR") {
            return Ok(Path::new(&folder).join("settings.json"));
        }
        let home = environment::get("HOME").ok_or_else(|| {
            Error::input("no home folder: HOME is not set")
                .hint("use --project, or set CLAUDE_CONFIG_DIR")
        })?;
        Ok(Path::new(&home).join(".claude/settings.json"))
    }
}

/// Runs `init`.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let home = Home::find()?;
    if arguments.no_hooks {
        if !arguments.dry_run {
            tell_ledger(&home)?;
        }
        return Ok(0);
    }
    let settings = Settings::read(&arguments.scope.path()?)?;
    let text = handler(&home)?.install(&settings.editable());
    if arguments.dry_run {
        output::out(&text);
        return Ok(0);
    }
    tell_ledger(&home)?;
    let place = settings.path.display();
    match settings.write(&text, clock::wall_us() / 1_000_000)? {
        Change::None => output::line(&format!("hooks     in place in {place}")),
        Change::Written { backup } => {
            output::line(&format!("hooks     written to {place}"));
            if let Some(backup) = backup {
                output::line(&format!("backup    {}", backup.display()));
            }
        }
    }
    output::line("next      start a new Claude Code session; `receipt log` shows what is recorded");
    Ok(0)
}

/// The hook line of this program; it names home and system service where they are
/// not the default ones.
fn handler(home: &Home) -> Result<Handler, Error> {
    let program = std::env::current_exe()
        .map_err(|e| Error::fault(format!("cannot find this program: {e}")))?;
    let own_home = environment::get("RECEIPT_HOME").map(|_| home.root.as_path());
    let system = environment::get("RECEIPT_SYSTEM");
    Ok(Handler::new(
        &program,
        own_home,
        system.as_deref().map(Path::new),
    ))
}

fn tell_ledger(home: &Home) -> Result<(), Error> {
    if let Some(system) = home.other() {
        output::line(&format!(
            "ledger    kept by user {} ({})",
            system.user,
            system.file.display()
        ));
        return Ok(());
    }
    let identity = ensure_ledger(home)?;
    output::line(&format!("ledger    {}", home.ledger().display()));
    output::line(&format!("identity  {identity}"));
    output::line(&format!("judge     {}", judge::offer(home)?));
    if let Err(error) = profile::load(home) {
        output::note(&format!("warning: {error}"));
        output::note("until that is repaired every gate is as strict as by default");
    }
    Ok(())
}

/// Makes keys and ledger where both are missing; refuses where one is.
pub(crate) fn ensure_ledger(home: &Home) -> Result<String, Error> {
    private_folder(&home.root)?;
    let _turn = take_turn(&home.root)?;
    let ledger = service::has_ledger(home);
    match (Keys::exist(home), ledger) {
        (true, true) => {}
        (false, false) => {
            let keys = Keys::prepare(home)?;
            service::create_ledger(home, &keys)?;
            Keys::adopt(home)?;
        }
        // The first `init` was cut short at its last step.
        (false, true) if Keys::are_prepared(home) => Keys::adopt(home)?,
        (true, false) => {
            return Err(Error::input(format!(
                "there are keys in {} but no ledger: it was removed or moved",
                home.root.display()
            ))
            .hint("put the ledger back; a missing ledger is never replaced by a new one"));
        }
        (false, true) => {
            return Err(Error::input(format!(
                "there is a ledger in {} but its keys are missing",
                home.root.display()
            ))
            .hint("put the keys folder back; without its keys a ledger cannot go on"));
        }
    }
    Ok(hex(Keys::identity(home)?.public().as_bytes()))
}

/// Waits until no other `init` is at work in the folder, for some seconds at most.
/// The folder itself is the lock: it ends with this process, whatever ends it.
fn take_turn(root: &Path) -> Result<File, Error> {
    let failed = |e: std::io::Error| Error::fault(format!("cannot lock {}: {e}", root.display()));
    let folder = File::open(root).map_err(failed)?;
    for _ in 0..TRIES {
        match folder.try_lock() {
            Ok(()) => return Ok(folder),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(e)) => return Err(failed(e)),
        }
    }
    let message = format!("another `receipt init` is at work in {}", root.display());
    Err(Error::fault(message).hint("run it again when that one has ended; nothing was changed"))
}

/// Runs `uninstall`.
pub(crate) fn uninstall(arguments: &UninstallArguments) -> Outcome {
    let settings = Settings::read(&arguments.scope.path()?)?;
    let Some(old) = settings.text.clone() else {
        output::line(&format!(
            "nothing to do: there is no {}",
            settings.path.display()
        ));
        return Ok(0);
    };
    let text = restored(&settings, &old).unwrap_or_else(|| claude_code::uninstall(&old));
    match settings.write(&text, clock::wall_us() / 1_000_000)? {
        Change::None => output::line(&format!("no hooks of ours in {}", settings.path.display())),
        Change::Written { .. } => {
            output::line(&format!("hooks taken out of {}", settings.path.display()));
        }
    }
    output::line("ledger and keys are kept");
    Ok(0)
}

/// The newest backup's text, where installing into it again would give just
/// what stands there now: nothing else changed in between.
fn restored(settings: &Settings, now: &str) -> Option<String> {
    let folder = settings.path.parent()?;
    let name = settings.path.file_name()?.to_string_lossy().into_owned();
    let prefix = format!("{name}.receipt-backup-");
    let mut backups: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|p| {
            p.file_name()
                .is_some_and(|n| n.to_string_lossy().starts_with(&prefix))
        })
        .collect();
    backups.sort();
    backups.iter().rev().find_map(|backup| {
        let before = std::fs::read_to_string(backup).ok()?;
        let same = claude_code::same_but_for_hooks(&before, now);
        same.then_some(before)
    })
}
