//! The final summaries of runners.

use super::{call, expect};
use receipt_gates::check::{Basis, Outcome};

use Outcome::{Failed, Passed, Unknown};

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
