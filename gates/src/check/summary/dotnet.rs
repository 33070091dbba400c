//! What the .NET tools print.

use super::form::Family::Dotnet;
use super::form::Means::{Count, Detail, Fail, Name, NoTests, Pass};
use super::form::{Form, form};

pub(super) const FORMS: &[Form] = &[
    form(
        Dotnet,
        "Passed! - Failed: #f, Passed: #p, Skipped: #s, Total: #t",
        Count,
    ),
    form(
        Dotnet,
        "Failed! - Failed: #f, Passed: #p, Skipped: #s, Total: #t",
        Count,
    ),
    form(
        Dotnet,
        "Test summary: total: #t, failed: #f, succeeded: #p, skipped: #s",
        Count,
    ),
    form(Dotnet, "Test Run Failed.", Fail),
    form(Dotnet, "Test Run Successful.", Pass),
    form(Dotnet, "Build FAILED.", Fail),
    form(Dotnet, "Build failed with #_ error", Fail),
    form(Dotnet, "Build succeeded", Pass),
    form(Dotnet, "No test is available in ~", NoTests),
    form(
        Dotnet,
        "No test matches the given testcase filter ~",
        NoTests,
    ),
    form(Dotnet, "Failed @ [#_", Name),
    form(Dotnet, "~: error CS#_: ~", Detail),
];
