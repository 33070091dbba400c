//! The user's profile file, `receipt.toml` (`spec/gates.md`, "Profile").

use crate::error::Error;
use crate::home::Home;
use crate::wire::JudgeSettings;
use receipt_core::limits::MAX_PROFILE;
use receipt_gates::gate;
use receipt_gates::profile::{DEFAULT_CHURN, Judge, JudgeMode, Mode, Profile};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The file's shape.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Lines of code churn from which `change-unverified` speaks.
    churn: Option<u64>,
    /// Mode of each gate.
    #[serde(default)]
    gates: BTreeMap<String, Mode>,
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
    let file: File = toml::from_str(&text)
        .map_err(|e| Error::input(format!("{}: {}", path.display(), e.to_string().trim_end())))?;
    let known = gate::in_force();
    if let Some(unknown) = file.gates.keys().find(|g| !known.contains_key(*g)) {
        let names: Vec<&str> = known.keys().map(String::as_str).collect();
        return Err(
            Error::input(format!("{}: no gate is called `{unknown}`", path.display()))
                .hint(format!("the gates are {}", names.join(", "))),
        );
    }
    let judge = file.judge.as_ref().and_then(JudgeTable::judge);
    let settings = file
        .judge
        .map_or_else(JudgeSettings::default, JudgeTable::settings);
    let profile = Profile {
        version: 1,
        gates: file
            .gates
            .into_iter()
            .filter(|(_, mode)| *mode != Mode::Block)
            .collect(),
        churn: file.churn.unwrap_or(DEFAULT_CHURN),
        judge,
    };
    Ok((profile, settings))
}
