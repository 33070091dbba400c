//! Which model is asked, and where.

use super::Outage;
use crate::wire::JudgeSettings;
use crate::world::environment;
use std::net::IpAddr;
use std::time::Duration;

/// The longest time for one judgement: a stop's hook may take 60 seconds in all.
pub(crate) const MAX_TIMEOUT: Duration = Duration::from_secs(35);

/// What a backend speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Api {
    /// Ollama's `/api/generate`.
    Ollama,
    /// `/v1/chat/completions` of llama.cpp, vLLM, LM Studio and others.
    OpenAi,
}

/// A backend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Backend {
    pub(crate) api: Api,
    /// The whole address of the call.
    pub(crate) url: String,
    pub(crate) model: String,
    /// Time for one judgement.
    pub(crate) timeout: Duration,
    /// How long Ollama keeps the model loaded.
    pub(crate) keep_alive: String,
    /// The address may be another machine's: claims leave this one.
    pub(crate) allow_remote: bool,
}

/// Where Ollama listens unless told otherwise.
const URL: &str = "http://localhost:11434/api/generate";

const MODEL: &str = "llama3.2:3b";

const TIMEOUT_S: f64 = 20.0;

impl Backend {
    /// As the user's file says, else the environment, else Ollama's defaults.
    pub(crate) fn new(settings: JudgeSettings) -> Self {
        let named = |name: &str| environment::get(name)?.into_string().ok();
        let text = |set: Option<String>, name: &str, default: &str| {
            set.or_else(|| named(name))
                .unwrap_or_else(|| default.to_owned())
        };
        let asked = named("OLLAMA_VERIFIER_TIMEOUT_S").and_then(|s| s.trim().parse().ok());
        let seconds = settings.timeout_s.map(f64::from).or(asked);
        let timeout = Duration::try_from_secs_f64(seconds.unwrap_or(TIMEOUT_S));
        Self {
            api: if settings.openai {
                Api::OpenAi
            } else {
                Api::Ollama
            },
            url: text(settings.url, "OLLAMA_URL", URL),
            model: text(settings.model, "OLLAMA_VERIFIER_MODEL", MODEL),
            timeout: timeout.unwrap_or(MAX_TIMEOUT).min(MAX_TIMEOUT),
            keep_alive: text(settings.keep_alive, "OLLAMA_VERIFIER_KEEP_ALIVE", "24h"),
            allow_remote: settings.allow_remote,
        }
    }

    /// Whether its model is one of those.
    pub(crate) fn is_among(&self, models: &[String]) -> bool {
        let latest = format!("{}:latest", self.model);
        models
            .iter()
            .any(|name| *name == self.model || *name == latest)
    }

    /// The address without the call's path, for the backend's other calls.
    pub(super) fn base(&self, call: &str) -> &str {
        let url = self.url.trim_end_matches('/');
        url.strip_suffix(call).unwrap_or(url)
    }

    /// Refuses another machine's address where that is not allowed.
    pub(super) fn check(&self) -> Result<(), Outage> {
        if self.allow_remote || is_loopback(&self.url) {
            Ok(())
        } else {
            Err(Outage::Remote)
        }
    }
}

/// Whether an address names this machine. A name is believed only if it is `localhost`.
fn is_loopback(url: &str) -> bool {
    let Some((_, rest)) = url.split_once("://") else {
        return false;
    };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    if authority.contains('@') {
        return false;
    }
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    let address: Result<IpAddr, _> = host.parse();
    address.map_or(host.eq_ignore_ascii_case("localhost"), |a| a.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_asked_unless_allowed() {
        let here = [
            "http://localhost:11434/api/generate",
            "http://LOCALHOST/api",
            "http://127.0.0.1:1/",
            "http://127.9.9.9",
            "https://[::1]:8080/v1/chat/completions",
        ];
        let elsewhere = [
            "http://example.org/",
            "http://localhost.example.org/",
            "http://localhost@example.org/",
            "http://127.0.0.1@example.org/",
            "http://127.0.0.1.example.org/",
            "http://10.0.0.1:11434/",
            "http://[::2]/",
            "http://0.0.0.0:11434/",
            "http://example.org\\@localhost/",
            "localhost:11434",
            "",
        ];
        let with = |url: &str| {
            Backend::new(JudgeSettings {
                url: Some(url.to_owned()),
                ..JudgeSettings::default()
            })
        };
        for url in here {
            assert_eq!(with(url).check(), Ok(()), "{url}");
        }
        for url in elsewhere {
            assert_eq!(with(url).check(), Err(Outage::Remote), "{url}");
            let mut allowed = with(url);
            allowed.allow_remote = true;
            assert_eq!(allowed.check(), Ok(()), "{url}");
        }
    }
}
