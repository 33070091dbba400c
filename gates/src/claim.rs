//! What a message says about the work: claims, questions, words of completion.

mod completion;
mod context;
mod phrases;
mod question;
mod ran;
mod read;
mod sentence;
mod state;
mod subject;

use crate::check::named::named_enum;
use alloc::string::String;
use alloc::vec::Vec;

pub use question::is_question;

named_enum! {
    /// What is claimed.
    pub enum ClaimKind {
        /// Tests pass.
        TestsPass = "tests-pass",
        /// The project builds.
        BuildPasses = "build-passes",
        /// The linter has nothing to say.
        LintClean = "lint-clean",
        /// The type checker has nothing to say.
        TypesClean = "types-clean",
        /// A fault is gone.
        Fixed = "fixed",
        /// The task is finished.
        Done = "done",
        /// The work was checked.
        Verified = "verified",
        /// The work is live.
        Deployed = "deployed",
        /// A check was run.
        RanCheck = "ran-check",
    }
}

/// One claim of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What is claimed.
    pub kind: ClaimKind,
    /// Whether the opposite is said ("I could not run the tests", "two tests fail").
    pub negated: bool,
    /// Whether it is a plan, a condition, a wish, a guess ("should pass now") or
    /// somebody else's word ("CI is green").
    pub hedged: bool,
    /// Whether it speaks of a part of the checks only ("the new tests pass").
    pub part: bool,
    /// The runner that it names, as the beginning of the runner's canonical name.
    pub tool: Option<&'static str>,
    /// The number of tests it names.
    pub count: Option<u64>,
    /// The sentence, at most 200 characters.
    pub text: String,
}

/// The claims of a message in the order of its sentences, at most 100.
///
/// Code blocks, quoted lines and quotations are not the author's own words and are left out.
#[must_use]
pub fn claims(message: &str) -> Vec<Claim> {
    read::claims(message)
}

/// Whether a message sounds finished: "done", "fixed", "deployed", "should work now" and the like.
#[must_use]
pub fn completion_language(message: &str) -> bool {
    completion::completion(message)
}
