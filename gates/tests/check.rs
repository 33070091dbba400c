//! Which commands run checks, and how much they look at.

mod known;

use receipt_gates::check::{CheckRun, Kind, Qualifier, Scope, runs, runs_in};
use receipt_gates::shell;

fn names(command: &str) -> Vec<(String, Kind)> {
    runs(command)
        .into_iter()
        .map(|run| (run.runner, run.kind))
        .collect()
}

fn one(command: &str) -> CheckRun {
    let mut found = runs(command);
    assert_eq!(found.len(), 1, "{command}: {found:?}");
    found.remove(0)
}

fn expect(cases: &[(&str, &str, Kind)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(command, name, kind)| names(command) != [((*name).to_string(), *kind)])
        .map(|(command, name, kind)| {
            format!(
                "{command}: wanted {name} {kind:?}, got {:?}",
                names(command)
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn mentions_are_no_runs() {
    for command in [
        "which pytest",
        "command -v pytest",
        "type pytest",
        "grep -rn pytest .",
        "rg 'npm test'",
        "pip install pytest",
        "uv add pytest",
        "npm install jest",
        "npm ci",
        "cargo install cargo-nextest",
        "echo \"npm test\"",
        "echo pytest",
        "git commit -m 'run pytest'",
        "git commit -m \"$(cat <<'E'\npytest && npm test\nE\n)\"",
        "cat <<E > a\npytest\nE",
        "cat > run.sh <<'E'\n#!/bin/sh\npytest\nE",
        "python - <<E\nimport pytest\npytest.main()\nE",
        "# pytest",
        "ls # pytest",
        "cat pytest.ini",
        "vim test_a.py",
        "cat tests/test_a.py",
        "ps aux | grep pytest",
        "pkill -f pytest",
        "man make",
        "make clean",
        "make install",
        "make uninstall",
        "make distclean",
        "make help",
        "make format",
        "make -n test",
        "pytest --version",
        "pytest --help",
        "pytest -h",
        "pytest --collect-only",
        "cargo --version",
        "cargo test -- --list",
        "cargo test --help",
        "jest --listTests",
        "npm run",
        "npm run dev",
        "npm run start",
        "npm run test:install",
        "npm run format",
        "npm start",
        "npm run watch",
        "go version",
        "go env",
        "cargo fmt",
        "black .",
        "prettier --write .",
        "ruff format .",
        "terraform plan",
        "python app.py",
        "python -c 'print(\"tests passed\")'",
        "node server.js",
        "test -f x",
        "[ -f pytest ]",
        "/usr/bin/test -f a",
        "python /tmp/check.py",
        "bash /tmp/test.sh",
        "python --version",
        "tsc --version",
        "npx tsc -v",
        "docker ps",
        "docker build -t pytest . --help",
        "gh pr checks",
        "f() { pytest; }",
        "grep -- --selftest a",
        "echo done > pytest",
        "just --list",
        "just -l",
        "gradle tasks",
        "mix deps.get",
        "dotnet restore",
        "cmake -S . -B b",
        "cat Makefile | grep test",
        "curl https://x/test.sh",
        "tail -f pytest.log",
        "alias t=pytest",
        "xargs grep pytest",
        "bun install",
        "bun run dev",
        "yarn",
        "pnpm i",
        "pnpm add vitest",
        "",
    ] {
        assert_eq!(names(command), [], "{command}");
    }
}

#[test]
fn scopes_are_read() {
    let paths = |list: &[&str]| Scope::Paths(list.iter().map(|path| (*path).to_string()).collect());
    let picks = |text: &str| Scope::Selector(text.to_string());
    let cases: &[(&str, Scope)] = &[
        ("pytest", Scope::Whole),
        ("pytest -q -x --tb=short", Scope::Whole),
        ("pytest .", Scope::Whole),
        ("pytest -n 4 --cov src", Scope::Whole),
        (
            "pytest tests/a.py tests/b.py",
            paths(&["tests/a.py", "tests/b.py"]),
        ),
        ("pytest tests/a.py::test_x", paths(&["tests/a.py::test_x"])),
        ("pytest -k 'a and b'", picks("-k a and b")),
        ("pytest tests -m slow", picks("tests -m slow")),
        ("pytest --lf", picks("--lf")),
        ("cargo test", Scope::Whole),
        ("cargo test --workspace --all-features -j 4", Scope::Whole),
        ("cargo test -p core", picks("-p core")),
        ("cargo test parse", picks("parse")),
        ("cargo test -- --nocapture", Scope::Whole),
        ("cargo test --lib", picks("--lib")),
        ("cargo nextest run", Scope::Whole),
        ("go test ./...", Scope::Whole),
        ("go test -v -count=1 ./...", Scope::Whole),
        ("go test ./pkg/a", paths(&["./pkg/a"])),
        ("go test -run TestX ./...", picks("-run TestX")),
        ("npm test", Scope::Whole),
        ("npm test -- src/a.test.ts", paths(&["src/a.test.ts"])),
        ("npm test -- -t adds", picks("-t adds")),
        ("pnpm --filter web test", picks("web")),
        ("npx vitest run", Scope::Whole),
        ("npx vitest run src/a", paths(&["src/a"])),
        ("npx jest -t 'adds two'", picks("-t adds two")),
        ("npx jest --testNamePattern=x", picks("--testNamePattern=x")),
        ("npx eslint .", Scope::Whole),
        ("npx eslint src/a.ts", paths(&["src/a.ts"])),
        ("npx tsc -p tsconfig.json --noEmit", Scope::Whole),
        ("mvn test -Dtest=A", picks("-Dtest=A")),
        ("./gradlew test --tests A", picks("--tests A")),
        ("make test", Scope::Whole),
        ("ctest -R x", picks("-R x")),
        ("ruff check src tests", paths(&["src", "tests"])),
        ("dotnet test --filter X", picks("--filter X")),
    ];
    for (command, expected) in cases {
        let run = one(command);
        assert_eq!(run.scope, *expected, "{command}");
        assert_eq!(
            run.qualifiers.contains(&Qualifier::Subset),
            *expected != Scope::Whole,
            "{command}"
        );
    }
}

#[test]
fn wider_scopes_cover_narrower_ones() {
    let paths = |path: &str| Scope::Paths(vec![path.to_string()]);
    assert!(Scope::Whole.covers(&paths("a")));
    assert!(paths("tests").covers(&paths("tests/a.py")));
    assert!(paths("tests/a.py").covers(&paths("tests/a.py::test_x")));
    assert!(paths("./pkg/...").covers(&paths("./pkg/a")));
    assert!(!paths("tests/a").covers(&paths("tests/ab")));
    assert!(!paths("a").covers(&Scope::Whole));
    assert!(!Scope::Selector("x".into()).covers(&paths("a")));
}

#[test]
fn qualifiers_are_noted() {
    use Qualifier::{
        Autofix, Background, Conditional, MaskedExit, Negated, PassWithNoTests, WatchMode,
    };
    let cases: &[(&str, &[Qualifier])] = &[
        ("pytest", &[]),
        ("cd x && pytest", &[]),
        ("pytest | tail", &[MaskedExit]),
        ("pytest || true", &[MaskedExit]),
        ("pytest; echo done", &[MaskedExit]),
        ("pytest &", &[Background]),
        ("! pytest", &[Negated, MaskedExit]),
        ("a || pytest", &[Conditional]),
        ("if a; then pytest; fi", &[Conditional]),
        ("ruff check --fix .", &[Autofix]),
        ("npm run lint:fix", &[Autofix]),
        ("npx vitest --watch", &[WatchMode]),
        ("npm run test:watch", &[WatchMode]),
        ("npx tsc -w", &[WatchMode]),
        ("npx jest --passWithNoTests", &[PassWithNoTests]),
        ("ruff check --exit-zero .", &[MaskedExit]),
        ("rtk test cargo test", &[MaskedExit]),
        ("watch pytest", &[WatchMode]),
    ];
    for (command, expected) in cases {
        assert_eq!(one(command).qualifiers, *expected, "{command}");
    }
    assert!(one("ruff check --fix .").autofix);
}

#[test]
fn exits_directories_and_order_are_kept() {
    assert!(one("cd x && pytest").sole);
    assert!(!one("a && pytest").sole && one("a && pytest").exit_reaches);
    assert!(one("echo hi; pytest").sole);
    assert!(one("set -o pipefail; pytest | tail").exit_reaches);
    assert!(one("set -o pipefail; pytest | tail").sole);
    assert_eq!(
        one("cd /home/u/other && pytest -q").dir.as_deref(),
        Some("/home/u/other")
    );
    assert_eq!(one("make -C sub test").dir.as_deref(), Some("sub"));
    assert_eq!(
        one("cd a && npm --prefix web test").dir.as_deref(),
        Some("a/web")
    );
    let both = runs("npm run lint && npm test");
    assert_eq!(both.len(), 2);
    assert_eq!((both[0].segment, both[1].segment), (0, 1));
    assert_eq!(runs_in(&shell::segments("pytest")).len(), 1);
    assert_eq!(one("uv run pytest -q").words, ["pytest", "-q"]);
    assert_eq!(one("pytest").languages, ["python"]);
    assert!(one("make test").languages.is_empty());
}
