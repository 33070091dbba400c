//! The first bytes in both directions, the same for ever, so that programs of
//! any two versions can tell what the other speaks (`spec/hook.md`, "Versions").
//!
//! `"receipt" ‖ word (1) ‖ protocol (2) ‖ major (2) ‖ minor (2) ‖ patch (2)`

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};

const MAGIC: [u8; 7] = *b"receipt";
const LENGTH: usize = 16;

/// Version of the messages after the greeting, and of spooled events.
const PROTOCOL: u16 = 1;

/// This program's greeting with word 0. It is read as data, never folded into
/// the code, so that a test can make another version of the built program.
static OWN: [u8; LENGTH] = Version {
    protocol: PROTOCOL,
    program: [
        number(env!("CARGO_PKG_VERSION_MAJOR")),
        number(env!("CARGO_PKG_VERSION_MINOR")),
        number(env!("CARGO_PKG_VERSION_PATCH")),
    ],
}
.greeting(0);

/// What a program speaks, and how new it is: the protocol counts first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version {
    /// Version of the messages.
    pub(crate) protocol: u16,
    /// Version of the program.
    program: [u16; 3],
}

impl Version {
    /// This program's.
    pub(crate) fn own() -> Self {
        Self::parse(std::hint::black_box(&OWN)).map_or(
            Self {
                protocol: PROTOCOL,
                program: [0; 3],
            },
            |(version, _)| version,
        )
    }

    const fn greeting(self, word: u8) -> [u8; LENGTH] {
        let [m0, m1, m2, m3, m4, m5, m6] = MAGIC;
        let [p0, p1] = self.protocol.to_le_bytes();
        let [major, minor, patch] = self.program;
        let ([a0, a1], [b0, b1], [c0, c1]) = (
            major.to_le_bytes(),
            minor.to_le_bytes(),
            patch.to_le_bytes(),
        );
        [
            m0, m1, m2, m3, m4, m5, m6, word, p0, p1, a0, a1, b0, b1, c0, c1,
        ]
    }

    fn parse(bytes: &[u8; LENGTH]) -> Option<(Self, u8)> {
        let (magic, rest) = bytes.split_first_chunk::<7>()?;
        let [word, p0, p1, a0, a1, b0, b1, c0, c1] = *rest.first_chunk::<9>()?;
        let version = Self {
            protocol: u16::from_le_bytes([p0, p1]),
            program: [
                u16::from_le_bytes([a0, a1]),
                u16::from_le_bytes([b0, b1]),
                u16::from_le_bytes([c0, c1]),
            ],
        };
        (*magic == MAGIC).then_some((version, word))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.program;
        write!(f, "{major}.{minor}.{patch}")
    }
}

/// A part of a version number, from Cargo's word for it.
const fn number(text: &str) -> u16 {
    match u16::from_str_radix(text, 10) {
        Ok(number) => number,
        Err(_) => 0,
    }
}

/// What a client wants of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Intent {
    /// To talk.
    Speak,
    /// To talk, but if the service is the older one that it end: the client
    /// starts its own.
    Replace,
}

/// What a service says to that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Welcome {
    /// Go on.
    GoOn,
    /// It ends, for the client is newer; nothing that was sent is taken.
    GivesWay,
    /// It speaks another protocol; nothing that was sent is taken.
    Foreign,
}

impl Welcome {
    /// The answer of a service that may be ended by this client, or not.
    pub(crate) fn to(client: Version, intent: Intent, may_end: bool) -> Self {
        let own = Version::own();
        if intent == Intent::Replace && may_end && own < client {
            Self::GivesWay
        } else if client.protocol == own.protocol {
            Self::GoOn
        } else {
            Self::Foreign
        }
    }
}

/// Greets a service.
///
/// # Errors
/// Where it is gone.
pub(crate) fn hail(to: &mut impl Write, intent: Intent) -> io::Result<()> {
    let word = match intent {
        Intent::Speak => 0,
        Intent::Replace => 1,
    };
    to.write_all(&Version::own().greeting(word))
}

/// Reads a client's greeting.
///
/// # Errors
/// Where none comes, or something else.
pub(crate) fn hear(from: &mut impl Read) -> io::Result<(Version, Intent)> {
    match receive(from)? {
        (version, 0) => Ok((version, Intent::Speak)),
        (version, 1) => Ok((version, Intent::Replace)),
        _ => Err(ErrorKind::InvalidData.into()),
    }
}

/// Answers a client's greeting.
///
/// # Errors
/// Where the client is gone.
pub(crate) fn welcome(to: &mut impl Write, answer: Welcome) -> io::Result<()> {
    let word = match answer {
        Welcome::GoOn => 0,
        Welcome::GivesWay => 1,
        Welcome::Foreign => 2,
    };
    to.write_all(&Version::own().greeting(word))
}

/// Reads a service's answer.
///
/// # Errors
/// Where none comes, or something else.
pub(crate) fn answered(from: &mut impl Read) -> io::Result<(Version, Welcome)> {
    match receive(from)? {
        (version, 0) => Ok((version, Welcome::GoOn)),
        (version, 1) => Ok((version, Welcome::GivesWay)),
        (version, 2) => Ok((version, Welcome::Foreign)),
        _ => Err(ErrorKind::InvalidData.into()),
    }
}

fn receive(from: &mut impl Read) -> io::Result<(Version, u8)> {
    let mut bytes = [0; LENGTH];
    from.read_exact(&mut bytes)?;
    Version::parse(&bytes).ok_or_else(|| ErrorKind::InvalidData.into())
}
