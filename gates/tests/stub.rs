//! Stubs in lines of code.

mod context;

use receipt_gates::stub::{Stub, StubKind, unambiguous};

fn stubs(language: &str, text: &str) -> Vec<Stub> {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    receipt_gates::stub::stubs(language, &lines)
}

use StubKind::{Marker, NotImplemented, OnlyTest, SkippedTest};

#[test]
fn stubs_are_seen() {
    let cases: &[(&str, &str, StubKind)] = &[
        ("python", "x = 1  # TODO: finish", Marker),
        ("python", "# FIXME", Marker),
        ("python", "    # XXX this is wrong", Marker),
        ("python", "#TODO(ann): x", Marker),
        ("rust", "// TODO handle errors", Marker),
        ("rust", "/// TODO", Marker),
        ("c", "/* FIXME: leak */", Marker),
        ("c", " * TODO: describe", Marker),
        ("javascript", "{/* TODO: add form */}", Marker),
        ("javascript", "// todo: later", Marker),
        ("javascript", "<!-- TODO -->", Marker),
        ("sql", "-- TODO index", Marker),
        ("shell", "echo hi # FIXME", Marker),
        ("python", "pass  # TODO", NotImplemented),
        ("python", "    ...  # TODO: body", NotImplemented),
        (
            "python",
            "        raise NotImplementedError",
            NotImplemented,
        ),
        (
            "python",
            "def f(): raise NotImplementedError(\"x\")",
            NotImplemented,
        ),
        ("rust", "    todo!()", NotImplemented),
        ("rust", "fn f() { unimplemented!(\"x\") }", NotImplemented),
        ("rust", "panic!(\"not implemented\");", NotImplemented),
        (
            "javascript",
            "throw new Error(\"Not implemented\");",
            NotImplemented,
        ),
        (
            "javascript",
            "  throw new Error('feature not yet implemented')",
            NotImplemented,
        ),
        ("javascript", "throw new Error(`TODO`)", NotImplemented),
        ("go", "panic(\"TODO\")", NotImplemented),
        ("go", "panic(\"not implemented\")", NotImplemented),
        (
            "csharp",
            "throw new NotImplementedException();",
            NotImplemented,
        ),
        (
            "jvm",
            "throw new UnsupportedOperationException(\"Not implemented\");",
            NotImplemented,
        ),
        ("jvm", "fun f() = TODO(\"x\")", NotImplemented),
        ("ruby", "raise NotImplementedError, 'x'", NotImplemented),
        ("javascript", "it.skip('adds', () => {", SkippedTest),
        (
            "javascript",
            "test.skip(\"adds\", async () => {",
            SkippedTest,
        ),
        ("javascript", "describe.skip(`x`, () => {", SkippedTest),
        ("javascript", "xit('adds', () => {", SkippedTest),
        ("javascript", "xdescribe('x', f)", SkippedTest),
        ("javascript", "it.todo('adds')", SkippedTest),
        ("javascript", "test.todo(\"x\")", SkippedTest),
        ("python", "@pytest.mark.skip(reason=\"x\")", SkippedTest),
        ("python", "@pytest.mark.skip", SkippedTest),
        ("python", "@unittest.skip('x')", SkippedTest),
        ("python", "    pytest.skip('later')", SkippedTest),
        ("go", "\tt.Skip(\"flaky\")", SkippedTest),
        ("jvm", "@Ignore", SkippedTest),
        ("jvm", "@Disabled(\"x\")", SkippedTest),
        ("rust", "#[ignore]", SkippedTest),
        ("rust", "#[ignore = \"slow\"]", SkippedTest),
        ("csharp", "[Fact(Skip = \"x\")]", SkippedTest),
        ("php", "$this->markTestSkipped('x');", SkippedTest),
        ("javascript", "it.only('adds', () => {", OnlyTest),
        ("javascript", "describe.only('x', () => {", OnlyTest),
        ("javascript", "fit('adds', () => {", OnlyTest),
        ("javascript", "fdescribe('x', () => {", OnlyTest),
    ];
    for (language, line, kind) in cases {
        let found: Vec<StubKind> = stubs(language, line).iter().map(|stub| stub.kind).collect();
        assert_eq!(found, [*kind], "{language}: {line}");
    }
}

#[test]
fn mentions_are_no_stubs() {
    let cases: &[(&str, &str)] = &[
        (
            "php",
            "// the resolved TODO docblock above the token was deleted by hand",
        ),
        (
            "python",
            "\"\"\"Raises NotImplementedError for unsupported dialects.\"\"\"",
        ),
        ("python", "# v1 used to raise NotImplementedError here"),
        ("python", "msg = \"raise NotImplementedError\""),
        ("python", "print(\"# TODO: not a marker\")"),
        ("python", "except NotImplementedError:"),
        ("python", "token = 'XXXX-XXXX'  # XXXX redacted"),
        (
            "python",
            "@pytest.mark.skipif(sys.platform == 'win32', reason='x')",
        ),
        ("python", "@unittest.skipIf(x, 'y')"),
        ("python", "model.fit('x', y)"),
        ("rust", "for x in xs.iter().skip(1) {"),
        ("rust", "let s = \"todo!()\";"),
        ("rust", "// calls todo!() in debug builds"),
        ("rust", "let todo = 1; mytodo!();"),
        ("rust", "fn f<'a>(x: &'a str) {}"),
        ("javascript", "<input placeholder=\"TODO\" />"),
        ("javascript", "const TODO = 'x'; todos.push(TODO)"),
        ("javascript", "throw new Error('Todo not found')"),
        ("javascript", "throw new Error(\"failed to fetch todo\")"),
        ("javascript", "const url = 'https://x.y/TODO'"),
        ("javascript", "// see https://x.y#TODO"),
        ("javascript", "await exit(1)"),
        ("javascript", "test.skip(browserName === 'firefox', 'why')"),
        ("javascript", "xs.skip(1)"),
        ("javascript", "joi.only()"),
        ("javascript", "// TODO/FIXME markers are counted here"),
        ("go", "if testing.Short() { t.Skip(\"short\") }"),
        ("go", "// panic(\"not implemented\") was here"),
        ("jvm", "@DisabledOnOs(WINDOWS)"),
        ("jvm", "list.TODOS()"),
        ("c", "x = a /* not a TODO */ + b;"),
        ("", "TODO: plain text"),
        ("shell", "grep -n TODO src"),
        ("shell", "echo \"# TODO\""),
    ];
    for (language, line) in cases {
        assert_eq!(stubs(language, line), [], "{language}: {line}");
    }
}

#[test]
fn lines_are_trimmed_and_markers_need_the_old_text() {
    let found = stubs("python", "   # TODO: x  ");
    assert_eq!(found[0].line, "# TODO: x");
    assert!(!unambiguous(Marker));
    assert!(unambiguous(NotImplemented) && unambiguous(SkippedTest) && unambiguous(OnlyTest));
    assert!(stubs("rust", &"x".repeat(100_000)).is_empty());
}
