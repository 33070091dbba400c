//! The .NET languages.

use crate::check::runner::Positional::Ignored;
use crate::check::runner::{Runner, runner};
use crate::check::summary::Family;
use crate::check::types::Kind::{Build, Format, Test};

const NET: &[&str] = &["csharp"];
const VALUES: &[&str] = &[
    "-c",
    "--configuration",
    "-f",
    "--framework",
    "-o",
    "--output",
    "-v",
    "--verbosity",
    "-r",
    "--runtime",
    "-l",
    "--logger",
    "--collect",
    "--settings",
    "-s",
    "--results-directory",
];

pub(super) const RUNNERS: &[Runner] = &[
    runner("dotnet-test", &["dotnet"], &["test", "vstest"], Test)
        .languages(NET)
        .prints(&[Family::Dotnet])
        .refuses(&["-t", "--list-tests"])
        .valued(VALUES)
        .selects(&["--filter"]),
    runner(
        "dotnet-build",
        &["dotnet"],
        &["build", "msbuild", "publish"],
        Build,
    )
    .languages(NET)
    .prints(&[Family::Dotnet])
    .valued(VALUES),
    runner("dotnet-format", &["dotnet"], &["format"], Format)
        .languages(NET)
        .needs(&["--verify-no-changes"])
        .takes(Ignored),
    runner("msbuild", &["msbuild", "xbuild"], &[], Build)
        .languages(NET)
        .prints(&[Family::Dotnet]),
];
