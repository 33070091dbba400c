//! What `receipt doctor` looks at. It reads and changes nothing.

use crate::access::{self, Met};
use crate::effect::judge::{Backend, models};
use crate::error::Error;
use crate::greeting::{Intent, Version};
use crate::home::{Home, Keeper, own_user};
use crate::keys::Keys;
use crate::service;
use crate::system::System;
use crate::world::clock::Deadline;
use receipt_ledger::layout::QUARANTINE;
use receipt_ledger::{FsDisk, Spool};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

/// How long the judge's backend may take to answer.
const JUDGE: Duration = Duration::from_secs(1);

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// As it should be.
    Ok,
    /// Worth knowing; nothing is lost by it.
    Warning,
    /// Something does not work, or promises less than it seems to.
    Fault,
}

impl State {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Fault => "fault",
        }
    }
}

/// One thing that was looked at.
#[derive(Debug)]
pub(crate) struct Check {
    pub(crate) name: &'static str,
    pub(crate) state: State,
    pub(crate) text: String,
    pub(crate) remedy: Option<String>,
}

impl Check {
    fn new(name: &'static str, state: State, text: impl Into<String>) -> Self {
        Self {
            name,
            state,
            text: text.into(),
            remedy: None,
        }
    }

    fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    fn failed(name: &'static str, error: &Error) -> Self {
        Self {
            remedy: error.remedy().map(str::to_owned),
            ..Self::new(name, State::Fault, error.message())
        }
    }
}

/// Looks at everything.
pub(crate) fn examine() -> Vec<Check> {
    match Home::find() {
        Err(error) => vec![Check::failed("home", &error)],
        Ok(home) => vec![
            tier(&home),
            place(&home),
            socket(&home),
            running(&home),
            keys(&home),
            spool(&home),
            judge(&home),
        ],
    }
}

/// The model that judges final messages, where one is asked.
fn judge(home: &Home) -> Check {
    let new = |state, text: String| Check::new("judge", state, text);
    let (profile, settings) = match crate::profile::load(home) {
        Ok(loaded) => loaded,
        Err(error) => return Check::failed("judge", &error),
    };
    if profile.judge.is_none() {
        return new(State::Ok, "off".to_owned());
    }
    let backend = Backend::new(settings);
    let (url, model) = (&backend.url, &backend.model);
    match models(&backend, Deadline::after(JUDGE)) {
        Ok(models) if backend.is_among(&models) => new(State::Ok, format!("{model} at {url}")),
        Ok(_) => new(State::Warning, format!("{url} does not have {model}")).remedy(format!(
            "`ollama pull {model}`, or name another in receipt.toml"
        )),
        Err(outage) => new(State::Warning, format!("{url}: {}", outage.remedy()))
            .remedy("`receipt judge doctor` tells more; stops are allowed meanwhile"),
    }
}

fn tier(home: &Home) -> Check {
    match (&home.keeper, home.other()) {
        (Keeper::System(system), _) if own_user() == 0 => Check::new(
            "tier",
            State::Warning,
            format!(
                "same-user for root, which can read the keys of user {}; separate-user for others",
                system.user
            ),
        )
        .remedy("run agents as a user without root's rights"),
        (Keeper::System(_), Some(system)) => Check::new(
            "tier",
            State::Ok,
            format!(
                "separate-user: user {} keeps keys and ledger ({})",
                system.user,
                system.file.display()
            ),
        ),
        (Keeper::System(system), None) => Check::new(
            "tier",
            State::Ok,
            format!(
                "separate-user for all but this user, {}, who keeps keys and ledger",
                system.user
            ),
        ),
        _ => Check::new(
            "tier",
            State::Ok,
            "same-user: whoever acts as this user can read the keys and sign anything",
        ),
    }
}

fn place(home: &Home) -> Check {
    let shown = home.root.display();
    let found = fs::metadata(&home.root);
    if home.other().is_none() && !service::has_ledger(home) {
        let error = access::no_ledger(home);
        return Check::failed("home", &error);
    }
    match found {
        Err(_) => Check::new("home", State::Ok, format!("{shown}, made when needed")),
        Ok(found) if found.uid() != own_user() => Check::new(
            "home",
            State::Warning,
            format!("{shown} is user {}'s", found.uid()),
        ),
        Ok(found) if found.mode() & 0o077 != 0 => Check::new(
            "home",
            State::Warning,
            format!("{shown} may be entered by others"),
        )
        .remedy(format!("chmod 700 {shown}")),
        Ok(_) => Check::new("home", State::Ok, shown.to_string()),
    }
}

fn socket(home: &Home) -> Check {
    let path = home.socket();
    let folder = path.parent().unwrap_or(Path::new("/"));
    let (owner, barred) = match &home.keeper {
        Keeper::System(system) => (Some(system.user), 0o022),
        _ => (home.owner(), 0o077),
    };
    let shown = path.display();
    match fs::metadata(folder) {
        Ok(found) if Some(found.uid()) == owner && found.mode() & barred == 0 => {
            Check::new("socket", State::Ok, shown.to_string())
        }
        Ok(_) => Check::new(
            "socket",
            State::Fault,
            format!("others may listen in {}", folder.display()),
        )
        .remedy(format!("remove {}", folder.display())),
        Err(_) if home.other().is_none() => {
            Check::new("socket", State::Ok, format!("{shown}, made when needed"))
        }
        Err(error) => Check::new(
            "socket",
            State::Fault,
            format!("{}: {error}", folder.display()),
        )
        .remedy("start the system service"),
    }
}

fn running(home: &Home) -> Check {
    let own = Version::own();
    let other = |version: Version| {
        Check::new(
            "service",
            State::Warning,
            format!("runs, of version {version}; this is {own}"),
        )
    };
    match (access::greet(home, Intent::Speak), home.other()) {
        (None | Some(Met::Ended), Some(_)) => Check::new(
            "service",
            State::Fault,
            "the system service does not answer: events wait in the spool",
        )
        .remedy("systemctl start receipt"),
        (None | Some(Met::Ended), None) => Check::new(
            "service",
            State::Ok,
            "does not run; the next hook starts it",
        ),
        (Some(Met::Contact(contact)), _) if contact.version == own => {
            Check::new("service", State::Ok, format!("runs, of version {own}"))
        }
        (Some(Met::Contact(contact)), Some(_)) if contact.version < own => {
            other(contact.version).remedy("restart the system service")
        }
        (Some(Met::Contact(contact)), _) if contact.version < own => {
            other(contact.version).remedy("nothing to do: the next hook replaces it")
        }
        (Some(Met::Contact(contact)), _) => {
            other(contact.version).remedy("wire the hooks with the newer program")
        }
        (Some(Met::Foreign(version)), _) => {
            other(version).remedy("events of this program wait in the spool: use the newer one")
        }
    }
}

fn keys(home: &Home) -> Check {
    match home.other() {
        Some(system) => foreign_keys(system),
        None => match Keys::in_place(home) {
            Ok(_) => Check::new(
                "keys",
                State::Ok,
                format!("{}, for this user alone", home.keys().display()),
            ),
            Err(error) => Check::failed("keys", &error),
        },
    }
}

/// What makes the tier: another user's keys are not for this one.
fn foreign_keys(system: &System) -> Check {
    let folder = system.home.join("keys");
    let shown = folder.display();
    if fs::read_dir(&folder).is_err() || own_user() == 0 {
        return Check::new(
            "keys",
            State::Ok,
            format!("{shown}, for user {}", system.user),
        );
    }
    Check::new("keys", State::Fault, format!("this user can read {shown}")).remedy(format!(
        "chmod 700 {}, and make new keys if agents ran before",
        system.home.display()
    ))
}

fn spool(home: &Home) -> Check {
    let folder = home.spool();
    let waiting = match Spool::list(&FsDisk::new(&folder)) {
        Ok(names) => names.len(),
        Err(error) => {
            return Check::new("spool", State::Fault, error.to_string())
                .remedy(format!("let this user read {}", folder.display()));
        }
    };
    let aside = fs::read_dir(folder.join(QUARANTINE)).map_or(0, Iterator::count);
    if waiting > 0 {
        let said = match waiting {
            1 => "1 event waits".to_owned(),
            n => format!("{n} events wait"),
        };
        return Check::new("spool", State::Warning, said)
            .remedy("the next hook that reaches the service has them recorded, as late");
    }
    if aside > 0 {
        return Check::new(
            "spool",
            State::Warning,
            format!("{aside} files could not be recorded"),
        )
        .remedy(format!("look at {}", folder.join(QUARANTINE).display()));
    }
    Check::new("spool", State::Ok, "empty")
}
