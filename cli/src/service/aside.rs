//! What is answered beside the engine: long reads, on a view of the ledger, so
//! that no hook waits for them.

use crate::error::Error;
use crate::service::engine::{Caller, Engine, Job};
use crate::service::export;
use crate::service::open::ledger_error;
use crate::service::query;
use crate::wire::{ExportWish, Refusal, Reply, ToClient};
use receipt_ledger::{Audit, AuditReport};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::{SyncSender, channel};

/// How often an audit tries to end while nothing is appended. After that it
/// ends in the engine, which hooks then wait for.
const ATTEMPTS: u32 = 16;

/// How much an audit stands back behind what hooks wait for.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// One audit at a time: it takes all cores.
static AUDIT: Mutex<()> = Mutex::new(());

/// Has a look at the engine between two batches; `None` where it ends.
fn look<T: Send + 'static>(
    jobs: &SyncSender<Job>,
    look: impl FnOnce(&Engine) -> T + Send + 'static,
) -> Option<T> {
    let (tell, told) = channel();
    let look = Box::new(move |engine: &Engine| {
        let _ = tell.send(look(engine));
    });
    jobs.send(Job::Look(look)).ok()?;
    told.recv().ok()
}

/// Checks the whole ledger, up to what was appended meanwhile. `tell` is told
/// how far it is, and may end it; `None` then, and where the engine ends.
pub(crate) fn audit(
    jobs: &SyncSender<Job>,
    tell: &mut (dyn FnMut(u64, u64) -> ControlFlow<()> + Send),
) -> Option<ToClient> {
    let Ok(_alone) = AUDIT.try_lock() else {
        return Some(ToClient::Refused(Refusal::Busy));
    };
    // A thread of its own: it does not become urgent again.
    let report = std::thread::scope(|scope| {
        let audit = scope.spawn(|| {
            // Threads that it starts stand back with it. Only Linux has this.
            #[cfg(target_os = "linux")]
            let _ = rustix::process::setpriority_process(None, NICE);
            report(jobs, tell)
        });
        audit.join().ok().flatten()
    })?;
    Some(query::to_client(
        report.map(|report| query::audited(&report)),
    ))
}

fn report(
    jobs: &SyncSender<Job>,
    tell: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Option<Result<AuditReport, Error>> {
    let mut audit = Audit::default();
    for _ in 0..ATTEMPTS {
        let view = match look(jobs, |engine| {
            engine.audited.set(true);
            engine.ledger.view()
        })? {
            Ok(view) => view,
            Err(error) => return Some(Err(ledger_error(error))),
        };
        if audit.go_on(&view, tell).is_break() {
            return None;
        }
        let report = audit.report(&view);
        let size = look(jobs, |engine| engine.ledger.size())?;
        if size == view.size() || !audit.is_sound() {
            return Some(Ok(report));
        }
    }
    look(jobs, move |engine| {
        let _ = audit.go_on(&engine.ledger, &mut |_, _| ControlFlow::Continue(()));
        Ok(audit.report(&engine.ledger))
    })
}

/// Reads one page of records; `None` where the engine ends.
pub(crate) fn records(jobs: &SyncSender<Job>, from: u64, limit: u32) -> Option<ToClient> {
    let view = look(jobs, |engine| engine.ledger.view())?;
    let page = view.map_err(ledger_error);
    Some(query::to_client(
        page.and_then(|view| query::page(&view, from, limit)),
    ))
}

/// Builds a receipt; `None` where the engine ends.
pub(crate) fn export(
    jobs: &SyncSender<Job>,
    wish: &ExportWish,
    caller: Caller,
) -> Option<ToClient> {
    let (view, keys) = look(jobs, |engine| (engine.ledger.view(), engine.keys.clone()))?;
    let built = view.map_err(ledger_error).and_then(|view| {
        export::build(&view, &keys, wish, query::reader(caller)).map(Reply::Receipt)
    });
    Some(query::to_client(built))
}
