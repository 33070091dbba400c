//! Checks among other commands of one call.

use super::expect;
use receipt_gates::check::{Evidence, Outcome, judge, judge_all, runs};

use Outcome::{Failed, Passed, Unknown};

#[test]
fn failures_of_others_are_not_held_against_a_check() {
    expect(&[
        (
            "pytest && git commit -m x",
            1,
            "===== 3 passed in 0.1s =====\nerror: gpg failed to sign the data",
            Passed,
        ),
        (
            "pytest && git commit -m x",
            1,
            "===== 1 failed in 0.1s =====",
            Failed,
        ),
        ("pytest && git push", 1, "error: failed to push", Unknown),
        (
            "pip install -e . && pytest",
            1,
            "ERROR: No matching distribution",
            Unknown,
        ),
    ]);
    let found = runs("npx eslint . && npx vitest run");
    let output = " Test Files  1 failed (1)\n      Tests  1 failed | 3 passed (4)";
    let evidence = Evidence {
        exit: Some(1),
        failed_call: true,
        output,
        ..Evidence::default()
    };
    assert_eq!(judge(&found[0], &evidence).outcome, Unknown);
    assert_eq!(judge(&found[1], &evidence).outcome, Failed);
    let both = runs("npm run lint | tail -3; npx vitest run | tail -5");
    let output =
        "✖ 1 problem (1 error, 0 warnings)\n Test Files  1 passed (1)\n      Tests  4 passed (4)";
    let evidence = Evidence {
        exit: Some(0),
        output,
        ..Evidence::default()
    };
    assert_eq!(judge(&both[0], &evidence).outcome, Failed);
    assert_eq!(judge(&both[1], &evidence).outcome, Passed);
    let harmless = Evidence {
        exit: Some(1),
        exit_harmless: true,
        output: "",
        single: true,
        ..Evidence::default()
    };
    assert_eq!(
        judge(&runs("pytest | grep x")[0], &harmless).outcome,
        Unknown
    );
}

#[test]
fn checks_of_one_call_tell_about_each_other() {
    let outcomes = |command: &str, exit: i32, output: &str| -> Vec<Outcome> {
        let evidence = Evidence {
            exit: Some(exit),
            failed_call: exit != 0,
            output,
            ..Evidence::default()
        };
        judge_all(&runs(command), &evidence)
            .iter()
            .map(|judged| judged.outcome)
            .collect()
    };
    let red = " Test Files  1 failed (1)\n      Tests  1 failed | 3 passed (4)";
    let green = " Test Files  1 passed (1)\n      Tests  4 passed (4)";
    assert_eq!(
        outcomes("npx eslint . && npx vitest run", 1, red),
        [Passed, Failed]
    );
    assert_eq!(
        outcomes("npx eslint . && npx vitest run", 0, green),
        [Passed, Passed]
    );
    assert_eq!(
        outcomes("npx vitest run && npx eslint .", 1, green),
        [Passed, Failed]
    );
    assert_eq!(
        outcomes("npx vitest run && npx eslint . && ./deploy", 1, green),
        [Passed, Unknown]
    );
    assert_eq!(
        outcomes("npx eslint . && npx tsc", 1, ""),
        [Unknown, Unknown]
    );
    assert_eq!(
        outcomes("npx eslint .; npx vitest run", 1, red),
        [Unknown, Failed]
    );
    assert_eq!(outcomes("pytest", 1, ""), [Failed]);
}
