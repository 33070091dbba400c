//! `receipt export`: writes a receipt.

use crate::access::Access;
use crate::error::{Error, Outcome};
use crate::home::Home;
use crate::output;
use crate::wire::ExportWish;
use std::io::Write;
use std::path::PathBuf;

/// Write the signed receipt of a turn: one file that anyone verifies offline.
///
/// Facts are always disclosed: they name no path, command or prose. Everything
/// else is withheld unless asked for; what is withheld stays provable later.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// File to write; stdout if not given.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The newest verdict of this session, instead of the ledger's newest.
    #[arg(long)]
    session: Option<String>,
    /// The verdict of this record number.
    #[arg(long, value_name = "RECORD", conflicts_with = "session")]
    verdict: Option<u64>,
    /// Disclose the paths of files.
    #[arg(long)]
    paths: bool,
    /// Disclose the commands that ran.
    #[arg(long)]
    commands: bool,
    /// Disclose prompts and messages.
    #[arg(long)]
    texts: bool,
    /// Include the hook payloads as they were recorded (after redaction).
    #[arg(long)]
    with_evidence: bool,
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let home = Home::find()?;
    let receipt = Access::open(&home)?.receipt(ExportWish {
        session: arguments.session.clone(),
        verdict: arguments.verdict,
        paths: arguments.paths,
        commands: arguments.commands,
        texts: arguments.texts,
        evidence: arguments.with_evidence,
    })?;
    match &arguments.output {
        None => output::out(&String::from_utf8_lossy(&receipt)),
        Some(path) => {
            write_whole(path, &receipt)?;
            output::note(&format!(
                "wrote {} ({} bytes)",
                path.display(),
                receipt.len()
            ));
        }
    }
    Ok(0)
}

/// Writes a file so that it is there whole or not at all.
fn write_whole(path: &std::path::Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |e: std::io::Error| Error::fault(format!("cannot write {}: {e}", path.display()));
    if path.is_dir() {
        let message = format!("cannot write {}: it is a folder", path.display());
        return Err(Error::usage(message).hint("-o takes the name of the file"));
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let mut file = std::fs::File::create(&part).map_err(failed)?;
    file.write_all(bytes)
        .and_then(|()| file.sync_all())
        .map_err(failed)?;
    std::fs::rename(&part, path).map_err(failed)
}
