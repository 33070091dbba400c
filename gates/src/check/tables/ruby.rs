//! Ruby and PHP.

use crate::check::runner::Positional::{Ignored, Targets};
use crate::check::runner::{Runner, runner};
use crate::check::summary::Family;
use crate::check::types::Kind::{Lint, Test, Typecheck};

const RB: &[&str] = &["ruby"];
const PHP: &[&str] = &["php"];

pub(super) const RUNNERS: &[Runner] = &[
    runner(
        "rspec",
        &["rspec", "parallel_rspec", "turbo_tests"],
        &[],
        Test,
    )
    .languages(RB)
    .prints(&[Family::Rspec])
    .refuses(&["--init", "--dry-run"])
    .valued(&[
        "-f",
        "--format",
        "-o",
        "--out",
        "-r",
        "--require",
        "-I",
        "--seed",
        "--order",
    ])
    .selects(&["-e", "--example", "-t", "--tag", "--only-failures"]),
    runner(
        "rails-test",
        &["rails"],
        &["test", "test:all", "test:system", "spec"],
        Test,
    )
    .languages(RB)
    .prints(&[Family::Minitest, Family::Rspec])
    .selects(&["-n", "--name"]),
    runner("minitest", &["minitest", "m"], &[], Test)
        .languages(RB)
        .prints(&[Family::Minitest])
        .selects(&["-n", "--name"]),
    runner("cucumber", &["cucumber"], &[], Test).languages(RB),
    runner("rake", &["rake"], &[], Test)
        .languages(RB)
        .prints(&[Family::Minitest, Family::Rspec, Family::Rubocop])
        .refuses(&["-T", "--tasks", "-P"])
        .takes(Targets),
    runner(
        "rubocop",
        &["rubocop", "standardrb", "reek", "erblint"],
        &[],
        Lint,
    )
    .languages(RB)
    .prints(&[Family::Rubocop])
    .valued(&["-c", "--config", "-f", "--format"])
    .selects(&["--only"])
    .fixes(&[
        "-a",
        "-A",
        "--autocorrect",
        "--auto-correct",
        "--autocorrect-all",
        "--fix",
        "-x",
    ]),
    runner("brakeman", &["brakeman", "bundle-audit"], &[], Lint)
        .languages(RB)
        .takes(Ignored),
    runner("sorbet", &["srb"], &["tc"], Typecheck)
        .languages(RB)
        .takes(Ignored),
    runner("steep", &["steep"], &["check"], Typecheck).languages(RB),
    runner(
        "phpunit",
        &["phpunit", "paratest", "simple-phpunit"],
        &[],
        Test,
    )
    .languages(PHP)
    .prints(&[Family::Phpunit])
    .refuses(&["--list-tests", "--list-suites"])
    .valued(&[
        "-c",
        "--configuration",
        "--bootstrap",
        "--coverage-html",
        "--log-junit",
    ])
    .selects(&["--filter", "--group", "--testsuite"]),
    runner("pest", &["pest"], &[], Test)
        .languages(PHP)
        .prints(&[Family::Phpunit])
        .selects(&["--filter", "--group"]),
    runner("artisan-test", &["artisan"], &["test"], Test)
        .languages(PHP)
        .prints(&[Family::Phpunit])
        .selects(&["--filter", "--testsuite"]),
    runner("phpstan", &["phpstan"], &["analyse", "analyze"], Lint)
        .languages(PHP)
        .prints(&[Family::Phpstan])
        .valued(&["-c", "--configuration", "-l", "--level", "--memory-limit"]),
    runner("psalm", &["psalm", "phan"], &[], Typecheck)
        .languages(PHP)
        .prints(&[Family::Phpstan]),
    runner(
        "phpcs",
        &["phpcs", "pint", "php-cs-fixer", "ecs"],
        &[],
        Lint,
    )
    .languages(PHP)
    .refuses(&["fix"])
    .valued(&["--standard"]),
    runner("php-lint", &["php"], &[], Lint)
        .languages(PHP)
        .needs(&["-l", "--syntax-check"]),
    runner("composer", &["composer"], &[], Test)
        .languages(PHP)
        .refuses(&[
            "install",
            "update",
            "require",
            "remove",
            "show",
            "validate",
            "dump-autoload",
            "global",
        ])
        .takes(Targets),
];
