//! Messages between hook and service, and the spool's content (`spec/hook.md`).

#[path = "wire/frame.rs"]
mod frame;

pub(crate) use frame::{
    decode, encode, is_gone, protocol, receive, receive_body, receive_length, send,
};

use bincode::{Decode, Encode};

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
    /// The answer to [`ToClient::NeedsJudgement`].
    Judged(Judged),
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
    /// Durably recorded; first ask a model.
    NeedsJudgement {
        /// The final message.
        claim: String,
        /// What the gates know, one fact a line.
        facts: Vec<String>,
        /// What was recorded, one record a line.
        records: Vec<String>,
        /// Which model, and where.
        settings: JudgeSettings,
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
    /// The folder of the hook's user, where a call is to be guarded.
    pub(crate) user_home: Option<String>,
    /// Settings files that hold our hooks, with the number of them.
    pub(crate) wired: Vec<(String, u32)>,
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

/// What the user's file says of the judge's backend.
#[derive(Debug, Clone, Default, PartialEq, Eq, Encode, Decode)]
pub(crate) struct JudgeSettings {
    /// It speaks the OpenAI protocol, not Ollama's.
    pub(crate) openai: bool,
    /// The address of the call.
    pub(crate) url: Option<String>,
    /// The model's name.
    pub(crate) model: Option<String>,
    /// Seconds for one judgement.
    pub(crate) timeout_s: Option<u32>,
    /// How long Ollama keeps the model loaded.
    pub(crate) keep_alive: Option<String>,
    /// The address may be another machine's.
    pub(crate) allow_remote: bool,
}

/// What the judge said, or that it said nothing.
#[derive(Debug, Clone, Default, Encode, Decode)]
pub(crate) struct Judged {
    /// The reply as it came, redacted.
    pub(crate) reply: Option<String>,
    /// Why there is none.
    pub(crate) outage: Option<String>,
    /// The model's name.
    pub(crate) model: String,
    /// Its digest.
    pub(crate) digest: Option<String>,
    /// Digest of the prompt, hexadecimal.
    pub(crate) prompt: String,
    /// How long it took.
    pub(crate) milliseconds: u64,
    /// Tokens of the prompt.
    pub(crate) asked: Option<u64>,
    /// Tokens of the reply.
    pub(crate) said: Option<u64>,
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
