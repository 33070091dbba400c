//! What Go tools print.

use super::form::Family::{Go, GoBuild, Golangci};
use super::form::Means::{Count, Detail, Fail, Name, Pass, SomeNoTests, TimedOut};
use super::form::{Form, form};

pub(super) const FORMS: &[Form] = &[
    form(Go, "ok ~[no tests to run]", SomeNoTests),
    form(Go, "~[no test files]", SomeNoTests),
    form(Go, "ok ~ #_.#_s", Pass),
    form(Go, "ok ~ (cached)", Pass),
    form(Go, "FAIL ~ #_.#_s", Fail),
    form(Go, "FAIL ~ [build failed]", Fail),
    form(Go, "FAIL ~ [setup failed]", Fail),
    form(Go, "FAIL$", Fail),
    form(Go, "FAIL! -- {}", Fail),
    form(Go, "SUCCESS! -- {}", Pass),
    form(Go, "DONE #_ test%, #_ skipped, #f failure", Fail),
    form(Go, "DONE #_ test%, #f failure", Fail),
    form(Go, "--- FAIL: @ (", Name),
    form(Go, "panic: test timed out after ~", TimedOut),
    form(GoBuild, "~.go:#_:#_: ~", Detail),
    form(GoBuild, "no Go files in ~", Fail),
    form(Golangci, "#f issues.", Count),
    form(Golangci, "#f issues:", Count),
    form(Golangci, "#f issue:", Count),
    form(Golangci, "~.go:#_:#_: ~ (", Detail),
];
