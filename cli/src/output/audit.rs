//! `receipt audit --format json`, version 1.

use receipt_ledger::AuditReport;
use serde::{Deserialize, Serialize};

const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Audit {
    version: u32,
    records: u64,
    pruned: u64,
    checkpoints: u64,
    streams: u64,
    sound: bool,
    fault: Option<Fault>,
}

#[derive(Serialize, Deserialize)]
struct Fault {
    record: Option<u64>,
    what: String,
}

/// The report as one JSON object.
pub(crate) fn json(report: &AuditReport) -> String {
    let audit = Audit {
        version: VERSION,
        records: report.records,
        pruned: report.pruned,
        checkpoints: report.checkpoints,
        streams: report.streams,
        sound: report.is_sound(),
        fault: report.fault.as_ref().map(|fault| Fault {
            record: fault.record,
            what: fault.what.clone(),
        }),
    };
    serde_json::to_string(&audit).unwrap_or_default()
}

/// The JSON report for a person. Says that a ledger is sound only where the
/// report says so and names no fault.
pub(crate) fn human(report: &str) -> String {
    let Ok(audit) = serde_json::from_str::<Audit>(report) else {
        return "fault: the report cannot be read".to_owned();
    };
    let counts = format!(
        "{} records in {} streams, {} checkpoints, {} pruned",
        audit.records, audit.streams, audit.checkpoints, audit.pruned
    );
    let what = match audit.fault {
        None if audit.sound && audit.version == VERSION => return format!("sound: {counts}"),
        None => "the report is of another version or does not say what is wrong".to_owned(),
        Some(Fault { record, what }) => match record {
            Some(seq) => format!("record #{seq}: {what}"),
            None => what,
        },
    };
    format!("fault: {what}\n(sound before it: {counts})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sound_ledger_is_called_sound() {
        let report = AuditReport {
            records: 7,
            streams: 2,
            checkpoints: 1,
            ..AuditReport::default()
        };
        assert_eq!(
            human(&json(&report)),
            "sound: 7 records in 2 streams, 1 checkpoints, 0 pruned"
        );
    }

    #[test]
    fn nothing_but_a_sound_report_is_called_sound() {
        let report = AuditReport {
            fault: Some(receipt_ledger::Fault {
                record: Some(12),
                what: "its signature does not verify".to_owned(),
            }),
            ..AuditReport::default()
        };
        let said = human(&json(&report));
        assert!(said.starts_with("fault: record #12: its signature does not verify\n"));
        for other in [
            "",
            "{}",
            &json(&report).replace("\"fault\":{", "\"other\":{"),
            &json(&AuditReport::default()).replace("true", "false"),
            &json(&AuditReport::default()).replace("\"version\":1", "\"version\":2"),
        ] {
            assert!(human(other).starts_with("fault: "), "{other}");
        }
    }
}
