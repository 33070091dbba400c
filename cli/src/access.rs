//! Reading the ledger from a command: through the service if it runs, else directly.

use crate::error::Error;
use crate::greeting::{self, Intent, Version, Welcome};
use crate::home::Home;
use crate::service::{self, Engine, Reader};
use crate::system::System;
use crate::wire::{self, ExportWish, Query, Reply, ToClient, ToService};
use crate::world::clock::Deadline;
use crate::world::socket;
use receipt_core::seal::Record;
use receipt_ledger::stored;
use std::io::Read;
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// How long the service may take to answer, or to say how far it is.
const PATIENCE: Duration = Duration::from_secs(600);

/// How long a service may take to begin or to end.
const BETWEEN: Duration = Duration::from_secs(5);

/// Services that may end, one after another, before they answer.
const ATTEMPTS: u32 = 8;

/// Records asked for at once.
const PAGE: u32 = 256;

/// A way to the ledger.
pub(crate) enum Access {
    /// Through the running service of a home.
    Service(UnixStream, Home),
    /// With the ledger opened here, under its lock.
    Direct(Box<Engine>),
}

impl Access {
    /// Finds the service or opens the ledger. Waits for a service that is about
    /// to listen or to end.
    pub(crate) fn open(home: &Home) -> Result<Self, Error> {
        let deadline = Deadline::after(BETWEEN);
        loop {
            if let Some(contact) = connect(home)? {
                return Ok(Self::Service(contact.stream, home.clone()));
            }
            if let Some(system) = home.other() {
                return Err(not_running(system));
            }
            if !service::has_ledger(home) {
                return Err(no_ledger(home));
            }
            if let Some(engine) = service::open(home)? {
                return Ok(Self::Direct(Box::new(engine)));
            }
            if deadline.left().is_none() {
                return Err(
                    Error::fault("another process has the ledger and does not answer")
                        .hint("`receipt service status` says whether the service runs"),
                );
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Opens the ledger here, for a command that changes it; a service that has
    /// it is asked to end.
    pub(crate) fn take(home: &Home) -> Result<Engine, Error> {
        let deadline = Deadline::after(BETWEEN);
        loop {
            if let Self::Direct(engine) = Self::open(home)? {
                return Ok(*engine);
            }
            if deadline.left().is_none() {
                return Err(Error::fault("the service does not let go of the ledger")
                    .hint("`receipt service stop`, then try again"));
            }
            end_service(home)?;
        }
    }

    /// Asks one question; again where the service ended in between.
    pub(crate) fn ask(&mut self, query: Query) -> Result<Reply, Error> {
        self.ask_long(query, &mut |_, _| {})
    }

    /// The same; `tell` is told the records done and those in all.
    pub(crate) fn ask_long(
        &mut self,
        query: Query,
        tell: &mut dyn FnMut(u64, u64),
    ) -> Result<Reply, Error> {
        for _ in 0..ATTEMPTS {
            match self {
                Self::Service(stream, home) => match ask_telling(stream, query.clone(), tell)? {
                    Some(reply) => return Ok(reply),
                    None => *self = Self::open(&home.clone())?,
                },
                Self::Direct(engine) => {
                    return service::reply(engine, query, Reader::Keeper, tell);
                }
            }
        }
        Err(ended())
    }

    /// Every record from a position on, page by page.
    pub(crate) fn each(
        &mut self,
        from: u64,
        mut each: impl FnMut(Record) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let mut next = from;
        loop {
            let Reply::Records { records, size } = self.ask(Query::Records {
                from: next,
                limit: PAGE,
            })?
            else {
                return Err(unexpected());
            };
            if records.is_empty() {
                return Ok(());
            }
            for bytes in records {
                let record = stored::decode(&bytes).map_err(Error::fault)?;
                next = record.header().seq.saturating_add(1);
                if !each(record)? {
                    return Ok(());
                }
            }
            if next >= size {
                return Ok(());
            }
        }
    }

    /// One record.
    pub(crate) fn record(&mut self, seq: u64) -> Result<Record, Error> {
        let mut found = None;
        self.each(seq, |record| {
            found = Some(record);
            Ok(false)
        })?;
        found.ok_or_else(|| Error::input(format!("the ledger has no record #{seq}")))
    }

    /// A receipt's bytes.
    pub(crate) fn receipt(&mut self, wish: ExportWish) -> Result<Vec<u8>, Error> {
        match self.ask(Query::Export(wish))? {
            Reply::Receipt(bytes) => Ok(bytes),
            _ => Err(unexpected()),
        }
    }
}

/// A connection to a running service that speaks as this program does.
pub(crate) struct Contact {
    pub(crate) stream: UnixStream,
    pub(crate) version: Version,
}

/// Connects to the running service, if one runs. One of an older protocol is
/// asked to end: there is nothing else to be said to it.
///
/// # Errors
/// Where it speaks a newer protocol.
pub(crate) fn connect(home: &Home) -> Result<Option<Contact>, Error> {
    match greet(home, Intent::Speak) {
        Some(Met::Foreign(version)) if version < Version::own() => {
            match greet(home, Intent::Replace) {
                Some(Met::Foreign(version)) => Err(foreign(version)),
                other => Ok(other.and_then(Met::contact)),
            }
        }
        Some(Met::Foreign(version)) => Err(foreign(version)),
        other => Ok(other.and_then(Met::contact)),
    }
}

/// Asks a running service to end, and waits until it lets go of the ledger.
///
/// # Errors
/// Where it does not, within a few seconds.
pub(crate) fn end_service(home: &Home) -> Result<(), Error> {
    let deadline = Deadline::after(BETWEEN);
    while let Some(mut contact) = connect(home)? {
        if deadline.left().is_none() {
            return Err(Error::fault("the service does not let go of the ledger")
                .hint("`receipt service stop`, then try again"));
        }
        try_ask(&mut contact.stream, Query::Stop)?;
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

/// A service that was met.
pub(crate) enum Met {
    /// It may be asked.
    Contact(Contact),
    /// It speaks another protocol.
    Foreign(Version),
    /// It has ended for this program.
    Ended,
}

impl Met {
    fn contact(self) -> Option<Contact> {
        match self {
            Self::Contact(contact) => Some(contact),
            Self::Foreign(_) | Self::Ended => None,
        }
    }
}

/// Greets the running service, if one runs.
pub(crate) fn greet(home: &Home, intent: Intent) -> Option<Met> {
    let mut stream = socket::connect(&home.socket(), home.owner()).ok()?;
    let _ = stream.set_read_timeout(Some(BETWEEN));
    greeting::hail(&mut stream, intent).ok()?;
    // A service that ends just now says nothing.
    let (version, welcome) = greeting::answered(&mut stream).ok()?;
    Some(match welcome {
        Welcome::GoOn => {
            let _ = stream.set_read_timeout(Some(PATIENCE));
            Met::Contact(Contact { stream, version })
        }
        Welcome::Foreign => Met::Foreign(version),
        Welcome::GivesWay => {
            let _ = stream.read(&mut [0]);
            Met::Ended
        }
    })
}

/// A service that this program cannot talk to.
fn foreign(version: Version) -> Error {
    Error::fault(format!(
        "the service is of version {version}, whose protocol {} is not spoken here",
        version.protocol
    ))
    .hint("use the program of that version, or end the service with it")
}

/// Asks the service one question.
pub(crate) fn ask(stream: &mut UnixStream, query: Query) -> Result<Reply, Error> {
    try_ask(stream, query)?.ok_or_else(ended)
}

fn ended() -> Error {
    Error::fault("the service ended before it answered")
        .hint("`receipt service status` says whether it runs")
}

/// Asks the service one question; `None` where it ends before it answers.
pub(crate) fn try_ask(stream: &mut UnixStream, query: Query) -> Result<Option<Reply>, Error> {
    ask_telling(stream, query, &mut |_, _| {})
}

fn unreadable(error: &std::io::Error) -> Error {
    Error::fault(format!("the service's answer cannot be read: {error}"))
        .hint("`receipt service stop` ends it; the next hook or command does without")
}

fn ask_telling(
    stream: &mut UnixStream,
    query: Query,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Option<Reply>, Error> {
    let sent = wire::send(stream, &ToService::Query(query));
    let mut answer = sent.and_then(|()| wire::receive::<ToClient>(stream));
    while let Ok(Some(ToClient::Progress { done, all })) = answer {
        tell(done, all);
        answer = wire::receive(stream);
    }
    match answer {
        Ok(None) => Ok(None),
        Err(error) if wire::is_gone(&error) => Ok(None),
        Err(error) => Err(unreadable(&error)),
        Ok(Some(ToClient::Reply(reply))) => Ok(Some(reply)),
        Ok(Some(ToClient::Refused(why))) => Err(Error::input(
            why.to_string().trim_start_matches("error: ").to_owned(),
        )),
        Ok(Some(_)) => Err(unexpected()),
    }
}

/// Another user's service is not there to be asked.
fn not_running(system: &System) -> Error {
    Error::fault(format!(
        "the system service does not answer on {}",
        system.socket.display()
    ))
    .hint(format!(
        "start it, or run this as user {}; {} names them",
        system.user,
        system.file.display()
    ))
}

/// The answer was to another question.
pub(crate) fn unexpected() -> Error {
    Error::fault("the service gave an answer of another kind")
        .hint("it may be of another version: `receipt service stop`, then try again")
}

/// There is no ledger where one is looked for.
pub(crate) fn no_ledger(home: &Home) -> Error {
    Error::input(format!("there is no ledger in {}", home.root.display()))
        .hint("`receipt init` makes one; RECEIPT_HOME names another place")
}
