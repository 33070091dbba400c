//! Where tests begin.

use alloc::borrow::ToOwned;
use alloc::string::String;

/// Calls that take a test's name as a string.
const CALLS: &[(&str, &[&str])] = &[
    (
        "javascript",
        &[
            "it",
            "test",
            "specify",
            "xit",
            "xtest",
            "fit",
            "ftest",
            "Deno.test",
        ],
    ),
    (
        "ruby",
        &["it", "specify", "test", "scenario", "xit", "fit", "example"],
    ),
    ("php", &["it", "test"]),
    ("dart", &["test", "testWidgets"]),
    ("elixir", &["test", "property"]),
    ("go", &["t.Run", "It", "Specify", "XIt", "FIt"]),
    ("jvm", &["test", "it", "should", "scenario", "feature"]),
    ("lua", &["it"]),
    ("c", &["TEST_CASE", "SCENARIO", "TEST_METHOD"]),
];

/// Attributes above a test.
const ATTRIBUTES: &[(&str, &[&str])] = &[
    (
        "jvm",
        &[
            "@Test",
            "@ParameterizedTest",
            "@RepeatedTest",
            "@TestFactory",
            "@Property",
        ],
    ),
    (
        "csharp",
        &[
            "[Fact",
            "[Theory",
            "[Test]",
            "[Test,",
            "[Test(",
            "[TestCase",
            "[TestMethod",
            "[DataTestMethod",
        ],
    ),
    ("swift", &["@Test"]),
    ("php", &["#[Test]"]),
];

/// Macros whose arguments are the test's name.
const MACROS: &[&str] = &[
    "TEST(",
    "TEST_F(",
    "TEST_P(",
    "TYPED_TEST(",
    "BOOST_AUTO_TEST_CASE(",
];

/// The name of the test that begins with a line of code; where it stands below,
/// the attribute.
pub(super) fn name(language: &str, code: &str, line: &str) -> Option<String> {
    function(language, code)
        .or_else(|| attribute(language, code))
        .or_else(|| call(language, line))
}

fn function(language: &str, code: &str) -> Option<String> {
    let after = |keyword: &str| {
        let (before, rest) = code.split_once(keyword)?;
        let fits = before.is_empty() || before.ends_with(char::is_whitespace);
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let name = rest.get(..end.unwrap_or(rest.len()))?;
        fits.then(|| name.to_owned())
    };
    match language {
        "python" => after("def ").filter(|name| name.starts_with("test")),
        "ruby" => after("def ").filter(|name| name.starts_with("test_")),
        "go" => after("func ").filter(|name| {
            ["Test", "Fuzz", "Example", "Benchmark"]
                .iter()
                .any(|start| name.starts_with(start) && name != "TestMain")
        }),
        "php" => after("function ").filter(|name| name.starts_with("test")),
        "swift" => after("func ").filter(|name| name.starts_with("test")),
        "c" => {
            let found = MACROS.iter().find_map(|start| code.strip_prefix(start))?;
            let (name, _) = found.split_once(')')?;
            Some(name.replace("DISABLED_", ""))
        }
        _ => None,
    }
}

fn attribute(language: &str, code: &str) -> Option<String> {
    if language == "rust" {
        return rust_attribute(code);
    }
    let (_, starts) = ATTRIBUTES.iter().find(|(name, _)| *name == language)?;
    let found = starts.iter().find(|start| {
        code.strip_prefix(**start).is_some_and(|rest| {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            !rest.starts_with(word)
        })
    })?;
    // Skipping a test takes no test away.
    Some((*found).trim_end_matches([']', ',', '(']).to_owned())
}

/// `#[test]`, `#[tokio::test(...)]`, `#[rstest]`.
fn rust_attribute(code: &str) -> Option<String> {
    let inner = code.strip_prefix("#[")?;
    let end = inner.find(['(', ']'])?;
    let path = inner.get(..end)?.trim();
    let last = path.rsplit("::").next()?;
    [
        "test",
        "rstest",
        "quickcheck",
        "wasm_bindgen_test",
        "test_case",
    ]
    .contains(&last)
    .then(|| path.to_owned())
}

/// `it("adds", ...)`, also `it.skip(...)` and `test.each(...)("adds", ...)`.
fn call(language: &str, line: &str) -> Option<String> {
    let (_, calls) = CALLS.iter().find(|(name, _)| *name == language)?;
    let text = line.strip_prefix("await ").unwrap_or(line);
    let rest = calls.iter().find_map(|call| {
        let rest = text.strip_prefix(call)?;
        rest.starts_with(['(', ' ', '.', '"', '\'']).then_some(rest)
    })?;
    let quote = rest.find(['"', '\'', '`'])?;
    let lead = rest.get(..quote)?;
    let plain = |c: char| c.is_alphanumeric() || ".( ".contains(c);
    if !lead.chars().all(plain)
        || ["step", "describe", "before", "after", "use"]
            .iter()
            .any(|w| lead.contains(w))
    {
        return None;
    }
    let text = rest.get(quote..)?;
    let mark = text.chars().next()?;
    let end = text.get(1..)?.find(mark)?;
    text.get(1..end.saturating_add(1)).map(ToOwned::to_owned)
}
