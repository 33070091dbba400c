//! The exit status comes first, and what did not run has none that counts.

use super::{call, expect};
use receipt_gates::check::{Basis, Evidence, Outcome, Qualifier, judge, runs};

use Outcome::{Failed, Passed, Skipped, Unknown};

#[test]
fn the_exit_status_comes_first() {
    expect(&[
        ("pytest", 0, "===== 3 passed in 0.1s =====", Passed),
        ("pytest", 1, "", Failed),
        ("pytest", 0, "", Passed),
        ("cargo test", 101, "error: could not compile `x`", Failed),
        ("cd x && npm test", 1, "whatever", Failed),
        ("npx tsc --noEmit", 0, "", Passed),
        ("npx tsc --noEmit", 2, "a.ts(1,2): error TS2322: x", Failed),
        ("shellcheck a.sh", 0, "", Passed),
        (
            "go test ./...",
            0,
            "ok  \tex/a\t0.1s\n?   \tex/b\t[no test files]",
            Passed,
        ),
        (
            "bun run test",
            0,
            "Task 2 failed: boom\n 1216 pass\n 0 fail\nRan 1216 tests across 3 files. [1s]",
            Passed,
        ),
        (
            "npm test",
            0,
            "error: Database connection failed\nTests:       5 passed, 5 total",
            Passed,
        ),
        (
            "pytest",
            0,
            "error handling tests passed\n0 failed\n== 3 passed, 1 xfailed in 1.00s ==",
            Passed,
        ),
        (
            "go test ./...",
            0,
            "exit status 1\nok  \tex/a\t0.1s",
            Passed,
        ),
        ("make test", 0, "12 passed, 0 failed", Passed),
        ("set -o pipefail; pytest | tail", 1, "", Failed),
        ("pytest || exit 1", 1, "", Failed),
    ]);
    assert_eq!(call("pytest", 1, "").basis, Basis::Exit);
    assert_eq!(call("pytest", 0, "3 passed in 0.1s").executed, Some(3));
}

#[test]
fn what_did_not_run_did_not_fail() {
    for (command, exit, output) in [
        ("pytest", 127, "bash: line 1: pytest: command not found"),
        ("pytest", 127, "/bin/bash: pytest: command not found"),
        (
            "python -m pytest",
            1,
            "/usr/bin/python: No module named pytest",
        ),
        (
            "npm run lint",
            1,
            "npm error Missing script: \"lint\"\nnpm error",
        ),
        ("npm test", 1, "npm ERR! Missing script: \"test\""),
        ("pnpm lint", 1, " ERR_PNPM_NO_SCRIPT  Missing script: lint"),
        ("bun run test", 1, "error: Script not found \"test\""),
        (
            "./scripts/test.sh",
            127,
            "bash: ./scripts/test.sh: No such file or directory",
        ),
        (
            "./scripts/test.sh",
            126,
            "bash: ./scripts/test.sh: Permission denied",
        ),
        (
            "cd nowhere && pytest",
            1,
            "bash: line 1: cd: nowhere: No such file or directory",
        ),
        (
            "pytest nope.py",
            4,
            "ERROR: file or directory not found: nope.py\n\nno tests ran in 0.01s",
        ),
        (
            "cargo nextest run",
            101,
            "error: no such command: `nextest`",
        ),
        (
            "make test",
            2,
            "make: *** No rule to make target 'test'.  Stop.",
        ),
        (
            "just test",
            1,
            "error: Justfile does not contain recipe `test`",
        ),
        (
            "uv run pytest",
            2,
            "error: Failed to spawn: `pytest`\n  Caused by: No such file or directory (os error 2)",
        ),
        (
            "npx tsc --noEmit",
            1,
            "This is not the tsc command you are looking for",
        ),
        (
            "bundle exec rspec",
            127,
            "bundler: command not found: rspec",
        ),
        (
            "pytest 2>&1 | tail -5",
            0,
            "bash: pytest: command not found",
        ),
    ] {
        let judged = call(command, exit, output);
        assert_eq!(judged.outcome, Unknown, "{command} {output:?} {judged:?}");
    }
    // A test that prints such a line and fails has failed.
    expect(&[
        (
            "pytest",
            1,
            "E   ModuleNotFoundError: No module named 'requests'\n==== 1 error in 0.1s ====",
            Failed,
        ),
        (
            "npm test",
            1,
            "cat: x: No such file or directory\nTests:       1 failed, 1 total",
            Failed,
        ),
    ]);
}

#[test]
fn interruptions_and_refusals_are_no_failures() {
    let run = &runs("pytest")[0];
    let judged = |evidence: Evidence<'_>| {
        judge(
            run,
            &Evidence {
                single: true,
                ..evidence
            },
        )
    };
    let refused = judged(Evidence {
        failed_call: true,
        output: "The user doesn't want to proceed with this tool use.",
        ..Evidence::default()
    });
    assert_eq!(refused.outcome, Skipped);
    assert_eq!(
        judged(Evidence {
            not_run: true,
            ..Evidence::default()
        })
        .outcome,
        Skipped
    );
    let sibling = judged(Evidence {
        failed_call: true,
        output: "<tool_use_error>Sibling tool call errored</tool_use_error>",
        ..Evidence::default()
    });
    assert_eq!(sibling.outcome, Skipped);
    let killed = judged(Evidence {
        exit: Some(137),
        failed_call: true,
        ..Evidence::default()
    });
    assert_eq!(killed.outcome, Unknown);
    assert!(killed.qualifiers.contains(&Qualifier::Interrupted));
    let stopped = judged(Evidence {
        failed_call: true,
        interrupted: true,
        ..Evidence::default()
    });
    assert_eq!(stopped.outcome, Unknown);
    let late = judged(Evidence {
        exit: Some(143),
        failed_call: true,
        output: "Command timed out after 2m 0.0s",
        ..Evidence::default()
    });
    assert!(late.qualifiers.contains(&Qualifier::TimedOut));
    assert_eq!(call("timeout 5 pytest", 124, "").outcome, Unknown);
    let away = judged(Evidence {
        background: true,
        exit: Some(0),
        output: "Command running in background with ID: b9",
        ..Evidence::default()
    });
    assert_eq!(away.outcome, Unknown);
    assert!(away.qualifiers.contains(&Qualifier::Background));
    assert_eq!(call("pytest &", 0, "").outcome, Unknown);
    let old = judged(Evidence {
        failed_call: true,
        output: "E assert 1 == 2",
        ..Evidence::default()
    });
    assert_eq!(old.outcome, Failed);
    assert_eq!(
        judged(Evidence {
            output: "3 passed in 0.1s",
            ..Evidence::default()
        })
        .outcome,
        Passed
    );
    assert_eq!(judged(Evidence::default()).outcome, Unknown);
}
