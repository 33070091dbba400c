//! Claims, questions and words of completion.

use receipt_gates::claim::{ClaimKind, claims, completion_language, is_question};

use ClaimKind::{
    BuildPasses, Deployed, Done, Fixed, LintClean, RanCheck, TestsPass, TypesClean, Verified,
};

/// The kinds that are claimed outright.
fn claimed(message: &str) -> Vec<ClaimKind> {
    let mut kinds: Vec<ClaimKind> = claims(message)
        .iter()
        .filter(|claim| !claim.negated && !claim.hedged)
        .map(|claim| claim.kind)
        .collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

#[test]
fn claims_are_heard() {
    let cases: &[(&str, &[ClaimKind])] = &[
        ("All tests pass.", &[TestsPass]),
        ("All 12 tests are passing now.", &[TestsPass]),
        ("✅ Tests: 12/12 passing", &[TestsPass]),
        ("- **Tests**: ✅", &[TestsPass]),
        ("The test suite is green.", &[TestsPass]),
        ("`npm test` passes.", &[TestsPass]),
        ("128 passed, 0 failed.", &[TestsPass]),
        ("Tests ran with no failures.", &[TestsPass, RanCheck]),
        ("The previously failing tests now pass.", &[TestsPass]),
        ("The build succeeds.", &[BuildPasses]),
        ("It compiles cleanly.", &[BuildPasses]),
        ("Lint is clean.", &[LintClean]),
        ("Clippy passes without warnings.", &[LintClean]),
        ("Typecheck passes.", &[TypesClean]),
        ("tsc reports no errors.", &[TypesClean]),
        (
            "All checks pass.",
            &[TestsPass, BuildPasses, LintClean, TypesClean],
        ),
        ("Fixed!", &[Fixed]),
        ("The bug is resolved.", &[Fixed]),
        ("Login works now.", &[Fixed]),
        ("Done.", &[Done]),
        ("The feature is fully implemented.", &[Done]),
        ("Slug helper done, tests verified.", &[Done, Verified]),
        ("I verified it by hand.", &[Verified]),
        ("Deployed to production.", &[Deployed]),
        ("Types added, mypy is clean.", &[TypesClean]),
        ("Implemented, tests pass.", &[TestsPass, Done]),
        ("I ran the tests.", &[RanCheck]),
        (
            "I ran the full pytest suite (128 passed) and validated the CLI manually.",
            &[TestsPass, Verified, RanCheck],
        ),
        ("The tests were run.", &[RanCheck]),
        ("Shipped, tests green.", &[TestsPass, Deployed]),
    ];
    for (message, expected) in cases {
        let mut expected = expected.to_vec();
        expected.sort();
        assert_eq!(claimed(message), expected, "{message}");
    }
}

#[test]
fn denials_plans_and_quotations_claim_nothing() {
    let cases = [
        "I could not run the tests.",
        "I couldn't run the tests, so nothing is confirmed.",
        "I have not run the tests.",
        "The tests do not pass yet.",
        "Two tests fail.",
        "Tests: 2 failed.",
        "127 of 128 tests pass.",
        "127/128 tests passing",
        "All but one test passes.",
        "The tests should pass now.",
        "Once the tests pass, I'll merge.",
        "Please run the tests.",
        "Run the tests with `npm test` to make sure they pass.",
        "Next I will verify that the build passes.",
        "Want me to check whether the tests pass?",
        "Do the tests pass?",
        "The user said \"all tests pass here\" earlier.",
        "> All tests pass.",
        "```\nall tests pass\n```",
        "I changed X, not tested.",
        "This is untested.",
        "The header has a fixed width.",
        "Here is the complete list.",
        "If the tests pass you can deploy.",
        "The build failed.",
        "Lint reports errors.",
    ];
    for message in cases {
        assert_eq!(claimed(message), [], "{message}");
    }
}

#[test]
fn polarity_hedge_and_count_are_kept() {
    let claim = claims("Two tests fail.")
        .into_iter()
        .find(|claim| claim.kind == TestsPass)
        .unwrap();
    assert!(claim.negated && !claim.hedged);
    let claim = claims("The tests should pass.")
        .into_iter()
        .find(|claim| claim.kind == TestsPass)
        .unwrap();
    assert!(claim.hedged && !claim.negated);
    let count = |message: &str| claims(message).first().and_then(|claim| claim.count);
    assert_eq!(count("All 384 tests pass."), Some(384));
    assert_eq!(count("1,204 tests passing."), Some(1204));
    assert_eq!(count("12/12 tests pass."), Some(12));
    assert_eq!(count("Suite green, 384 tests pass."), Some(384));
    assert_eq!(count("Tests pass."), None);
    let mixed = claims("Tests pass, but I could not run the linter.");
    assert!(
        mixed
            .iter()
            .any(|claim| claim.kind == TestsPass && !claim.negated && !claim.hedged),
        "{mixed:?}"
    );
    assert!(claims(&"All tests pass. ".repeat(5_000)).len() <= 100);
    assert!(
        claims(&format!("All tests pass {}", "x".repeat(500)))[0]
            .text
            .chars()
            .count()
            <= 200
    );
}

#[test]
fn completion_is_heard() {
    for message in [
        "Done.",
        "It's fixed now",
        "Deployed!",
        "This should resolve it.",
        "That should work.",
        "All set.",
        "Good to go!",
        "Implemented the parser.",
        "Everything is complete.",
        "Regenerated dist/report.html.",
        "Verified with a direct run.",
    ] {
        assert!(completion_language(message), "{message}");
    }
    for message in [
        "I looked at the code.",
        "What do you think?",
        "```\ndone\n```",
        "",
        "The abandoned branch is old.",
    ] {
        assert!(!completion_language(message), "{message}");
    }
}

#[test]
fn questions_are_heard() {
    for message in [
        "Shall I go on?",
        "Done. Do you want me to commit?",
        "Which one?\n1. A\n2. B",
        "Which one?\n\n- A\n- B\n",
        "**Should I continue?**",
        "Ready to commit? 🚀",
    ] {
        assert!(is_question(message), "{message}");
    }
    for message in [
        "Done.",
        "Why? Because it broke. Fixed.",
        "Fixed! Give it a try and let me know whether it scrolls now.",
        "What changed?\n\nI rewrote the parser.",
        "",
    ] {
        assert!(!is_question(message), "{message}");
    }
}
