//! What the tools of other ecosystems print.

use super::form::Family::{Bazel, Dart, Hooks, Mix, PreCommit, Shellcheck, Terraform};
use super::form::Means::{Count, Detail, Fail, Name, NoTests, Pass};
use super::form::{Form, form};

pub(super) const FORMS: &[Form] = &[
    form(Bazel, "ERROR: Build did NOT complete successfully", Fail),
    form(Bazel, "FAILED: Build did NOT complete successfully", Fail),
    form(Bazel, "INFO: Build completed successfully, ~", Pass),
    form(Bazel, "Executed ~ test%: ~fail", Fail),
    form(Bazel, "Executed ~ test%: ~pass", Pass),
    form(Bazel, "ERROR: No test targets were found", NoTests),
    form(Bazel, "//@ FAILED in ~", Name),
    form(Mix, "** (Mix) ~", Fail),
    form(Mix, "{}$", Count),
    form(Mix, "{} (#_ excluded)", Count),
    form(Mix, "== Compilation error in file ~", Fail),
    form(Dart, "#_:#_ +#_: All tests passed!", Pass),
    form(Dart, "#_:#_ +#_ ~#_: All tests passed!", Pass),
    form(Dart, "#_:#_ ~: Some tests failed.", Fail),
    form(Dart, "🎉 #_ test% passed.", Pass),
    form(Dart, "No issues found!", Pass),
    form(Dart, "#_ issue% found.", Fail),
    form(Terraform, "Success! The configuration is valid", Pass),
    form(Terraform, "Error: ~", Fail),
    form(Shellcheck, "In ~ line #_:", Detail),
    form(PreCommit, "~....Failed", Fail),
    form(PreCommit, "~....Passed", Pass),
    form(Hooks, "husky - pre-commit script failed ~", Fail),
    form(Hooks, "husky - pre-commit hook exited with code ~", Fail),
    form(Hooks, "husky > pre-commit hook failed ~", Fail),
    form(Hooks, "[FAILED] ~ [FAILED]", Fail),
    form(Hooks, "[COMPLETED] Running tasks for ~", Pass),
    form(Hooks, "✖ ~:$", Fail),
    form(Hooks, "✔ Running tasks for ~", Pass),
    form(Hooks, "✔️ ~ (#_.#_ seconds)", Pass),
    form(Hooks, "🥊 ~ (#_.#_ seconds)", Fail),
    form(Hooks, "✓ All pre-commit hooks passed", Pass),
    form(Hooks, "✗ One or more pre-commit hooks failed", Fail),
];
