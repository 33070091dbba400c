//! Assertions, and whether one value or many satisfy them.

use super::Mark;
use super::vocabulary::{EXACT, LOOSE, MATCHERS};
use alloc::string::String;
use alloc::vec::Vec;

/// A word of code with what stands around it.
#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    /// The word before, if only a dot, colon or arrow lies between.
    owner: &'a str,
    before: Option<char>,
    /// The next character that is no blank.
    after: Option<char>,
}

/// What kind of assertion a line of code is, if it is one.
pub(super) fn strength(language: &str, code: &str) -> Option<Mark> {
    if !HINTS.iter().any(|hint| code.contains(hint)) {
        return None;
    }
    let words = words(code);
    if !words.iter().any(|word| is_head(language, word)) {
        return None;
    }
    if is_import(language, code) {
        return None;
    }
    let names: Vec<String> = words.iter().map(|word| plain(word.text)).collect();
    let has = |table: &[&str]| names.iter().any(|name| table.contains(&name.as_str()));
    let bare = language == "python"
        && ["assert ", "assert("]
            .iter()
            .any(|start| code.starts_with(start));
    Some(if loosened(code, &words, bare) {
        Mark::Loose
    } else if compares(code, bare)
        || has(EXACT)
        || is_be(language, &words)
        || names.iter().any(|n| ends_exact(n))
    {
        Mark::Exact
    } else if bare || has(LOOSE) || names.iter().any(|n| ends_loose(n)) || is_plain_macro(&words) {
        Mark::Loose
    } else {
        Mark::Assertion
    })
}

/// One of them is in every head of an assertion ([`is_head`]): most lines are
/// told apart by them alone.
const HINTS: &[&str] = &[
    "ssert",
    "SSERT",
    "xpect",
    "XPECT",
    "hould",
    "REQUIRE",
    "equire",
    "CHECK",
    "must",
    "wont_",
    "erify",
    "VERIFY",
    "raises",
    "warns",
    "ail",
    "atal",
    "rror",
    "vent",
    "Consistently",
    "Ω",
    ".to",
    "t.",
    "is",
    "Received",
    "efute",
    "BOOST_",
    "COMPARE",
    "CMP",
    "ok(",
    "like(",
    "_ok(",
    "test",
];

/// Lower case without underscores: one table serves all languages.
fn plain(text: &str) -> String {
    let letters = text.chars().filter(|c| *c != '_');
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

fn words(code: &str) -> Vec<Word<'_>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut rest = code;
    let mut gap_start = 0_usize;
    let mut at = 0_usize;
    while let Some(start) = rest.find(is_word) {
        let from = at.saturating_add(start);
        let tail = code.get(from..).unwrap_or("");
        let length = tail.find(|c| !is_word(c)).unwrap_or(tail.len());
        let end = from.saturating_add(length);
        let gap = code.get(gap_start..from).unwrap_or("");
        let joined = matches!(gap, "." | "?." | "!." | "->" | "::" | "()->");
        let owner = words.last().filter(|_| joined).map_or("", |w| w.text);
        let after = code.get(end..).unwrap_or("");
        words.push(Word {
            text: code.get(from..end).unwrap_or(""),
            owner,
            before: gap.chars().next_back(),
            after: after.trim_start().chars().next(),
        });
        gap_start = end;
        at = end;
        rest = after;
    }
    words
}

/// Whether a word makes the line an assertion.
fn is_head(language: &str, word: &Word<'_>) -> bool {
    let text = word.text;
    let called = word.after == Some('(');
    let starts = |starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
    let is = |names: &[&str]| names.contains(&text);
    match language {
        "python" => {
            text == "assert"
                || (called && starts(&["assert"]))
                || (is(&["raises", "warns", "fail"]) && is_owner(word, &["pytest", "self"]))
                || (called && text == "expect")
        }
        "javascript" => {
            (called && starts(MATCHERS))
                || (text.starts_with("assert") && matches!(word.after, Some('(' | '.')))
                || (text == "should" && word.before == Some('.'))
                || (text == "to" && is_owner(word, &["not"]))
                || (text == "to" && word.before == Some('.') && word.after == Some('.'))
                || (called && word.owner == "t" && EXACT.contains(&plain(text).as_str()))
        }
        "rust" => {
            let assert = starts(&["assert", "debug_assert", "prop_assert"]);
            (assert && matches!(word.after, Some('!' | '('))) || text == "should_panic"
        }
        "go" => {
            let fails = ["Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"];
            (is(&fails) && is_owner(word, &["t", "b", "f", "tb"]))
                || (called && is_owner(word, &["assert", "require", "must", "is"]))
                || (called && is(&["Expect", "Eventually", "Consistently", "Ω"]))
        }
        "jvm" => {
            (starts(&["assert", "should", "coVerify"])
                && (called || starts(&["should"]) || word.after == Some('{')))
                || (is(&["verify", "verifyOrder", "verifyAll"])
                    && matches!(word.after, Some('(' | '{')))
                || (called && is(&["expectThat", "expect", "fail", "andExpect"]))
        }
        "csharp" => {
            is_owner(word, &["Assert", "CollectionAssert", "StringAssert"])
                || (called && starts(&["Should"]))
                || (called && is(&["Verify", "VerifyAll", "Received", "DidNotReceive", "Expect"]))
        }
        "ruby" => {
            starts(&["assert", "refute", "must_", "wont_"])
                || (text == "expect" && matches!(word.after, Some('(' | '{')))
                || is(&["is_expected", "should", "should_not"])
        }
        "php" => {
            called
                && (starts(&["assert", "expect"])
                    || starts(MATCHERS)
                    || is(&["shouldReceive", "shouldHaveReceived", "shouldReturn"]))
        }
        "swift" => {
            starts(&["XCTAssert", "XCTFail"])
                || (is(&["expect", "require"]) && word.before == Some('#'))
                || (called && text == "expect")
        }
        "c" => {
            let macros = [
                "EXPECT_",
                "ASSERT_",
                "BOOST_CHECK",
                "BOOST_REQUIRE",
                "BOOST_TEST",
                "TEST_ASSERT",
                "CU_ASSERT",
                "ck_assert",
                "cr_assert",
                "assert_",
                "QCOMPARE",
                "QVERIFY",
                "STRCMP_EQUAL",
                "CHECK",
                "REQUIRE",
                "XCTAssert",
                "STATIC_REQUIRE",
            ];
            called && (starts(&macros) || is(&["assert", "static_assert"]))
        }
        "elixir" => starts(&["assert", "refute"]),
        "dart" => called && is(&["expect", "expectLater", "verify", "verifyNever"]),
        "perl" => {
            called
                && is(&[
                    "is",
                    "ok",
                    "like",
                    "is_deeply",
                    "cmp_ok",
                    "isa_ok",
                    "throws_ok",
                ])
        }
        "haskell" => starts(&["should", "assert"]),
        "zig" => called && starts(&["expect"]),
        "r" => called && starts(&["expect_"]),
        "julia" => text == "test" && word.before == Some('@'),
        "shell" => starts(&["assert_", "refute_"]),
        _ => starts(&["assert"]),
    }
}

fn is_owner(word: &Word<'_>, owners: &[&str]) -> bool {
    owners.contains(&word.owner)
}

/// Bringing assertions in is none.
fn is_import(language: &str, code: &str) -> bool {
    let starts: &[&str] = match language {
        "python" => &["from ", "import ", "def ", "async def "],
        "javascript" => &["import ", "const {", "export "],
        "rust" | "php" => &["use ", "fn ", "pub fn "],
        "csharp" => &["using "],
        "jvm" => &["import ", "package "],
        "c" => &["#include", "#define", "using "],
        "ruby" => &["require", "include ", "def "],
        _ => &["import "],
    };
    starts.iter().any(|start| code.starts_with(start))
}

/// A part that lets more than one value through, whatever else is asked.
fn loosened(code: &str, words: &[Word<'_>], bare: bool) -> bool {
    let wild = words.iter().any(|word| {
        let any = [
            "anything",
            "any",
            "objectContaining",
            "arrayContaining",
            "stringContaining",
            "stringMatching",
            "closeTo",
        ];
        let not = [
            "not",
            "not_to",
            "to_not",
            "NotTo",
            "ToNot",
            "ShouldNot",
            "isNot",
        ];
        (word.owner == "expect" && any.contains(&word.text))
            || (word.before == Some('.') && not.contains(&word.text))
    });
    let either = if bare {
        [" or ", " not ", " in "].iter().any(|w| code.contains(w)) && !code.contains(" not in (")
    } else {
        // Without operands on its left it begins a closure.
        code.split("||").next().is_some_and(|left| {
            left.len() < code.len() && !left.trim_end().ends_with(['(', ',', '=', '{'])
        })
    };
    wild || either || ANY_ERROR.iter().any(|text| code.contains(text))
}

/// `Should().Be(x)`; elsewhere the word only joins others.
fn is_be(language: &str, words: &[Word<'_>]) -> bool {
    let be = |word: &Word<'_>| matches!((language, word.text), ("csharp", "Be") | ("ruby", "be"));
    words.iter().any(|word| be(word) && word.after == Some('('))
}

/// Satisfied by whatever goes wrong.
const ANY_ERROR: &[&str] = &[
    "raises(Exception)",
    "raises(BaseException)",
    "assertRaises(Exception)",
    "assertThrows(Exception.class",
    "assertThrows(Throwable.class",
    "Throws<Exception>",
    "ThrowsAsync<Exception>",
];

/// An equality among the operators.
fn compares(code: &str, bare: bool) -> bool {
    let equal = code.match_indices("==").any(|(place, _)| {
        let before = code.get(..place).and_then(|text| text.chars().next_back());
        !matches!(before, Some('!' | '<' | '>'))
    });
    equal || (bare && code.contains(" is "))
}

/// `EXPECT_EQ`, `assertArrayEquals`, `assert_json_snapshot`.
fn ends_exact(name: &str) -> bool {
    let asserts = [
        "assert", "expect", "require", "check", "test", "ck", "cr", "qcompare", "xct", "boost",
        "cu",
    ];
    asserts.iter().any(|start| name.starts_with(start))
        && ["eq", "equal", "equals", "same", "snapshot", "equalto"]
            .iter()
            .any(|end| name.ends_with(end))
        && !name.contains("not")
}

/// `EXPECT_NE`, `ASSERT_TRUE`, `assertGreaterThan`.
fn ends_loose(name: &str) -> bool {
    let asserts = [
        "assert",
        "expect",
        "require",
        "check",
        "refute",
        "xctassert",
        "testassert",
    ];
    asserts.iter().any(|start| name.starts_with(start))
        && [
            "true",
            "false",
            "ne",
            "gt",
            "ge",
            "lt",
            "le",
            "notnull",
            "notnil",
            "notempty",
            "notequal",
            "notequals",
            "contains",
            "greaterthan",
            "lessthan",
            "defined",
        ]
        .iter()
        .any(|end| name.ends_with(end))
}

/// `assert!(x.is_ok())`, `REQUIRE(x)`: nothing but truth is asked.
fn is_plain_macro(words: &[Word<'_>]) -> bool {
    let truth = [
        "assert",
        "debug_assert",
        "prop_assert",
        "REQUIRE",
        "CHECK",
        "refute",
    ];
    words.iter().any(|word| {
        truth.contains(&word.text) && word.before != Some('.') && word.after != Some('.')
    })
}
