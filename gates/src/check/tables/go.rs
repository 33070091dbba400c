//! Go.

use crate::check::runner::Positional::{Ignored, Targets};
use crate::check::runner::{Runner, runner};
use crate::check::summary::Family;
use crate::check::types::Kind::{Build, Lint, Test};

const GO: &[&str] = &["go"];
const VALUES: &[&str] = &[
    "-C",
    "-count",
    "-timeout",
    "-coverprofile",
    "-covermode",
    "-coverpkg",
    "-tags",
    "-p",
    "-parallel",
    "-cpu",
    "-o",
    "-mod",
    "-ldflags",
    "-gcflags",
    "-benchtime",
    "-bench",
    "-modfile",
    "-shuffle",
    "-f",
    "--format",
    "--junitfile",
    "--config",
    "-c",
    "--timeout",
    "-j",
    "--output",
    "-vettool",
    "-exec",
];

pub(super) const RUNNERS: &[Runner] = &[
    runner("go-test", &["go"], &["test"], Test)
        .languages(GO)
        .prints(&[Family::Go, Family::GoBuild])
        .refuses(&["-list", "-n"])
        .valued(VALUES)
        .selects(&["-run", "-skip", "-fuzz", "-test.run"])
        .builds_only(&["-c"])
        .whole(&["./...", "..."]),
    runner(
        "go-test",
        &["gotestsum", "richgo", "ginkgo", "gotest"],
        &[],
        Test,
    )
    .languages(GO)
    .prints(&[Family::Go, Family::GoBuild])
    .valued(VALUES)
    .selects(&["-run", "-skip", "--focus", "--skip"])
    .watches(&["--watch", "watch"])
    .whole(&["./...", "test"]),
    runner("go-vet", &["go"], &["vet"], Lint)
        .languages(GO)
        .prints(&[Family::GoBuild])
        .valued(VALUES)
        .silent()
        .whole(&["./...", "..."]),
    runner("go-build", &["go"], &["build", "install"], Build)
        .languages(GO)
        .prints(&[Family::GoBuild])
        .valued(VALUES)
        .silent()
        .whole(&["./...", "...", "."]),
    runner("golangci-lint", &["golangci-lint"], &["run"], Lint)
        .languages(GO)
        .prints(&[Family::Golangci])
        .valued(VALUES)
        .selects(&["-E", "--enable", "--enable-only", "--new-from-rev"])
        .never_fails(&["--issues-exit-code=0"])
        .silent()
        .whole(&["./...", "..."]),
    runner(
        "staticcheck",
        &[
            "staticcheck",
            "revive",
            "errcheck",
            "gosec",
            "govulncheck",
            "ineffassign",
        ],
        &[],
        Lint,
    )
    .languages(GO)
    .prints(&[Family::GoBuild])
    .valued(VALUES)
    .silent()
    .whole(&["./...", "..."]),
    runner("mage", &["mage"], &[], Test)
        .languages(GO)
        .takes(Targets),
    runner("goreleaser", &["goreleaser"], &["build", "check"], Build)
        .languages(GO)
        .takes(Ignored),
    runner("buf", &["buf"], &["lint", "build", "breaking"], Lint).takes(Ignored),
];
