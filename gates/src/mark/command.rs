//! Commands that write recorded outputs anew.

use crate::check::{CheckRun, Kind};
use crate::shell::Segment;

/// Options of test runners that do.
const OPTIONS: &[&str] = &[
    "--updateSnapshot",
    "--update-snapshot",
    "--update-snapshots",
    "--snapshot-update",
    "--update-goldens",
    "--update-golden",
    "--update-expected",
    "--force-regen",
    "--regen-all",
    "--bless",
    "-update",
    "--update",
];

/// The short option, in runners of JavaScript alone.
const SHORT: &str = "-u";

/// Variables that make test runners do it.
const VARIABLES: &[&str] = &[
    "INSTA_UPDATE",
    "INSTA_FORCE_PASS",
    "UPDATE_EXPECT",
    "UPDATE_SNAPSHOT",
    "UPDATE_SNAPSHOTS",
    "UPDATE_GOLDEN",
    "UPDATE_GOLDENS",
    "UPDATE_GOLDENFILES",
    "SNAPSHOT_UPDATE",
    "SNAPSHOTS",
    "TRYBUILD",
    "BLESS",
];

/// Values with which they do not.
const HARMLESS: &[&str] = &[
    "", "0", "no", "false", "never", "auto", "new", "wip", "none",
];

/// Whether a command does so.
pub(crate) fn updates_snapshots(segments: &[Segment], runs: &[CheckRun]) -> bool {
    let tests = runs.iter().filter(|run| run.kind == Kind::Test);
    let by_option = tests.clone().any(|run| {
        let script = run.languages.is_empty() || run.languages.contains(&"javascript");
        let segment = segments.get(run.segment);
        let mut words = segment.into_iter().flat_map(Segment::texts);
        words.any(|word| {
            let name = word.split_once('=').map_or(word, |(name, _)| name);
            OPTIONS.contains(&name)
                || (script && word == SHORT)
                || word.starts_with("--inline-snapshot=") && !word.ends_with("report")
        })
    });
    let by_variable = tests.count() > 0 && segments.iter().any(sets_variable);
    by_option || by_variable || segments.iter().any(accepts)
}

/// `NAME=value` in front, behind `env` or `export`.
fn sets_variable(segment: &Segment) -> bool {
    let own = segment.assignments.iter();
    let own = own.map(|(name, value)| (name.as_str(), value.as_str()));
    let others = segment.texts().filter_map(|word| word.split_once('='));
    own.chain(others)
        .any(|(name, value)| VARIABLES.contains(&name) && !HARMLESS.contains(&value))
}

/// `cargo insta accept` and `cargo insta test --accept`.
fn accepts(segment: &Segment) -> bool {
    let mut words = segment
        .texts()
        .skip_while(|word| *word != "insta" && *word != "cargo-insta");
    words.next().is_some() && words.any(|word| word == "accept" || word == "--accept")
}
