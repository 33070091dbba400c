//! Keyed ids: names that mean nothing without the stream's secret.

use alloc::string::String;
use alloc::vec::Vec;
use receipt_core::hash::{Context, Digest, Hasher, hex};

/// Bytes of an id: enough that names of one session do not collide.
const ID_LEN: usize = 8;

/// What an id stands for; ids of different things never meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thing {
    /// One component of a path.
    Path,
    /// A tool call.
    Call,
    /// A subagent.
    Agent,
    /// A stub line.
    Stub,
    /// A marked line.
    Line,
    /// A test.
    Test,
    /// A selector of tests.
    Selector,
    /// A prompt's text.
    Prompt,
}

impl Thing {
    const fn tag(self) -> &'static [u8] {
        match self {
            Self::Path => b"path",
            Self::Call => b"call",
            Self::Agent => b"agent",
            Self::Stub => b"stub",
            Self::Line => b"line",
            Self::Test => b"test",
            Self::Selector => b"selector",
            Self::Prompt => b"prompt",
        }
    }
}

/// Makes the ids of one stream.
#[derive(Clone)]
pub struct Keyer(Digest);

impl core::fmt::Debug for Keyer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Keyer(..)")
    }
}

impl Keyer {
    /// The keyer of a stream, from the ledger's secret.
    #[must_use]
    pub fn new(ledger_secret: &Digest, stream: &Digest) -> Self {
        Self(
            Hasher::new(Context::StreamSecret)
                .fixed(ledger_secret)
                .fixed(stream)
                .finish(),
        )
    }

    /// The id of a name.
    #[must_use]
    pub fn id(&self, thing: Thing, name: &str) -> String {
        let digest = Hasher::new(Context::KeyedId)
            .fixed(&self.0)
            .sized(thing.tag())
            .sized(name.as_bytes())
            .finish();
        hex(digest.get(..ID_LEN).unwrap_or(&digest))
    }

    /// The id of a path: one id per component, joined by `/`.
    #[must_use]
    pub fn path(&self, path: &str) -> String {
        let parts: Vec<String> = path
            .split('/')
            .filter(|part| !part.is_empty())
            .map(|part| self.id(Thing::Path, part))
            .collect();
        parts.join("/")
    }
}
