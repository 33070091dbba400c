//! Messages between hook and service, and the spool's content (`spec/hook.md`).
//!
//! A frame is a length (four bytes, little-endian) and that many bytes of
//! bincode with fixed-width integers. Lengths are checked before reading.

use bincode::enc::write::Writer;
use bincode::error::EncodeError;
use bincode::{Decode, Encode};
use receipt_core::limits::MAX_PAYLOAD;
use std::io::{self, Read, Write};

/// Largest frame: a payload and what goes with it.
const MAX_FRAME: usize = MAX_PAYLOAD + (1 << 20);

/// From hook or command to service.
#[derive(Debug, Clone, Encode, Decode)]
pub(crate) enum ToService {
    /// A hook event.
    Event(HookEvent),
    /// The answer to [`ToClient::NeedsSnapshot`].
    Snapshot(Snapshot),
    /// The answer to [`ToClient::NeedsTranscript`].
    Transcript(Transcript),
    /// A command's question.
    Query(Query),
    /// Events that waited in the spool of a user whom the service is not.
    Spooled(Vec<HookEvent>),
}

/// From service to hook or command.
#[derive(Debug, Clone, Encode, Decode)]
pub(crate) enum ToClient {
    /// Durably recorded; this is what to print, possibly nothing.
    Done {
        /// For stdout.
        answer: String,
        /// A snapshot folder that is no longer needed.
        forget: Option<String>,
    },
    /// Durably recorded; first look at the worktree.
    NeedsSnapshot {
        /// Name of the snapshot folder to use.
        folder: String,
        /// Trees to compare with.
        diff_from: Vec<String>,
        /// Edited paths that the tree should show.
        edited: Vec<String>,
    },
    /// Durably recorded; first look at the client's transcript.
    NeedsTranscript {
        /// Its length when the turn began.
        from: u64,
        /// When the turn began, microseconds since 1970.
        since_us: u64,
    },
    /// The answer to a query.
    Reply(Reply),
    /// The service does not do that.
    Refused(Refusal),
    /// Spooled events are durably recorded, but for those of these numbers,
    /// which never will be.
    Kept {
        /// Places in the list that was sent.
        refused: Vec<u32>,
    },
    /// An audit goes on; its answer follows.
    Progress {
        /// Records that are verified.
        done: u64,
        /// Records in all.
        all: u64,
    },
}

/// Why a message is refused.
#[derive(Debug, Clone, Encode, Decode)]
pub(crate) enum Refusal {
    /// It is none that is known, or over the limit. The connection ends.
    NotUnderstood,
    /// Nothing of the kind was asked for.
    NotAsked,
    /// Too many questions are being answered.
    Busy,
    /// What was asked for is not there or cannot be read: the text says why.
    Failed(String),
    /// This client may not ask that, or report this.
    NotAllowed,
}

const NOT_ALLOWED: &str = "the service is another user's: only that user and root may do this; \
    `receipt export` gives the receipts of your own sessions";

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotUnderstood => "the service does not understand the message",
            Self::NotAllowed => NOT_ALLOWED,
            Self::NotAsked => "nothing of the kind was asked for",
            Self::Busy => "the service answers too many questions at once; try again",
            Self::Failed(why) => why,
        })
    }
}

/// One hook event, redacted, as it is sent or spooled.
#[derive(Debug, Clone, Encode, Decode)]
pub(crate) struct HookEvent {
    /// The protocol of the hook ([`crate::greeting`]). It stands first in every
    /// version, so that a spool can tell what it cannot read yet.
    pub(crate) protocol: u16,
    /// The agent's name.
    pub(crate) agent: String,
    /// Random id of this hook process's event.
    pub(crate) client_event: u128,
    /// When the hook process began, microseconds since 1970.
    pub(crate) client_us: u64,
    /// The hook process.
    pub(crate) pid: u32,
    /// Its parent.
    pub(crate) parent: u32,
    /// Root of the worktree, if the event happened in one.
    pub(crate) root: Option<String>,
    /// Length of the transcript when the hook ran.
    pub(crate) transcript_len: Option<u64>,
    /// The payload was cut at the limit.
    pub(crate) cut: bool,
    /// Secrets replaced, by rule.
    pub(crate) redacted: Vec<(String, u32)>,
    /// The payload, redacted.
    pub(crate) payload: Vec<u8>,
}

/// A worktree snapshot.
#[derive(Debug, Clone, Encode, Decode)]
pub(crate) struct Snapshot {
    /// The tree.
    pub(crate) tree: Option<String>,
    /// Why there is none.
    pub(crate) missing: Option<String>,
    /// The commit below it.
    pub(crate) commit: Option<String>,
    /// Differences from earlier trees.
    pub(crate) diffs: Vec<Diff>,
    /// Edited paths that are on disk and not in the tree.
    pub(crate) unseen: Vec<String>,
}

/// What stands in the client's transcript since the turn began.
#[derive(Debug, Clone, Default, Encode, Decode)]
pub(crate) struct Transcript {
    /// It was read to its end, subagents' too.
    pub(crate) whole: bool,
    /// Calls by the client's ids, and whether their result is an error.
    pub(crate) results: Vec<(String, bool)>,
    /// A person's prompt waives verification.
    pub(crate) waiver: bool,
}

/// The difference from an earlier tree.
#[derive(Debug, Clone, Encode, Decode)]
pub(crate) struct Diff {
    /// That tree.
    pub(crate) from: String,
    /// Differing files.
    pub(crate) files: Vec<DiffEntry>,
    /// There are more than are listed.
    pub(crate) more: bool,
}

/// One differing file.
#[derive(Debug, Clone, Encode, Decode)]
pub(crate) struct DiffEntry {
    /// Path relative to the worktree's root.
    pub(crate) path: String,
    /// Lines added.
    pub(crate) added: u64,
    /// Lines removed.
    pub(crate) removed: u64,
    /// Lines that count.
    pub(crate) lines: u64,
    /// The new content's blob; absent for a deleted file.
    pub(crate) blob: Option<String>,
}

/// A command's question to the service.
#[derive(Debug, Clone, Encode, Decode)]
pub(crate) enum Query {
    /// Who and how.
    Status,
    /// End gracefully.
    Stop,
    /// Stored records from a position on.
    Records {
        /// First position.
        from: u64,
        /// Most records wanted.
        limit: u32,
    },
    /// A receipt.
    Export(ExportWish),
    /// Check the whole ledger.
    Audit,
    /// The smallest checkpoint of at least so many records, or the newest.
    Checkpoint {
        /// Records.
        size: Option<u64>,
    },
    /// A proof that the tree of `new` records continues the one of `old`.
    Consistency {
        /// Size of the older.
        old: u64,
        /// Size of the newer.
        new: u64,
    },
}

/// Which receipt, with what in it.
#[derive(Debug, Clone, Default, Encode, Decode)]
pub(crate) struct ExportWish {
    /// The session; the ledger's newest verdict if none is named.
    pub(crate) session: Option<String>,
    /// The verdict's record number.
    pub(crate) verdict: Option<u64>,
    /// Disclose paths.
    pub(crate) paths: bool,
    /// Disclose commands.
    pub(crate) commands: bool,
    /// Disclose prose.
    pub(crate) texts: bool,
    /// Include payloads.
    pub(crate) evidence: bool,
}

/// The service's answer to a query.
#[derive(Debug, Clone, Encode, Decode)]
pub(crate) enum Reply {
    /// To [`Query::Status`].
    Status(Status),
    /// To [`Query::Stop`]: ending.
    Stopping,
    /// To [`Query::Records`]: encoded records in order, and the ledger's size.
    Records {
        /// As [`receipt_ledger`] stores them.
        records: Vec<Vec<u8>>,
        /// Records in the ledger.
        size: u64,
    },
    /// To [`Query::Export`]: the file.
    Receipt(Vec<u8>),
    /// To [`Query::Audit`]: the report as JSON, and whether all is well.
    Audit {
        /// JSON.
        report: String,
        /// No fault was found.
        sound: bool,
    },
    /// To [`Query::Checkpoint`].
    Checkpoint {
        /// The note.
        note: String,
        /// C2SP verifier keys of the ledger, the newest last.
        keys: Vec<String>,
    },
    /// To [`Query::Consistency`].
    Consistency {
        /// RFC 9162, section 2.1.4.
        proof: Vec<receipt_core::hash::Digest>,
    },
}

/// What the service says of itself.
#[derive(Debug, Clone, Encode, Decode)]
pub(crate) struct Status {
    /// Its process id.
    pub(crate) pid: u32,
    /// The identity key, hexadecimal.
    pub(crate) identity: String,
    /// The ledger's id, hexadecimal.
    pub(crate) ledger: String,
    /// Records in the ledger.
    pub(crate) records: u64,
    /// When it began, microseconds since 1970.
    pub(crate) started_us: u64,
}

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
