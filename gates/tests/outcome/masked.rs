//! Where the status of the check itself was lost.

use super::{call, expect};
use receipt_gates::check::{Outcome, Qualifier};

use Outcome::{Failed, Passed, Unknown};

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
