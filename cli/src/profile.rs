//! The user's profile file, `receipt.toml` (`spec/gates.md`, "Profile").

use crate::error::Error;
use crate::home::Home;
use receipt_core::limits::MAX_PROFILE;
use receipt_gates::gate;
use receipt_gates::profile::{DEFAULT_CHURN, Mode, Profile};
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
}

/// Reads the user's profile; the default one where there is no file.
///
/// # Errors
/// Where the file cannot be read or says something unknown.
pub(crate) fn load(home: &Home) -> Result<Profile, Error> {
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
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Profile::default()),
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
    Ok(Profile {
        version: 1,
        gates: file
            .gates
            .into_iter()
            .filter(|(_, mode)| *mode != Mode::Block)
            .collect(),
        churn: file.churn.unwrap_or(DEFAULT_CHURN),
    })
}
