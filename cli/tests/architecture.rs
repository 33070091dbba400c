//! What ARCHITECTURE.md says about the code, held against it.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Longest file of code or of tests, in lines.
const MAX_LINES: usize = 400;

const PURE: [&str; 3] = ["core", "gates", "receipts"];
const CRATES: [&str; 5] = ["core", "gates", "receipts", "ledger", "cli"];

/// Field names of vendors' JSON. A few of many: enough to notice a leak.
const VENDOR_FIELDS: [&str; 14] = [
    "hook_event_name",
    "session_id",
    "transcript_path",
    "tool_name",
    "tool_input",
    "tool_response",
    "tool_use_id",
    "tool_calls",
    "last_assistant_message",
    "background_tasks",
    "structuredPatch",
    "originalFile",
    "hookSpecificOutput",
    "permissionDecision",
];

/// The checkout.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// A file of the checkout.
pub(crate) fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// All files below a folder with that ending, `target` and hidden folders left out.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(files(&path, ending));
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Every source file of the crates.
pub(crate) fn sources() -> Vec<PathBuf> {
    CRATES
        .iter()
        .flat_map(|name| files(&root().join(name).join("src"), ".rs"))
        .collect()
}

/// A path as it is written in messages.
pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

#[test]
fn the_manifests_have_the_arrows_of_the_page() {
    let page = read("ARCHITECTURE.md");
    let fence = page.split("```arrows\n").nth(1).unwrap();
    let words =
        |text: &str| -> BTreeSet<String> { text.split_whitespace().map(str::to_owned).collect() };
    let said: BTreeMap<String, BTreeSet<String>> = fence
        .lines()
        .take_while(|line| *line != "```")
        .map(|line| line.split_once("->").unwrap())
        .map(|(from, to)| (from.trim().to_owned(), words(to)))
        .collect();
    assert_eq!(arrows(), said);
}

/// What each crate of the workspace needs of the others, tests left out.
fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
            "--offline",
        ])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success());
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let name = |value: &Value| value["name"].as_str().unwrap().to_owned();
    let ours: BTreeSet<String> = packages.iter().map(name).collect();
    let needs = |package: &Value| {
        let all = package["dependencies"].as_array().unwrap();
        let normal = all.iter().filter(|d| d["kind"].is_null()).map(name);
        normal.filter(|d| ours.contains(d)).collect()
    };
    packages.iter().map(|p| (name(p), needs(p))).collect()
}

#[test]
fn the_pure_crates_cannot_reach_the_world() {
    for name in PURE {
        let lib = read(format!("{name}/src/lib.rs"));
        for attribute in ["#![no_std]", "#![forbid(unsafe_code)]"] {
            assert!(lib.contains(attribute), "{name}: {attribute}");
        }
        for path in files(&root().join(name).join("src"), ".rs") {
            let text = read(&path);
            for word in ["extern crate std", "std::"] {
                let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
                let mut said = code.filter(|l| l.contains(word));
                assert_eq!(said.next(), None, "{}", shown(&path));
            }
        }
    }
}

#[test]
fn vendor_fields_occur_in_the_adapters_alone() {
    let adapters = root().join("core/src/agent");
    for path in sources().iter().filter(|p| !p.starts_with(&adapters)) {
        let text = read(path);
        for field in VENDOR_FIELDS {
            let quoted = format!("\"{field}\"");
            assert!(!text.contains(&quoted), "{}: {quoted}", shown(path));
        }
    }
}

#[test]
fn no_source_file_is_too_long_to_read() {
    let length = |path: &PathBuf| read(path).lines().count();
    let tests = CRATES
        .iter()
        .flat_map(|name| files(&root().join(name).join("tests"), ".rs"));
    let long: Vec<String> = sources()
        .iter()
        .chain(&tests.collect::<Vec<_>>())
        .filter(|path| length(path) > MAX_LINES)
        .map(|path| format!("{} has {} lines", shown(path), length(path)))
        .collect();
    assert!(long.is_empty(), "{long:#?}");
}
