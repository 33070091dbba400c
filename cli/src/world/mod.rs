//! Effects, one module each. Nothing outside this folder reads a clock or the
//! environment, draws randomness, starts a process or opens a socket.

pub(crate) mod clock;
pub(crate) mod environment;
pub(crate) mod process;
pub(crate) mod random;
pub(crate) mod socket;
