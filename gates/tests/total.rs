//! Nothing panics, whatever it reads, and nothing takes long.

use proptest::prelude::*;
use receipt_core::event::{Before, FileChange};
use receipt_gates::check::{Evidence, judge, runs};
use receipt_gates::{claim, mark, path, shell, source, stub};

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("pytest"),
        Just("cargo test"),
        Just(" | tail"),
        Just("&& "),
        Just("|| true"),
        Just("; "),
        Just("\n"),
        Just("'"),
        Just("\""),
        Just("`"),
        Just("$("),
        Just(")"),
        Just("("),
        Just("{ "),
        Just("}"),
        Just("<<E\n"),
        Just("E\n"),
        Just("bash -c "),
        Just("\\"),
        Just("if "),
        Just("then "),
        Just("fi"),
        Just("case x in "),
        Just("esac"),
        Just("#"),
        Just(">"),
        Just("2>&1"),
        Just("é"),
        Just("env A=1 "),
        Just("npm run "),
        Just("test:x "),
        Just("-k "),
        Just("make "),
        Just("echo $?"),
        Just("npx "),
        Just("docker compose exec app "),
        Just("-m "),
        Just("python "),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn outputs() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("test result: ok. 3 passed; 0 failed"),
        Just("\n"),
        Just("1 failed, 2 passed in 0.1s"),
        Just("===="),
        Just("Tests: "),
        Just("FAIL\t"),
        Just("é"),
        Just("\u{1b}[31m"),
        Just("\r"),
        Just("12"),
        Just(" passing"),
        Just("[ "),
        Just("Found 3 errors."),
        Just("99999999999999999999 passed"),
        Just("- "),
        Just("# fail "),
        Just("(fail) "),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn commands_never_panic(text in any::<String>(), built in pieces()) {
        for command in [&text, &built] {
            let segments = shell::segments(command);
            prop_assert!(segments.len() <= 10_000);
            let _ = shell::may_write(&segments);
            let _ = runs(command);
        }
    }

    #[test]
    fn outputs_never_panic(command in pieces(), output in outputs(), noise in any::<String>(), exit in any::<Option<i32>>()) {
        for run in runs(&format!("{command}; pytest | tail; npm test; make")) {
            for text in [&output, &noise] {
                let evidence = Evidence { exit, output: text, single: false, ..Evidence::default() };
                prop_assert!(judge(&run, &evidence).failing.len() <= 50);
            }
        }
    }

    #[test]
    fn lines_and_messages_never_panic(text in any::<String>(), language in "(rust|python|javascript|go|c|jvm|)") {
        let lines: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let _ = stub::stubs(&language, &lines);
        let _ = stub::asked(&text);
        let _ = source::lines(&language, &lines, std::slice::from_ref(&text));
        for name in ["tests/a", "Cargo.toml", "tsconfig.json", "a.snap"] {
            let class = path::classify(name, true);
            let change = FileChange {
                path: name.to_owned(),
                added: lines.clone(),
                removed: vec![text.clone()],
                before: Before::Known,
            };
            let _ = mark::marks(mark::File { path: name, class, language: &language }, &change);
        }
        let _ = claim::claims(&text);
        let _ = claim::completion_language(&text);
        let _ = claim::is_question(&text);
        let _ = path::classify(&text, true);
        let _ = path::classify(&text, false);
        let _ = path::language(&text);
    }

    /// Log lines of a green run never change how it came out.
    #[test]
    fn unrelated_lines_do_not_matter(noise in prop::collection::vec("[a-z ]{0,40}(error|failed|fail|warning): [a-z ]{0,30}", 0..30)) {
        let output = format!("{}\n===== 3 passed in 0.10s =====", noise.join("\n"));
        let run = &runs("pytest -q | tail -40")[0];
        let evidence = Evidence { exit: Some(0), output: &output, single: true, ..Evidence::default() };
        prop_assert_eq!(judge(run, &evidence).outcome.as_str(), "passed");
    }
}

#[test]
fn large_inputs_come_to_an_end() {
    let run = &runs("npm test")[0];
    let lines = "ok 1 - something that passed\n".repeat(1_000_000);
    let line = "x".repeat(5_000_000);
    for output in [&lines, &line] {
        let evidence = Evidence {
            exit: Some(0),
            output,
            single: true,
            ..Evidence::default()
        };
        drop(judge(run, &evidence));
    }
    let command = "pytest -q && ".repeat(10_000);
    drop(runs(&command));
    let heredoc = format!("cat <<'E'\n{}\nE\npytest", "text ".repeat(1_000_000));
    assert_eq!(runs(&heredoc).len(), 1);
    let word = "a".repeat(2_000_000);
    drop(shell::segments(&word));
    drop(claim::claims(&"all tests pass ".repeat(200_000)));
    drop(stub::stubs("rust", &["todo ".repeat(500_000)]));
}
