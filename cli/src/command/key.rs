//! `receipt key`: the public half of the identity.

use crate::access::{Access, no_ledger, unexpected};
use crate::error::{Error, Outcome};
use crate::home::Home;
use crate::keys::Keys;
use crate::output;
use crate::service::has_ledger;
use crate::wire::{Query, Reply};
use receipt_core::hash::{digest_from_hex, hex};
use receipt_core::key::PublicKey;
use receipt_receipts::trust::allowed_signers_line;

/// Show the key that others pin to verify receipts of this ledger.
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
        return Ok(Keys::load(home)?.identity.public());
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
    let Action::Show { format, principal } = &arguments.action;
    let identity = identity(&Home::find()?)?;
    let text = match format {
        KeyFormat::Hex => hex(identity.as_bytes()),
        KeyFormat::AllowedSigners => allowed_signers_line(&identity, principal),
        KeyFormat::Json => serde_json::json!({
            "version": 1,
            "identity": hex(identity.as_bytes()),
            "allowed_signers": allowed_signers_line(&identity, principal).trim_end(),
        })
        .to_string(),
    };
    output::line(text.trim_end());
    Ok(0)
}
