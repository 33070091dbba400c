//! Rust.

use crate::check::runner::Positional::{Ignored, Selector, Targets};
use crate::check::runner::{Runner, runner};
use crate::check::summary::Family;
use crate::check::types::Kind::{Build, Format, Lint, Test};

const RS: &[&str] = &["rust"];
const VALUES: &[&str] = &[
    "--features",
    "-F",
    "--target",
    "--profile",
    "-j",
    "--jobs",
    "--manifest-path",
    "--target-dir",
    "--color",
    "--message-format",
    "--config",
    "-Z",
    "--partitions",
    "--cargo-profile",
    "--test-threads",
    "--retries",
    "-P",
    "--status-level",
    "--final-status-level",
    "--success-output",
    "--failure-output",
    "-W",
    "-D",
    "-A",
    "-F",
    "--lcov",
    "--output-path",
];
const PICKS: &[&str] = &[
    "-p",
    "--package",
    "--test",
    "--bin",
    "--example",
    "--bench",
    "--exclude",
    "-E",
    "--filter-expr",
    "--lib",
    "--bins",
    "--tests",
    "--doc",
    "--examples",
    "--benches",
    "--skip",
    "--exact",
    "--ignored",
];
const NEXTEST: &[Family] = &[Family::Nextest, Family::Rustc];

pub(super) const RUNNERS: &[Runner] = &[
    runner(
        "cargo-nextest",
        &["cargo", "cargo-nextest"],
        &["nextest", "nt"],
        Test,
    )
    .languages(RS)
    .prints(NEXTEST)
    .refuses(&["list", "show-config", "self", "--list", "archive"])
    .valued(VALUES)
    .selects(PICKS)
    .takes(Selector)
    .builds_only(&["--no-run"])
    .whole(&["run", "r"]),
    runner(
        "cargo-test",
        &["cargo", "cross"],
        &["test", "t", "llvm-cov", "tarpaulin", "insta", "miri"],
        Test,
    )
    .languages(RS)
    .prints(&[Family::Cargo, Family::Rustc, Family::Nextest])
    .refuses(&[
        "--list", "review", "accept", "reject", "setup", "clean", "report",
    ])
    .valued(VALUES)
    .selects(PICKS)
    .takes(Selector)
    .builds_only(&["--no-run"])
    .whole(&["test", "nextest"]),
    runner("cargo-clippy", &["cargo"], &["clippy"], Lint)
        .languages(RS)
        .prints(&[Family::Rustc])
        .valued(VALUES)
        .selects(&["-p", "--package", "--test", "--bin", "--lib", "--exclude"])
        .takes(Ignored),
    runner(
        "cargo-build",
        &["cargo", "cross"],
        &["build", "b", "check", "c", "bench", "doc", "rustc"],
        Build,
    )
    .languages(RS)
    .prints(&[Family::Rustc])
    .valued(VALUES)
    .selects(&[
        "-p",
        "--package",
        "--test",
        "--bin",
        "--lib",
        "--exclude",
        "--example",
    ])
    .takes(Ignored),
    runner("cargo-fmt", &["cargo"], &["fmt"], Format)
        .languages(RS)
        .prints(&[Family::Rustfmt])
        .needs(&["--check"])
        .valued(&["-p", "--package", "--manifest-path", "--config"])
        .takes(Ignored),
    runner("rustfmt", &["rustfmt"], &[], Format)
        .languages(RS)
        .prints(&[Family::Rustfmt])
        .needs(&["--check"])
        .valued(&["--edition", "--config"]),
    runner(
        "cargo-deny",
        &["cargo"],
        &["deny", "audit", "machete", "udeps", "semver-checks", "hack"],
        Lint,
    )
    .languages(RS)
    .refuses(&["init", "list", "fetch"])
    .takes(Ignored),
    runner("cargo-make", &["cargo"], &["make", "xtask"], Test)
        .languages(RS)
        .takes(Targets),
    runner("rustc", &["rustc"], &[], Build)
        .languages(RS)
        .prints(&[Family::Rustc])
        .refuses(&["--print", "-vV"]),
    runner("wasm-pack-test", &["wasm-pack"], &["test"], Test)
        .languages(RS)
        .prints(&[Family::Cargo, Family::Rustc]),
    runner(
        "wasm-pack",
        &["wasm-pack", "trunk", "maturin"],
        &["build", "develop"],
        Build,
    )
    .languages(RS)
    .prints(&[Family::Rustc]),
];
