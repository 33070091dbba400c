//! Which settings files hold our hooks, as `ledger-guard` is to know it.

use crate::effect::file::read_text;
use crate::world::environment;
use std::path::{Path, PathBuf};

/// What occurs once in every hook line of ours.
const MARK: &str = "claude-code";

/// The folder of settings, which a payload names where it is about them.
const FOLDER: &str = ".claude";

/// The settings files that hold our hooks, with the number of them: the user's, and
/// those of the folder and the folders above it. None where the payload is not
/// about settings.
pub(crate) fn wired(payload: &[u8], folder: Option<&Path>) -> Vec<(String, u32)> {
    if memchr::memmem::find(payload, FOLDER.as_bytes()).is_none() {
        return Vec::new();
    }
    let user = environment::get("CLAUDE_CONFIG_DIR").map(PathBuf::from);
    let home = environment::get("HOME").map(|home| Path::new(&home).join(FOLDER));
    let above = folder.into_iter().flat_map(Path::ancestors);
    let folders = user
        .or(home)
        .into_iter()
        .chain(above.map(|f| f.join(FOLDER)));
    let names = ["settings.json", "settings.local.json"];
    let files = folders.flat_map(|folder| names.map(|name| folder.join(name)));
    let mut found: Vec<(String, u32)> = Vec::new();
    for file in files {
        let text = read_text(&file).unwrap_or_default();
        let hooks = u32::try_from(text.matches(MARK).count()).unwrap_or(u32::MAX);
        let path = file.to_string_lossy().into_owned();
        if hooks > 0 && text.contains("receipt") && !found.iter().any(|(known, _)| *known == path) {
            found.push((path, hooks));
        }
    }
    found
}
