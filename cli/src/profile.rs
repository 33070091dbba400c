//! The user's profile file, `receipt.toml` (`spec/gates.md`, "Profile").

use crate::error::Error;
use crate::home::Home;
use crate::wire::JudgeSettings;
use receipt_core::limits::MAX_PROFILE;
use receipt_gates::gate;
use receipt_gates::profile::{DEFAULT_CHURN, Judge, JudgeMode, Mode, Profile, Required};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// The file's shape.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Lines of code churn from which `change-unverified` speaks.
    churn: Option<u64>,
    /// Mode of each gate.
    #[serde(default)]
    gates: BTreeMap<Spanned<String>, Mode>,
    /// Commands of checks that must pass, by name.
    #[serde(default)]
    checks: BTreeMap<Spanned<String>, Spanned<String>>,
    /// The model that judges final messages.
    judge: Option<JudgeTable>,
}

/// The table `judge` (`spec/judge.md`).
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct JudgeTable {
    mode: JudgeTableMode,
    strict: bool,
    api: Api,
    url: Option<String>,
    model: Option<String>,
    timeout_s: Option<u32>,
    keep_alive: Option<String>,
    allow_remote: bool,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum JudgeTableMode {
    Off,
    #[default]
    Advise,
    Block,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Api {
    #[default]
    Ollama,
    Openai,
}

impl JudgeTable {
    const fn judge(&self) -> Option<Judge> {
        let mode = match self.mode {
            JudgeTableMode::Off => return None,
            JudgeTableMode::Advise => JudgeMode::Advise,
            JudgeTableMode::Block => JudgeMode::Block,
        };
        Some(Judge {
            mode,
            strict: self.strict,
        })
    }

    fn settings(self) -> JudgeSettings {
        JudgeSettings {
            openai: self.api == Api::Openai,
            url: self.url,
            model: self.model,
            timeout_s: self.timeout_s,
            keep_alive: self.keep_alive,
            allow_remote: self.allow_remote,
        }
    }
}

/// Reads the user's profile, and how the judge is reached; the defaults where there is no file.
///
/// # Errors
/// Where the file cannot be read or says something unknown.
pub(crate) fn load(home: &Home) -> Result<(Profile, JudgeSettings), Error> {
    let path = home.profile();
    let failed = |e: std::io::Error| Error::input(format!("cannot read {}: {e}", path.display()));
    match std::fs::metadata(&path) {
        // The service reads it before it listens: to read a pipe or a device may never end.
        Ok(file) if !file.is_file() => {
            return Err(Error::input(format!("{} is no file", path.display())));
        }
        Ok(file) if file.len() > MAX_PROFILE as u64 => {
            return Err(Error::input(format!("{} is too large", path.display())));
        }
        Ok(_) => {}
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Default::default()),
        Err(e) => return Err(failed(e)),
    }
    let text = std::fs::read_to_string(&path).map_err(failed)?;
    parse(&text, &path.display().to_string())
}

/// Reads the text of a profile file; `name` is what errors call it.
///
/// # Errors
/// With line and column of what is wrong, and what may be meant.
pub(crate) fn parse(text: &str, name: &str) -> Result<(Profile, JudgeSettings), Error> {
    let file: File = toml::from_str(text).map_err(|error| {
        let at = error
            .span()
            .map_or_else(String::new, |span| place(text, span.start));
        let what = error.message().trim_end();
        let error = Error::input(format!("{name}{at}: {what}"));
        match suggestion(what) {
            Some(hint) => error.hint(hint),
            None => error,
        }
    })?;
    let judge = file.judge.as_ref().and_then(JudgeTable::judge);
    let profile = Profile {
        version: 1,
        gates: gates(file.gates, text, name)?,
        churn: file.churn.unwrap_or(DEFAULT_CHURN),
        required: required(file.checks, text, name)?,
        judge,
    };
    let settings = file
        .judge
        .map_or_else(JudgeSettings::default, JudgeTable::settings);
    Ok((profile, settings))
}

/// The modes that differ from `block`.
fn gates(
    modes: BTreeMap<Spanned<String>, Mode>,
    text: &str,
    name: &str,
) -> Result<BTreeMap<String, Mode>, Error> {
    let known = gate::in_force();
    if let Some(unknown) = modes.keys().find(|g| !known.contains_key(g.get_ref())) {
        let (at, gate) = (place(text, unknown.span().start), unknown.get_ref());
        let error = Error::input(format!("{name}{at}: no gate is called `{gate}`"));
        let names: Vec<&str> = known.keys().map(String::as_str).collect();
        return Err(error.hint(match nearest(gate, &names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the gates are {}", names.join(", ")),
        }));
    }
    let modes = modes.into_iter().filter(|(_, mode)| *mode != Mode::Block);
    Ok(modes
        .map(|(gate, mode)| (gate.into_inner(), mode))
        .collect())
}

/// The checks that are required, as what their commands run.
fn required(
    checks: BTreeMap<Spanned<String>, Spanned<String>>,
    text: &str,
    name: &str,
) -> Result<BTreeMap<String, Required>, Error> {
    let mut required = BTreeMap::new();
    for (check, command) in checks {
        let found = Required::of(command.get_ref()).map_err(|why| {
            let (at, check) = (place(text, command.span().start), check.get_ref());
            Error::input(format!("{name}{at}: check `{check}`: {why}"))
                .hint("name one check as you run it, such as \"cargo test\" or \"npm run lint\"")
        })?;
        required.insert(check.into_inner(), found);
    }
    Ok(required)
}

/// `, line 3, column 1`, counted from 1.
fn place(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count().saturating_add(1);
    let start = before
        .rfind('\n')
        .map_or(0, |newline| newline.saturating_add(1));
    let column = before
        .get(start..)
        .unwrap_or_default()
        .chars()
        .count()
        .saturating_add(1);
    format!(", line {line}, column {column}")
}

/// What may be meant by a word that an error names as unknown, from those it expects.
fn suggestion(error: &str) -> Option<String> {
    let quoted: Vec<&str> = error.split('`').skip(1).step_by(2).collect();
    let (unknown, expected) = quoted.split_first()?;
    if !error.starts_with("unknown ") {
        return None;
    }
    nearest(unknown, expected).map(|near| format!("did you mean `{near}`?"))
}

/// The word that differs least, if it differs in a third of its letters at most.
fn nearest<'a>(word: &str, words: &[&'a str]) -> Option<&'a str> {
    let near = words
        .iter()
        .map(|known| (distance(word, known), *known))
        .min()?;
    let (differs, known) = near;
    (differs.saturating_mul(3) <= known.len()).then_some(known)
}

/// Letters to add, drop or change to make one word of the other.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut next = vec![at.saturating_add(1)];
        for (beside, (pair, wanted)) in row.windows(2).zip(other.chars()).enumerate() {
            let [corner, above] = pair else { continue };
            let left = next.get(beside).copied().unwrap_or_default();
            let changed = corner.saturating_add(usize::from(letter != wanted));
            next.push(
                changed
                    .min(above.saturating_add(1))
                    .min(left.saturating_add(1)),
            );
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a text that is refused.
    fn refused(text: &str) -> String {
        parse(text, "f.toml").unwrap_err().to_string()
    }

    #[test]
    fn errors_name_line_column_and_what_may_be_meant() {
        let cases = [
            (
                "churn = 9\nchurm = 8\n",
                "f.toml, line 2, column 1: unknown field `churm`",
                "did you mean `churn`?",
            ),
            (
                "[gates]\ncheck-faild = \"off\"\n",
                "f.toml, line 2, column 1: no gate is called `check-faild`",
                "did you mean `check-failed`?",
            ),
            (
                "[gates]\nxyz = \"off\"\n",
                "f.toml, line 2, column 1: no gate",
                "the gates are ",
            ),
            (
                "[gates]\ncheck-failed = \"of\"\n",
                "f.toml, line 2, column 16: unknown variant `of`",
                "did you mean `off`?",
            ),
            (
                "churn = \"x\"\n",
                "f.toml, line 1, column 9: invalid type",
                "",
            ),
            ("[gates\n", "f.toml, line 1, column 7: ", ""),
            (
                "[checks]\nunit = \"frobnicate\"\n",
                "f.toml, line 2, column 8: check `unit`: this is no command",
                "cargo test",
            ),
            (
                "[checks]\nall = \"cargo test && npm test\"\n",
                "f.toml, line 2, column 7: check `all`: this runs several",
                "",
            ),
            (
                "[checks]\na = \"pytest tests/a.py\"\n",
                "f.toml, line 2, column 5: check `a`: this checks only a part",
                "",
            ),
            (
                "[checks]\na = \"pytest || true\"\n",
                "f.toml, line 2, column 5: check `a`: this checks only a part, or hides",
                "",
            ),
            (
                "[judge]\nmodel = \"m\"\ntimout_s = 3\n",
                "f.toml, line 3, column 1: unknown field `timout_s`",
                "did you mean `timeout_s`?",
            ),
        ];
        for (text, message, hint) in cases {
            let said = refused(text);
            assert!(said.contains(message), "{text}{said}");
            assert!(said.contains(hint), "{text}{said}");
        }
    }

    #[test]
    fn what_is_required_is_kept_as_what_it_runs() {
        let text = "[checks]\nunit = \"cargo test\"\nlint = \"npm run lint\"\n";
        let (profile, _) = parse(text, "f.toml").unwrap();
        let unit = &profile.required["unit"];
        assert_eq!(
            (unit.runner.as_str(), unit.kind.as_str()),
            ("cargo-test", "test")
        );
        assert_eq!(profile.required["lint"].kind, "lint");
        assert_eq!(Profile::parse(&profile.to_bytes()).unwrap(), profile);
    }

    #[test]
    fn distances_are_those_of_single_letters() {
        for (one, other, wanted) in [
            ("", "", 0),
            ("abc", "abc", 0),
            ("abc", "abd", 1),
            ("abc", "ab", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(one, other), wanted, "{one} {other}");
        }
    }
}
