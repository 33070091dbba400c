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
