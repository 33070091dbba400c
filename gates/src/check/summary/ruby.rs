//! What Ruby and PHP tools print.

use super::form::Family::{Minitest, Phpstan, Phpunit, Rspec, Rubocop};
use super::form::Means::{Count, Fail, Name, NoTests, Part, Pass};
use super::form::{Form, form};

pub(super) const FORMS: &[Form] = &[
    form(
        Rspec,
        "#_ example%, #_ failure%, #_ error% occurred outside of examples",
        Fail,
    ),
    form(
        Rspec,
        "#_ example%, #_ failure%, #_ pending, #_ error",
        Fail,
    ),
    form(Rspec, "#t example%, #f failure%, #s pending", Count),
    form(Rspec, "#t example%, #f failure", Count),
    form(Rspec, "rspec @ ^# ~", Name),
    form(
        Minitest,
        "#t runs, #_ assertions, #f failures, #f errors, #s skips",
        Count,
    ),
    form(
        Minitest,
        "#t tests, #_ assertions, #f failures, #f errors, #_ pendings, #s omissions",
        Count,
    ),
    form(
        Minitest,
        "#t tests, #_ assertions, #f failures, #f errors, #s skips",
        Count,
    ),
    form(Rubocop, "#_ file% inspected, no offenses detected", Pass),
    form(Rubocop, "#_ file% inspected, #_ offense", Fail),
    form(Phpunit, "OK (#t test", Count),
    form(Phpunit, "OK, but ~", Pass),
    form(Phpunit, "FAILURES!", Fail),
    form(Phpunit, "ERRORS!", Fail),
    form(
        Phpunit,
        "Tests: #t, Assertions: #_, Errors: #f, Failures: #f",
        Part,
    ),
    form(Phpunit, "Tests: #t, Assertions: #_, Failures: #f", Part),
    form(Phpunit, "Tests: #t, Assertions: #_, Errors: #f", Part),
    form(Phpunit, "Tests: #t, Assertions: #_, Skipped: #s", Part),
    form(Phpunit, "Tests: {} (#_ assertion", Count),
    form(Phpunit, "No tests executed!", NoTests),
    form(Phpunit, "INFO No tests found.", NoTests),
    form(Phpstan, "[OK] No errors", Pass),
    form(Phpstan, "[ERROR] Found #_ error", Fail),
    form(Phpstan, "No errors found!", Pass),
    form(Phpstan, "#_ errors found", Fail),
];
