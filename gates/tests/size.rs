//! Which lines of a change count.

use receipt_gates::source::lines;

fn split(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

#[test]
fn prose_counts_nothing() {
    let cases: &[(&str, &str)] = &[
        ("python", "\n   \n"),
        ("python", "# one\n    # two"),
        ("python", "    \"\"\"Says what it does.\"\"\""),
        ("python", "    \"\"\"Says it.\n\n    And more.\n    \"\"\""),
        ("python", "    r'''Raw.\n    text'''"),
        ("rust", "/// Doc.\n//! Inner.\n// plain\n/* block */"),
        ("c", "/* A reader.\n   Of numbers.\n */"),
        ("javascript", "/**\n * Adds.\n * @returns {number}\n */"),
        ("php", "# old style\n// new style"),
        ("ruby", "=begin\nprose\n=end\n# more"),
        ("sql", "-- an index"),
        ("elixir", "  @doc \"\"\"\n  Adds.\n  \"\"\""),
        ("haskell", "{- block\n   of prose -}\n-- line"),
    ];
    for (language, text) in cases {
        assert_eq!(lines(language, &split(text), &[]), 0, "{language}: {text}");
        assert_eq!(lines(language, &[], &split(text)), 0, "{language}: {text}");
    }
}

#[test]
fn code_counts() {
    let cases: &[(&str, &str, u64)] = &[
        ("python", "x = 1  # one", 1),
        (
            "python",
            "def f():\n    \"\"\"\n    Doc.\n    \"\"\"\n    return 1",
            2,
        ),
        // A string that is an argument, a value, or has no end here.
        ("python", "q(\n    \"\"\"\n    SELECT 1\n    \"\"\"\n)", 5),
        ("python", "x = \"\"\"\ntext\n\"\"\"", 3),
        ("python", "    \"\"\"Begins\n    and goes on", 2),
        // The end of one docstring and the beginning of another enclose code.
        ("python", "    \"\"\"\n    x = 1\n    y = 2\n    \"\"\"", 4),
        ("python", "def f():\n    \"\"\"Doc.\"\"\".strip()", 2),
        // Read by programs.
        ("shell", "#!/bin/sh", 1),
        ("go", "//go:build linux\n// +build linux", 2),
        ("python", "# type: ignore\n# noqa\n# fmt: off", 3),
        (
            "javascript",
            "// eslint-disable-next-line\n/* @ts-nocheck */",
            2,
        ),
        ("c", "/* begins\n   and goes on", 1),
        ("c", "/* one\n   two */ int x;", 1),
        ("c", "#include <a.h>\n#define X 1", 2),
        ("rust", "#[derive(Debug)]\n#![no_std]", 2),
        ("javascript", "const a = \"// no comment\";", 1),
        // An unknown language has no comments.
        ("", "# maybe prose", 1),
    ];
    for (language, text, count) in cases {
        assert_eq!(
            lines(language, &split(text), &[]),
            *count,
            "{language}: {text}"
        );
    }
}

#[test]
fn the_larger_side_counts() {
    let two = split("a = 1\nb = 2");
    let three = split("c = 1\nd = 2\ne = 3\n# f");
    assert_eq!(lines("python", &two, &three), 3);
    assert_eq!(lines("python", &three, &two), 3);
}

#[test]
fn layout_counts_nothing() {
    let cases: &[(&str, &str, &str)] = &[
        ("rust", "f(a, b);", "f(\n    a,\n    b,\n);"),
        ("rust", "let x=1;", "let x = 1;"),
        ("javascript", "if (a) {b()}", "if (a) {\n\tb()\n}"),
        ("go", "x := []int{1,2}", "x := []int{\n\t1,\n\t2,\n}"),
        ("c", "int  x; // old", "int x;  /* new */"),
    ];
    for (language, old, new) in cases {
        assert_eq!(lines(language, &split(new), &split(old)), 0, "{new}");
    }
}

#[test]
fn what_means_something_is_no_layout() {
    let cases: &[(&str, &str, &str)] = &[
        ("rust", "say(\"a b\");", "say(\"ab\");"),
        ("rust", "return x;", "returnx;"),
        ("c", "a = b - -c;", "a = b --c;"),
        ("c", "f(a);", "f(b);"),
        ("rust", "f(a, b);", "f(b, a);"),
        ("javascript", "x(); // eslint-disable-line", "x();"),
        // Where the line stands tells what it belongs to.
        ("python", "x = 1", "    x = 1"),
        ("haskell", "x = 1", "  x = 1"),
    ];
    for (language, old, new) in cases {
        assert_eq!(lines(language, &split(new), &split(old)), 1, "{new}");
    }
}

#[test]
fn long_lines_are_compared_to_their_end() {
    let long = |end: &str| vec![format!("{}{end}", "x ".repeat(2_000))];
    assert_eq!(lines("rust", &long("a"), &long("b")), 1);
    let comment = vec![format!("// {}", "x".repeat(5_000))];
    assert_eq!(lines("rust", &comment, &[]), 1);
}
