//! Commands that look like a passing check and are none: nothing ran, something
//! else ran, or something else printed the summary.

use receipt_gates::check::{Evidence, Outcome, Planted, judge_all, runs_in};
use receipt_gates::shell;

/// The outcomes of a command's checks, `None` where it has none.
fn outcomes(command: &str, exit: i32, output: &str) -> Vec<Outcome> {
    let segments = shell::segments(command);
    let runs = runs_in(&segments);
    let planted = Planted::new(command, &segments, &runs);
    let evidence = Evidence {
        exit: Some(exit),
        failed_call: exit != 0,
        output,
        planted: Some(&planted),
        ..Evidence::default()
    };
    let judged = judge_all(&runs, &evidence);
    judged.iter().map(|judged| judged.outcome).collect()
}

fn passes(command: &str, output: &str) -> bool {
    outcomes(command, 0, output).contains(&Outcome::Passed)
}

#[test]
fn what_never_ran_is_no_pass() {
    let commands = [
        "exit 0; pytest",
        "exit; pytest",
        "return 0; pytest",
        "{ exit 0; }; pytest",
        "set -n; pytest",
        "set -o noexec; pytest",
        "set -en; pytest",
        "exec true; pytest",
        "bash -c 'exit 0; pytest'",
        "true && exit 0; pytest",
        "[ 1 ] && exit; pytest",
        "if true; then exit 0; fi; pytest",
        "true || exit 0; pytest",
        "f() { exit 0; }; f; pytest",
        "false && pytest; true",
        "if false; then pytest; fi",
        "while false; do pytest; done",
    ];
    for command in commands {
        assert!(!passes(command, ""), "{command}");
    }
}

#[test]
fn what_means_something_else_is_no_pass() {
    let commands = [
        "pytest() { true; }; pytest",
        "function pytest { :; }; pytest",
        "pytest () { echo 3 passed in 0.1s; }; pytest -q",
        "eval 'pytest() { true; }'; pytest",
        "alias pytest=true; pytest",
        "alias a=b pytest='true'; pytest -q",
        "hash -p /bin/true pytest; pytest",
        "trap 'exit 0' EXIT; pytest",
        "trap \"exit\" EXIT; pytest",
        "trap 'rm x; exit 0' 0 1 2; pytest",
    ];
    for command in commands {
        assert!(!passes(command, ""), "{command}");
    }
}

#[test]
fn what_others_printed_is_no_summary() {
    let cases = [
        (
            "pytest >/dev/null; echo \"5 passed in 0.1s\"",
            "5 passed in 0.1s",
        ),
        (
            "[ -f nope ] && pytest; echo \"5 passed in 0.1s\"",
            "5 passed in 0.1s",
        ),
        (
            "pytest -q | tail -1; printf '5 passed in 0.1s\\n'",
            "5 passed in 0.1s",
        ),
        (
            "pytest || printf '%d passed in %ss\\n' 5 0.1",
            "5 passed in 0.1s",
        ),
        (
            "N=5; pytest | head -0; echo \"$N passed in 0.1s\"",
            "5 passed in 0.1s",
        ),
        (
            "pytest; echo \"$((2+3)) passed in 0.1s\"",
            "5 passed in 0.1s",
        ),
        (
            "pytest || cat <<'E'\n5 passed in 0.1s\nE",
            "5 passed in 0.1s",
        ),
        ("pytest || cat <<< '5 passed in 0.1s'", "5 passed in 0.1s"),
        (
            "S='5 passed in 0.1s'; pytest | wc -l; echo \"$S\"",
            "0\n5 passed in 0.1s",
        ),
        ("pytest -q | sed 's/failed/passed/'", "5 passed in 0.1s"),
        (
            "pytest -q | awk '{print \"5 passed in 0.1s\"}'",
            "5 passed in 0.1s",
        ),
        (
            "pytest -q >/dev/null 2>&1; tail -1 old.log",
            "5 passed in 0.1s",
        ),
    ];
    for (command, output) in cases {
        assert!(!passes(command, output), "{command}");
    }
}

#[test]
fn what_people_write_every_day_still_passes() {
    let cases = [
        ("cd x || exit 1; pytest -q", ".....\n5 passed in 0.10s"),
        ("cd x || exit; pytest -q", ""),
        ("[ -d x ] || exit 1\npytest -q", ""),
        ("set -euo pipefail; pytest -q", ""),
        ("set -e\npytest -q | tail -3", "5 passed in 0.10s"),
        ("source .venv/bin/activate && pytest -q", ""),
        ("export PATH=\"$HOME/.cargo/bin:$PATH\"; cargo test", ""),
        ("trap 'rm -f \"$tmp\"' EXIT; pytest -q", ""),
        ("run() { pytest -q; }; run", "5 passed in 0.10s"),
        (
            "t() { (cd api && pytest -q \"$@\"); }; t",
            "5 passed in 0.10s",
        ),
        (
            "pytest -q 2>&1 | tail -3; echo \"exit: ${PIPESTATUS[0]}\"",
            "5 passed in 0.10s\nexit: 0",
        ),
        (
            "OUT=$(pytest -q 2>&1); echo \"$OUT\" | tail -5",
            "5 passed in 0.10s",
        ),
        (
            "pytest -q > out.txt 2>&1; tail -5 out.txt",
            "5 passed in 0.10s",
        ),
        (
            "echo '== tests =='; pytest -q | tail -2; echo \"done: $?\"",
            "== tests ==\n5 passed in 0.10s\ndone: 0",
        ),
        (
            "pytest -q 2>&1 | sed 's/\\x1b\\[[0-9;]*m//g' | tail -5",
            "5 passed in 0.10s",
        ),
        ("pytest -q | grep -E 'passed|failed'", "5 passed in 0.10s"),
        ("pytest -q; exit $?", ""),
        ("exec pytest -q", ""),
    ];
    for (command, output) in cases {
        assert!(
            passes(command, output),
            "{command}: {:?}",
            outcomes(command, 0, output)
        );
    }
}

#[test]
fn functions_that_call_each_other_come_to_an_end() {
    let mut command = String::new();
    for n in 0..12 {
        let calls = format!("f{}; ", n + 1).repeat(400);
        command.push_str(&format!("f{n}() {{ {calls} }}\n"));
    }
    command.push_str("f0; loop() { loop; loop; }; loop; pytest");
    drop(shell::segments(&command));
}

#[test]
fn what_only_lists_or_prepares_is_no_test_run() {
    let commands = [
        "make -t test",
        "make -n test",
        "make -q test",
        "make --touch check",
        "make --dry-run test",
        "pytest --cache-show",
        "pytest --collect-only",
        "pytest --co -q",
        "pytest --setup-plan",
        "pytest --fixtures",
        "pytest --markers",
        "pytest --version",
        "PYTEST_ADDOPTS=--co pytest",
        "export PYTEST_ADDOPTS='--collect-only'; pytest",
        "pytest --setup-only",
        "cargo test --no-run",
        "cargo nextest list",
        "cargo test -- --list",
        "go test -list . ./...",
        "go test -c ./...",
        "go test -n ./...",
        "jest --listTests",
        "npx jest --showConfig",
        "vitest list",
        "npx vitest --help",
        "npx playwright test --list",
        "tsc --version",
        "tsc --showConfig",
        "tsc --init",
        "ruff check --exit-zero .",
        "ruff --version",
        "ruff check --show-files",
        "eslint --print-config a.js",
        "mypy --version",
        "pylint --exit-zero src",
        "ctest -N",
        "ctest --show-only",
        "gradle test --dry-run",
        "./gradlew test -m",
        "gradle build -x test",
        "mvn package -Dmaven.test.skip=true",
        "dotnet test --list-tests",
        "rspec --dry-run",
        "phpunit --list-tests",
        "mix test --help",
        "swift test --list-tests",
        "bazel test --nobuild //...",
        "bazel query //...",
        "sbt 'help test'",
        "zig build --help",
        "deno test --no-run",
        "nox --list",
        "nox -l",
        "tox -l",
        "tox list",
        "pre-commit install",
        "pre-commit --version",
        "terraform validate -help",
        "shellcheck --version",
        "npm test --help",
        "just --list",
        "just -n test",
        "ninja -n test",
        "ninja -t targets",
    ];
    let mut wrong = Vec::new();
    for command in commands {
        let segments = shell::segments(command);
        let runs = runs_in(&segments);
        let judged = outcomes(command, 0, "");
        for (run, outcome) in runs.iter().zip(judged) {
            let test = run.kind == receipt_gates::check::Kind::Test || !command.contains("test");
            if outcome == Outcome::Passed && test {
                wrong.push(format!("{command} -> {} {:?}", run.runner, run.kind));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_goes_into_a_file_is_no_silence() {
    for command in [
        "flake8 src | > out",
        "flake8 src |& >out",
        "flake8 src 22>a | >&3",
    ] {
        assert!(!passes(command, ""), "{command}");
    }
    assert!(passes("flake8 src | cat", ""));
}
