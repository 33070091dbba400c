//! One entry of a transcript, as far as it matters here.

use crate::agent::claude_code::field::{block_text, filled, flag, string, text};
use crate::agent::claude_code::origin::is_declared_machine;
use crate::event::{Event, EventKind, Subagent};
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::Value;

/// An entry, with the flags that decide whether its text is anybody's words.
pub(super) struct Entry<'a> {
    /// The whole object.
    pub(super) object: &'a Value,
    /// `message.content`.
    content: &'a Value,
    /// The subagent it belongs to.
    pub(super) subagent: Option<Subagent>,
}

impl<'a> Entry<'a> {
    /// The entry, or the subagent's entry that a `progress` entry wraps.
    pub(super) fn of(object: &'a Value) -> Option<Self> {
        if text(object, "type") == Some("progress") {
            return Self::wrapped(object);
        }
        let id = filled(object, "agentId");
        let sidechain = flag(object, "isSidechain") || id.is_some();
        Some(Self {
            object,
            content: content(object),
            subagent: sidechain.then(|| Subagent {
                id: id.unwrap_or_else(|| String::from("sidechain")),
                kind: string(object, "agentType"),
            }),
        })
    }

    fn wrapped(object: &'a Value) -> Option<Self> {
        let data = object.get("data")?;
        let inner = data.get("message").filter(|inner| inner.is_object())?;
        Some(Self {
            object: inner,
            content: content(inner),
            subagent: Some(Subagent {
                id: filled(data, "agentId").unwrap_or_else(|| String::from("sidechain")),
                kind: String::new(),
            }),
        })
    }

    /// `user`, `assistant`, `system`, `attachment`, or a type that does not matter.
    pub(super) fn kind(&self) -> &'a str {
        text(self.object, "type").unwrap_or_default()
    }

    /// The client's own words: never a prompt, and a summary is no evidence.
    pub(super) fn is_meta(&self) -> bool {
        let flags = ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"];
        flags.iter().any(|name| flag(self.object, name))
    }

    /// A prompt here is declared to be nobody's: a schedule's, a notification.
    pub(super) fn is_of_machine(&self) -> bool {
        let attachment = self.object.get("attachment");
        is_declared_machine(self.object) || attachment.is_some_and(is_declared_machine)
    }

    /// The content blocks, none if the content is plain text.
    pub(super) fn blocks(&self) -> &'a [Value] {
        self.content.as_array().map_or(&[], Vec::as_slice)
    }

    /// The texts: the plain content, or the text blocks.
    pub(super) fn texts(&self) -> Vec<&'a str> {
        if let Some(plain) = self.content.as_str() {
            return Vec::from([plain]);
        }
        let texts = self.blocks().iter().filter(|block| is(block, "text"));
        texts.filter_map(|block| text(block, "text")).collect()
    }

    /// Blocks of one type.
    pub(super) fn blocks_of(&self, kind: &'static str) -> impl Iterator<Item = &'a Value> {
        self.blocks().iter().filter(move |block| is(block, kind))
    }

    /// The API's id of the message; several entries may share one.
    pub(super) fn message_id(&self) -> Option<String> {
        filled(self.object.get("message")?, "id")
    }

    /// An event at this entry.
    pub(super) fn event(&self, kind: EventKind) -> Event {
        let session = filled(self.object, "sessionId");
        Event {
            session: session.unwrap_or_else(|| string(self.object, "session_id")),
            cwd: filled(self.object, "cwd"),
            transcript: None,
            prompt_id: filled(self.object, "promptId"),
            permission_mode: filled(self.object, "permissionMode"),
            subagent: self.subagent.clone(),
            kind,
        }
    }

    /// A prompt that was queued while the agent worked, and handed to it then.
    pub(super) fn queued(&self) -> Option<String> {
        let attachment = self.object.get("attachment")?;
        let is_prompt = text(attachment, "type") == Some("queued_command")
            && text(attachment, "commandMode") != Some("bash")
            && !flag(attachment, "isMeta");
        attachment
            .get("prompt")
            .filter(|_| is_prompt)
            .map(block_text)
    }

    /// The structured result, where the entry has exactly one result to go with it.
    pub(super) fn tool_use_result(&self) -> Option<&'a Value> {
        let alone = self.blocks_of("tool_result").count() == 1;
        self.object.get("toolUseResult").filter(|_| alone)
    }

    /// The denial that the entry states beside the text.
    pub(super) fn is_denial(&self) -> bool {
        filled(self.object, "toolDenialKind").is_some()
    }
}

fn content(object: &Value) -> &Value {
    object
        .get("message")
        .and_then(|message| message.get("content"))
        .unwrap_or(&Value::Null)
}

fn is(block: &Value, kind: &str) -> bool {
    text(block, "type") == Some(kind)
}

/// True if a message says something: a lone thinking block does not.
pub(super) fn speaks(entry: &Entry<'_>) -> bool {
    !entry.texts().is_empty() || entry.blocks_of("tool_use").next().is_some()
}

/// True if the entry shows a picture.
pub(super) fn has_image(entry: &Entry<'_>) -> bool {
    entry.blocks_of("image").next().is_some()
}
