//! What a service records before it listens: repairs, the profile in force.

use crate::error::Error;
use crate::service::engine::Engine;
use crate::service::open::{ledger_draft, ledger_error};
use crate::service::spool;
use receipt_core::record::{Kind, LEDGER_STREAM};
use receipt_ledger::OpenReport;

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
