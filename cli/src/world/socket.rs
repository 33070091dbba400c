//! Unix sockets.

use std::io;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

/// Connects to a socket, if its listener runs as that user or as root.
///
/// # Errors
/// Where nothing listens there, or somebody else does.
#[allow(clippy::disallowed_methods, reason = "this is the one place")]
pub(crate) fn connect(path: &Path, owner: Option<u32>) -> io::Result<UnixStream> {
    let stream = UnixStream::connect(path)?;
    match peer(&stream) {
        Some((uid, _)) if uid == 0 || Some(uid) == owner => Ok(stream),
        _ => Err(io::ErrorKind::PermissionDenied.into()),
    }
}

/// Listens on a socket; a stale one is removed first.
///
/// # Errors
/// Where the path cannot be bound.
#[allow(clippy::disallowed_methods, reason = "this is the one place")]
pub(crate) fn listen(path: &Path) -> io::Result<UnixListener> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    UnixListener::bind(path)
}

/// User and process at the other end, by the kernel's word.
pub(crate) fn peer(stream: &UnixStream) -> Option<(u32, i32)> {
    let credentials = rustix::net::sockopt::socket_peercred(stream).ok()?;
    Some((
        credentials.uid.as_raw(),
        credentials.pid.as_raw_nonzero().get(),
    ))
}
