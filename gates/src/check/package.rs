//! Scripts of a package manifest: `npm test`, `pnpm run lint`, `bun run build`.

use super::arguments;
use super::recognise::{Found, recognise};
use super::scope::Scope;
use super::script;
use super::types::{Kind, Qualifier};
use crate::shell::Word;
use alloc::format;
use alloc::vec::Vec;

/// Options before the script that take a value.
const VALUED: &[&str] = &[
    "--prefix",
    "-C",
    "--dir",
    "--cwd",
    "--loglevel",
    "--script-shell",
    "--env-file",
];
/// Options before the script that pick packages.
const PICKS: &[&str] = &["--filter", "-F", "-w", "--workspace", "--filter-prod"];
/// Subcommands that are no scripts.
const OWN: &[&str] = &[
    "install",
    "i",
    "ci",
    "add",
    "remove",
    "rm",
    "uninstall",
    "update",
    "up",
    "upgrade",
    "init",
    "create",
    "info",
    "view",
    "ls",
    "list",
    "why",
    "outdated",
    "audit",
    "pack",
    "publish",
    "link",
    "config",
    "cache",
    "login",
    "pm",
    "version",
    "dedupe",
    "prune",
    "rebuild",
    "set",
    "fund",
    "help",
    "root",
    "bin",
    "store",
    "patch",
    "deploy",
];

/// The languages a package script can vouch for.
const LANGUAGES: &[&str] = &["javascript", "css", "html"];

/// The script that a package manager runs.
pub(super) fn script(program: &str, words: &[Word]) -> Option<Found> {
    if matches!(program, "npm-run-all" | "run-s" | "run-p" | "npm-run-all2") {
        return several(words);
    }
    if !matches!(
        program,
        "npm" | "pnpm" | "yarn" | "bun" | "node" | "deno" | "vp"
    ) {
        return None;
    }
    let (index, mut picks) = first_word(words)?;
    let mut name = words.get(index)?.text.as_str();
    let mut rest = words.get(index.saturating_add(1)..)?;
    let explicit = matches!(name, "run" | "run-script" | "task" | "rum")
        || (program == "node" && name == "--run");
    if name == "workspaces" || name == "recursive" {
        let place = rest.iter().position(|word| {
            word.text == "run" || script::named(&word.text, Kind::Lint).is_some()
        })?;
        (name, rest) = (
            rest.get(place)?.text.as_str(),
            rest.get(place.saturating_add(1)..)?,
        );
    }
    if explicit || name == "run" {
        let (inner, more) = first_word(rest)?;
        picks.extend(more);
        name = rest.get(inner)?.text.as_str();
        rest = rest.get(inner.saturating_add(1)..)?;
    } else if matches!(program, "node" | "deno") {
        return None;
    } else if program != "npm"
        && let Some(found) =
            recognise(words.get(index..)?, false, None).filter(|found| found.row.is_some())
    {
        return Some(found);
    }
    if !explicit
        && (OWN.contains(&name) || (program == "npm" && !matches!(name, "test" | "t" | "tst")))
    {
        return None;
    }
    let name = if program == "npm" && matches!(name, "t" | "tst") {
        "test"
    } else {
        name
    };
    named_script(name, rest, &picks, words)
}

fn named_script(name: &str, rest: &[Word], picks: &[&str], all: &[Word]) -> Option<Found> {
    if name.contains('/')
        || name.ends_with(".ts")
        || name.ends_with(".js")
        || name.ends_with(".mjs")
    {
        return script::script_file(name)
            .map(|named| Found::by_name(format!("script:{name}"), named, Scope::Whole));
    }
    let named = script::named(name, Kind::Lint)?;
    let arguments: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let mut scope = arguments::plain_scope(&arguments);
    if !picks.is_empty() {
        scope = Scope::Selector(picks.join(" "));
    }
    let mut found = Found::by_name(format!("npm-script:{name}"), named, scope);
    found.languages = LANGUAGES;
    let flags: Vec<&str> = all.iter().map(|word| word.text.as_str()).collect();
    found.dir = arguments::directory("package", &flags);
    for (flag, qualifier) in [
        ("--passWithNoTests", Qualifier::PassWithNoTests),
        ("--if-present", Qualifier::PassWithNoTests),
        ("--watch", Qualifier::WatchMode),
        ("--watchAll", Qualifier::WatchMode),
        ("--fix", Qualifier::Autofix),
        ("--write", Qualifier::Autofix),
    ] {
        if flags.contains(&flag) && !found.qualifiers.contains(&qualifier) {
            found.qualifiers.push(qualifier);
        }
    }
    Some(found)
}

/// `run-s lint test`: the weightiest of the names.
fn several(words: &[Word]) -> Option<Found> {
    let names: Vec<&str> = words
        .iter()
        .map(|word| word.text.as_str())
        .filter(|text| !text.starts_with('-') && script::named(text, Kind::Lint).is_some())
        .collect();
    let kinds = names
        .iter()
        .filter_map(|name| script::named(name, Kind::Lint));
    let named = kinds.min_by_key(|named| named.kind)?;
    let mut found = Found::by_name(
        format!("npm-script:{}", names.join("+")),
        named,
        Scope::Whole,
    );
    found.languages = LANGUAGES;
    Some(found)
}

/// The place of the first word that is no option, and the packages picked before it.
fn first_word(words: &[Word]) -> Option<(usize, Vec<&str>)> {
    let mut picks = Vec::new();
    let mut index = 0_usize;
    loop {
        let text = words.get(index)?.text.as_str();
        if !text.starts_with('-') || text == "--run" {
            return Some((index, picks));
        }
        let name = super::recognise::option_name(text);
        let value = words
            .get(index.saturating_add(1))
            .map_or("", |word| word.text.as_str());
        if PICKS.contains(&name) {
            picks.push(if name.len() < text.len() { text } else { value });
        }
        let valued = (VALUED.contains(&name) || PICKS.contains(&name)) && name.len() == text.len();
        index = index.saturating_add(if valued { 2 } else { 1 });
        if index > words.len() {
            return None;
        }
    }
}
