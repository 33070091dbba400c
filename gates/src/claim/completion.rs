//! Words that make a message sound finished, as data.

use super::phrases::find;

/// The completion words of which one makes a message sound finished.
const COMPLETION: &[&[&str]] = &[
    &["done"],
    &["fixed"],
    &["deployed"],
    &["should", "resolve"],
    &["should", "work"],
    &["should", "fix"],
    &["should", "now"],
    &["complete"],
    &["completed"],
    &["finished"],
    &["implemented"],
    &["resolved"],
    &["working", "now"],
    &["works", "now"],
    &["now", "works"],
    &["ready"],
    &["verified"],
    &["shipped"],
    &["live"],
    &["merged"],
    &["published"],
    &["released"],
    &["all", "set"],
    &["good", "to", "go"],
    &["tests", "pass"],
    &["tests", "passing"],
    &["tests", "passed"],
    &["tests", "are", "passing"],
    &["successfully"],
    &["confirmed"],
    &["validated"],
    &["solved"],
    &["regenerated"],
    &["tested"],
];

/// Whether a message has a completion phrase outside code blocks and quotations.
pub(super) fn completion(message: &str) -> bool {
    super::sentence::sentences(message).iter().any(|sentence| {
        let clauses = super::sentence::clauses(&sentence.text);
        clauses.iter().any(|words| {
            COMPLETION
                .iter()
                .any(|phrase| find(words, phrase).is_some())
        })
    })
}
