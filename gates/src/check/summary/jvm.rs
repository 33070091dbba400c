//! What build tools of the JVM print.

use super::form::Family::{Gradle, Maven, Sbt};
use super::form::Means::{Count, Detail, Fail, Name, NoTests, Pass, SomeNoTests};
use super::form::{Form, form};

pub(super) const FORMS: &[Form] = &[
    form(Gradle, "BUILD SUCCESSFUL in ~", Pass),
    form(Gradle, "BUILD FAILED", Fail),
    form(Gradle, "#t test% completed, #f failed", Count),
    form(Gradle, "> Task :~test NO-SOURCE", SomeNoTests),
    form(Gradle, "~ > @ FAILED", Name),
    form(Maven, "[INFO] BUILD SUCCESS", Pass),
    form(Maven, "[INFO] BUILD FAILURE", Fail),
    form(Maven, "[ERROR] BUILD FAILURE", Fail),
    form(Maven, "BUILD SUCCESS", Pass),
    form(Maven, "BUILD FAILURE", Fail),
    form(
        Maven,
        "Tests run: #t, Failures: #f, Errors: #f, Skipped: #s$",
        Count,
    ),
    form(
        Maven,
        "[INFO] Tests run: #t, Failures: #f, Errors: #f, Skipped: #s$",
        Count,
    ),
    form(
        Maven,
        "[WARNING] Tests run: #t, Failures: #f, Errors: #f, Skipped: #s$",
        Count,
    ),
    form(
        Maven,
        "[ERROR] Tests run: #t, Failures: #f, Errors: #f, Skipped: #s$",
        Count,
    ),
    form(Maven, "[INFO] No tests to run.", NoTests),
    form(Maven, "[INFO] Tests are skipped.", SomeNoTests),
    form(Maven, "[ERROR] Failed to execute goal ~", Fail),
    form(Maven, "[ERROR] COMPILATION ERROR", Detail),
    form(Maven, "[ERROR] @:#_ ~", Name),
    form(
        Sbt,
        "[info] Passed: Total #t, Failed #f, Errors #f, Passed #p",
        Count,
    ),
    form(Sbt, "[error] Failed: Total #_, ~", Fail),
    form(Sbt, "[error] (~) sbt.TestsFailedException", Fail),
    form(Sbt, "[error] (~) Compilation failed", Fail),
    form(
        Sbt,
        "[info] Tests: succeeded #p, failed #f, canceled #_, ignored #s",
        Count,
    ),
    form(Sbt, "[success] Total time: ~", Pass),
];
