//! Which commands run checks, and how much they look at.

use receipt_gates::check::{CheckRun, Kind, Qualifier, Scope, runs, runs_in};
use receipt_gates::shell;

use Kind::{Build, Format, Lint, Selftest, Test, Typecheck};

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
fn runners_are_known() {
    expect(&[
        ("pytest", "pytest", Test),
        ("python -m pytest tests/", "pytest", Test),
        ("python3.12 -m pytest -q", "pytest", Test),
        ("./venv/bin/pytest", "pytest", Test),
        (".venv/bin/python -m pytest", "pytest", Test),
        ("python -m unittest discover -s tests", "unittest", Test),
        ("coverage run -m pytest", "pytest", Test),
        ("python -m coverage run -m unittest", "unittest", Test),
        ("python manage.py test app", "django-test", Test),
        ("./manage.py test", "django-test", Test),
        ("tox -e py311", "tox", Test),
        ("nox -s tests", "nox", Test),
        ("ruff check .", "ruff", Lint),
        ("ruff check --fix .", "ruff", Lint),
        ("ruff format --check .", "ruff-format", Format),
        ("mypy src", "mypy", Typecheck),
        ("pyright", "pyright", Typecheck),
        ("flake8 src", "flake8", Lint),
        ("pylint pkg", "pylint", Lint),
        ("black --check .", "black", Format),
        ("python -m py_compile a.py b.py", "py_compile", Build),
        ("python -m compileall -q src", "py_compile", Build),
        ("cargo test", "cargo-test", Test),
        ("cargo +nightly test --workspace", "cargo-test", Test),
        ("cargo t -p x", "cargo-test", Test),
        ("cargo nextest run", "cargo-nextest", Test),
        ("cargo check", "cargo-build", Build),
        ("cargo build --release", "cargo-build", Build),
        ("cargo test --no-run", "cargo-test", Build),
        (
            "cargo clippy --all-targets -- -D warnings",
            "cargo-clippy",
            Lint,
        ),
        ("cargo fmt --all --check", "cargo-fmt", Format),
        ("cargo fmt -- --check", "cargo-fmt", Format),
        ("npm test", "npm-script:test", Test),
        ("npm t", "npm-script:test", Test),
        ("npm run test", "npm-script:test", Test),
        ("npm run test:unit -- --run", "npm-script:test:unit", Test),
        ("npm --prefix web run lint", "npm-script:lint", Lint),
        ("npm run build", "npm-script:build", Build),
        ("npm run typecheck", "npm-script:typecheck", Typecheck),
        ("npm run type-check", "npm-script:type-check", Typecheck),
        ("npm run check", "npm-script:check", Lint),
        ("npm run format:check", "npm-script:format:check", Format),
        ("pnpm test", "npm-script:test", Test),
        ("pnpm -r test", "npm-script:test", Test),
        ("pnpm --filter web run build", "npm-script:build", Build),
        ("pnpm lint", "npm-script:lint", Lint),
        ("pnpm vitest run", "vitest", Test),
        ("pnpm exec tsc --noEmit", "tsc", Typecheck),
        ("yarn test", "npm-script:test", Test),
        ("yarn jest src", "jest", Test),
        ("yarn workspace web test", "yarn:test", Test),
        ("bun run test", "npm-script:test", Test),
        ("bun test src/", "bun-test", Test),
        ("bunx --bun bun test a.test.ts", "bun-test", Test),
        ("bun run lint", "npm-script:lint", Lint),
        ("node --run test", "npm-script:test", Test),
        ("npx jest", "jest", Test),
        ("npx --yes vitest@latest run", "vitest", Test),
        ("npx mocha", "mocha", Test),
        ("npx playwright test", "playwright", Test),
        ("npx cypress run", "cypress", Test),
        ("npx ava", "ava", Test),
        ("node --test", "node-test", Test),
        ("node --import tsx --test test/*.ts", "node-test", Test),
        ("npx tsc --noEmit", "tsc", Typecheck),
        ("npx eslint .", "eslint", Lint),
        ("npx biome check --write .", "biome", Lint),
        ("npx prettier --check .", "prettier", Format),
        ("npx vite build", "bundler", Build),
        ("npx next lint", "next-lint", Lint),
        ("npx turbo run test", "turbo:test", Test),
        ("npx nx test lib", "nx:test", Test),
        ("npx nx run lib:test", "nx:lib:test", Test),
        ("npx nx affected -t lint", "nx:lint", Lint),
        ("node --check a.js", "node-check", Build),
        ("deno test", "deno-test", Test),
        ("deno check main.ts", "deno-check", Typecheck),
        ("deno lint", "deno-lint", Lint),
        ("deno task test", "deno-task:test", Test),
        ("go test ./...", "go-test", Test),
        ("go vet ./...", "go-vet", Lint),
        ("go build ./...", "go-build", Build),
        ("gotestsum ./...", "go-test", Test),
        ("golangci-lint run", "golangci-lint", Lint),
        ("./gradlew test", "gradle", Test),
        ("gradle build -x test", "gradle", Build),
        ("./gradlew :app:testDebugUnitTest", "gradle", Test),
        ("./gradlew assembleDebug", "gradle", Build),
        ("mvn -q test", "maven", Test),
        ("./mvnw clean verify", "maven", Test),
        ("mvn package -DskipTests", "maven", Build),
        ("mvn compile", "maven", Build),
        ("sbt test", "sbt", Test),
        ("sbt \"testOnly a.B\"", "sbt", Test),
        ("dotnet test", "dotnet-test", Test),
        ("dotnet build", "dotnet-build", Build),
        ("bundle exec rspec", "rspec", Test),
        ("rails test", "rails-test", Test),
        ("bin/rails test", "rails-test", Test),
        ("rake test", "rake:test", Test),
        ("ruby -Itest test/a_test.rb", "minitest", Test),
        ("bundle exec rubocop", "rubocop", Lint),
        ("vendor/bin/phpunit", "phpunit", Test),
        ("php vendor/bin/phpunit", "phpunit", Test),
        ("./vendor/bin/pest", "pest", Test),
        ("php artisan test", "artisan-test", Test),
        ("vendor/bin/phpstan analyse", "phpstan", Lint),
        ("composer test", "composer:test", Test),
        ("swift test", "swift-test", Test),
        ("swift build", "swift-build", Build),
        ("xcodebuild -scheme A test", "xcodebuild-test", Test),
        ("xcodebuild -scheme A build", "xcodebuild", Build),
        ("ctest --test-dir build", "ctest", Test),
        ("cmake --build build -j8", "cmake-build", Build),
        ("ninja -C build", "ninja", Build),
        ("make", "make", Build),
        ("make -j8", "make", Build),
        ("make all", "make:all", Build),
        ("make test", "make:test", Test),
        ("make check", "make:check", Test),
        ("make -C src lint", "make:lint", Lint),
        ("make clean test", "make:clean+test", Test),
        ("make app.o", "make:app.o", Build),
        ("just test", "just:test", Test),
        ("just test src/a", "just:test", Test),
        ("mise run test", "mise:test", Test),
        ("mise exec -- pytest", "pytest", Test),
        ("task lint", "task:lint", Lint),
        ("bazel test //...", "bazel-test", Test),
        ("mix test", "mix-test", Test),
        ("zig build test", "zig-build", Test),
        ("zig build", "zig-build", Build),
        ("zig test a.zig", "zig-test", Test),
        ("shellcheck a.sh", "shellcheck", Lint),
        ("bash -n a.sh", "bash-n", Build),
        ("terraform validate", "terraform", Build),
        ("pre-commit run --all-files", "pre-commit", Lint),
        ("hatch run test", "hatch:test", Test),
        ("pdm run lint", "pdm:lint", Lint),
        ("./scripts/test.sh", "script:scripts/test.sh", Test),
        ("bash scripts/check.sh", "script:scripts/check.sh", Test),
        ("bin/test", "script:bin/test", Test),
        ("./run_tests.sh", "script:run_tests.sh", Test),
        ("scripts/lint", "script:scripts/lint", Lint),
        ("python tests/test_a.py", "script:tests/test_a.py", Test),
        ("node test/a.test.js", "script:test/a.test.js", Test),
        ("./touchstone --selftest", "selftest:touchstone", Selftest),
        (
            "python tools/gate.py --self-test",
            "selftest:gate.py",
            Selftest,
        ),
        (
            "python -c 'from core import f; assert f(2) == 4'",
            "python-c",
            Selftest,
        ),
    ]);
}

#[test]
fn wrappers_are_seen_through() {
    for command in [
        "env CI=1 pytest",
        "CI=1 pytest",
        "sudo -u app pytest",
        "time pytest",
        "timeout 60 pytest",
        "timeout -k 5 60s pytest",
        "nice -n 10 pytest",
        "nohup pytest",
        "stdbuf -oL pytest",
        "xargs pytest",
        "command pytest",
        "exec pytest",
        "uv run pytest",
        "uv run --with x pytest",
        "uv run -m pytest",
        "uv run python -m pytest",
        "poetry run pytest",
        "pipenv run pytest",
        "pdm run pytest",
        "hatch run pytest",
        "rye run pytest",
        "conda run -n x pytest",
        "uvx pytest",
        "docker compose exec -T app pytest",
        "docker compose run --rm app pytest",
        "docker exec -it c pytest",
        "docker run --rm -v $PWD:/w image pytest",
        "docker-compose exec app pytest",
        "kubectl exec pod -- pytest",
        "mise exec -- pytest",
        "mise x python@3.12 -- pytest",
        "bash -lc 'pytest'",
        "bash -c \"cd x && pytest\"",
        "cd x && pytest",
        "(cd x && pytest)",
        "sh -c pytest",
        "sudo env A=1 timeout 5 uv run pytest",
        "! pytest",
        "if pytest; then echo ok; fi",
        "pytest; echo $?",
        "x=$(pytest)",
        "echo \"$(pytest)\"",
        "echo `pytest`",
        "pip install -e . && pytest -q",
        "pytest &",
        "bash <<E\npytest\nE",
        "sh <<'E'\npytest\nE",
        "set -e\npytest",
        "dotenv -- pytest",
        "rtk pytest",
        "pytest # all of them",
        "source venv/bin/activate && pytest",
        "{ pytest; }",
        "nix develop -c pytest",
        "xvfb-run -a pytest",
        "for i in 1 2; do pytest; done",
        "eval 'pytest'",
    ] {
        assert_eq!(names(command), [("pytest".to_string(), Test)], "{command}");
    }
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
