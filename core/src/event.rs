//! What an agent reported, normalised across agents (`spec/event.md`).
//!
//! Adapters in [`crate::agent`] turn vendor JSON into an [`Event`]; nothing
//! past this module knows a vendor's field names. Parsing is lenient: an event
//! is never lost because a field is missing, unknown or of the wrong type.

use alloc::string::String;
use alloc::vec::Vec;

/// The coding agents whose hooks are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// Anthropic's Claude Code.
    ClaudeCode,
}

impl Agent {
    /// The name used on the command line, in stream ids and in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
        }
    }

    /// The agent of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        (name == Self::ClaudeCode.name()).then_some(Self::ClaudeCode)
    }
}

/// One hook event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Session id as the agent gave it; empty when it gave none.
    pub session: String,
    /// Working directory at the time of the event.
    pub cwd: Option<String>,
    /// Path of the session's transcript file.
    pub transcript: Option<String>,
    /// The agent's id of the prompt being worked on. It may change within a turn.
    pub prompt_id: Option<String>,
    /// Permission mode, as the agent names it.
    pub permission_mode: Option<String>,
    /// The subagent in which this happened, if not the main agent.
    pub subagent: Option<Subagent>,
    /// What happened.
    pub kind: EventKind,
}

/// The subagent an event came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subagent {
    /// The agent's id of this subagent.
    pub id: String,
    /// Its type; empty for the client's own helpers (compaction).
    pub kind: String,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventKind {
    /// A session began, was resumed, cleared, compacted or forked.
    SessionStarted {
        /// Why, as the agent names it (`startup`, `resume`, `clear`, `compact`, `fork`).
        source: String,
    },
    /// A session ended.
    SessionEnded {
        /// Why, as the agent names it.
        reason: String,
    },
    /// A prompt was handed to the agent.
    PromptSubmitted {
        /// The prompt's whole text.
        text: String,
        /// Whether a person typed it or a machine did.
        origin: PromptOrigin,
        /// The failed background command that it reports.
        failure: Option<BackgroundFailure>,
    },
    /// A tool is about to run.
    ToolRequested {
        /// The call.
        call: ToolCall,
    },
    /// A tool ran and reported success.
    ToolSucceeded {
        /// The call.
        call: ToolCall,
        /// What came of it.
        result: ToolResult,
    },
    /// A tool ran and failed, or was interrupted.
    ToolFailed {
        /// The call.
        call: ToolCall,
        /// What came of it.
        result: ToolResult,
    },
    /// A tool call was refused before it ran.
    ToolDenied {
        /// The call.
        call: ToolCall,
        /// The refusal's text.
        reason: String,
    },
    /// All calls of one message have ended; refused calls are listed too.
    BatchEnded {
        /// The calls in the order given.
        calls: Vec<BatchCall>,
    },
    /// A subagent began.
    SubagentStarted,
    /// A subagent ended. Never blocked.
    SubagentStopped {
        /// Its last words.
        message: String,
    },
    /// The main agent wants to end its turn.
    StopRequested {
        /// True after an earlier block of the same prompt, by whichever hook.
        stop_hook_active: bool,
        /// The last text block of the final message.
        message: String,
        /// Background work listed with the request.
        background: Vec<BackgroundTask>,
        /// Prompts that the client will submit by itself.
        scheduled: Vec<String>,
    },
    /// The turn ended in a failure of the model's service.
    StopFailed {
        /// The agent's name for the failure.
        error: String,
    },
    /// A settings file changed.
    ConfigChanged {
        /// Which scope, as the agent names it.
        source: String,
        /// The file, if named.
        path: Option<String>,
    },
    /// Context was or is about to be compacted.
    Compacted {
        /// True before, false after.
        before: bool,
    },
    /// The agent notified its user.
    Notified {
        /// The agent's name for the kind of notification.
        kind: String,
    },
    /// An event this version does not know; kept and otherwise ignored.
    Other {
        /// Its name; empty when the payload gave none or was no JSON object.
        name: String,
    },
}

impl EventKind {
    /// The event's name in records and in the log.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::SessionStarted { .. } => "session-started",
            Self::SessionEnded { .. } => "session-ended",
            Self::PromptSubmitted { .. } => "prompt-submitted",
            Self::ToolRequested { .. } => "tool-requested",
            Self::ToolSucceeded { .. } => "tool-succeeded",
            Self::ToolFailed { .. } => "tool-failed",
            Self::ToolDenied { .. } => "tool-denied",
            Self::BatchEnded { .. } => "batch-ended",
            Self::SubagentStarted => "subagent-started",
            Self::SubagentStopped { .. } => "subagent-stopped",
            Self::StopRequested { .. } => "stop-requested",
            Self::StopFailed { .. } => "stop-failed",
            Self::ConfigChanged { .. } => "config-changed",
            Self::Compacted { .. } => "compacted",
            Self::Notified { .. } => "notified",
            Self::Other { .. } => "other",
        }
    }
}

/// Who wrote a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptOrigin {
    /// A person.
    Human,
    /// The client itself: the end of a background task, a stop hook's feedback.
    Machine,
}

/// A command that ended in the background with an exit code other than 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackgroundFailure {
    /// The agent's id of the call that started it.
    pub call: String,
    /// Its exit code.
    pub exit: i32,
}

/// One tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The agent's id of the call; correlates request and result.
    pub id: Option<String>,
    /// The tool's name, as the agent gives it.
    pub tool: String,
    /// What the call does, as far as it is understood.
    pub action: Action,
    /// The files that its input names, at most 64.
    pub names: Vec<String>,
}

/// What a tool call does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Runs a shell command.
    Shell {
        /// The command line, as given.
        command: String,
        /// Asked to run in the background.
        background: bool,
    },
    /// Replaces text in a file.
    Edit {
        /// The file.
        path: String,
        /// Old and new text of each replacement.
        replacements: Vec<(String, String)>,
    },
    /// Writes a whole file.
    Write {
        /// The file.
        path: String,
        /// Its new text.
        text: String,
    },
    /// Reads and changes nothing.
    Read,
    /// Starts a subagent.
    Delegate,
    /// Has the client submit a prompt later, as if a person had typed it.
    Schedule {
        /// The prompt.
        prompt: String,
    },
    /// Anything else: the tool may write files or not.
    Other,
}

/// What came of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolResult {
    /// Output as the model sees it, stdout and stderr merged.
    pub output: String,
    /// Exit code, where stated (failures) or implied (a plain success is 0).
    pub exit: Option<i32>,
    /// The client says that this nonzero code is harmless (`grep` found nothing).
    pub exit_harmless: bool,
    /// The call was interrupted or timed out.
    pub interrupted: bool,
    /// The command went to the background; its outcome is not in this result.
    pub background: bool,
    /// The output was cut by the client.
    pub truncated: bool,
    /// File that holds the whole output, where the client named one.
    pub output_file: Option<String>,
    /// The call was refused or never ran (permission, validation, cancelled sibling).
    pub not_run: bool,
    /// File changes the client itself reported.
    pub changes: Vec<FileChange>,
    /// Files the client says were changed without saying how.
    pub changed_paths: Vec<String>,
}

/// One file's change, as the client reported it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// The file, as given.
    pub path: String,
    /// Lines added.
    pub added: Vec<String>,
    /// Lines removed.
    pub removed: Vec<String>,
    /// What is known of the text before.
    pub before: Before,
}

/// What is known of a file's text before a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// The old text was given: `added` and `removed` are a true difference.
    Known,
    /// The file did not exist.
    Absent,
    /// Overwritten without the old text: `added` is the whole new text.
    Unknown,
}

/// One call of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchCall {
    /// The call.
    pub call: ToolCall,
    /// The text the model saw in place of a result.
    pub text: String,
    /// The call was refused or invalid, by its text.
    pub refused: bool,
}

/// Background work that a stop request lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackgroundTask {
    /// The agent's id of the task.
    pub id: String,
    /// `shell`, `subagent`, ... as the agent names it.
    pub kind: String,
    /// True while it runs.
    pub running: bool,
}
