//! A client of the service that does not keep its rules.

use crate::world::World;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// `receipt`, word 0, protocol 1, program 0.1.0.
pub(crate) const GREETING: [u8; 16] = *b"receipt\0\x01\0\0\0\x01\0\0\0";

/// A client that speaks the service's language, but not its rules.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) stream: UnixStream,
    /// The service's greeting was not read yet.
    new: bool,
    /// What the newest answer said after its variant.
    pub(crate) said: Vec<u8>,
}

impl Client {
    /// One that has greeted as this program does.
    pub(crate) fn new(world: &World) -> Self {
        let mut client = Self::silent(world);
        // One that is sent away at once does not hear it.
        let _ = client.stream.write_all(&GREETING);
        client
    }

    /// One that has not even greeted.
    pub(crate) fn silent(world: &World) -> Self {
        let stream = UnixStream::connect(socket(world)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        Self {
            stream,
            new: true,
            said: Vec::new(),
        }
    }

    /// Sends one message.
    pub(crate) fn send(&mut self, body: &[u8]) {
        let length = u32::try_from(body.len()).unwrap();
        self.stream.write_all(&length.to_le_bytes()).unwrap();
        self.stream.write_all(body).unwrap();
    }

    /// The number of the answer's variant.
    pub(crate) fn answer(&mut self) -> u32 {
        if std::mem::take(&mut self.new) {
            let mut greeting = [0; 16];
            self.stream.read_exact(&mut greeting).unwrap();
            assert_eq!(greeting, GREETING);
        }
        let mut length = [0; 4];
        self.stream.read_exact(&mut length).unwrap();
        let mut body = vec![0; u32::from_le_bytes(length) as usize];
        self.stream.read_exact(&mut body).unwrap();
        self.said = body.split_off(4);
        u32::from_le_bytes(body.try_into().unwrap())
    }
}

/// Where the service of a world listens, or did.
pub(crate) fn socket(world: &World) -> PathBuf {
    let mut names = fs::read_dir(world.home().join("run")).unwrap();
    let socket = names.find_map(|entry| {
        let path = entry.unwrap().path();
        path.extension()
            .is_some_and(|e| e == "sock")
            .then_some(path)
    });
    socket.unwrap()
}

/// Sends one message to a service that may end at any time; whether it was
/// acknowledged, an error where it may or may not have arrived.
pub(crate) fn acknowledged(socket: &Path, body: &[u8]) -> io::Result<bool> {
    let Ok(mut stream) = UnixStream::connect(socket) else {
        return Ok(false);
    };
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    let length = u32::try_from(body.len()).unwrap().to_le_bytes();
    stream.write_all(&[&GREETING[..], &length, body].concat())?;
    let mut answer = [0; 16 + 4 + 4];
    stream.read_exact(&mut answer)?;
    assert_eq!(answer[20..], [0; 4], "it is done");
    Ok(true)
}

fn text(text: &str) -> Vec<u8> {
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

/// A message.
pub(crate) fn event(number: u8, payload: &[u8]) -> Vec<u8> {
    event_of(u128::from_le_bytes([number; 16]), payload)
}

/// The same, with that id.
pub(crate) fn event_of(id: u128, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0, 0, 0, 0, 1, 0];
    bytes.extend(text("claude-code"));
    bytes.extend(id.to_le_bytes());
    bytes.extend([0; 8 + 4 + 4]);
    bytes.push(1);
    bytes.extend(text("/somewhere"));
    bytes.extend([0, 0]);
    bytes.extend([0; 8]);
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend_from_slice(payload);
    // No folder of the user, no settings with hooks.
    bytes.extend([0; 1 + 8]);
    bytes
}

/// A message.
pub(crate) fn snapshot(tree: &str, files: usize) -> Vec<u8> {
    let mut bytes = vec![1, 0, 0, 0, 1];
    bytes.extend(text(tree));
    bytes.extend([0, 0]);
    bytes.extend(1u64.to_le_bytes());
    bytes.extend(text(&"b".repeat(40)));
    bytes.extend((files as u64).to_le_bytes());
    for file in 0..files {
        bytes.extend(text(&format!("a/b/c/d/{file}.py")));
        bytes.extend(1u64.to_le_bytes());
        bytes.extend(0u64.to_le_bytes());
        bytes.extend(1u64.to_le_bytes());
        bytes.push(0);
    }
    bytes.push(0);
    // No edited path is missing from the tree.
    bytes.extend([0; 8]);
    bytes
}
