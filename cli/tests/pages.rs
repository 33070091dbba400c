//! What the pages say, held against the code and each other.

use crate::architecture::{files, read, root, shown, sources};
use crate::run::receipt;
use receipt_core::record::Kind;
use receipt_gates::gate;
use receipt_receipts::verify::{Fault, Outcome};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn every_link_between_pages_leads_somewhere() {
    for page in files(&root(), ".md") {
        let text = read(&page);
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                _ => page.parent().unwrap().join(file),
            };
            assert!(target.exists(), "{}: {link}", shown(&page));
            if !anchor.is_empty() {
                assert!(
                    anchors(&read(&target)).contains(anchor),
                    "{}: {link}",
                    shown(&page)
                );
            }
        }
    }
}

/// Relative link targets of a page.
fn links(text: &str) -> Vec<&str> {
    let inline = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target);
    let defined = text
        .lines()
        .filter(|line| line.starts_with('['))
        .filter_map(|line| line.split_once("]: "))
        .map(|(_, target)| target);
    inline
        .chain(defined)
        .filter(|t| !t.contains("://") && !t.contains(' '))
        .collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    let slug = |title: &str| -> String {
        let kept = title.trim_start_matches('#').trim().to_lowercase();
        kept.chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect()
    };
    text.lines()
        .filter(|l| l.starts_with('#'))
        .map(slug)
        .collect()
}

#[test]
fn every_page_that_the_code_names_exists_and_is_listed() {
    let index = read("spec/README.md");
    for page in files(&root().join("spec"), ".md") {
        let name = page.file_name().unwrap().to_string_lossy().into_owned();
        assert!(
            name == "README.md" || index.contains(&format!("({name})")),
            "{name}"
        );
    }
    for path in sources() {
        let text = read(&path);
        for rest in text.split("spec/").skip(1) {
            let Some((name, _)) = rest.split_once(".md") else {
                continue;
            };
            let page = format!("spec/{name}.md");
            if name.chars().all(|c| c.is_ascii_lowercase()) {
                assert!(root().join(&page).exists(), "{}: {page}", shown(&path));
            }
        }
    }
}

#[test]
fn every_section_that_a_comment_names_is_on_its_page() {
    let mut named = 0;
    for path in sources() {
        for (page, title) in sections_named(&prose(&read(&path))) {
            let titles: BTreeSet<String> = read(format!("spec/{page}"))
                .lines()
                .filter(|line| line.starts_with('#'))
                .map(|line| line.trim_start_matches('#').trim().to_owned())
                .collect();
            assert!(titles.contains(&title), "{}: {page}, {title}", shown(&path));
            named += 1;
        }
    }
    assert!(named > 10, "only {named} sections are named");
}

/// The comments of a source file as one line.
fn prose(text: &str) -> String {
    text.lines()
        .map(str::trim)
        .filter(|line| line.starts_with("//"))
        .map(|line| line.trim_start_matches(['/', '!']).trim())
        .collect::<Vec<_>>()
        .join(" ")
}

/// What is written as `spec/page.md, "Title"`.
fn sections_named(prose: &str) -> Vec<(String, String)> {
    prose
        .split("spec/")
        .skip(1)
        .filter_map(|rest| {
            let (page, rest) = rest.split_once(".md")?;
            let quoted = rest.trim_start_matches('`').strip_prefix(", \"")?;
            let (title, _) = quoted.split_once('"')?;
            Some((format!("{page}.md"), title.to_owned()))
        })
        .collect()
}

#[test]
fn exit_codes_are_those_of_the_page() {
    let faults = [
        Fault::Unreadable,
        Fault::Invalid,
        Fault::Unsupported,
        Fault::Contradicted,
        Fault::Mismatch,
        Fault::Unpinned,
        Fault::Blocked,
        Fault::Undetermined,
        Fault::Stale,
        Fault::Policy,
    ];
    let coded: BTreeMap<u8, &str> = faults
        .into_iter()
        .map(Outcome::Failed)
        .chain([Outcome::Verified])
        .map(|outcome| (outcome.exit_code(), outcome.word()))
        .collect();
    let page = read("spec/cli.md");
    let said: BTreeMap<u8, &str> = section(&page, "## Exit codes")
        .lines()
        .filter_map(|line| {
            let mut cells = line.split('|').map(str::trim).skip(1);
            Some((cells.next()?.parse().ok()?, cells.next()?))
        })
        .filter(|(_, word)| !word.is_empty())
        .collect();
    assert_eq!(coded, said);
}

fn section<'a>(page: &'a str, title: &str) -> &'a str {
    let rest = page
        .split_once(title)
        .unwrap_or_else(|| panic!("no {title}"))
        .1;
    rest.split("\n## ").next().unwrap()
}

#[test]
fn kinds_and_gates_are_those_of_the_pages() {
    let record = read("spec/record.md");
    let rows: String = section(&record, "## Kinds")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    for kind in (0..=u16::MAX).filter_map(Kind::from_number) {
        let row = format!("| {} | {} |", kind.number(), kind.name());
        assert!(rows.contains(&row), "spec/record.md lacks `{row}`");
    }
    let gates = read("spec/gates.md");
    for (id, version) in gate::in_force() {
        assert!(
            gates.contains(&format!("`{id}` {version}")),
            "spec/gates.md: {id}"
        );
    }
}

#[test]
fn commands_and_options_are_those_of_the_page() {
    let page = read("spec/cli.md");
    let rows = section(&page, "## Commands");
    let help = receipt(&["--help"]).stdout;
    let found = commands(&help);
    assert!(found.len() > 10, "{help}");
    for command in found {
        let help = receipt(&[&command, "--help"]).stdout;
        let inner = commands(&help);
        if inner.is_empty() {
            compare(rows, &[&command], &help);
        }
        for word in inner {
            let help = receipt(&[&command, &word, "--help"]).stdout;
            compare(rows, &[&command, &word], &help);
        }
    }
}

/// The commands that a help text lists.
fn commands(help: &str) -> Vec<String> {
    help.lines()
        .skip_while(|l| *l != "Commands:")
        .skip(1)
        .take_while(|l| !l.is_empty())
        .filter(|l| l.starts_with("  ") && !l.starts_with("   "))
        .map(|l| l.split_whitespace().next().unwrap().to_owned())
        .filter(|name| name != "help")
        .collect()
}

/// Holds a command's options against its row, where `a|b` names two commands.
fn compare(rows: &str, command: &[&str], help: &str) {
    let names = |row: &str| -> bool {
        let cell = row
            .split('`')
            .nth(1)
            .unwrap_or_default()
            .replace("\\|", "|");
        let mut words = cell.split(' ');
        command.iter().all(|word| {
            words
                .next()
                .is_some_and(|said| said.split('|').any(|w| w == *word))
        })
    };
    let row = rows
        .lines()
        .find(|row| names(row))
        .unwrap_or_else(|| panic!("spec/cli.md lacks {command:?}"));
    for option in options(help) {
        assert!(
            row.contains(&format!("`{option}`")),
            "spec/cli.md: {command:?} lacks {option}"
        );
    }
}

/// Long options of a help text, but for those that every command has.
fn options(help: &str) -> BTreeSet<String> {
    let lines = help
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with('-'));
    lines
        .filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")))
        .map(|word| word.trim_end_matches(',').to_owned())
        .filter(|word| !["--help", "--version", "--format", "--home"].contains(&word.as_str()))
        .collect()
}

#[test]
fn ci_runs_the_command_that_the_readme_names() {
    let readme = read("README.md");
    let after = readme.split("<!-- test-command -->").nth(1).unwrap();
    let command = after.lines().find(|l| l.starts_with("cargo ")).unwrap();
    assert_eq!(command, "cargo test --workspace");
    assert!(read(".ci/run").contains("<!-- test-command -->"));
}
