//! From what the families say to one verdict of the output.

use super::summary::{Family, Reading, Said};
use super::types::Kind;

/// What the output as a whole says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Verdict {
    /// `Some(true)`: a summary says success.
    said: Option<bool>,
    /// Only signs of failure, without a summary.
    pub(super) details_only: bool,
    /// Tests executed, if counted.
    pub(super) executed: Option<u64>,
    /// Some tests were skipped.
    pub(super) skipped: bool,
    /// Success rests on summaries that add up, so that a missing one could say otherwise.
    pub(super) adds_up: bool,
}

impl Verdict {
    /// Whether the output says failure.
    pub(super) fn failed(self) -> bool {
        self.said == Some(false)
    }

    /// Whether a final summary says failure.
    pub(super) fn failed_finally(self) -> bool {
        self.failed() && !self.details_only
    }

    /// Whether a final summary says success.
    pub(super) fn passed(self) -> bool {
        self.said == Some(true)
    }
}

/// Families whose word on success says nothing about tests.
const NOT_TESTS: &[Family] = &[
    Family::Rustc,
    Family::Npm,
    Family::Make,
    Family::Bundler,
    Family::Compiler,
    Family::Ruff,
    Family::Mypy,
    Family::Tsc,
    Family::Eslint,
    Family::Biome,
    Family::Prettier,
    Family::Golangci,
    Family::Black,
    Family::Pyright,
    Family::Turbo,
];

/// Sums up a reading. With `any`, the runner may have started others whose words count too.
pub(super) fn verdict(reading: &Reading, kind: Kind, any: bool) -> Verdict {
    let mut verdict = Verdict::default();
    for (family, said) in &reading.said {
        let tests = !NOT_TESTS.contains(family);
        if kind != Kind::Test || tests {
            count(&mut verdict, said);
        }
        // A line "OK" alone can come from anyone.
        let bare = *family == Family::Unittest && !said.counted;
        let success = said.success() && !bare && (kind != Kind::Test || tests);
        if said.failure() {
            verdict.said = Some(false);
        } else if success && verdict.said.is_none() {
            verdict.said = Some(true);
        }
        verdict.adds_up |= family.adds_up() && said.success();
    }
    if verdict.said.is_none() && reading.said.iter().any(|(_, said)| said.detail) {
        verdict.said = Some(false);
        verdict.details_only = true;
    }
    if any {
        outranked(reading, &mut verdict);
    }
    empty(reading, &mut verdict);
    verdict
}

fn count(verdict: &mut Verdict, said: &Said) {
    if let Some(executed) = said.executed() {
        verdict.executed = Some(verdict.executed.unwrap_or(0).saturating_add(executed));
    }
    verdict.skipped |= said.skipped > 0;
}

/// Under a script that runs several tools, and with them their own tests, a failure counts only
/// if no tool of another family spoke of success after it.
fn outranked(reading: &Reading, verdict: &mut Verdict) {
    let last = |wanted: bool| {
        let told = reading.said.iter().filter(|(_, said)| {
            if wanted {
                said.success()
            } else {
                said.failure()
            }
        });
        told.map(|(_, said)| said.last).max()
    };
    let adds_up = reading
        .said
        .iter()
        .any(|(family, said)| said.failure() && family.adds_up());
    if let (Some(success), Some(failure)) = (last(true), last(false))
        && success > failure
        && !adds_up
    {
        verdict.details_only = true;
    }
}

/// Parts without tests empty the run only if no part had any.
fn empty(reading: &Reading, verdict: &mut Verdict) {
    let without = reading
        .said
        .iter()
        .any(|(_, said)| said.some_no_tests || said.no_tests);
    let with = reading.said.iter().any(|(family, said)| {
        !NOT_TESTS.contains(family)
            && (said.success() || said.failure())
            && said.executed() != Some(0)
    });
    if without && !with && verdict.executed.is_none() {
        verdict.executed = Some(0);
    }
}
