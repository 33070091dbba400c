//! The judge's table in a new `receipt.toml`: advice, where a backend is there.

use crate::effect::judge::{Backend, models};
use crate::error::Error;
use crate::home::Home;
use crate::wire::JudgeSettings;
use crate::world::clock::Deadline;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::time::Duration;

/// How long the backend may take to answer.
const PATIENCE: Duration = Duration::from_secs(1);

/// Turns the judge on as an adviser, where its backend answers and has the model and
/// the user has no profile yet. Returns what became of it.
///
/// # Errors
/// Where the file cannot be written.
pub(crate) fn offer(home: &Home) -> Result<String, Error> {
    let path = home.profile();
    if std::fs::symlink_metadata(&path).is_ok() {
        return Ok(format!("as {} says", path.display()));
    }
    let backend = Backend::new(JudgeSettings::default());
    let (url, model) = (&backend.url, &backend.model);
    match models(&backend, Deadline::after(PATIENCE)) {
        Err(_) => Ok(format!("off: no model answers at {url}")),
        Ok(models) if !backend.is_among(&models) => Ok(format!("off: {url} does not have {model}")),
        Ok(_) => {
            write(home, &backend)?;
            Ok(format!("advises by {model}, set in {}", path.display()))
        }
    }
}

fn write(home: &Home, backend: &Backend) -> Result<(), Error> {
    // A JSON string is a basic string of TOML.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let text = format!(
        "# A local model is asked to disprove what the agent claims at a stop, as advice.\n\
         # `receipt judge eval` measures what its word is worth. off | advise | block\n\
         [judge]\nmode = \"advise\"\nurl = {}\nmodel = {}\n",
        quoted(&backend.url),
        quoted(&backend.model)
    );
    let path = home.profile();
    let mut options = OpenOptions::new();
    let file = options.write(true).create_new(true).mode(0o600).open(&path);
    match file.and_then(|mut file| file.write_all(text.as_bytes())) {
        Err(e) if e.kind() != ErrorKind::AlreadyExists => Err(Error::fault(format!(
            "cannot write {}: {e}",
            path.display()
        ))),
        _ => Ok(()),
    }
}
