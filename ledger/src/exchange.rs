//! Exchanging a ledger's journal for one that was written anew beside it
//! (`spec/ledger.md`, "Exchange"). A file that lists old and new segments is the
//! point of no return: before it nothing has changed, after it any later opening
//! finishes, however often it is cut short.

use crate::disk::{Disk, Under};
use crate::error::{LedgerError, io};
use crate::intake::segment;
use crate::layout::{EXCHANGE, HEAD, INTAKE, REWRITE, ROOT, SUSPECT, exists, replace};
use crate::store::Stores;
use std::sync::Arc;

/// Longest list of segments: room for some hundred gigabytes of journal.
const MAX_LIST: u64 = 1 << 20;

/// What becomes of the old files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Old {
    /// They are removed, stores that were set aside before too.
    Erased,
    /// They go to a folder of this name and are kept.
    Aside(String),
}

/// An exchange that was decided.
#[derive(Debug, PartialEq, Eq)]
struct Exchange {
    old: Old,
    /// Names of the old files in the intake.
    leave: Vec<String>,
    /// Names of the new segments.
    enter: Vec<String>,
}

/// An empty place for the new journal; what an earlier attempt left is removed.
pub(crate) fn begin(disk: &Arc<dyn Disk>) -> Result<Arc<dyn Disk>, LedgerError> {
    let folder = format!("{REWRITE}/{INTAKE}");
    for (folder, names) in [(&folder, None), (&REWRITE.to_owned(), Some(HEAD))] {
        for name in disk.list(folder).map_err(io("list", folder))? {
            let file = format!("{folder}/{name}");
            if names.is_none_or(|only| only == name) {
                disk.remove(&file).map_err(io("remove", &file))?;
            }
        }
    }
    disk.create_dir_all(&folder)
        .map_err(io("create", &folder))?;
    Ok(Arc::new(Under::new(Arc::clone(disk), REWRITE)))
}

/// Decides: from here on the new journal, which is whole and verified, counts.
pub(crate) fn decide(disk: &dyn Disk, new: &[u64], old: Old) -> Result<(), LedgerError> {
    for folder in [&*format!("{REWRITE}/{INTAKE}"), REWRITE, ROOT] {
        disk.sync_dir(folder).map_err(io("sync", folder))?;
    }
    let exchange = Exchange {
        old,
        leave: disk.list(INTAKE).map_err(io("list", INTAKE))?,
        enter: new.iter().map(|first| segment::file_name(*first)).collect(),
    };
    replace(disk, EXCHANGE, exchange.text().as_bytes())
}

/// Finishes an exchange, if one was decided. Returns whether there was one.
pub(crate) fn finish(disk: &dyn Disk, stores: &mut dyn Stores) -> Result<bool, LedgerError> {
    if disk
        .len(EXCHANGE)
        .map_err(io("look at", EXCHANGE))?
        .is_none()
    {
        return Ok(false);
    }
    let bytes = disk
        .read(EXCHANGE, MAX_LIST)
        .map_err(io("read", EXCHANGE))?;
    let exchange = Exchange::parse(&bytes).ok_or_else(|| LedgerError::Malformed {
        file: EXCHANGE.to_owned(),
        why: "it is no list of segments".to_owned(),
    })?;
    exchange.old_leave(disk)?;
    exchange.new_enter(disk)?;
    match exchange.old {
        Old::Erased => stores.erase()?,
        Old::Aside(_) => drop(stores.set_aside()?),
    }
    for file in [SUSPECT, EXCHANGE] {
        if exists(disk, file)? {
            disk.remove(file).map_err(io("remove", file))?;
        }
    }
    disk.sync_dir(ROOT).map_err(io("sync", ROOT))?;
    Ok(true)
}

impl Exchange {
    fn text(&self) -> String {
        let mut text = match &self.old {
            Old::Erased => "erase\n".to_owned(),
            Old::Aside(folder) => format!("aside {folder}\n"),
        };
        for (verb, names) in [("leave", &self.leave), ("enter", &self.enter)] {
            for name in names {
                text.push_str(&format!("{verb} {name}\n"));
            }
        }
        text
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut lines = text.strip_suffix('\n')?.split('\n');
        let mut exchange = Self {
            old: match lines.next()?.split_once(' ') {
                None => Old::Erased,
                Some(("aside", folder)) => Old::Aside(folder.to_owned()),
                Some(_) => return None,
            },
            leave: Vec::new(),
            enter: Vec::new(),
        };
        for line in lines {
            match line.split_once(' ')? {
                ("leave", name) => exchange.leave.push(name.to_owned()),
                ("enter", name) => exchange.enter.push(name.to_owned()),
                _ => return None,
            }
        }
        (!exchange.enter.is_empty()).then_some(exchange)
    }

    /// The old files go. Those that are kept are safe in their folder before a
    /// new one takes a name of theirs.
    fn old_leave(&self, disk: &dyn Disk) -> Result<(), LedgerError> {
        let Old::Aside(folder) = &self.old else {
            let gone = self.leave.iter().filter(|name| !self.enter.contains(name));
            for file in gone.map(|name| format!("{INTAKE}/{name}")) {
                if exists(disk, &file)? {
                    disk.remove(&file).map_err(io("remove", &file))?;
                }
            }
            return Ok(());
        };
        disk.create_dir_all(folder).map_err(io("create", folder))?;
        for name in &self.leave {
            let (from, to) = (format!("{INTAKE}/{name}"), format!("{folder}/{name}"));
            if !exists(disk, &to)? && exists(disk, &from)? {
                disk.rename(&from, &to).map_err(io("rename", &from))?;
            }
        }
        let kept = format!("{folder}/{HEAD}");
        let fresh = format!("{REWRITE}/{HEAD}");
        if exists(disk, &fresh)? && exists(disk, HEAD)? && !exists(disk, &kept)? {
            disk.rename(HEAD, &kept).map_err(io("rename", HEAD))?;
        }
        for folder in [folder.as_str(), INTAKE, ROOT] {
            disk.sync_dir(folder).map_err(io("sync", folder))?;
        }
        Ok(())
    }

    fn new_enter(&self, disk: &dyn Disk) -> Result<(), LedgerError> {
        let segments = self.enter.iter().map(|name| format!("{INTAKE}/{name}"));
        for file in segments.chain([HEAD.to_owned()]) {
            let from = format!("{REWRITE}/{file}");
            if exists(disk, &from)? {
                disk.rename(&from, &file).map_err(io("rename", &from))?;
            }
        }
        for folder in [INTAKE, &*format!("{REWRITE}/{INTAKE}"), REWRITE, ROOT] {
            disk.sync_dir(folder).map_err(io("sync", folder))?;
        }
        Ok(())
    }
}
