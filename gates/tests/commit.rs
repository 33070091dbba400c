//! Checks that git's hooks run inside `git commit`.

use receipt_gates::check::{
    Basis, Evidence, Judged, Outcome, Planted, Qualifier, commit, judge_commit, runs_in,
};
use receipt_gates::shell;

const MADE: &str = "[main 1a2b3c4] Add totals\n 1 file changed, 20 insertions(+)";

fn judged(command: &str, exit: i32, output: &str) -> Option<Judged> {
    let segments = shell::segments(command);
    let run = commit(&segments)?;
    let planted = Planted::new(command, &segments, std::slice::from_ref(&run));
    let evidence = Evidence {
        exit: Some(exit),
        failed_call: exit != 0,
        output,
        planted: Some(&planted),
        ..Evidence::default()
    };
    judge_commit(&run, &evidence)
}

fn outcome(command: &str, exit: i32, output: &str) -> Option<(Outcome, Basis)> {
    judged(command, exit, output).map(|judged| (judged.outcome, judged.basis))
}

const PRE_COMMIT_RED: &str = "\
trim trailing whitespace.................................................Passed
ruff.....................................................................Failed
- hook id: ruff
- exit code: 1

totals.py:1:8: F401 [*] `os` imported but unused
Found 1 error.
[*] 1 fixable with the `--fix` option.

mypy.....................................................................Passed";

const PRE_COMMIT_GREEN: &str = "\
trim trailing whitespace.................................................Passed
ruff.....................................................................Passed
mypy.................................................(no files to check)Skipped";

const LINT_STAGED_RED: &str = "\
[STARTED] Preparing lint-staged...
[COMPLETED] Preparing lint-staged...
[STARTED] Running tasks for staged files...
[STARTED] eslint --max-warnings=0
[FAILED] eslint --max-warnings=0 [FAILED]
[COMPLETED] Running tasks for staged files...
[STARTED] Reverting to original state because of errors...
[COMPLETED] Reverting to original state because of errors...

✖ eslint --max-warnings=0:

/proj/src/a.ts
  3:7  error  'b' is assigned a value but never used  @typescript-eslint/no-unused-vars

✖ 1 problem (1 error, 0 warnings)

husky - pre-commit script failed (code 1)";

const LINT_STAGED_GREEN: &str = "\
[STARTED] Running tasks for staged files...
[COMPLETED] eslint --max-warnings=0
[COMPLETED] Running tasks for staged files...
[COMPLETED] Cleaning up temporary files...";

const LEFTHOOK_RED: &str = "\
╭──────────────────────────────────────╮
│ 🥊 lefthook v1.10.1  hook: pre-commit │
╰──────────────────────────────────────╯
┃  types ❯

src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.

  ────────────────────────────────────
summary: (done in 2.41 seconds)
✔️ lint (0.80 seconds)
🥊 types (2.40 seconds)";

const LEFTHOOK_GREEN: &str = "\
summary: (done in 2.41 seconds)
✔️ lint (0.80 seconds)
✔️ types (2.40 seconds)";

/// A hook of one's own that runs the tests.
const JEST_RED: &str = "\
FAIL src/a.test.ts
  ● adds

Test Suites: 1 failed, 3 passed, 4 total
Tests:       1 failed, 11 passed, 12 total";

const JEST_GREEN: &str = "\
PASS src/a.test.ts

Test Suites: 4 passed, 4 total
Tests:       12 passed, 12 total";

#[test]
fn hooks_that_refuse_a_commit_are_a_failed_check() {
    let red = Some((Outcome::Failed, Basis::Summary));
    for output in [PRE_COMMIT_RED, LINT_STAGED_RED, LEFTHOOK_RED, JEST_RED] {
        assert_eq!(
            outcome("git commit -m 'Add totals'", 1, output),
            red,
            "{output}"
        );
        let piped = "git add -A && git commit -m 'Add totals' 2>&1 | tail -20";
        assert_eq!(outcome(piped, 0, output), red, "{output}");
    }
}

#[test]
fn hooks_that_let_a_commit_pass_are_a_passed_check() {
    let green = Some((Outcome::Passed, Basis::Summary));
    for hooks in [
        PRE_COMMIT_GREEN,
        LINT_STAGED_GREEN,
        LEFTHOOK_GREEN,
        JEST_GREEN,
    ] {
        let output = format!("{hooks}\n{MADE}");
        for command in [
            "git commit -m 'Add totals'",
            "git -C api -c user.name=a commit -qam 'Add totals'",
            "cd api && git add -A && git commit -m \"$(cat <<'E'\nAdd totals\nE\n)\" 2>&1 | tail -30",
        ] {
            assert_eq!(outcome(command, 0, &output), green, "{command}: {output}");
        }
    }
}

#[test]
fn a_commit_without_hooks_shows_nothing() {
    let made = Some((Outcome::Unknown, Basis::Exit));
    assert_eq!(outcome("git commit -m 'Add totals'", 0, MADE), made);
    assert_eq!(outcome("git commit -m x | tail -2", 0, MADE), made);
    assert_eq!(outcome("git commit -qm x", 0, ""), made);
    // Refused for other reasons than a check.
    for output in [
        "On branch main\nnothing to commit, working tree clean",
        "error: gpg failed to sign the data\nfatal: failed to write commit object",
        "Author identity unknown\nfatal: unable to auto-detect email address",
        "⧗   input: wip\n✖   subject may not be empty [subject-empty]",
    ] {
        assert_eq!(outcome("git commit -m x", 1, output), None, "{output}");
    }
    // A message, or a file, that tells of tests is no hook.
    let message = "git commit -m '12 passed in 0.10s'";
    assert_eq!(outcome(message, 0, "12 passed in 0.10s"), made);
    let from_file = "[main 1a2b3c4] 12 passed in 0.10s\n 1 file changed, 1 insertion(+)";
    assert_eq!(outcome("git commit -F note", 0, from_file), made);
    let shown = format!("{MADE}\n12 passed in 0.10s");
    assert_eq!(outcome("git commit -m x; tail -1 old.log", 0, &shown), made);
    assert_eq!(outcome("git commit -m x && git log -1", 0, &shown), made);
}

#[test]
fn a_commit_without_its_hooks_is_told() {
    for command in [
        "git commit --no-verify -m x",
        "git commit -nm x",
        "git commit -anm x",
        "git -c core.hooksPath=/dev/null commit -m x",
        "HUSKY=0 git commit -m x",
        "export LEFTHOOK=0; git commit -m x",
    ] {
        let judged = judged(command, 0, &format!("{PRE_COMMIT_GREEN}\n{MADE}")).unwrap();
        assert_eq!(judged.outcome, Outcome::Unknown, "{command}");
        assert_eq!(judged.basis, Basis::None, "{command}");
        assert_eq!(judged.qualifiers, [Qualifier::HooksSkipped], "{command}");
    }
    for command in [
        "git commit -mnever",
        "git commit -m x -- -n",
        "HUSKY=1 git commit -m x",
    ] {
        let judged = judged(command, 0, MADE).unwrap();
        assert_eq!(judged.qualifiers, [], "{command}");
    }
}

#[test]
fn other_uses_of_git_commit_nothing() {
    for command in [
        "git commit --dry-run",
        "git log --grep commit",
        "git show commit",
        "echo git commit",
        "git commit-tree x",
    ] {
        assert_eq!(outcome(command, 0, PRE_COMMIT_GREEN), None, "{command}");
    }
}

#[test]
fn a_commit_is_no_rival_of_the_checks_beside_it() {
    let segments = shell::segments("pytest -q && git commit -m x");
    assert_eq!(runs_in(&segments).len(), 1);
}
