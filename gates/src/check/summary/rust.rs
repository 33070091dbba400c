//! What Rust tools print.

use super::form::Family::{Cargo, Nextest, Rustc, Rustfmt};
use super::form::Means::{Count, Detail, Fail, Name, NoTests, NotRun, Pass};
use super::form::{Form, form};

pub(super) const FORMS: &[Form] = &[
    form(
        Cargo,
        "test result: ok. #p passed; #f failed; #s ignored",
        Count,
    ),
    form(
        Cargo,
        "test result: FAILED. #p passed; #f failed; #s ignored",
        Count,
    ),
    form(Cargo, "test result: ok. #p passed", Count),
    form(Cargo, "test result: FAILED. #p passed; #f failed", Count),
    form(Cargo, "error: test failed, to rerun", Fail),
    form(Cargo, "error: #_ target% failed", Fail),
    form(Cargo, "test @ ... FAILED", Name),
    form(Cargo, "error: no such command: ~", NotRun),
    form(Cargo, "error: package ID specification ~", NotRun),
    form(Cargo, "error: no test target named ~", NotRun),
    form(Cargo, "error: unexpected argument ~", NotRun),
    form(Cargo, "error: no such subcommand: ~", NotRun),
    form(Cargo, "error: could not find `Cargo.toml`", NotRun),
    form(Nextest, "Summary [ ~] #t test% run: {}", Count),
    form(Nextest, "Summary [ ~] #t/#_ test% run: {}", Count),
    form(Nextest, "error: test run failed", Fail),
    form(Nextest, "error: no tests to run", NoTests),
    form(Nextest, "FAIL [ ~] @$", Name),
    form(Rustc, "error: could not compile `~", Fail),
    form(Rustc, "error: aborting due to ~", Fail),
    form(Rustc, "error: failed to run custom build command ~", Fail),
    form(Rustc, "error[E#_]: ~", Detail),
    form(Rustc, "Finished `~` profile ~", Pass),
    form(Rustc, "Finished ~ target(s) in ~", Pass),
    form(Rustfmt, "Diff in ~", Fail),
];
