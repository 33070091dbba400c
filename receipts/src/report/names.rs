//! Names behind the ids, as far as a receipt discloses them.

use crate::row::Known;
use alloc::string::{String, ToString};
use receipt_core::commit::Group;
use receipt_gates::explain::Names;
use serde_json::Value;

/// Names that the receipt discloses.
#[derive(Debug)]
pub(super) struct Disclosed<'a>(&'a [Known]);

impl<'a> Disclosed<'a> {
    /// Those of the records of a range.
    pub(super) const fn of(range: &'a [Known]) -> Self {
        Self(range)
    }

    fn group(&self, seq: u64, group: Group) -> Option<Value> {
        let at = self.0.binary_search_by_key(&seq, |k| k.signed.header.seq);
        let known = self.0.get(at.ok()?)?;
        serde_json::from_str(known.group(group).text()?).ok()
    }
}

impl Names for Disclosed<'_> {
    fn command(&self, seq: u64) -> Option<String> {
        let group = self.group(seq, Group::Commands)?;
        Some(group.get("command")?.as_str()?.to_string())
    }

    fn path(&self, seq: u64, id: &str) -> Option<String> {
        let group = self.group(seq, Group::Paths)?;
        Some(group.get(id)?.as_str()?.to_string())
    }

    fn text(&self, seq: u64, name: &str) -> Option<String> {
        let group = self.group(seq, Group::Texts)?;
        Some(group.get(name)?.as_str()?.to_string())
    }
}
