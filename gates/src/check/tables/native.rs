//! C, C++, Swift, Zig and the build tools that serve any language.

use crate::check::runner::Positional::{Ignored, Selector, Targets};
use crate::check::runner::{Runner, runner};
use crate::check::summary::Family;
use crate::check::types::Kind::{Build, Lint, Test};

const C: &[&str] = &["c"];
const SWIFT: &[&str] = &["swift", "c"];

pub(super) const RUNNERS: &[Runner] = &[
    runner("make", &["make", "gmake", "remake", "bmake"], &[], Build)
        .valued(&[
            "-C",
            "--directory",
            "-f",
            "--file",
            "--makefile",
            "-o",
            "-W",
            "-I",
        ])
        .refuses(&[
            "-n",
            "-t",
            "--touch",
            "--dry-run",
            "--just-print",
            "-q",
            "--question",
            "-p",
            "--print-data-base",
        ])
        .never_fails(&["-i", "--ignore-errors"])
        .takes(Targets),
    runner("just", &["just"], &[], Build)
        .valued(&["-f", "--justfile", "-d", "--working-directory", "--set"])
        .refuses(&[
            "-l",
            "--list",
            "--summary",
            "-n",
            "--dry-run",
            "--show",
            "-s",
            "--evaluate",
            "--choose",
        ])
        .takes(Targets),
    runner("task", &["task", "go-task"], &[], Build)
        .valued(&["-d", "--dir", "-t", "--taskfile"])
        .refuses(&["-l", "--list", "-a", "--list-all", "-n", "--dry", "--init"])
        .takes(Targets),
    runner("mise", &["mise"], &[], Build)
        .valued(&["-C", "--cd", "-j", "--jobs", "-E"])
        .refuses(&["ls", "info", "edit", "add", "-n", "--dry-run"])
        .takes(Targets),
    runner("ninja", &["ninja", "samu"], &[], Build)
        .languages(C)
        .prints(&[Family::Compiler, Family::Ctest, Family::Gtest])
        .valued(&["-C", "-j", "-f", "-k", "-l"])
        .refuses(&["-n", "-t"])
        .takes(Targets),
    runner("ctest", &["ctest"], &[], Test)
        .languages(C)
        .prints(&[Family::Ctest])
        .refuses(&["-N", "--show-only"])
        .valued(&[
            "-C",
            "--build-config",
            "-j",
            "--parallel",
            "--test-dir",
            "--timeout",
            "--preset",
            "-S",
        ])
        .selects(&[
            "-R",
            "--tests-regex",
            "-E",
            "--exclude-regex",
            "-L",
            "--label-regex",
            "-I",
        ])
        .takes(Ignored),
    runner("cmake-build", &["cmake"], &[], Build)
        .languages(C)
        .prints(&[Family::Compiler, Family::Make, Family::Ctest])
        .needs(&["--build"])
        .refuses(&["clean", "install"])
        .takes(Ignored),
    runner("meson-test", &["meson"], &["test"], Test)
        .languages(C)
        .takes(Selector)
        .valued(&["-C"]),
    runner("meson-build", &["meson"], &["compile"], Build)
        .languages(C)
        .prints(&[Family::Compiler])
        .valued(&["-C"])
        .takes(Ignored),
    runner(
        "compiler",
        &["gcc", "g++", "clang", "clang++", "cc", "c++", "nvcc"],
        &[],
        Build,
    )
    .languages(C)
    .prints(&[Family::Compiler])
    .refuses(&["-E", "-M", "-MM", "-v", "-dumpversion", "-###"])
    .valued(&["-o", "-I", "-L", "-l", "-include", "-isystem", "-x"])
    .silent(),
    runner(
        "clang-tidy",
        &["clang-tidy", "cppcheck", "cpplint"],
        &[],
        Lint,
    )
    .languages(C)
    .prints(&[Family::Compiler]),
    runner("swift-test", &["swift"], &["test"], Test)
        .languages(SWIFT)
        .prints(&[Family::Swift])
        .refuses(&["list", "--list-tests"])
        .valued(&["--package-path", "-c", "--configuration"])
        .selects(&["--filter", "--skip"])
        .takes(Ignored),
    runner("swift-build", &["swift"], &["build"], Build)
        .languages(SWIFT)
        .prints(&[Family::Swift, Family::Compiler])
        .valued(&["--package-path", "-c", "--configuration"])
        .selects(&["--target", "--product"])
        .takes(Ignored),
    runner("swiftlint", &["swiftlint", "swiftformat"], &[], Lint)
        .languages(&["swift"])
        .takes(Ignored),
    runner("xcodebuild-test", &["xcodebuild"], &[], Test)
        .languages(SWIFT)
        .prints(&[Family::Xcode, Family::Swift])
        .needs(&["test", "test-without-building"])
        .refuses(&[
            "-list",
            "-showBuildSettings",
            "-showdestinations",
            "-version",
        ])
        .selects(&["-only-testing", "-skip-testing"])
        .takes(Ignored),
    runner("xcodebuild", &["xcodebuild"], &[], Build)
        .languages(SWIFT)
        .prints(&[Family::Xcode])
        .refuses(&[
            "-list",
            "-showBuildSettings",
            "-showdestinations",
            "-version",
            "clean",
        ])
        .takes(Ignored),
    runner("swiftc", &["swiftc"], &[], Build)
        .languages(&["swift"])
        .prints(&[Family::Compiler]),
    runner("zig-test", &["zig"], &["test"], Test)
        .languages(&["zig"])
        .prints(&[Family::Zig])
        .selects(&["--test-filter"]),
    runner(
        "zig-build",
        &["zig"],
        &["build", "build-exe", "build-lib", "ast-check"],
        Build,
    )
    .languages(&["zig"])
    .prints(&[Family::Zig])
    .takes(Targets),
    runner(
        "bazel-test",
        &["bazel", "bazelisk"],
        &["test", "coverage"],
        Test,
    )
    .prints(&[Family::Bazel])
    .refuses(&["--nobuild"])
    .selects(&["--test_filter", "--test_tag_filters"])
    .takes(Selector)
    .whole(&["//...", "..."]),
    runner("bazel-build", &["bazel", "bazelisk"], &["build"], Build)
        .prints(&[Family::Bazel])
        .takes(Selector)
        .whole(&["//...", "..."]),
    runner(
        "buck",
        &["buck2", "buck", "pants", "please", "plz"],
        &["test", "build", "check", "lint"],
        Test,
    )
    .takes(Ignored),
    runner("scons", &["scons"], &[], Build)
        .languages(C)
        .refuses(&["-c", "-n"])
        .takes(Ignored),
];
