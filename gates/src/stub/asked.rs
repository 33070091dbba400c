//! Stubs that a person asks for in a prompt.

use super::StubKind;
use alloc::string::String;
use alloc::vec::Vec;

/// Sentences with such words ask for the contrary, or for something to be done
/// about what is there.
const CONTRARY: &[&str] = &[
    " no ",
    "n't ",
    "n\u{2019}t ",
    " not leave",
    " not add",
    " not use",
    " not skip",
    "do not",
    "without",
    "never",
    "avoid",
    "remov",
    "replac",
    "delet",
    "resolv",
    "get rid",
    "rather than",
    "instead of",
    "finish",
    "complete ",
    "fill in",
    "fix ",
    "unskip",
    "re-enable",
    "enable ",
    "implement the ",
    "address ",
    "why ",
];

/// What the sentences ask for, by kind; all words of a list must occur.
const ASKS: &[(StubKind, &[&[&str]])] = &[
    (
        StubKind::Marker,
        &[
            &["add", "todo"],
            &["leave", "todo"],
            &["put", "todo"],
            &["insert", "todo"],
            &["write", "todo"],
            &["keep", "todo"],
            &["mark", "todo"],
            &["todo comment"],
            &["add", "fixme"],
            &["leave", "fixme"],
            &["put", "fixme"],
        ],
    ),
    (
        StubKind::NotImplemented,
        &[
            &["stub out"],
            &["a stub"],
            &["as stubs"],
            &["stubs for"],
            &["stubbed"],
            &["just stub"],
            &["stub implementation"],
            &["stub method"],
            &["stub function"],
            &["stub class"],
            &["only stub"],
            &["skeleton"],
            &["scaffold"],
            &["placeholder"],
            &["todo!()"],
            &["unimplemented"],
            &["not implemented"],
            &["notimplemented"],
            &["signatures only"],
            &["only the signatures"],
            &["empty implementation"],
            &["leave", "for later"],
        ],
    ),
    (
        StubKind::SkippedTest,
        &[
            &["skip", "test"],
            &["skip", "spec"],
            &["skip", "suite"],
            &["xfail"],
            &["ignore", "test"],
            &["disable", "test"],
            &["pending", "test"],
            &["quarantine"],
            &["todo", "test"],
        ],
    ),
    (StubKind::OnlyTest, &[&[".only"], &["focus", "test"]]),
];

/// The kinds of stubs that a prompt asks for.
#[must_use]
pub fn asked(prompt: &str) -> Vec<StubKind> {
    let mut kinds = Vec::new();
    for sentence in prompt
        .split(['\n', '?', ';'])
        .flat_map(|line| line.split(". "))
    {
        let lower = sentence.to_lowercase();
        let padded: String = [" ", lower.as_str(), " "].concat();
        // A waiver asks for no stub.
        if lower.trim_start().starts_with("receipt:")
            || CONTRARY.iter().any(|word| padded.contains(word))
        {
            continue;
        }
        for (kind, lists) in ASKS {
            let marker = *kind != StubKind::Marker || is_marker(sentence, &lower);
            let asks = lists
                .iter()
                .any(|words| words.iter().all(|word| lower.contains(word)));
            if marker && asks && !kinds.contains(kind) {
                kinds.push(*kind);
            }
        }
    }
    kinds
}

/// A todo may be what the program is about; the marker is written large or as
/// a comment.
fn is_marker(sentence: &str, lower: &str) -> bool {
    let words = ["TODO", "FIXME", "XXX"];
    words.iter().any(|word| sentence.contains(word))
        || ["todo comment", "todo note", "todo marker", "todo:"]
            .iter()
            .any(|text| lower.contains(text))
}
