//! What lines are marked as.

use receipt_core::agent;
use receipt_core::event::{Agent, Before, FileChange};
use receipt_gates::facts::Observation;
use receipt_gates::keyed::Keyer;
use receipt_gates::mark::{File, Mark, Marks, marks};
use receipt_gates::observe::{Context, observe};
use receipt_gates::path::{classify, language};
use receipt_gates::scheduled::Scheduled;
use serde_json::json;

fn change(path: &str, removed: &str, added: &str) -> Marks {
    let lines = |text: &str| text.lines().map(str::to_owned).collect();
    let change = FileChange {
        path: path.to_owned(),
        added: lines(added),
        removed: lines(removed),
        before: Before::Known,
    };
    let file = File {
        path,
        class: classify(path, true),
        language: language(path),
    };
    marks(file, &change)
}

fn kinds(path: &str, line: &str) -> Vec<Mark> {
    change(path, "", line).into_keys().collect()
}

#[test]
fn assertions_have_their_strength() {
    use Mark::{Assertion, Exact, Loose};
    let cases: &[(&str, &str, Mark)] = &[
        ("t/test_a.py", "assert f(1) == 2", Exact),
        ("t/test_a.py", "assert f(1) is None", Exact),
        ("t/test_a.py", "self.assertIsNone(x)", Exact),
        ("t/test_a.py", "assert f(1)", Loose),
        ("t/test_a.py", "assert x is not None", Loose),
        ("t/test_a.py", "assert a == 1 or b == 2", Loose),
        ("t/test_a.py", "assert 'a' in xs", Loose),
        ("t/test_a.py", "assert_valid(cart)", Assertion),
        ("a.test.ts", "expect(a).not.toBe(1)", Loose),
        ("a.test.ts", "expect(a).toEqual(expect.any(Number))", Loose),
        ("a.test.ts", "assert.deepStrictEqual(a, b)", Exact),
        (
            "src/a.rs",
            "assert!(matches!(x, Some(1)) && y == 2);",
            Exact,
        ),
        ("src/a.rs", "quick(|| assert_eq!(x, 1));", Exact),
        ("src/a.rs", "debug_assert!(x.is_ok());", Loose),
        ("src/a.rs", "insta::assert_json_snapshot!(x);", Exact),
        ("a_test.go", "require.ErrorIs(t, err, io.EOF)", Exact),
        ("a_test.go", "t.Errorf(\"got %v\", got)", Assertion),
        ("a_test.go", "Expect(x).NotTo(BeNil())", Loose),
        ("T/ATest.java", "assertThat(x).isEqualTo(1);", Exact),
        ("T/ATest.java", "assertTrue(x.isDone());", Loose),
        ("T/ATest.kt", "x shouldBe 1", Exact),
        ("A.Tests/ATests.cs", "Assert.That(x, Is.EqualTo(1));", Exact),
        ("spec/a_spec.rb", "expect(x).to eq(1)", Exact),
        ("spec/a_spec.rb", "refute x", Loose),
        ("tests/ATest.php", "$this->assertSame(1, $x);", Exact),
        ("Tests/ATests.swift", "#expect(a == 1)", Exact),
        ("Tests/ATests.swift", "XCTAssertGreaterThan(a, 1)", Loose),
        ("test/a_test.cc", "ASSERT_STREQ(a, \"x\");", Exact),
        ("test/a_test.cc", "EXPECT_LE(a, 1);", Loose),
        (
            "test/a_test.exs",
            "assert_raise ArgumentError, fn -> f() end",
            Exact,
        ),
    ];
    for (path, line, strength) in cases {
        assert_eq!(kinds(path, line), [*strength], "{path}: {line}");
    }
}

#[test]
fn these_are_no_assertions() {
    let cases: &[(&str, &str)] = &[
        ("src/a.py", "assert x == 1"),
        ("t/test_a.py", "from x import assert_equal"),
        ("t/test_a.py", "# assert x == 1"),
        ("t/test_a.py", "text = \"assert x == 1\""),
        ("a.test.ts", "const s = value.toString();"),
        ("a.test.ts", "import { expect } from 'vitest';"),
        ("a.test.ts", "return xs.map(String).toSorted();"),
        ("src/a.rs", "use pretty_assertions::assert_eq;"),
        ("a_test.go", "log.Error(\"x\")"),
        ("test/a_test.cc", "#define CHECK_ALL(x) run(x)"),
        (
            "T/ATest.java",
            "import static org.junit.Assert.assertEquals;",
        ),
    ];
    for (path, line) in cases {
        assert_eq!(kinds(path, line), [], "{path}: {line}");
    }
}

#[test]
fn tests_are_known_by_their_names() {
    let same = [
        ("a.test.js", "it('adds', f)", "it.skip('adds', f)"),
        ("a.test.js", "test('adds', f)", "test.only('adds', f)"),
        ("t/test_a.py", "def test_x(self):", "async def test_x():"),
        ("test/a_test.cc", "TEST(A, B) {", "TEST(A, DISABLED_B) {"),
        ("A.Tests/ATests.cs", "[Fact]", "[Fact(Skip = \"x\")]"),
    ];
    for (path, old, new) in same {
        let found = change(path, old, new);
        assert!(!found.contains_key(&Mark::Test), "{path}: {new}");
        assert_eq!(kinds(path, old), [Mark::Test], "{path}: {old}");
    }
    for (path, line) in [
        ("a.test.js", "describe('adds', f)"),
        ("a.test.js", "test.step('adds', f)"),
        ("t/test_a.py", "def helper():"),
        ("src/a.rs", "#[cfg(test)]"),
        ("a_test.go", "func TestMain(m *testing.M) {"),
    ] {
        assert_eq!(kinds(path, line), [], "{path}: {line}");
    }
}

/// The one mark of a change, with its count.
fn only(path: &str, removed: &str, added: &str, mark: Mark) -> i64 {
    let found = change(path, removed, added);
    found
        .get(&mark)
        .into_iter()
        .flatten()
        .map(|(_, more)| more)
        .sum()
}

#[test]
fn tolerances_are_compared_as_numbers() {
    let cases = [
        (
            "t/test_a.py",
            "assert x == approx(1.5, rel=1e-6)",
            "assert x == approx(1.5, rel=1e-3)",
            1,
        ),
        (
            "t/test_a.py",
            "assert x == approx(1.5, abs=0.10)",
            "assert x == approx(1.5, abs=0.1)",
            -1,
        ),
        (
            "t/test_a.py",
            "self.assertAlmostEqual(x, 1.5, places=7)",
            "self.assertAlmostEqual(x, 1.5, places=2)",
            1,
        ),
        (
            "a.test.ts",
            "expect(x).toBeCloseTo(1.5, 1)",
            "expect(x).toBeCloseTo(1.5, 5)",
            -1,
        ),
        (
            "a_test.go",
            "assert.InDelta(t, 1.5, x, 1e-9)",
            "assert.InDelta(t, 1.5, x, 100)",
            1,
        ),
    ];
    for (path, old, new, widened) in cases {
        assert_eq!(only(path, old, new, Mark::Widened), widened, "{new}");
        assert_eq!(only(path, old, new, Mark::Value), 0, "{new}");
    }
    let values = [
        (
            "t/test_a.py",
            "assert x == approx(1.5)",
            "assert x == approx(1.6)",
        ),
        (
            "t/test_a.py",
            "self.assertAlmostEqual(f(2), 1.5)",
            "self.assertAlmostEqual(f(2), 1.4)",
        ),
        ("t/test_a.py", "assert x is True", "assert x is False"),
        ("src/a.rs", "assert_eq!(a, \"x\");", "assert_eq!(a, \"y\");"),
        ("a_test.go", "want := 3", "want := 4"),
        ("a_test.go", "{\"a\", 1},", "{\"a\", 2},"),
    ];
    for (path, old, new) in values {
        assert_eq!(only(path, old, new, Mark::Value), 1, "{new}");
    }
    let neither = [
        ("src/a.rs", "assert!(x, \"one\");", "assert!(x, \"two\");"),
        (
            "src/a.rs",
            "assert_eq!(a, b, \"one\");",
            "assert_eq!(a, b, \"two\");",
        ),
        ("t/test_a.py", "assert x, \"one\"", "assert x, \"two\""),
        (
            "a_test.go",
            "t.Errorf(\"got %d\", x)",
            "t.Errorf(\"f: got %d\", x)",
        ),
        ("a.test.js", "it('adds 1', f)", "it('adds 2', f)"),
        ("t/test_a.py", "x = make(1)", "x = make(2)"),
        ("src/a.py", "want = 3", "want = 4"),
    ];
    for (path, old, new) in neither {
        assert_eq!(only(path, old, new, Mark::Value), 0, "{new}");
    }
}

#[test]
fn settings_that_ask_for_less() {
    let falls = [
        (".coveragerc", "fail_under = 90", "fail_under = 89.5", 50),
        (".coveragerc", "fail_under = 90", "", 9_000),
        (".coveragerc", "fail_under = 90", "# fail_under = 90", 9_000),
        (".coveragerc", "fail_under = 80", "fail_under = 85", -500),
        ("jest.config.js", "branches: 80,", "branches: 70,", 1_000),
        (
            "package.json",
            "\"lint\": \"eslint --max-warnings 0 .\"",
            "\"lint\": \"eslint --max-warnings 5 .\"",
            500,
        ),
        (
            "pom.xml",
            "<minimum>0.80</minimum>",
            "<minimum>0.50</minimum>",
            30,
        ),
        ("src/data.json", "\"lines\": 80", "\"lines\": 70", 0),
    ];
    for (path, old, new, fall) in falls {
        assert_eq!(only(path, old, new, Mark::Threshold), fall, "{path}: {new}");
    }
    let off = [
        (".eslintrc.js", "eqeqeq: 'error',", "eqeqeq: 'off',", 1),
        (".eslintrc.js", "eqeqeq: 0,", "eqeqeq: 2,", -1),
        (
            "tsconfig.json",
            "\"strict\": true,",
            "\"strict\": false,",
            1,
        ),
        (
            "tsconfig.json",
            "\"esModuleInterop\": true",
            "\"esModuleInterop\": false",
            0,
        ),
        (
            "Cargo.toml",
            "unwrap_used = \"deny\"",
            "unwrap_used = \"allow\"",
            1,
        ),
        (
            "pyproject.toml",
            "ignore = [\"E501\"]",
            "ignore = [\"E501\", \"F401\"]",
            1,
        ),
        (
            "pyproject.toml",
            "typeCheckingMode = \"strict\"",
            "typeCheckingMode = \"off\"",
            1,
        ),
        ("Makefile", "test:\n\tpytest", "test:\n\tpytest || true", 1),
        (
            "Makefile",
            "clean:\n\trm -r x",
            "clean:\n\trm -r x || true",
            0,
        ),
    ];
    for (path, old, new, more) in off {
        assert_eq!(only(path, old, new, Mark::RuleOff), more, "{path}: {new}");
    }
}

#[test]
fn what_silences_a_check_is_seen_where_it_is_read() {
    for (path, line) in [
        ("a.py", "import x  # noqa"),
        ("a.ts", "// @ts-expect-error wrong types"),
        ("a.rs", "#![allow(dead_code)]"),
        ("a.go", "f() //nolint:errcheck"),
        ("A.java", "@SuppressWarnings(\"unchecked\")"),
        ("a.py", "if x:  # pragma: no cover"),
        ("a.sh", "# shellcheck disable=SC2086"),
    ] {
        assert_eq!(kinds(path, line), [Mark::Suppression], "{line}");
    }
    for (path, line) in [
        ("a.py", "say(\"# noqa\")"),
        ("a.rs", "let s = \"#[allow(x)]\";"),
        ("a.rs", "// the #[allow] above is old"),
        ("a.md", "Use `# noqa`."),
        ("a.ts", "const ignore = '@ts-ignore';"),
    ] {
        assert_eq!(kinds(path, line), [], "{line}");
    }
}

#[test]
fn a_text_overwritten_unseen_has_no_marks() {
    let change = FileChange {
        path: "t/test_a.py".to_owned(),
        added: vec!["assert x  # noqa".to_owned()],
        removed: Vec::new(),
        before: Before::Unknown,
    };
    let file = File {
        path: "t/test_a.py",
        class: classify("t/test_a.py", true),
        language: "python",
    };
    assert_eq!(marks(file, &change), Marks::new());
}

#[test]
fn many_lines_are_counted_without_their_names() {
    let lines: String = (0..3_000)
        .map(|n| format!("assert f({n}) == {n}\n"))
        .collect();
    let found = change("t/test_a.py", &lines, "");
    let exact = &found[&Mark::Exact];
    assert_eq!(exact.len(), 1_001);
    assert_eq!(exact.values().sum::<i64>(), -3_000);
    let both = change(
        "t/test_a.py",
        &lines,
        &lines.replace("assert f", "assert g"),
    );
    assert_eq!(both[&Mark::Exact].values().sum::<i64>(), 0);
}

fn updates(command: &str, failed: bool) -> bool {
    let name = if failed {
        "PostToolUseFailure"
    } else {
        "PostToolUse"
    };
    let payload = json!({"hook_event_name": name, "tool_name": "Bash",
        "tool_input": {"command": command}, "error": "Exit code 1",
        "tool_response": {"stdout": "", "stderr": "", "interrupted": false}});
    let event = agent::event(Agent::ClaudeCode, payload.to_string().as_bytes());
    let context = Context {
        keyer: &Keyer::new(&[0; 32], &[0; 32]),
        root: None,
        scheduled: &Scheduled::default(),
        protected: receipt_gates::guard::Protected::default(),
    };
    let facts = observe(&event, &context).facts;
    facts.obs.contains(&Observation::SnapshotsUpdated)
}

#[test]
fn commands_that_write_recorded_outputs() {
    for command in [
        "npx jest -u",
        "npm test -- -u",
        "npx vitest run --update",
        "npx playwright test --update-snapshots",
        "pytest --snapshot-update tests",
        "go test ./... -update",
        "INSTA_UPDATE=always cargo test",
        "UPDATE_EXPECT=1 cargo test -p core",
        "env UPDATE_GOLDEN=1 go test ./...",
        "cargo insta accept",
        "cargo insta test --accept",
    ] {
        assert!(updates(command, false), "{command}");
        assert!(!updates(command, true), "{command}");
    }
    for command in [
        "npx jest",
        "pytest -q",
        "INSTA_UPDATE=no cargo test",
        "apt-get -u upgrade",
        "git push -u origin main",
        "echo jest -u",
        "cargo update",
        "npm update",
        "grep -r -- --update-snapshots .",
    ] {
        assert!(!updates(command, false), "{command}");
    }
}
