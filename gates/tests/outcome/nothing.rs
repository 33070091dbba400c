//! A run in which nothing was checked.

use super::call;
use receipt_gates::check::{Outcome, Qualifier};

use Outcome::{Passed, Unknown};

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
