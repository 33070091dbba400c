//! Stubs that are none where they stand, and such that a person asked for.

use super::stubs;
use receipt_gates::stub::StubKind::{self, Marker, NotImplemented, OnlyTest, SkippedTest};
use receipt_gates::stub::asked;

fn kinds(language: &str, text: &str) -> Vec<StubKind> {
    stubs(language, text).iter().map(|stub| stub.kind).collect()
}

#[test]
fn idioms_of_each_language() {
    let cases: &[(&str, &str, StubKind)] = &[
        ("rust", "bail!(\"not implemented\")", NotImplemented),
        (
            "rust",
            "return Err(\"not implemented\".into());",
            NotImplemented,
        ),
        ("python", "assert False, \"TODO\"", NotImplemented),
        (
            "python",
            "raise RuntimeError('not yet implemented')",
            NotImplemented,
        ),
        ("python", "@pytest.mark.xfail", SkippedTest),
        ("python", "@pytest.mark.xfail(reason='x')", SkippedTest),
        ("python", "@unittest.expectedFailure", SkippedTest),
        (
            "javascript",
            "return Promise.reject(new Error('not implemented'))",
            NotImplemented,
        ),
        (
            "javascript",
            "throw new TypeError(\"Not implemented\")",
            NotImplemented,
        ),
        ("javascript", "it.fails('adds', () => {", SkippedTest),
        ("javascript", "test.skip(true, 'later')", SkippedTest),
        ("javascript", "    this.skip();", SkippedTest),
        (
            "go",
            "\treturn nil, errors.New(\"not implemented\")",
            NotImplemented,
        ),
        (
            "go",
            "\treturn fmt.Errorf(\"todo: not implemented\")",
            NotImplemented,
        ),
        ("go", "PIt(\"adds\", func() {", SkippedTest),
        ("jvm", "def f: Int = ???", NotImplemented),
        ("jvm", "error(\"Not implemented\")", NotImplemented),
        ("jvm", "@Test(enabled = false)", SkippedTest),
        (
            "csharp",
            "=> throw new NotImplementedException();",
            NotImplemented,
        ),
        ("csharp", "Assert.Inconclusive(\"later\");", SkippedTest),
        ("ruby", "fail NotImplementedError", NotImplemented),
        ("ruby", "xscenario \"pays\" do", SkippedTest),
        (
            "php",
            "throw new \\DomainException('Not implemented yet');",
            NotImplemented,
        ),
        (
            "swift",
            "preconditionFailure(\"not implemented\")",
            NotImplemented,
        ),
        (
            "swift",
            "@Test(.disabled(\"flaky\")) func pays() {",
            SkippedTest,
        ),
        ("c", "#error \"not implemented\"", NotImplemented),
        ("c", "  NOT_IMPLEMENTED();", NotImplemented),
        ("c", "TEST(A, DISABLED_B) {", SkippedTest),
        ("haskell", "f x = undefined", NotImplemented),
        ("ocaml", "let f x = failwith \"TODO\"", NotImplemented),
        ("perl", "die \"not implemented\";", NotImplemented),
        ("r", "stop(\"not implemented\")", NotImplemented),
        ("zig", "@panic(\"TODO\");", NotImplemented),
        ("elixir", "@tag :skip", SkippedTest),
        ("dart", "throw UnimplementedError();", NotImplemented),
        ("dart", "}, skip: true);", SkippedTest),
        ("php", " * @todo partial payments", Marker),
        ("elixir", "@tag :only", OnlyTest),
    ];
    for (language, line, kind) in cases {
        assert_eq!(kinds(language, line), [*kind], "{language}: {line}");
    }
}

#[test]
fn what_others_are_to_write_is_finished() {
    let cases: &[(&str, &str)] = &[
        (
            "python",
            "@abstractmethod\ndef f(self):\n    raise NotImplementedError",
        ),
        (
            "python",
            "class Base:\n    def f(self):\n        raise NotImplementedError",
        ),
        (
            "python",
            "class A(ABC):\n    def f(self):\n        x = 1\n        raise NotImplementedError()",
        ),
        (
            "python",
            "def f(self):\n    \"\"\"Subclasses return a list.\"\"\"\n    raise NotImplementedError",
        ),
        (
            "python",
            "raise NotImplementedError(\"subclasses must implement f\")",
        ),
        (
            "python",
            "raise NotImplementedError(f\"{os} is not supported\")",
        ),
        (
            "ruby",
            "raise NotImplementedError, \"#{self.class} must implement #area\"",
        ),
        (
            "ruby",
            "class AbstractShape\n  def area\n    raise NotImplementedError\n  end\nend",
        ),
        (
            "javascript",
            "throw new Error('abstract: not implemented');",
        ),
        (
            "php",
            "throw new \\LogicException('Not implemented: override it');",
        ),
        (
            "swift",
            "fatalError(\"init(coder:) has not been implemented\")",
        ),
        (
            "go",
            "var ErrNotImplemented = errors.New(\"not implemented\")",
        ),
        (
            "jvm",
            "throw new UnsupportedOperationException(\"read-only\");",
        ),
        ("csharp", "throw new NotSupportedException();"),
    ];
    for (language, text) in cases {
        assert_eq!(kinds(language, text), [], "{language}: {text}");
    }
    let left = "class Store:\n    def f(self):\n        raise NotImplementedError";
    assert_eq!(kinds("python", left), [NotImplemented]);
    let yet = "raise NotImplementedError(\"XML is not supported yet\")";
    assert_eq!(kinds("python", yet), [NotImplemented]);
}

#[test]
fn skips_under_a_condition_are_none() {
    let cases: &[(&str, &str)] = &[
        ("go", "if short {\n\tt.Skip(\"slow\")\n}"),
        ("python", "if not git:\n    pytest.skip(\"no git\")"),
        ("python", "except ImportError:\n    pytest.skip('no numpy')"),
        (
            "python",
            "@pytest.mark.xfail(sys.platform == 'win32', reason='x')",
        ),
        (
            "php",
            "if (!extension_loaded('x')) {\n    $this->markTestSkipped('x');",
        ),
        ("ruby", "skip \"no server\" unless server?"),
        ("c", "if (!gpu) {\n  GTEST_SKIP();\n}"),
        ("javascript", "if (!process.env.KEY) {\n  this.skip();"),
        ("swift", "Button(\"Save\").disabled(!valid)"),
        ("php", "return $orders->skip(10)->take(10);"),
        ("r", "x <- skip_lines(10)"),
    ];
    for (language, text) in cases {
        assert_eq!(kinds(language, text), [], "{language}: {text}");
    }
    let after = "if x {\n\ty()\n}\nt.Skip(\"later\")";
    assert_eq!(kinds("go", after), [SkippedTest]);
}

#[test]
fn words_that_are_no_markers() {
    for (language, line) in [
        ("javascript", "// TODO list of one user"),
        ("javascript", "// TODO comments are stripped"),
        ("python", "# XXX-XXX-1234 is how numbers look"),
        ("python", "path = '/home/xxx'  # xxx stands for the user"),
        ("rust", "// TODOs are counted elsewhere"),
        ("php", "/** @todoist token */"),
    ] {
        assert_eq!(kinds(language, line), [], "{line}");
    }
}

#[test]
fn prompts_that_ask_for_stubs() {
    let cases: &[(&str, &[StubKind])] = &[
        ("Add a TODO for the cache.", &[Marker]),
        (
            "Rename it and leave a todo comment where the cache goes",
            &[Marker],
        ),
        ("Write the skeleton, bodies come later", &[NotImplemented]),
        ("stub out the network layer", &[NotImplemented]),
        ("Please skip this test for now.", &[SkippedTest]),
        ("mark the flaky spec as xfail", &[SkippedTest]),
        ("put .only on it while I debug", &[OnlyTest]),
    ];
    for (prompt, kinds) in cases {
        assert_eq!(asked(prompt), *kinds, "{prompt}");
    }
    for prompt in [
        "Add todos to the API: list, add, remove.",
        "Add a todo item to the list",
        "Don't leave any TODO comments or stubs.",
        "Implement it without placeholders",
        "Remove the TODO in a.py",
        "Finish the stub in store.py",
        "Fix the skipped test",
        "Why is this test skipped?",
        "Replace the skeleton by real code",
        "Do not skip tests",
        "Make the tests pass",
        "receipt: skip this test is known to fail",
        "",
    ] {
        assert_eq!(asked(prompt), [], "{prompt}");
    }
}
