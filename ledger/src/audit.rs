//! Auditing.
/// Report.
#[derive(Debug)]
pub struct AuditReport;
/// Fault.
#[derive(Debug)]
pub struct Fault;
