//! What runners of tasks and hand-written scripts print.

use super::form::Family::Script;
use super::form::Means::{Count, Fail, NotRun, Pass};
use super::form::{Form, form};

pub(super) const FORMS: &[Form] = &[
    form(Script, "error: Justfile does not contain recipe ~", NotRun),
    form(Script, "error: No justfile found", NotRun),
    form(Script, "task: Task \"~\" does not exist", NotRun),
    form(Script, "mise ERROR no task ~", NotRun),
    form(Script, "mise ERROR no tasks ~", NotRun),
    form(Script, "error: Recipe `~` failed ~", Fail),
    form(Script, "task: Failed to run task ~", Fail),
    form(Script, "[~] ERROR task failed", Fail),
    form(Script, "mise ERROR task failed", Fail),
    form(Script, "#p tests passed, #f failed", Count),
    form(Script, "#p test passed, #f failed", Count),
    form(Script, "#t test%: #p ok, #f FAILED", Count),
    form(Script, "#p/#t passed$", Count),
    form(Script, "#p/#t tests passed", Count),
    form(Script, "#p passed, #f failed$", Count),
    form(Script, "#p passed, #f failed, #s skipped$", Count),
    form(Script, "passed: #p, failed: #f", Count),
    form(Script, "Passed: #p, Failed: #f", Count),
    form(Script, "Passed: #p Failed: #f", Count),
    form(Script, "Results: #p passed, #f failed", Count),
    form(Script, "Results: #p/#t passed", Count),
    form(Script, "~.sh: FAILED$", Fail),
    form(Script, "SELFTEST FAILED", Fail),
    form(Script, "selftest: FAILED", Fail),
    form(Script, "SELFTEST OK", Pass),
    form(Script, "selftest: OK", Pass),
    form(Script, "~: FAILED (#_", Fail),
];
