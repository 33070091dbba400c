//! Reading the ledger from a command: through the service if it runs, else directly.

use crate::error::Error;
use crate::home::Home;
use crate::keys::Keys;
use crate::service;
use crate::wire::{self, ExportWish, Query, Reply, ToClient, ToService};
use crate::world::socket;
use receipt_core::seal::Record;
use receipt_ledger::{Ledger, stored};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// How long the service may take to answer: an audit of a large ledger is long.
const PATIENCE: Duration = Duration::from_secs(600);

/// Records asked for at once.
const PAGE: u32 = 256;

/// A way to the ledger.
pub(crate) enum Access {
    /// Through the running service.
    Service(UnixStream),
    /// With the ledger opened here, under its lock.
    Direct(Box<(Ledger, Keys)>),
}

impl Access {
    /// Finds the service or opens the ledger.
    pub(crate) fn open(home: &Home) -> Result<Self, Error> {
        if let Some(stream) = connect(home) {
            return Ok(Self::Service(stream));
        }
        if !service::may_start(home) {
            return Err(no_ledger(home));
        }
        let keys = Keys::load(home)?;
        let (ledger, _) = service::open_ledger(home, &keys)?;
        Ok(Self::Direct(Box::new((ledger, keys))))
    }

    /// Asks one question.
    pub(crate) fn ask(&mut self, query: Query) -> Result<Reply, Error> {
        match self {
            Self::Service(stream) => ask(stream, query),
            Self::Direct(open) => match query {
                Query::Records { from, limit } => service::page(&open.0, from, limit),
                Query::Export(wish) => {
                    service::build_receipt(&open.0, &open.1, &wish).map(Reply::Receipt)
                }
                Query::Audit => Ok(service::audit(&open.0)),
                Query::Status | Query::Stop => Err(Error::fault("no service is running")),
            },
        }
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

/// A connection to the running service.
pub(crate) fn connect(home: &Home) -> Option<UnixStream> {
    let stream = socket::connect(&home.socket()).ok()?;
    let _ = stream.set_read_timeout(Some(PATIENCE));
    Some(stream)
}

/// Asks the service one question.
pub(crate) fn ask(stream: &mut UnixStream, query: Query) -> Result<Reply, Error> {
    wire::send(stream, &ToService::Query(query)).map_err(Error::fault)?;
    match wire::receive::<ToClient>(stream).map_err(Error::fault)? {
        Some(ToClient::Reply(reply)) => Ok(reply),
        Some(ToClient::Refused { reason }) => Err(Error::input(
            reason.trim_start_matches("error: ").to_owned(),
        )),
        _ => Err(Error::fault("the service ended before it answered")
            .hint("`receipt service status` says whether it runs")),
    }
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
