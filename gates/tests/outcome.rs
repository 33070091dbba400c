//! How checks came out, by exit status, summary, or not known.

use receipt_gates::check::{Basis, Evidence, Judged, Outcome, Qualifier, judge, judge_all, runs};

use Outcome::{Failed, Passed, Skipped, Unknown};

/// A call that ended with `exit`.
fn call(command: &str, exit: i32, output: &str) -> Judged {
    let found = runs(command);
    let run = found
        .first()
        .unwrap_or_else(|| panic!("no check in {command}"));
    let evidence = Evidence {
        exit: Some(exit),
        failed_call: exit != 0,
        output,
        single: found.len() == 1,
        ..Evidence::default()
    };
    judge(run, &evidence)
}

fn expect(cases: &[(&str, i32, &str, Outcome)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(command, exit, output, wanted)| {
            let judged = call(command, *exit, output);
            (judged.outcome != *wanted).then(|| {
                format!("{command} => {exit} {output:?}: wanted {wanted:?}, got {judged:?}")
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

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
fn nothing_checked_is_no_pass() {
    let cases = [
        (
            "pytest",
            5,
            "collected 7 items / 7 deselected\n==== 7 deselected in 0.02s ====",
            Qualifier::NoTests,
        ),
        (
            "pytest tests/test_b.py -k x",
            5,
            "==== no tests ran in 0.02s ====",
            Qualifier::NoTests,
        ),
        (
            "pytest",
            0,
            "==== 4 skipped in 0.02s ====",
            Qualifier::AllSkipped,
        ),
        (
            "cargo test",
            0,
            "running 0 tests\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured",
            Qualifier::NoTests,
        ),
        (
            "npx jest",
            1,
            "No tests found, exiting with code 1",
            Qualifier::NoTests,
        ),
        (
            "npx jest --passWithNoTests",
            0,
            "No tests found, exiting with code 0",
            Qualifier::NoTests,
        ),
        (
            "npx jest --passWithNoTests",
            0,
            "",
            Qualifier::PassWithNoTests,
        ),
        (
            "npx vitest run",
            1,
            "No test files found, exiting with code 1",
            Qualifier::NoTests,
        ),
        (
            "go test -run Nope ./...",
            0,
            "ok  \tex/a\t0.1s [no tests to run]",
            Qualifier::NoTests,
        ),
        (
            "go test ./...",
            0,
            "?   \tex/b\t[no test files]",
            Qualifier::NoTests,
        ),
        (
            "python -m unittest",
            0,
            "Ran 0 tests in 0.000s\n\nOK",
            Qualifier::NoTests,
        ),
        (
            "python -m unittest",
            5,
            "Ran 0 tests in 0.000s\n\nNO TESTS RAN",
            Qualifier::NoTests,
        ),
        (
            "node --test",
            0,
            "# tests 0\n# pass 0\n# fail 0",
            Qualifier::NoTests,
        ),
        (
            "scripts/run_tests.sh",
            0,
            "0 tests passed, 0 failed (100% complete)",
            Qualifier::NoTests,
        ),
        (
            "just test 2>&1 | tail -25",
            0,
            "     Running examples/demo.rs\nrunning 0 tests\ntest result: ok. 0 passed; 0 failed; 0 ignored",
            Qualifier::NoTests,
        ),
        (
            "npx vitest --watch",
            0,
            "Tests  3 passed (3)",
            Qualifier::WatchMode,
        ),
        (
            "npx tsc -w",
            0,
            "Found 0 errors. Watching for file changes.",
            Qualifier::WatchMode,
        ),
        (
            "npx nx test lib",
            0,
            " 12 passed\n NX   Successfully ran target test for project lib\n Nx read the output from the cache instead of running the command for 1 out of 1 tasks.",
            Qualifier::Cached,
        ),
        (
            "npx turbo run test",
            0,
            " Tasks:    2 successful, 2 total\nCached:    2 cached, 2 total\n  Time:    90ms >>> FULL TURBO",
            Qualifier::Cached,
        ),
        ("ctest", 0, "No tests were found!!!", Qualifier::NoTests),
        (
            "vendor/bin/phpunit",
            0,
            "No tests executed!",
            Qualifier::NoTests,
        ),
        ("a || pytest", 0, "", Qualifier::Conditional),
    ];
    for (command, exit, output, qualifier) in cases {
        let judged = call(command, exit, output);
        assert_eq!(judged.outcome, Unknown, "{command} {output:?} {judged:?}");
        assert!(
            judged.qualifiers.contains(&qualifier),
            "{command}: {judged:?}"
        );
    }
    assert_eq!(call("a || pytest", 0, "3 passed in 0.1s").outcome, Passed);
    let cargo = "running 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored";
    let judged = call("cargo test", 0, cargo);
    assert_eq!((judged.outcome, judged.executed), (Passed, Some(3)));
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

/// Behind a pipe the summary decides: a red and a green output of each runner.
#[test]
fn summaries_decide_behind_pipes() {
    let cases: &[(&str, &str, &str)] = &[
        (
            "pytest",
            "FAILED tests/a.py::t - assert\n===== 1 failed, 6 passed in 0.31s =====",
            "===== 7 passed in 0.31s =====",
        ),
        (
            "pytest",
            "1 failed, 6 passed in 0.31s",
            "7 passed, 2 warnings in 65.12s (0:01:05)",
        ),
        (
            "pytest",
            "!!!!!!! Interrupted: 1 error during collection !!!!!!!\n=== 1 error in 0.1s ===",
            "7 passed, 1 skipped in 1.00s",
        ),
        (
            "python -m unittest",
            "FAIL: test_a (a.T.test_a)\nRan 3 tests in 0.001s\n\nFAILED (failures=1)",
            "Ran 3 tests in 0.001s\n\nOK",
        ),
        (
            "python -m unittest",
            "Ran 3 tests in 0.001s\n\nFAILED (errors=1)",
            "Ran 3 tests in 0.001s\n\nOK (skipped=1)",
        ),
        (
            "cargo test",
            "test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured",
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured",
        ),
        (
            "cargo test",
            "error: could not compile `x` (lib) due to 1 previous error",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured",
        ),
        (
            "cargo test",
            "error[E0425]: cannot find value",
            "test result: ok. 3 passed; 0 failed; 1 ignored",
        ),
        (
            "cargo nextest run",
            "     Summary [   0.123s] 10 tests run: 9 passed, 1 failed, 2 skipped",
            "     Summary [   0.123s] 10 tests run: 10 passed, 2 skipped",
        ),
        (
            "cargo build",
            "error: could not compile `x` (lib) due to 1 previous error",
            "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.1s",
        ),
        (
            "npx jest",
            "Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 passed, 3 total",
            "Test Suites: 1 passed, 1 total\nTests:       3 passed, 3 total",
        ),
        (
            "npx jest",
            "Test Suites: 1 failed, 1 total\nTests:       0 total",
            "Test Suites: 2 passed, 2 total\nTests:       1 skipped, 3 passed, 4 total",
        ),
        (
            "npx vitest run",
            " Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 3 passed (4)",
            " Test Files  2 passed (2)\n      Tests  4 passed (4)",
        ),
        (
            "npx vitest run",
            " Test Files  1 failed | 1 passed (2)\n      Tests  3 passed (3)",
            " \u{1b}[2mTest Files \u{1b}[22m \u{1b}[1m\u{1b}[32m2 passed\u{1b}[39m\u{1b}[22m\u{1b}[90m (2)\u{1b}[39m\n \u{1b}[2m     Tests \u{1b}[22m \u{1b}[1m\u{1b}[32m4 passed\u{1b}[39m\u{1b}[22m\u{1b}[90m (4)\u{1b}[39m",
        ),
        (
            "npx mocha",
            "  3 passing (10ms)\n  1 failing\n",
            "  3 passing (10ms)\n  1 pending\n",
        ),
        (
            "npx playwright test",
            "  1 failed\n    [chromium] a\n  2 passed (3.5s)",
            "  1 skipped\n  2 passed (3.5s)",
        ),
        (
            "bun test",
            " 3 pass\n 1 fail\nRan 4 tests across 1 file. [10ms]",
            " 4 pass\n 0 fail\nRan 4 tests across 1 file. [10ms]",
        ),
        (
            "go test ./...",
            "--- FAIL: TestSum (0.00s)\nFAIL\nFAIL\tex/a\t0.1s\nFAIL",
            "ok  \tex/a\t0.1s\nok  \tex/b\t(cached)",
        ),
        (
            "go test ./...",
            "FAIL\tex/a [build failed]",
            "ok  \tex/a\t0.1s\tcoverage: 50.0% of statements",
        ),
        ("go vet ./...", "# ex/a\n./a.go:3:2: undefined: x", ""),
        (
            "npx tsc --noEmit",
            "src/a.ts(1,2): error TS2322: Type 'x'",
            "",
        ),
        (
            "npx tsc --noEmit",
            "src/a.ts:1:2 - error TS2322: x\n\nFound 1 error in src/a.ts:1",
            "",
        ),
        (
            "npx eslint .",
            "✖ 3 problems (1 error, 2 warnings)",
            "✖ 2 problems (0 errors, 2 warnings)",
        ),
        (
            "npx biome check .",
            "Found 2 errors.",
            "Checked 10 files in 5ms. No fixes applied.",
        ),
        (
            "npx prettier --check .",
            "[warn] a.ts\n[warn] Code style issues found in the above file.",
            "All matched files use Prettier code style!",
        ),
        (
            "ruff check .",
            "Found 3 errors.\n[*] 1 fixable with the `--fix` option.",
            "All checks passed!",
        ),
        (
            "ruff check --fix .",
            "Found 3 errors (2 fixed, 1 remaining).",
            "Found 3 errors (3 fixed, 0 remaining).",
        ),
        (
            "ruff format --check .",
            "Would reformat: a.py\n1 file would be reformatted",
            "3 files already formatted",
        ),
        (
            "black --check .",
            "would reformat a.py\nOh no! 💥 💔 💥\n1 file would be reformatted.",
            "All done! ✨ 🍰 ✨\n3 files would be left unchanged.",
        ),
        (
            "mypy src",
            "src/a.py:1: error: x  [attr]\nFound 1 error in 1 file (checked 3 source files)",
            "Success: no issues found in 3 source files",
        ),
        (
            "pyright",
            "1 error, 0 warnings, 0 informations",
            "0 errors, 0 warnings, 0 informations",
        ),
        ("flake8", "a.py:1:2: E501 line too long", ""),
        (
            "./gradlew test",
            "3 tests completed, 1 failed\n\nBUILD FAILED in 3s",
            "BUILD SUCCESSFUL in 3s",
        ),
        (
            "mvn test",
            "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE",
            "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS",
        ),
        (
            "dotnet test",
            "Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5",
            "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5",
        ),
        (
            "bundle exec rspec",
            "10 examples, 1 failure",
            "10 examples, 0 failures, 1 pending",
        ),
        (
            "rails test",
            "10 runs, 20 assertions, 1 failures, 0 errors, 0 skips",
            "10 runs, 20 assertions, 0 failures, 0 errors, 0 skips",
        ),
        (
            "vendor/bin/phpunit",
            "FAILURES!\nTests: 31, Assertions: 80, Failures: 1.",
            "OK (31 tests, 80 assertions)",
        ),
        (
            "vendor/bin/phpstan analyse",
            " [ERROR] Found 3 errors",
            " [OK] No errors",
        ),
        (
            "ctest",
            "80% tests passed, 1 tests failed out of 5",
            "100% tests passed, 0 tests failed out of 5",
        ),
        ("make", "make: *** [Makefile:3: all] Error 2", "x"),
        (
            "make test",
            "make[1]: *** [Makefile:3: test] Error 1\nmake: *** [Makefile:9: test] Error 2",
            "100% tests passed, 0 tests failed out of 5",
        ),
        (
            "npm test",
            "npm ERR! code ELIFECYCLE",
            "Tests:       3 passed, 3 total",
        ),
        (
            "pnpm test",
            " ELIFECYCLE  Test failed. See above for more details.",
            "      Tests  4 passed (4)",
        ),
        (
            "pnpm -r test",
            "packages/a test:       Tests  1 failed | 3 passed (4)",
            "packages/a test:  Test Files  1 passed (1)\npackages/a test:       Tests  4 passed (4)",
        ),
        (
            "node --test",
            "# tests 4\n# pass 3\n# fail 1",
            "# tests 4\n# pass 4\n# fail 0",
        ),
        (
            "node --test",
            "ℹ tests 4\nℹ pass 3\nℹ fail 1",
            "ℹ tests 4\nℹ pass 4\nℹ fail 0",
        ),
        (
            "mix test",
            "10 tests, 1 failure",
            "1 doctest, 10 tests, 0 failures",
        ),
        (
            "swift test",
            "\t Executed 5 tests, with 1 failure (0 unexpected) in 0.1 (0.2) seconds",
            "\t Executed 5 tests, with 0 failures (0 unexpected) in 0.1 (0.2) seconds",
        ),
        (
            "xcodebuild test",
            "** TEST FAILED **",
            "** TEST SUCCEEDED **",
        ),
        (
            "deno test",
            "FAILED | 1 passed | 1 failed (5ms)",
            "ok | 2 passed | 0 failed (5ms)",
        ),
        (
            "sbt test",
            "[error] Failed: Total 5, Failed 1, Errors 0, Passed 4",
            "[info] Passed: Total 5, Failed 0, Errors 0, Passed 5",
        ),
        (
            "bazel test //...",
            "Executed 1 out of 1 test: 1 fails locally.",
            "Executed 3 out of 3 tests: 3 tests pass.",
        ),
        (
            "zig build test",
            "Build Summary: 3/5 steps succeeded; 1 failed",
            "All 3 tests passed.",
        ),
        (
            "terraform validate",
            "Error: Unsupported argument",
            "Success! The configuration is valid.",
        ),
        (
            "pre-commit run -a",
            "ruff.....................Failed\nblack....................Passed",
            "ruff.....................Passed",
        ),
        ("golangci-lint run", "3 issues:\n* errcheck: 3", "0 issues."),
        (
            "npx cypress run",
            "  ✖  1 of 3 failed (33%)",
            "  ✔  All specs passed!",
        ),
        (
            "./run_tests.sh",
            "12 tests: 11 ok, 1 FAILED",
            "12 tests: 12 ok, 0 FAILED",
        ),
    ];
    let mut wrong = Vec::new();
    for (command, red, green) in cases {
        let piped = format!("{command} 2>&1 | tail -20");
        for (output, wanted) in [(red, Failed), (green, Passed)] {
            let wanted = if *output == "x" || (output.is_empty() && *command == "flake8") {
                None
            } else {
                Some(wanted)
            };
            let judged = call(&piped, 0, output);
            if wanted
                .is_some_and(|wanted| judged.outcome != wanted || judged.basis != Basis::Summary)
            {
                wrong.push(format!("{piped}: {output:?} {judged:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn without_a_summary_a_masked_status_is_not_known() {
    expect(&[
        ("pytest | tail -3", 0, "some text", Unknown),
        ("pytest || true", 0, "", Unknown),
        ("pytest; echo done", 0, "done", Unknown),
        ("shellcheck a.sh | head", 0, "", Unknown),
        ("make 2>&1 | tail -3", 0, "gcc -c a.c", Unknown),
        (
            "pytest > out.log; tail -3 out.log",
            0,
            "===== 1 failed in 0.1s =====",
            Failed,
        ),
        (
            "cargo fmt --all --check | tail -1 && echo OK",
            0,
            "+    let x = 1;\nOK",
            Unknown,
        ),
        (
            "cargo fmt --check 2>&1 | head -20",
            0,
            "Diff in /a/b.rs:3:\n-a\n+b",
            Failed,
        ),
        (
            "go test ./... -count=1 2>&1 | grep -E '^(FAIL|ok)' | grep -c '^FAIL'",
            1,
            "0",
            Unknown,
        ),
        ("go test ./... | head -3", 0, "ok  \tex/a\t0.1s", Unknown),
        ("npx tsc --noEmit | grep 'error TS'", 1, "", Passed),
        (
            "npx tsc --noEmit | grep 'error TS'",
            0,
            "a.ts(1,2): error TS2322: x",
            Failed,
        ),
        ("npx tsc --noEmit | wc -l", 0, "0", Unknown),
        ("npx tsc --noEmit > /dev/null; true", 0, "", Unknown),
    ]);
    let judged = call("pytest | tail", 0, "text");
    assert!(judged.qualifiers.contains(&Qualifier::MaskedExit));
}

#[test]
fn an_echo_for_each_end_tells_it() {
    expect(&[
        ("npx tsc --noEmit && echo OK || echo BAD", 0, "OK", Passed),
        ("npx tsc --noEmit && echo OK || echo BAD", 0, "BAD", Failed),
        (
            "cd x && pytest -q && echo OK || echo BAD",
            0,
            "text\nBAD",
            Failed,
        ),
        (
            "pytest -q || echo \"tests failed\"",
            0,
            "text\ntests failed",
            Failed,
        ),
        ("pytest -q || echo \"tests failed\"", 0, "text", Passed),
        (
            "pytest -q | tail -1 && echo OK || echo BAD",
            0,
            "text\nOK",
            Unknown,
        ),
        ("npm ci && pytest && echo OK || echo BAD", 0, "BAD", Unknown),
        ("a || pytest || echo BAD", 0, "text", Unknown),
        ("pytest && echo OK || echo BAD; ls", 0, "OK\nfile", Passed),
        ("pytest || echo $x", 0, "", Unknown),
    ]);
}

/// Words that a green run, or a neighbour in the same call, may print.
#[test]
fn common_words_are_no_summaries() {
    expect(&[
        (
            "make test | tail",
            0,
            "Error: connection refused\nSyntaxError: bad\n[error] boom",
            Unknown,
        ),
        (
            "make test | tail",
            0,
            "ERROR something - went wrong\nERROR: noise (again)",
            Unknown,
        ),
        (
            "npm test | tail",
            0,
            "Error: nope\nTests:       3 passed, 3 total",
            Passed,
        ),
        (
            "./scripts/test.sh | tail -1 && echo OK",
            0,
            "fine\nOK",
            Unknown,
        ),
        ("make test | tail; echo PASS", 0, "PASS", Unknown),
        (
            "node --test | tail",
            0,
            "# tests 2\n# pass 1\n# fail 1\n# cancelled 0\n# skipped 0",
            Failed,
        ),
        (
            "node --test | tail",
            0,
            "# tests 2\n# pass 2\n# fail 0\n# cancelled 1\n# skipped 0",
            Failed,
        ),
        (
            "npx mocha x",
            1,
            "Error: No test files found: \"x\"",
            Unknown,
        ),
        (
            "npx eslint nofile.js",
            2,
            "Oops! Something went wrong! :(\n\nNo files matching the pattern \"nofile.js\" were found.",
            Unknown,
        ),
        (
            "ruff format --check a.py b.py | tail",
            0,
            "error: Failed to parse a.py:1:7\n1 file already formatted",
            Failed,
        ),
    ]);
}

#[test]
fn printed_statuses_are_believed_only_next_to_the_check() {
    expect(&[
        ("pytest; echo \"exit=$?\"", 0, "text\nexit=0", Passed),
        ("pytest; echo \"exit=$?\"", 0, "text\nexit=1", Failed),
        ("pytest; echo $?", 0, "text\n1", Failed),
        (
            "pytest -q | tail -3; echo ${PIPESTATUS[0]}",
            0,
            "text\n1",
            Failed,
        ),
        (
            "./scripts/check.sh | tail -3; echo \"exit=$?\"",
            0,
            "lint: 4 problems\ncheck.sh: FAILED\nexit=0",
            Failed,
        ),
        (
            "./scripts/check.sh | tail -3; echo \"exit=$?\"",
            0,
            "fine\nexit=0",
            Unknown,
        ),
        ("pytest; ls; echo $?", 0, "0", Unknown),
    ]);
}

#[test]
fn a_lost_status_is_told_by_the_summary() {
    expect(&[
        (
            "rtk test cargo test",
            0,
            "test result: FAILED. 3 passed; 1 failed; 0 ignored",
            Failed,
        ),
        (
            "./run_tests.sh | tee report.txt",
            0,
            "12 tests: 11 ok, 1 FAILED",
            Failed,
        ),
        (
            "npm test",
            0,
            "Tests:       1 failed, 2 passed, 3 total",
            Failed,
        ),
        (
            "pytest",
            0,
            "===== 1 failed, 2 passed in 0.1s =====",
            Failed,
        ),
        (
            "cargo test && git stash pop",
            0,
            "test result: ok. 3 passed; 0 failed; 0 ignored",
            Passed,
        ),
        (
            "uv run python -m pytest tests/test_slug.py -v 2>&1 | tail -10",
            0,
            "FAILED tests/test_slug.py::test_spaces - assert 'a b' == 'a-b'\n===== 1 failed, 6 passed in 0.31s =====",
            Failed,
        ),
    ]);
}

#[test]
fn failures_of_others_are_not_held_against_a_check() {
    expect(&[
        (
            "pytest && git commit -m x",
            1,
            "===== 3 passed in 0.1s =====\nerror: gpg failed to sign the data",
            Passed,
        ),
        (
            "pytest && git commit -m x",
            1,
            "===== 1 failed in 0.1s =====",
            Failed,
        ),
        ("pytest && git push", 1, "error: failed to push", Unknown),
        (
            "pip install -e . && pytest",
            1,
            "ERROR: No matching distribution",
            Unknown,
        ),
    ]);
    let found = runs("npx eslint . && npx vitest run");
    let output = " Test Files  1 failed (1)\n      Tests  1 failed | 3 passed (4)";
    let evidence = Evidence {
        exit: Some(1),
        failed_call: true,
        output,
        ..Evidence::default()
    };
    assert_eq!(judge(&found[0], &evidence).outcome, Unknown);
    assert_eq!(judge(&found[1], &evidence).outcome, Failed);
    let both = runs("npm run lint | tail -3; npx vitest run | tail -5");
    let output =
        "✖ 1 problem (1 error, 0 warnings)\n Test Files  1 passed (1)\n      Tests  4 passed (4)";
    let evidence = Evidence {
        exit: Some(0),
        output,
        ..Evidence::default()
    };
    assert_eq!(judge(&both[0], &evidence).outcome, Failed);
    assert_eq!(judge(&both[1], &evidence).outcome, Passed);
    let harmless = Evidence {
        exit: Some(1),
        exit_harmless: true,
        output: "",
        single: true,
        ..Evidence::default()
    };
    assert_eq!(
        judge(&runs("pytest | grep x")[0], &harmless).outcome,
        Unknown
    );
}

#[test]
fn names_of_failing_tests_are_kept() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "pytest",
            "FAILED tests/a.py::test_x - assert 1 == 2\nFAILED tests/a.py::test_y - boom\n=== 2 failed in 0.1s ===",
            &["tests/a.py::test_x", "tests/a.py::test_y"],
        ),
        (
            "cargo test",
            "test a::b ... FAILED\ntest result: FAILED. 0 passed; 1 failed",
            &["a::b"],
        ),
        (
            "go test ./...",
            "--- FAIL: TestSum (0.00s)\nFAIL\tex/a\t0.1s",
            &["TestSum"],
        ),
        (
            "python -m unittest",
            "FAIL: test_a (a.T.test_a)\nFAILED (failures=1)",
            &["test_a (a.T.test_a)"],
        ),
        (
            "bun test",
            "(fail) adds > two [0.10ms]\n 0 pass\n 1 fail",
            &["adds > two"],
        ),
        ("node --test", "not ok 1 - adds\n# fail 1", &["adds"]),
    ];
    for (command, output, names) in cases {
        assert_eq!(call(command, 1, output).failing, *names, "{command}");
    }
    let many = "FAILED tests/a.py::t - x\n".to_string()
        + &(0..200)
            .map(|n| format!("FAILED tests/a.py::t{n} - x\n"))
            .collect::<String>();
    assert_eq!(call("pytest", 1, &many).failing.len(), 50);
    assert!(call("pytest", 0, "3 passed in 0.1s").failing.is_empty());
}

#[test]
fn long_outputs_are_read_at_both_ends() {
    let noise = "log line about nothing\n".repeat(50_000);
    expect(&[
        (
            "pytest | tail -100000",
            0,
            &format!("{noise}===== 2 failed, 10 passed in 3.00s ====="),
            Failed,
        ),
        (
            "cargo build 2>&1 | cat",
            0,
            &format!("error: could not compile `x`\n{noise}"),
            Failed,
        ),
        (
            "pytest | cat",
            0,
            &format!(
                "{}\n===== 2 failed, 10 passed in 3.00s =====",
                "x".repeat(9_000_000)
            ),
            Failed,
        ),
        (
            "pytest | cat",
            0,
            &format!("{}===== 2 failed", "x".repeat(100)),
            Unknown,
        ),
    ]);
}

#[test]
fn checks_of_one_call_tell_about_each_other() {
    let outcomes = |command: &str, exit: i32, output: &str| -> Vec<Outcome> {
        let evidence = Evidence {
            exit: Some(exit),
            failed_call: exit != 0,
            output,
            ..Evidence::default()
        };
        judge_all(&runs(command), &evidence)
            .iter()
            .map(|judged| judged.outcome)
            .collect()
    };
    let red = " Test Files  1 failed (1)\n      Tests  1 failed | 3 passed (4)";
    let green = " Test Files  1 passed (1)\n      Tests  4 passed (4)";
    assert_eq!(
        outcomes("npx eslint . && npx vitest run", 1, red),
        [Passed, Failed]
    );
    assert_eq!(
        outcomes("npx eslint . && npx vitest run", 0, green),
        [Passed, Passed]
    );
    assert_eq!(
        outcomes("npx vitest run && npx eslint .", 1, green),
        [Passed, Failed]
    );
    assert_eq!(
        outcomes("npx vitest run && npx eslint . && ./deploy", 1, green),
        [Passed, Unknown]
    );
    assert_eq!(
        outcomes("npx eslint . && npx tsc", 1, ""),
        [Unknown, Unknown]
    );
    assert_eq!(
        outcomes("npx eslint .; npx vitest run", 1, red),
        [Unknown, Failed]
    );
    assert_eq!(outcomes("pytest", 1, ""), [Failed]);
}
