//! `receipt key`: the public half of the identity.

use crate::error::Outcome;
use crate::home::Home;
use crate::keys::Keys;
use crate::output;
use receipt_core::hash::hex;
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

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let Action::Show { format, principal } = &arguments.action;
    let identity = Keys::load(&Home::find()?)?.identity.public();
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
