//! Unix sockets.

use std::io;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

/// Connects to a socket.
///
/// # Errors
/// Where nothing listens there.
#[allow(clippy::disallowed_methods, reason = "this is the one place")]
pub(crate) fn connect(path: &Path) -> io::Result<UnixStream> {
    UnixStream::connect(path)
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
