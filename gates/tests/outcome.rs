//! How checks came out, by exit status, summary, or not known.

mod masked;
mod nothing;
mod several;
mod status;
mod summaries;

use receipt_gates::check::{Evidence, Judged, Outcome, judge, runs};

use Outcome::{Failed, Unknown};

/// A call that ended with `exit`.
fn call(command: &str, exit: i32, output: &str) -> Judged {
    let found = runs(command);
    let run = found
        .first()
        .unwrap_or_else(|| panic!("no check in {command}"));
    let evidence = Evidence {
        exit: Some(exit),
        failed_call: exit != 0,
        output,
        single: found.len() == 1,
        ..Evidence::default()
    };
    judge(run, &evidence)
}

fn expect(cases: &[(&str, i32, &str, Outcome)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(command, exit, output, wanted)| {
            let judged = call(command, *exit, output);
            (judged.outcome != *wanted).then(|| {
                format!("{command} => {exit} {output:?}: wanted {wanted:?}, got {judged:?}")
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_of_failing_tests_are_kept() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "pytest",
            "FAILED tests/a.py::test_x - assert 1 == 2\nFAILED tests/a.py::test_y - boom\n=== 2 failed in 0.1s ===",
            &["tests/a.py::test_x", "tests/a.py::test_y"],
        ),
        (
            "cargo test",
            "test a::b ... FAILED\ntest result: FAILED. 0 passed; 1 failed",
            &["a::b"],
        ),
        (
            "go test ./...",
            "--- FAIL: TestSum (0.00s)\nFAIL\tex/a\t0.1s",
            &["TestSum"],
        ),
        (
            "python -m unittest",
            "FAIL: test_a (a.T.test_a)\nFAILED (failures=1)",
            &["test_a (a.T.test_a)"],
        ),
        (
            "bun test",
            "(fail) adds > two [0.10ms]\n 0 pass\n 1 fail",
            &["adds > two"],
        ),
        ("node --test", "not ok 1 - adds\n# fail 1", &["adds"]),
    ];
    for (command, output, names) in cases {
        assert_eq!(call(command, 1, output).failing, *names, "{command}");
    }
    let many = "FAILED tests/a.py::t - x\n".to_string()
        + &(0..200)
            .map(|n| format!("FAILED tests/a.py::t{n} - x\n"))
            .collect::<String>();
    assert_eq!(call("pytest", 1, &many).failing.len(), 50);
    assert!(call("pytest", 0, "3 passed in 0.1s").failing.is_empty());
}

#[test]
fn long_outputs_are_read_at_both_ends() {
    let noise = "log line about nothing\n".repeat(50_000);
    expect(&[
        (
            "pytest | tail -100000",
            0,
            &format!("{noise}===== 2 failed, 10 passed in 3.00s ====="),
            Failed,
        ),
        (
            "cargo build 2>&1 | cat",
            0,
            &format!("error: could not compile `x`\n{noise}"),
            Failed,
        ),
        (
            "pytest | cat",
            0,
            &format!(
                "{}\n===== 2 failed, 10 passed in 3.00s =====",
                "x".repeat(9_000_000)
            ),
            Failed,
        ),
        (
            "pytest | cat",
            0,
            &format!("{}===== 2 failed", "x".repeat(100)),
            Unknown,
        ),
    ]);
}
