//! A frame is a length (four bytes, little-endian) and that many bytes of
//! bincode with fixed-width integers. Lengths are checked before reading.

use bincode::enc::write::Writer;
use bincode::error::EncodeError;
use bincode::{Decode, Encode};
use receipt_core::limits::MAX_PAYLOAD;
use std::io::{self, Read, Write};

/// Largest frame: a payload and what goes with it.
const MAX_FRAME: usize = MAX_PAYLOAD + (1 << 20);

/// Writes one frame.
///
/// # Errors
/// Where the message is over the limit or the other end is gone.
pub(crate) fn send<T: Encode>(to: &mut impl Write, message: &T) -> io::Result<()> {
    // One buffer: an answer can be large, and there can be several.
    let mut frame = Frame(vec![0; 4]);
    bincode::encode_into_writer(message, &mut frame, receipt_core::record::config())
        .map_err(malformed)?;
    let Frame(mut frame) = frame;
    if let Some((head, body)) = frame.split_first_chunk_mut() {
        let length = u32::try_from(body.len()).map_err(io::Error::other)?;
        *head = length.to_le_bytes();
    }
    to.write_all(&frame)
}

/// A frame that is being made.
struct Frame(Vec<u8>);

impl Writer for Frame {
    fn write(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

/// Whether the other end left, rather than being slow or speaking nonsense.
pub(crate) fn is_gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe
    )
}

/// Reads one frame; `None` at the end of the stream.
///
/// # Errors
/// Where the frame is over the limit, cut or malformed.
pub(crate) fn receive<T: Decode<()>>(from: &mut impl Read) -> io::Result<Option<T>> {
    match receive_length(from)? {
        Some(length) => receive_body(from, length).map(Some),
        None => Ok(None),
    }
}

/// Reads the length of the next frame; `None` at the end of the stream.
///
/// # Errors
/// Where it is over the limit, or cut.
pub(crate) fn receive_length(from: &mut impl Read) -> io::Result<Option<usize>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_FRAME {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "frame over the limit",
        ));
    }
    Ok(Some(length))
}

/// Reads a frame after its length.
///
/// # Errors
/// Where it is cut or malformed.
pub(crate) fn receive_body<T: Decode<()>>(from: &mut impl Read, length: usize) -> io::Result<T> {
    // Beyond this it grows with what arrives: a lying length allocates little.
    let mut body = Vec::with_capacity(length.min(64 << 10));
    from.take(length as u64).read_to_end(&mut body)?;
    if body.len() != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    decode(&body)
}

/// The protocol of an encoded event, whatever follows.
pub(crate) fn protocol(event: &[u8]) -> Option<u16> {
    event.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
}

/// Encodes a message without a frame: the spool's content.
///
/// # Errors
/// Where it is over the limit.
pub(crate) fn encode<T: Encode>(message: &T) -> io::Result<Vec<u8>> {
    bincode::encode_to_vec(message, receipt_core::record::config()).map_err(malformed)
}

/// Decodes a message without a frame.
///
/// # Errors
/// Where the bytes are anything but one message.
pub(crate) fn decode<T: Decode<()>>(bytes: &[u8]) -> io::Result<T> {
    let (message, used) =
        bincode::decode_from_slice(bytes, receipt_core::record::config()).map_err(malformed)?;
    if used != bytes.len() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "trailing bytes"));
    }
    Ok(message)
}

fn malformed(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}
