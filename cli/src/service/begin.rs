//! What a service records before it listens: repairs, the profile in force.

use crate::error::Error;
use crate::service::engine::Engine;
use crate::service::open::{ledger_draft, ledger_error};
use crate::service::spool;
use receipt_core::record::{Kind, LEDGER_STREAM};
use receipt_gates::profile::Profile;
use receipt_ledger::{Ledger, OpenReport};

impl Engine {
    /// Records what happened before: repairs, the profile, spooled events.
    pub(crate) fn begin(&mut self, report: &OpenReport) -> Result<(), Error> {
        let mut batch = self.batch();
        if report.is_remarkable() {
            let facts = serde_json::json!({"recovery": {
                "replayed": report.replayed,
                "refilled": report.refilled,
                "rebuilt": report.rebuilt.as_ref().map(|r| &r.why),
                "torn": report.torn.as_ref().map(|t| serde_json::json!({
                    "file": t.file, "offset": t.offset, "bytes": t.bytes,
                })),
            }});
            batch.drafts.push(ledger_draft(
                Kind::Recovery,
                facts.to_string().into_bytes(),
            )?);
        }
        if self.profile_is_new()? {
            let facts = format!(
                "{{\"profile\":{{\"digest\":\"{}\",\"text\":{}}}}}",
                self.profile_digest(),
                serde_json::Value::String(
                    String::from_utf8_lossy(&self.profile_bytes).into_owned()
                )
            );
            batch
                .drafts
                .push(ledger_draft(Kind::Profile, facts.into_bytes())?);
        }
        self.commit(batch)?;
        spool::drain(self)
    }

    /// Whether the newest profile record is of another profile.
    fn profile_is_new(&self) -> Result<bool, Error> {
        let stream = LEDGER_STREAM;
        for position in (0..self.ledger.stream_len(&stream)).rev() {
            let record = self
                .ledger
                .stream_record(&stream, position)
                .map_err(ledger_error)?;
            let Some(record) = record else { break };
            if record.header().kind() == Some(Kind::Profile) {
                let text = String::from_utf8_lossy(record.facts().unwrap_or_default()).into_owned();
                return Ok(!text.contains(&self.profile_digest()));
            }
        }
        Ok(true)
    }
}

/// The newest profile that the ledger has; the default one where it has none.
pub(super) fn last_profile(ledger: &Ledger) -> Profile {
    let positions = (0..ledger.stream_len(&LEDGER_STREAM)).rev();
    let mut records = positions.filter_map(|at| ledger.stream_record(&LEDGER_STREAM, at).ok()?);
    let newest = records.find(|record| record.header().kind() == Some(Kind::Profile));
    let facts = newest.and_then(|record| serde_json::from_slice(record.facts()?).ok());
    let facts: serde_json::Value = facts.unwrap_or_default();
    let text = facts
        .pointer("/profile/text")
        .and_then(serde_json::Value::as_str);
    text.and_then(|text| Profile::parse(text.as_bytes()).ok())
        .unwrap_or_default()
}
