//! Segments of commands, and whose exit status is seen.

use receipt_gates::shell::{Segment, may_write, segments};

/// The segments as text, one each.
fn shown(command: &str) -> Vec<String> {
    segments(command)
        .iter()
        .map(|segment| segment.texts().collect::<Vec<_>>().join(" "))
        .collect()
}

/// `word` with `!` for a masked exit status, `&` for the background, `?` for "may not have run".
fn marks(command: &str) -> Vec<String> {
    let mark = |segment: &Segment| {
        let mut text = segment
            .words
            .first()
            .map_or(String::new(), |word| word.text.clone());
        for (set, mark) in [
            (segment.exit_masked, '!'),
            (segment.background, '&'),
            (segment.conditional, '?'),
        ] {
            if set {
                text.push(mark);
            }
        }
        text
    };
    segments(command).iter().map(mark).collect()
}

#[test]
fn commands_are_split_where_a_shell_splits_them() {
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        ("   \n\n ", &[]),
        ("ls -la", &["ls -la"]),
        (
            "a; b\nc && d || e | f & g",
            &["a", "b", "c", "d", "e", "f", "g"],
        ),
        ("echo 'a; b' \"c && d\" e\\;f", &["echo a; b c && d e;f"]),
        ("a # b; c\nd", &["a", "d"]),
        ("echo a#b", &["echo a#b"]),
        ("a \\\n  b", &["a b"]),
        ("(cd x; a) && { b; c; }", &["cd x", "a", "b", "c"]),
        ("a 2>&1 | b", &["a", "b"]),
        ("a >out 2>err <in b", &["a b"]),
        ("a |& b", &["a", "b"]),
        ("! a", &["a"]),
        ("time a", &["a"]),
        ("X=1 Y='2 3' a b=c", &["a b=c"]),
        (
            "if a; then b; elif c; then d; else e; fi; f",
            &["a", "b", "c", "d", "e", "f"],
        ),
        ("for x in 1 2; do a $x; done", &["a $x"]),
        ("while a; do b; done", &["a", "b"]),
        ("case $x in a|b) c;; *) d;; esac; e", &["c", "d", "e"]),
        ("f() { a; }; f", &["a"]),
        ("function f { a; }\nb", &["b"]),
        ("[[ a && b || c ]] && d", &["[[ a b c ]]", "d"]),
        ("echo $(a b) `c`", &["a b", "c", "echo $(a b) `c`"]),
        (
            "echo \"x $(a \"y)\") z\"",
            &["a y)", "echo x $(a \"y)\") z"],
        ),
        ("echo '$(a)'", &["echo $(a)"]),
        ("x=$(a)", &["a", ""]),
        ("echo $((1+2)) ${x:-y}", &["echo $((1+2)) ${x:-y}"]),
        ("diff <(a) <(b)", &["a", "b", "diff  "]),
        ("cat <<E\na; pytest\nE\nb", &["cat", "b"]),
        ("cat <<'E' | c\na $(x)\nE\nb", &["cat", "c", "b"]),
        ("cat <<-E\n\ta\n\tE\nb", &["cat", "b"]),
        ("cat <<E\n$(a)\nE", &["a", "cat"]),
        ("cat <<A <<B\na\nA\nb\nB\nc", &["cat", "c"]),
        ("bash <<E\na; b\nE\nc", &["a", "b", "c"]),
        ("sh -s <<'E'\na\nE", &["a"]),
        ("python - <<E\npytest\nE", &["python -"]),
        ("bash <<< 'a && b'", &["a", "b"]),
        ("bash -c 'a && b'", &["a", "b"]),
        ("bash -lc \"cd x && a\"", &["cd x", "a"]),
        ("sudo env A=1 bash -euo pipefail -c 'a | b'", &["a", "b"]),
        ("docker compose exec -T app sh -c 'a; b'", &["a", "b"]),
        ("eval \"a && b\"", &["a", "b"]),
        ("bash script.sh", &["bash script.sh"]),
        ("xargs -n1 sh -c 'a'", &["a"]),
        ("bash -c \"bash -c 'a'\"", &["a"]),
        (
            "git commit -m \"$(cat <<'E'\ndon't (run) tests\nE\n)\" && b",
            &[
                "cat",
                "git commit -m $(cat <<'E'\ndon't (run) tests\nE\n)",
                "b",
            ],
        ),
        ("a 'unclosed", &["a unclosed"]),
        ("a \"unclosed $(b", &["b", "a unclosed $(b"]),
        ("a )) b", &["a", "b"]),
        ("&& a", &["a"]),
        ("done; a", &["a"]),
    ];
    for (command, expected) in cases {
        assert_eq!(shown(command), *expected, "{command:?}");
    }
}

#[test]
fn exit_statuses_are_followed() {
    let cases: &[(&str, &[&str])] = &[
        ("a", &["a"]),
        ("a && b", &["a", "b?"]),
        ("a; b", &["a!", "b"]),
        ("a\nb", &["a!", "b"]),
        ("a | b", &["a!", "b"]),
        ("a | b | c", &["a!", "b!", "c"]),
        ("a || true", &["a!", "true?"]),
        ("a || b", &["a!", "b?"]),
        ("a || exit 1", &["a", "exit?"]),
        ("a || { echo bad; exit 2; }", &["a", "echo!?", "exit?"]),
        ("a || exit 0", &["a!", "exit?"]),
        ("a && b || c", &["a!", "b!?", "c?"]),
        ("a || b && c", &["a!", "b?", "c?"]),
        ("a &", &["a!&"]),
        ("a & b", &["a!&", "b"]),
        ("set -o pipefail; a | b", &["set!", "a", "b"]),
        ("set -euo pipefail\na | b\nc", &["set!", "a", "b", "c"]),
        ("set -e; a && b; c", &["set!", "a!", "b?", "c"]),
        ("set -e; set +e; a; b", &["set!", "set", "a!", "b"]),
        ("bash -o pipefail -c 'a | b'", &["a", "b"]),
        ("(a; b)", &["a!", "b"]),
        ("{ a && b; } | c", &["a!", "b!?", "c"]),
        ("if a; then b; fi", &["a!", "b?"]),
        ("for x in 1; do a; done", &["a!?"]),
        ("echo $(a)", &["a!", "echo"]),
        ("x=$(a)", &["a", ""]),
        ("x=$(a); b", &["a!", "!", "b"]),
        ("a; exit $?", &["a", "exit"]),
        ("a | b; exit ${PIPESTATUS[0]}", &["a", "b!", "exit"]),
        ("a; rc=$?; b; exit $rc", &["a", "!", "b!", "exit"]),
        ("bash -c 'a; b' | c", &["a!", "b!", "c"]),
    ];
    for (command, expected) in cases {
        assert_eq!(marks(command), *expected, "{command:?}");
    }
}

#[test]
fn directories_are_followed() {
    let cases: &[(&str, Option<&str>)] = &[
        ("last", None),
        ("cd x && last", Some("x")),
        ("cd x; cd y && last", Some("x/y")),
        ("cd x && cd /y && last", Some("/y")),
        ("(cd x); last", None),
        ("(cd x && last)", Some("x")),
        ("cd x | y; last", None),
        ("pushd x && last", Some("x")),
        ("cd \"a b\" && last", Some("a b")),
        ("bash -c 'cd x && last'", Some("x")),
        ("bash -c 'cd x'; last", None),
        ("cd x && cd - && last", None),
    ];
    for (command, expected) in cases {
        let all = segments(command);
        let last = all.iter().find(|segment| {
            segment
                .words
                .first()
                .is_some_and(|word| word.text == "last")
        });
        assert_eq!(last.unwrap().dir.as_deref(), *expected, "{command:?}");
    }
}

#[test]
fn readers_of_pipes_and_redirections_are_known() {
    let piped = segments("a 2>/dev/null | b | c > f");
    assert_eq!(piped[0].piped_into, Some(1));
    assert_eq!(piped[1].piped_into, Some(2));
    assert_eq!(piped[2].piped_into, None);
    assert!(piped[0].errors_hidden && !piped[0].redirect_out);
    assert!(piped[2].redirect_out && piped[2].output_hidden);
    assert!(!segments("a >/dev/null")[0].redirect_out);
    assert!(segments("a >/dev/null")[0].output_hidden);
    assert!(!segments("a 2>&1")[0].output_hidden);
    assert!(segments("a &> f")[0].errors_hidden);
    assert!(segments("{ a; b; } > f")[0].output_hidden);
    assert_eq!(segments("A=1 B=2 c")[0].assignments.len(), 2);
    assert!(segments("a && b")[1].last_in_list);
    assert!(!segments("a && b")[0].last_in_list);
    assert!(segments("! a")[0].negated);
}

#[test]
fn echoed_statuses_are_found() {
    let cases: &[(&str, Option<&str>)] = &[
        ("a; echo $?", Some("")),
        ("a; echo \"exit=$?\"", Some("exit=")),
        ("a; echo \"exit code: $?\"", Some("exit code: ")),
        ("a; echo EXIT $?", Some("EXIT ")),
        ("a | tail; echo ${PIPESTATUS[0]}", Some("")),
        ("a; rc=$?; b; echo \"rc=$rc\"", Some("rc=")),
        ("a | tail; echo $?", None),
        ("a; b; echo $?", None),
        ("! a; echo $?", None),
        ("a; echo done", None),
    ];
    for (command, expected) in cases {
        assert_eq!(
            segments(command)[0].status_text.as_deref(),
            *expected,
            "{command:?}"
        );
    }
}

#[test]
fn only_known_readers_write_nothing() {
    let readers = [
        "ls -la",
        "cat a | head",
        "git status",
        "git -C x diff --stat",
        "grep -rn pytest .",
        "rg x",
        "find . -name '*.rs'",
        "echo hi",
        "pwd && which x",
        "wc -l a",
        "sed -n '1,20p' a",
        "cd x && ls",
        "cat a 2>/dev/null",
        "git log | head",
        "python --version",
        "X=1",
        "tail -f a",
        "jq . a.json",
        "awk '{print $1}' a",
        "for f in *; do cat $f; done",
        "git stash list",
        "env | sort",
        "timeout 5 cat a",
    ];
    let writers = [
        "echo hi > a",
        "sed -i s/a/b/ c",
        "find . -delete",
        "find . -exec rm {} ;",
        "git commit -m x",
        "git checkout .",
        "rm a",
        "python x.py",
        "make",
        "cat > a <<E\nx\nE",
        "tee a",
        "xargs rm",
        "ls | xargs rm",
        "bash -c 'rm a'",
        "echo $(rm a)",
        "./x",
        "npm install",
        "sort -o a b",
        "perl -pi -e s/a/b/ c",
        "$CMD",
        "git stash pop",
        "cp a b",
        "sed --in-place s/a/b/ c",
        "yq -i .a b",
        "{ ls; } > a",
    ];
    for command in readers {
        assert!(!may_write(&segments(command)), "{command}");
    }
    for command in writers {
        assert!(may_write(&segments(command)), "{command}");
    }
}

#[test]
fn hostile_commands_are_bounded() {
    let many = "a;".repeat(30_000);
    assert_eq!(segments(&many).len(), 10_000);
    let deep = format!("{}x{}", "$(".repeat(5_000), ")".repeat(5_000));
    assert!(segments(&deep).len() < 100);
    let nested = format!("{}a{}", "(".repeat(50_000), ")".repeat(50_000));
    let _ = segments(&nested);
    let ifs = "if ".repeat(50_000);
    let _ = segments(&ifs);
    let quotes = "\"$(".repeat(20_000);
    let _ = segments(&quotes);
    let heredocs = "cat <<E\n".repeat(20_000);
    let _ = segments(&heredocs);
    let mut shells = String::from("a");
    for _ in 0..20 {
        shells = format!(
            "bash -c \"{}\"",
            shells.replace('\\', "\\\\").replace('"', "\\\"")
        );
        if shells.len() > 200_000 {
            break;
        }
    }
    let _ = segments(&shells);
}
