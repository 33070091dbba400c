//! Java, Kotlin and Scala.

use crate::check::runner::Positional::{Ignored, Targets};
use crate::check::runner::{Runner, runner};
use crate::check::summary::Family;
use crate::check::types::Kind::{Build, Lint, Test};

const JVM: &[&str] = &["jvm"];

pub(super) const RUNNERS: &[Runner] = &[
    runner("gradle", &["gradle", "gradlew", "gradlew.bat"], &[], Test)
        .languages(JVM)
        .prints(&[Family::Gradle])
        .refuses(&[
            "tasks",
            "help",
            "dependencies",
            "properties",
            "projects",
            "--status",
            "--stop",
            "--dry-run",
            "-m",
        ])
        .valued(&[
            "-p",
            "--project-dir",
            "-b",
            "-x",
            "--exclude-task",
            "--console",
            "--max-workers",
            "-I",
        ])
        .selects(&["--tests"])
        .takes(Targets),
    runner("maven", &["mvn", "mvnw", "mvnd", "mvnw.cmd"], &[], Test)
        .languages(JVM)
        .prints(&[Family::Maven])
        .valued(&["-f", "--file", "-P", "-s", "--settings", "-T", "-l"])
        .selects(&["-Dtest", "-Dit.test", "-pl", "--projects", "-rf"])
        .never_fails(&[
            "-Dmaven.test.failure.ignore",
            "-Dmaven.test.failure.ignore=true",
            "-fn",
            "--fail-never",
        ])
        .takes(Targets),
    runner("sbt", &["sbt", "sbtn", "bleep"], &[], Test)
        .languages(JVM)
        .prints(&[Family::Sbt])
        .takes(Targets),
    runner("mill", &["mill"], &[], Test)
        .languages(JVM)
        .takes(Targets),
    runner(
        "lein-test",
        &["lein", "bb"],
        &["test", "midje", "eftest"],
        Test,
    )
    .languages(JVM)
    .takes(Ignored),
    runner("javac", &["javac", "kotlinc", "scalac"], &[], Build)
        .languages(JVM)
        .prints(&[Family::Compiler]),
    runner("ktlint", &["ktlint", "detekt", "checkstyle"], &[], Lint).languages(JVM),
];
