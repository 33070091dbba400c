//! What is said of a final message that the records deny.

use super::{number, plural, records_list};
use crate::claim::ClaimKind;
use crate::verdict::Finding;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A finding of `claim-contradicted`. What failed is said by `check-failed`; here
/// stands only that the message says otherwise.
pub(super) fn sentence(finding: &Finding) -> String {
    let message = finding.records.last().copied().unwrap_or_default();
    let says = format!(
        "the final message (#{message}) says that {}",
        claims(finding)
    );
    match finding.code.as_str() {
        "claim-contradicted" => {
            let failures = finding.records.iter().filter(|r| **r != message);
            let failures: Vec<u64> = failures.copied().collect();
            let word = if failures.len() == 1 {
                "failure"
            } else {
                "failures"
            };
            format!("{says}, after the {word} at {}", records_list(&failures))
        }
        "claim-without-run" => match number(finding, "count") {
            0 => format!("{says}, and this turn has no run of any"),
            n => format!(
                "{says} ({}), and this turn has no run of any",
                plural(n, "test")
            ),
        },
        _ => format!("{says}, and no check has passed in this turn"),
    }
}

/// What is claimed, in words.
fn claims(finding: &Finding) -> String {
    let kinds = finding.words.get("claim").map_or("", String::as_str);
    let words: Vec<&str> = kinds.split(", ").map(in_words).collect();
    words.join(", ")
}

fn in_words(kind: &str) -> &'static str {
    match ClaimKind::from_str(kind) {
        Some(ClaimKind::TestsPass) => "tests pass",
        Some(ClaimKind::BuildPasses) => "the build passes",
        Some(ClaimKind::LintClean) => "lint is clean",
        Some(ClaimKind::TypesClean) => "types are clean",
        Some(ClaimKind::RanCheck) => "checks were run",
        Some(ClaimKind::Fixed) => "it is fixed",
        Some(ClaimKind::Verified) => "it was verified",
        Some(ClaimKind::Done | ClaimKind::Deployed) | None => "all is well",
    }
}
