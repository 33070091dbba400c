//! Programs that are handed their own program as text.

use crate::shell::{Segment, Word};

/// Programs that run the text they are given.
const INTERPRETERS: [&str; 14] = [
    "python",
    "python2",
    "python3",
    "node",
    "deno",
    "bun",
    "perl",
    "ruby",
    "php",
    "lua",
    "awk",
    "gawk",
    "osascript",
    "socat",
];

/// The texts that a segment hands to an interpreter to run.
pub(super) fn programs<'a>(
    name: &str,
    arguments: &'a [Word],
    segment: &'a Segment,
) -> impl Iterator<Item = &'a str> {
    let runs = INTERPRETERS.contains(&name) || name.starts_with("python3.");
    let texts = arguments.iter().map(|word| word.text.as_str());
    // A path alone is an operand; a program has more than a path.
    let texts = texts.filter(|text| text.contains(['(', ' ', ';', '\'', '"']));
    let input = segment.input.as_deref();
    texts.chain(input).filter(move |_| runs)
}

/// What changes files, in one language or another. A program that has none of these only reads.
const CHANGES: [&str; 22] = [
    "rmtree",
    "remove",
    "unlink",
    "rmdir",
    "rename",
    "replace(",
    "move",
    "copy",
    "write",
    "truncate",
    "chmod",
    "symlink",
    "link(",
    "mkdir",
    "system",
    "exec",
    "spawn",
    "subprocess",
    "connect",
    "rmSync",
    "rm(",
    "'w",
];

/// What stands before a path that is only text: a search or a comparison.
const MENTIONS: [&str; 6] = ["replace(", "in ", "== ", "print(", "sub(", "echo "];

/// Whether a program does something to a path that it names.
pub(super) fn acts_on(program: &str, path: &str) -> bool {
    let changes = CHANGES.iter().any(|word| program.contains(word)) || program.contains("\"w");
    let keys = program.contains("keys");
    let mut places = program.match_indices(path).map(|(at, _)| at);
    (changes || keys) && places.any(|at| !is_mention(program.get(..at).unwrap_or_default()))
}

/// Whether the literal that ends here is an argument of a search.
fn is_mention(before: &str) -> bool {
    let quote = before.rfind(['\'', '"', '`']);
    let before = quote.and_then(|at| before.get(..at)).unwrap_or(before);
    MENTIONS.iter().any(|word| before.ends_with(word))
}
