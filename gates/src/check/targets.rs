//! Build tools whose targets decide what they check.

use super::recognise::{Found, option_name};
use super::runner::Runner;
use super::scope::Scope;
use super::script::{self, Named};
use super::types::{Kind, Qualifier};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What a tool does without a target and with one that its name does not explain.
struct Habit {
    /// Without a target.
    bare: Option<Kind>,
    /// With a target of unknown meaning.
    unknown: Option<Kind>,
    /// Whether targets are part of the runner's name.
    in_name: bool,
    /// Words before the target.
    verbs: &'static [&'static str],
}

const fn habit(
    bare: Option<Kind>,
    unknown: Option<Kind>,
    in_name: bool,
    verbs: &'static [&'static str],
) -> Habit {
    Habit {
        bare,
        unknown,
        in_name,
        verbs,
    }
}

fn habit_of(name: &str) -> Habit {
    match name {
        "make" => habit(Some(Kind::Build), Some(Kind::Build), true, &[]),
        "ninja" | "zig-build" => habit(Some(Kind::Build), Some(Kind::Build), false, &[]),
        "rake" => habit(Some(Kind::Test), None, true, &[]),
        "gradle" | "sbt" | "mill" | "maven" => habit(None, None, false, &[]),
        "composer" => habit(None, None, true, &["run", "run-script"]),
        "cargo-make" => habit(None, None, true, &["run"]),
        "mise" | "turbo" | "deno-task" => habit(None, None, true, &["run", "r", "tasks", "task"]),
        "nx" => habit(None, None, true, &["run", "run-many", "affected", "exec"]),
        _ => habit(Some(Kind::Build), None, true, &["run"]),
    }
}

/// Targets of `make` and its like that check nothing.
const NOTHING: &[&str] = &[
    "mrproper",
    "maintainer-clean",
    "tags",
    "ctags",
    "menuconfig",
    "run",
    "all-clean",
    "format",
    "fmt",
];

/// Fills in kind, name and scope from the targets; `None` if they run no check.
pub(super) fn refine(row: &Runner, arguments: &[&str], mut found: Found) -> Option<Found> {
    let habit = habit_of(row.name);
    let mut targets = targets(row, &habit, arguments);
    if row.name == "nx" && !targets.is_empty() {
        targets.truncate(1);
    }
    let kinds: Vec<Named> = targets
        .iter()
        .filter_map(|target| kind(row.name, target, &habit))
        .collect();
    let chosen = match kinds.iter().min_by_key(|named| weight(named.kind)) {
        Some(named) => *named,
        None if targets.is_empty() => Named {
            kind: habit.bare?,
            watches: false,
            fixes: false,
        },
        None => return None,
    };
    found.kind = chosen.kind;
    if chosen.kind == Kind::Test && skips_tests(arguments) {
        found.kind = Kind::Build;
    }
    for (set, qualifier) in [
        (chosen.watches, Qualifier::WatchMode),
        (chosen.fixes, Qualifier::Autofix),
    ] {
        if set && !found.qualifiers.contains(&qualifier) {
            found.qualifiers.push(qualifier);
        }
    }
    if habit.in_name && !targets.is_empty() {
        found.name = format!("{}:{}", row.name, targets.join("+"));
    }
    found.scope = picked(row, arguments);
    Some(found)
}

fn weight(kind: Kind) -> u8 {
    match kind {
        Kind::Test => 0,
        Kind::Selftest => 1,
        Kind::Build => 2,
        Kind::Typecheck => 3,
        Kind::Lint => 4,
        Kind::Format => 5,
    }
}

fn targets<'a>(row: &Runner, habit: &Habit, arguments: &[&'a str]) -> Vec<&'a str> {
    let mut targets = Vec::new();
    let mut words = arguments.iter().copied();
    while let Some(word) = words.next() {
        if matches!(option_name(word), "-t" | "--target" | "--targets") && row.name == "nx" {
            let value = word.split_once('=').map(|(_, value)| value);
            targets.extend(
                value
                    .or_else(|| words.next())
                    .iter()
                    .flat_map(|list| list.split(',')),
            );
            continue;
        }
        if row.valued.contains(&word) || row.selectors.contains(&word) {
            words.next();
            continue;
        }
        let assignment = word.contains('=') && !word.starts_with('-');
        let verb = targets.is_empty() && habit.verbs.contains(&word);
        if word.starts_with('-') || word.starts_with('+') || assignment || verb || word == "." {
            if let Some(name) = word.strip_prefix('+').filter(|name| !name.is_empty()) {
                targets.push(name);
            }
            continue;
        }
        targets.push(word);
        // Behind the task of a task runner stand its own arguments.
        if matches!(
            row.name,
            "just" | "task" | "mise" | "composer" | "deno-task" | "invoke"
        ) {
            break;
        }
    }
    targets
}

fn kind(tool: &str, target: &str, habit: &Habit) -> Option<Named> {
    if NOTHING.contains(&target) {
        return None;
    }
    let fixed = |kind| {
        Some(Named {
            kind,
            watches: false,
            fixes: false,
        })
    };
    let last = target
        .rsplit(':')
        .find(|part| !part.is_empty())
        .unwrap_or(target);
    match (tool, last) {
        ("maven", "test" | "verify" | "package" | "install" | "integration-test" | "deploy") => {
            return fixed(Kind::Test);
        }
        ("maven", "compile" | "test-compile" | "clean" | "process-classes") => {
            return (last != "clean").then_some(Named {
                kind: Kind::Build,
                watches: false,
                fixes: false,
            });
        }
        ("maven", "check") => return fixed(Kind::Lint),
        ("gradle", "build" | "check") => return fixed(Kind::Test),
        ("gradle", "classes" | "testClasses" | "jar" | "bootJar") => return fixed(Kind::Build),
        ("gradle", "spotlessCheck") => return fixed(Kind::Format),
        ("sbt", text) if text.starts_with("testOnly") || text.starts_with("test ") => {
            return fixed(Kind::Test);
        }
        ("make" | "ninja", "all" | "default" | "") => return fixed(Kind::Build),
        ("rake", "default") => return fixed(Kind::Test),
        _ => {}
    }
    let name = if tool == "nx" || tool == "turbo" {
        last
    } else {
        target
    };
    script::named(name, Kind::Test).or_else(|| unknown(target, habit))
}

/// A target that its name does not explain; names that say "no check" stay none.
fn unknown(target: &str, habit: &Habit) -> Option<Named> {
    let kind = habit.unknown?;
    // A name with a second, telling word would have been understood: what is left was refused or
    // says nothing. Asking again with a build word tells the two apart.
    let refused = script::named(&format!("{target}-build"), Kind::Build).is_none();
    (!refused).then_some(Named {
        kind,
        watches: false,
        fixes: false,
    })
}

fn skips_tests(arguments: &[&str]) -> bool {
    let flagged = arguments.iter().any(|word| {
        matches!(
            *word,
            "-DskipTests" | "-DskipTests=true" | "-Dmaven.test.skip=true" | "-Dmaven.test.skip"
        )
    });
    let excluded = arguments.windows(2).any(|pair| {
        matches!(pair.first(), Some(&("-x" | "--exclude-task"))) && pair.get(1) == Some(&"test")
    });
    flagged || excluded
}

/// What narrows the run besides the targets.
fn picked(row: &Runner, arguments: &[&str]) -> Scope {
    let mut picks: Vec<String> = Vec::new();
    let mut words = arguments.iter().copied().peekable();
    while let Some(word) = words.next() {
        if !row.selectors.contains(&option_name(word)) {
            continue;
        }
        let joined = option_name(word).len() < word.len();
        let value = if joined {
            None
        } else {
            words.next_if(|next| !next.starts_with('-'))
        };
        picks.push(value.map_or_else(|| word.to_string(), |value| format!("{word} {value}")));
    }
    if picks.is_empty() {
        Scope::Whole
    } else {
        Scope::Selector(picks.join(" "))
    }
}
