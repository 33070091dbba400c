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

#[test]
fn what_nobody_waits_for_or_something_replaces_is_no_pass() {
    let commands = [
        "docker run -d img pytest",
        "docker run -itd img pytest",
        "docker exec -d c pytest",
        "docker compose run --detach api pytest",
        "setsid -f pytest",
        "setsid --fork pytest",
        "sudo -b pytest",
        "sudo -nb pytest",
        "docker run --entrypoint true img pytest",
        "docker run --entrypoint=/bin/true img pytest -q",
        "docker compose run --entrypoint true api pytest",
        "make test SHELL=/bin/true",
        "go test -exec true ./...",
        "npm test --script-shell=true",
        "npm --script-shell true test",
        "export npm_config_script_shell=true; npm test",
        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=true cargo test",
        "CARGO=true cargo test",
    ];
    for command in commands {
        assert!(!passes(command, ""), "{command}");
    }
}

#[test]
fn what_a_shell_only_reads_or_leaves_is_no_pass() {
    let commands = [
        "bash -n -c 'pytest'",
        "bash -nc pytest",
        "bash --norc -n -c pytest",
        "bash -o noexec -c pytest",
        "bash -en scripts/test.sh",
        "python3 -V -m pytest",
        "for ((i=0;i<0;i++)); do pytest; done",
        "builtin exit 0; pytest",
        "command exit 0; pytest",
        "trap 'exit 0' SIGEXIT; pytest",
        "trap 'exit 0' exit; pytest",
        "trap -- 'exit 0' EXIT; pytest",
        "trap '\\exit 0' EXIT; pytest",
        "trap '{ exit 0;}' EXIT; pytest",
        "trap 'exec true' EXIT; pytest",
        "f() { exit 0; }; trap f EXIT; pytest",
        "trap 'f' EXIT; f() { if true; then exit 0; fi; }; pytest",
        "export MAKEFLAGS=n; make test",
        "GNUMAKEFLAGS=-n make test",
        "tox --notest",
        "nox --install-only",
        "npx tsc --noEmit --noCheck",
        "pytest -o addopts=--co",
        "pytest -o addopts='--collect-only -q'",
        "pytest --override-ini=addopts=--co",
        "script -qc pytest /dev/null",
        "printf '' | xargs -r pytest",
        "git diff --name-only | xargs -0r pytest",
        "git diff --name-only | xargs --no-run-if-empty pytest",
    ];
    for command in commands {
        assert!(!passes(command, ""), "{command}");
    }
}

#[test]
fn what_resembles_those_still_passes() {
    let cases = [
        ("docker run -it --rm -e MODE=d img pytest -q", ""),
        ("docker run -vdata:/d img pytest -q", ""),
        ("docker run --rm --entrypoint pytest img -q tests", ""),
        ("docker run --entrypoint '' img pytest -q", ""),
        (
            "docker compose run --rm --entrypoint sh api -c 'pytest -q'",
            "",
        ),
        ("sudo -u bob pytest -q", ""),
        ("sudo -ubob pytest -q", ""),
        ("setsid -w pytest -q", ""),
        ("make test SHELL=/bin/bash", ""),
        ("CI=true npm test", ""),
        ("SHELL=/bin/sh make test", ""),
        ("go test -exec sudo ./...", ""),
        ("MAKEFLAGS=-j4 make test", ""),
        ("export MAKEFLAGS='j8 --no-print-directory'; make test", ""),
        ("pytest -o addopts='' -q", ""),
        ("pytest -o log_cli=true", ""),
        ("script -qec 'pytest -q' /dev/null", ""),
        (
            "script -qc 'pytest -q' /dev/null",
            ".....\n5 passed in 0.10s",
        ),
        (
            "git diff --name-only | xargs -r pytest -q",
            "5 passed in 0.10s",
        ),
        ("git diff --name-only | xargs -r flake8", ""),
        ("ls tests/*.py | xargs pytest -q", ""),
        ("cleanup() { rm -f x; }; trap cleanup EXIT; pytest -q", ""),
        (
            "cleanup() { code=$?; rm -f x; exit $code; }; trap cleanup EXIT INT; pytest -q",
            "",
        ),
        ("trap 'exit 0' INT TERM; pytest -q", ""),
        ("trap 'kill $PID' EXIT; pytest -q", ""),
        (
            "for ((i=0;i<3;i++)); do pytest -q || exit 1; done",
            "5 passed in 0.10s",
        ),
        ("command pytest -q", ""),
        ("bash -euo pipefail -c 'pytest -q'", ""),
        ("bash -e scripts/test.sh", ""),
        ("python3 -B -m pytest -q", ""),
        ("tox -e py311 -- -n 4", ""),
    ];
    for (command, output) in cases {
        assert!(passes(command, output), "{command}");
    }
}
