//! The shell layer against a full parser of the shell's grammar: the same simple commands, with
//! the same words, pipes and background marks.

use brush_parser::ast::{
    AndOr, Command, CommandPrefixOrSuffixItem as Item, CompoundCommand, CompoundList, Pipeline,
    SeparatorOperator, SimpleCommand,
};
use brush_parser::{Parser, ParserOptions, word};
use proptest::prelude::*;
use receipt_gates::shell;
use std::path::Path;

/// A simple command as both see it.
#[derive(Debug, PartialEq, Eq, Clone)]
struct Seen {
    words: Vec<String>,
    assigned: Vec<String>,
    piped: bool,
    background: bool,
}

/// What surrounds a command.
#[derive(Clone, Copy, Default)]
struct Around {
    piped: bool,
    background: bool,
}

fn ours(command: &str) -> Vec<Seen> {
    let segments = shell::segments(command);
    let seen = segments.iter().map(|segment| Seen {
        words: segment.texts().map(String::from).collect(),
        assigned: segment.assignments.iter().map(|(n, _)| n.clone()).collect(),
        piped: segment.piped_into.is_some(),
        background: segment.background,
    });
    seen.filter(|seen| !idle(seen)).collect()
}

/// A redirection alone runs nothing.
fn idle(seen: &Seen) -> bool {
    seen.words.is_empty() && seen.assigned.is_empty()
}

/// `None` where the other parser refuses the text.
fn theirs(command: &str) -> Option<Vec<Seen>> {
    let program = Parser::new(command.as_bytes(), &ParserOptions::default())
        .parse_program()
        .ok()?;
    let mut seen = Vec::new();
    for list in &program.complete_commands {
        list_of(list, Around::default(), &mut seen)?;
    }
    seen.retain(|seen| !idle(seen));
    Some(seen)
}

fn list_of(list: &CompoundList, around: Around, seen: &mut Vec<Seen>) -> Option<()> {
    for item in &list.0 {
        let around = Around {
            background: around.background || matches!(item.1, SeparatorOperator::Async),
            ..around
        };
        pipeline(&item.0.first, around, seen)?;
        for AndOr::And(next) | AndOr::Or(next) in &item.0.additional {
            pipeline(next, around, seen)?;
        }
    }
    Some(())
}

fn pipeline(pipeline: &Pipeline, around: Around, seen: &mut Vec<Seen>) -> Option<()> {
    for (index, command) in pipeline.seq.iter().enumerate() {
        let around = Around {
            piped: around.piped || index + 1 < pipeline.seq.len(),
            ..around
        };
        match command {
            Command::Simple(simple) => seen.push(simple_of(simple, around)?),
            Command::Compound(compound, _) => compound_of(compound, around, seen)?,
            Command::Function(_) | Command::ExtendedTest(..) => return None,
        }
    }
    Some(())
}

fn compound_of(compound: &CompoundCommand, around: Around, seen: &mut Vec<Seen>) -> Option<()> {
    match compound {
        CompoundCommand::BraceGroup(group) => list_of(&group.list, around, seen),
        CompoundCommand::Subshell(subshell) => list_of(&subshell.list, around, seen),
        CompoundCommand::ForClause(clause) => list_of(&clause.body.list, around, seen),
        CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
            list_of(&clause.0, around, seen)?;
            list_of(&clause.1.list, around, seen)
        }
        CompoundCommand::IfClause(clause) => {
            list_of(&clause.condition, around, seen)?;
            list_of(&clause.then, around, seen)?;
            for other in clause.elses.iter().flatten() {
                for list in other.condition.iter().chain([&other.body]) {
                    list_of(list, around, seen)?;
                }
            }
            Some(())
        }
        CompoundCommand::CaseClause(clause) => {
            for list in clause.cases.iter().filter_map(|case| case.cmd.as_ref()) {
                list_of(list, around, seen)?;
            }
            Some(())
        }
        _ => None,
    }
}

fn simple_of(simple: &SimpleCommand, around: Around) -> Option<Seen> {
    let mut seen = Seen {
        words: Vec::new(),
        assigned: Vec::new(),
        piped: around.piped,
        background: around.background,
    };
    for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
        match item {
            Item::AssignmentWord(assignment, _) => seen.assigned.push(assignment.name.to_string()),
            Item::IoRedirect(_) => {}
            Item::Word(_) | Item::ProcessSubstitution(..) => return None,
        }
    }
    seen.words.extend(
        simple
            .word_or_name
            .iter()
            .map(|word| unquoted(&word.value))
            .collect::<Option<Vec<_>>>()?,
    );
    for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
        match item {
            Item::Word(word) | Item::AssignmentWord(_, word) => {
                seen.words.push(unquoted(&word.value)?);
            }
            Item::IoRedirect(_) => {}
            Item::ProcessSubstitution(..) => return None,
        }
    }
    Some(seen)
}

/// A word after quote removal; `None` if it runs something, which we list and the other does not.
fn unquoted(raw: &str) -> Option<String> {
    let pieces = word::parse(raw, &ParserOptions::default()).ok()?;
    pieces_of(&pieces, raw)
}

fn pieces_of(pieces: &[word::WordPieceWithSource], raw: &str) -> Option<String> {
    let mut text = String::new();
    for piece in pieces {
        match &piece.piece {
            word::WordPiece::Text(part) | word::WordPiece::SingleQuotedText(part) => {
                text.push_str(part);
            }
            word::WordPiece::EscapeSequence(part) => {
                text.push_str(part.strip_prefix('\\').unwrap_or(part));
            }
            word::WordPiece::DoubleQuotedSequence(inner) => {
                text.push_str(&pieces_of(inner, raw)?);
            }
            word::WordPiece::ParameterExpansion(_) | word::WordPiece::TildeExpansion(_) => {
                text.push_str(raw.get(piece.start_index..piece.end_index)?);
            }
            _ => return None,
        }
    }
    Some(text)
}

fn words() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a",
        "-q",
        "--x=1",
        "'b; c'",
        "\"d && e | f\"",
        "g\\;h",
        "i\\ j",
        "$k",
        "\"${l}\"",
        "\"$m n\"",
        "o#p",
        "q'r'\"s\"",
        "'t # u'",
        "''",
        "*.rs",
        "v=w",
        "\"x\\\"y\"",
        "'then'",
        "do",
        "{}",
        "2",
        "~/z",
        "\\#",
        "[x]",
        "!",
        "é",
    ])
}

fn redirects() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "",
        "",
        "",
        " >o",
        " 2>&1",
        " 2>/dev/null",
        " <i",
        " &>f",
        " >> 'o p'",
        " <<< 'in; put'",
        " >&2",
        " 3<>f",
        " >|o",
    ])
}

fn simple() -> impl Strategy<Value = String> {
    let program = prop::sample::select(vec!["p", "./q", "X=1 r", "X='a b' Y=\"c;d\" s", "'t'"]);
    let arguments = prop::collection::vec(words(), 0..4);
    (program, redirects(), arguments, redirects()).prop_map(|(program, before, words, after)| {
        format!("{program}{before} {}{after}", words.join(" "))
    })
}

fn lists() -> impl Strategy<Value = String> {
    let joins =
        || prop::sample::select(vec![" && ", " || ", "; ", "\n", " & ", " # c; d\n", "|\n"]);
    simple().prop_recursive(4, 40, 4, move |inner| {
        let list = (
            inner.clone(),
            prop::collection::vec((joins(), inner.clone()), 0..3),
        )
            .prop_map(|(first, rest)| {
                let rest = rest.iter().map(|(join, next)| format!("{join}{next}"));
                format!("{first}{}", rest.collect::<String>())
            });
        let pair = (list.clone(), list.clone());
        prop_oneof![
            list.clone(),
            list.clone().prop_map(|a| format!("({a})")),
            (list.clone(), redirects()).prop_map(|(a, to)| format!("{{ {a}; }}{to}")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("{a} | {b}")),
            pair.clone()
                .prop_map(|(a, b)| format!("if {a}; then {b}; fi")),
            (pair.clone(), list.clone())
                .prop_map(|((a, b), c)| format!("if {a}\nthen {b}\nelse {c}\nfi")),
            pair.clone()
                .prop_map(|(a, b)| format!("while {a}; do {b}; done")),
            list.clone()
                .prop_map(|a| format!("for x in 1 '2 3'; do {a}; done")),
            pair.prop_map(|(a, b)| format!("case $x in a|b) {a};; *) {b};; esac")),
        ]
    })
}

/// Text behind the first line that begins a heredoc.
fn commands() -> impl Strategy<Value = String> {
    let heredoc = prop::sample::select(vec![
        "",
        "cat <<E\nx; 'y\nE\n",
        "cat <<'E' | d\n$z && (\nE\n",
        "cat <<-E >o\n\tw\n\tE\n",
    ]);
    (heredoc, lists()).prop_map(|(heredoc, list)| format!("{heredoc}{list}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn every_simple_command_is_seen_as_a_full_parser_sees_it(command in commands()) {
        if let Some(theirs) = theirs(&command) {
            prop_assert_eq!(ours(&command), theirs, "{}", command);
        }
    }
}

/// Tokens in any order; the few orders that are a command count.
fn jumble() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "a", "b", "c=d", " ", " ", " ", ";", "\n", "&&", "||", "|", "&", "(", ")", "{ ", "; }",
        "'", "\"", "\\", "# ", "#", ">", "<", "2>", ">&", "&>", ">>", "$x", "${y}", "if ",
        "; then ", "; fi", "while ", "; do ", "; done", "!", "! ", "<<<", "-", "=", "2", "|&", "*",
        "é", "\t",
    ]);
    prop::collection::vec(token, 1..14).prop_map(|tokens| tokens.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn tokens_in_any_order_are_read_alike(command in jumble()) {
        // A pattern's parentheses may hold any text, line ends included.
        prop_assume!(!command.contains("*(") && !command.contains("!("));
        // Theirs closes a group behind a bare redirection; to bash and dash that `}` is a word.
        let ours = ours(&command);
        prop_assume!(!ours.iter().any(|seen| seen.words.first().is_some_and(|w| w == "}")));
        if let Some(theirs) = theirs(&command) {
            prop_assert_eq!(ours, theirs, "{}", command);
        }
    }
}

/// Commands whose meaning the layer follows beyond the grammar.
fn followed(command: &str) -> bool {
    ["-c ", "eval ", "exit", "return", "exec ", "xargs", "<<"]
        .iter()
        .any(|piece| command.contains(piece))
}

#[test]
fn the_commands_of_the_fixtures_are_seen_alike() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/turns");
    let mut compared = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let turn: serde_json::Value =
            serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        for step in turn["steps"].as_array().unwrap() {
            let Some(command) = step["hook"]["tool_input"]["command"].as_str() else {
                continue;
            };
            if followed(command) {
                continue;
            }
            if let Some(theirs) = theirs(command) {
                assert_eq!(ours(command), theirs, "{command}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "only {compared} commands were compared");
}

#[test]
fn most_of_what_is_made_up_can_be_compared() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let made = (0..400).map(|_| commands().new_tree(&mut runner).unwrap().current());
    let compared = made.filter(|command| theirs(command).is_some()).count();
    assert!(compared > 300, "{compared} of 400");
}
