//! Judging the checks of one call together: what one shows tells about the others.

use super::outcome::{Basis, Evidence, Judged, Outcome, judge};
use super::types::{CheckRun, Qualifier};
use alloc::vec::Vec;

/// Judges the checks of one call, in the order of [`crate::check::runs`].
///
/// Beyond [`judge`], in a call that failed: a check whose status is seen passed if a later one
/// evidently ran, and the only check left without an answer failed if nothing else can be the
/// reason. `single` in the evidence is set here.
#[must_use]
pub fn judge_all(runs: &[CheckRun], evidence: &Evidence<'_>) -> Vec<Judged> {
    let evidence = Evidence {
        single: runs.len() == 1,
        ..*evidence
    };
    let mut judged: Vec<Judged> = runs.iter().map(|run| judge(run, &evidence)).collect();
    if runs.len() > 1 {
        passed_before(runs, &mut judged);
        only_one_left(runs, &mut judged);
    }
    judged
}

/// Whether the call's end will tell; that of a call in the background did not.
fn open(judged: &Judged) -> bool {
    let has = |qualifier| judged.qualifiers.contains(&qualifier);
    judged.outcome == Outcome::Unknown
        && has(Qualifier::Unattributed)
        && !has(Qualifier::Background)
}

fn ran(judged: &Judged) -> bool {
    let told = matches!(judged.outcome, Outcome::Passed | Outcome::Failed);
    told && judged.basis == Basis::Summary
}

/// What stands before a check that ran has ended well, or the call had ended there.
fn passed_before(runs: &[CheckRun], judged: &mut [Judged]) {
    let Some(last) = judged.iter().rposition(ran) else {
        return;
    };
    for (run, answer) in runs.iter().zip(judged.iter_mut()).take(last) {
        if run.exit_reaches && open(answer) {
            settle(answer, Outcome::Passed);
        }
    }
}

fn only_one_left(runs: &[CheckRun], judged: &mut [Judged]) {
    let rivals = runs.iter().any(|run| run.rivals > 0);
    let failed = judged
        .iter()
        .any(|answer| answer.outcome == Outcome::Failed);
    if rivals || failed {
        return;
    }
    let mut left = judged.iter_mut().filter(|answer| open(answer));
    if let (Some(only), None) = (left.next(), left.next()) {
        settle(only, Outcome::Failed);
    }
}

fn settle(answer: &mut Judged, outcome: Outcome) {
    answer.outcome = outcome;
    answer.basis = Basis::Exit;
    answer
        .qualifiers
        .retain(|qualifier| *qualifier != Qualifier::Unattributed);
}
