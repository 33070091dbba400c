//! `receipt key`: the identity's public half, and changes of the daily keys.

use crate::access::{Access, no_ledger, unexpected};
use crate::error::{Error, Outcome};
use crate::home::Home;
use crate::keys::{Keys, openssh};
use crate::output::{self, Format};
use crate::service::has_ledger;
use crate::wire::{Query, Reply};
use crate::world::random;
use receipt_core::hash::{digest_from_hex, hex};
use receipt_core::key::{PublicKey, Use};
use receipt_receipts::trust::allowed_signers_line;
use serde_json::json;

/// Show the key that others pin, and change the keys that sign every day.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Show the identity key's public half.
    Show {
        /// How to write it.
        #[arg(long, value_enum, default_value_t)]
        format: KeyFormat,
        /// Name under which a verifier will know it.
        #[arg(long, default_value = "receipt")]
        principal: String,
    },
    /// Write the identity key for OpenSSH: the public line, or the private key.
    Export(ExportArguments),
    /// Put new keys in the place of those that sign every day.
    ///
    /// A `key` record, signed by the old record key, binds the new ones; the
    /// identity signs each, and each signs that it is held. The identity itself,
    /// which others pin, stays. Receipts made before stay valid.
    Rotate(ChangeArguments),
    /// Rotate keys that may be known to others, and print what to tell verifiers.
    ///
    /// The record says that the old keys are not to be trusted any more. Its
    /// lines go into the file that `receipt verify --revoked` reads.
    Revoke(ChangeArguments),
}

#[derive(Debug, clap::Args)]
struct ExportArguments {
    /// For OpenSSH; the only form there is.
    #[arg(long, required = true)]
    openssh: bool,
    /// The private key, to stdout. Whoever has it can speak for you.
    #[arg(long)]
    private: bool,
}

#[derive(Debug, clap::Args)]
struct ChangeArguments {
    /// Which keys; all three if none is named.
    #[arg(long = "use", value_name = "USE", value_parser = key_use)]
    uses: Vec<Use>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

fn key_use(text: &str) -> Result<Use, String> {
    Use::from_name(text).ok_or_else(|| "one of record, verdict, checkpoint".to_owned())
}

/// How to write a public key.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum KeyFormat {
    /// 64 hexadecimal digits.
    #[default]
    Hex,
    /// A line for an OpenSSH `allowed_signers` file.
    AllowedSigners,
    /// One JSON object.
    Json,
}

/// The identity's public half, from the key, or from the service that has it.
fn identity(home: &Home) -> Result<PublicKey, Error> {
    if home.other().is_none() {
        if !Keys::exist(home) && !has_ledger(home) {
            return Err(no_ledger(home));
        }
        return Ok(Keys::identity(home)?.public());
    }
    match Access::open(home)?.ask(Query::Status)? {
        Reply::Status(status) => digest_from_hex(&status.identity)
            .and_then(|bytes| PublicKey::from_bytes(&bytes).ok())
            .ok_or_else(unexpected),
        _ => Err(unexpected()),
    }
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let home = Home::find()?;
    match &arguments.action {
        Action::Show { format, principal } => show(&home, *format, principal),
        Action::Export(wish) => export(&home, wish),
        Action::Rotate(wish) => change(&home, wish, false),
        Action::Revoke(wish) => change(&home, wish, true),
    }
}

fn show(home: &Home, format: KeyFormat, principal: &str) -> Outcome {
    let identity = identity(home)?;
    let text = match format {
        KeyFormat::Hex => hex(identity.as_bytes()),
        KeyFormat::AllowedSigners => allowed_signers_line(&identity, principal),
        KeyFormat::Json => json!({
            "version": 1,
            "identity": hex(identity.as_bytes()),
            "allowed_signers": allowed_signers_line(&identity, principal).trim_end(),
        })
        .to_string(),
    };
    output::line(text.trim_end());
    Ok(0)
}

fn export(home: &Home, wish: &ExportArguments) -> Outcome {
    let text = if wish.private {
        openssh::private(&Keys::identity(home)?, random::id()?)
    } else {
        openssh::public(&identity(home)?)
    };
    output::line(text.trim_end());
    Ok(0)
}

fn change(home: &Home, wish: &ChangeArguments, revoked: bool) -> Outcome {
    let mut engine = Access::take(home)?;
    let uses: Vec<Use> = Use::ALL
        .into_iter()
        .filter(|of| wish.uses.is_empty() || wish.uses.contains(of))
        .collect();
    let old: Vec<PublicKey> = uses
        .iter()
        .filter_map(|of| engine.ledger.keys().current(*of).copied())
        .collect();
    let seq = engine.change_keys(home, &uses, revoked)?;
    let lines: Vec<String> = old.iter().map(openssh::public).collect();
    let text = match wish.format {
        Format::Json => json!({
            "version": 1,
            "record": seq,
            "uses": uses.iter().map(|of| of.name()).collect::<Vec<_>>(),
            "revoked": revoked.then_some(&lines),
        })
        .to_string(),
        Format::Human if revoked => lines.join("\n"),
        Format::Human => format!("record #{seq}: {} new keys are in force", uses.len()),
    };
    output::line(&text);
    if revoked {
        output::note("these lines go into the file for `receipt verify --revoked`");
    }
    engine.end()?;
    Ok(0)
}
