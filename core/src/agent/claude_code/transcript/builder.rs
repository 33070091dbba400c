//! Puts entries together into turns.

use super::entry::{Entry, has_image, speaks};
use super::prompt::{Note, note};
use super::{Transcript, Turn, split};
use crate::agent::claude_code::field::{block_text, filled, flag, string, text};
use crate::agent::claude_code::{notification, refusal, result, tool};
use crate::event::{Event, EventKind, PromptOrigin, ToolCall};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;
use serde_json::Value;

/// The turns so far and the one being read.
#[derive(Debug, Default)]
pub(super) struct Builder {
    done: Transcript,
    turn: Turn,
    last: Last,
    /// Calls by id, until their result comes.
    open: BTreeMap<String, ToolCall>,
    /// Ids of calls and entries already read: a resumed session repeats them.
    seen: BTreeSet<String>,
    /// A slash command of which it is not yet known whether the model saw it.
    command: Option<Event>,
}

/// The main agent's last message in the turn being read.
#[derive(Debug, Default)]
struct Last {
    /// The stop request it would make, if it said something.
    event: Option<Event>,
    id: Option<String>,
    texts: Vec<String>,
    end: End,
}

/// What the turn would end with if it ended now.
#[derive(Debug, Default, PartialEq, Eq)]
enum End {
    /// The agent said nothing yet.
    #[default]
    Silent,
    /// The agent's words: it stopped by itself.
    Words,
    /// A tool call: it had not stopped.
    Call,
    /// A failure of the model's service.
    Failure,
}

impl Builder {
    /// Reads one line.
    pub(super) fn line(&mut self, line: &[u8]) {
        let objects = split::objects(line);
        if objects.is_empty() {
            self.done.skipped_lines += 1;
        }
        for object in &objects {
            if let Some(entry) = Entry::of(object).filter(|entry| self.is_new(entry)) {
                self.entry(&entry);
            }
        }
    }

    /// Hands out the turns that are over.
    pub(super) fn drain(&mut self) -> Vec<Turn> {
        mem::take(&mut self.done.turns)
    }

    /// Ends the turn being read and gives all that is left.
    pub(super) fn finish(mut self) -> Transcript {
        self.end_turn();
        self.done
    }

    fn is_new(&mut self, entry: &Entry<'_>) -> bool {
        filled(entry.object, "uuid").is_none_or(|uuid| self.seen.insert(uuid))
    }

    fn entry(&mut self, entry: &Entry<'_>) {
        match entry.kind() {
            "assistant" => self.assistant(entry),
            "user" => self.user(entry),
            "attachment" => {
                if let Some(text) = entry.queued().filter(|_| entry.subagent.is_none()) {
                    self.texts(entry, &[&text]);
                }
            }
            "system" => self.system(entry),
            _ => {}
        }
    }

    fn system(&mut self, entry: &Entry<'_>) {
        match text(entry.object, "subtype") {
            Some("local_command") => self.command = None,
            Some("compact_boundary") if !self.turn.events.is_empty() => {
                let compacted = EventKind::Compacted { before: false };
                self.turn.events.push(entry.event(compacted));
            }
            _ => {}
        }
    }

    fn assistant(&mut self, entry: &Entry<'_>) {
        if entry.subagent.is_none() {
            self.open_command();
            self.remember(entry);
        }
        for block in entry.blocks_of("tool_use") {
            self.request(entry, block);
        }
    }

    /// Keeps the main agent's words: one message may be spread over several entries.
    fn remember(&mut self, entry: &Entry<'_>) {
        if flag(entry.object, "isApiErrorMessage") {
            let error = string(entry.object, "error");
            self.last = Last {
                event: Some(entry.event(EventKind::StopFailed { error })),
                end: End::Failure,
                ..Last::default()
            };
            return;
        }
        if !speaks(entry) {
            return;
        }
        // It went on by itself, so the interrupt did not end the turn.
        self.turn.interrupted = false;
        let id = entry.message_id();
        if id.is_none() || id != self.last.id {
            self.last = Last {
                id,
                ..Last::default()
            };
        }
        let texts = entry.texts().into_iter().map(String::from);
        self.last.texts.extend(texts);
        let calls = self.last.end == End::Call || entry.blocks_of("tool_use").next().is_some();
        self.last.end = if calls { End::Call } else { End::Words };
        let message = self.last.texts.join("\n");
        self.last.event = Some(entry.event(EventKind::StopRequested {
            stop_hook_active: false,
            message,
            background: Vec::new(),
            scheduled: Vec::new(),
        }));
    }

    fn request(&mut self, entry: &Entry<'_>, block: &Value) {
        let id = filled(block, "id");
        if id.clone().is_some_and(|id| !self.seen.insert(id)) {
            return;
        }
        let input = block.get("input").unwrap_or(&Value::Null);
        let call = tool::named(id.clone(), string(block, "name"), input);
        if let Some(id) = id {
            self.open.insert(id, call.clone());
        }
        let request = EventKind::ToolRequested { call };
        self.turn.events.push(entry.event(request));
    }

    fn user(&mut self, entry: &Entry<'_>) {
        for block in entry.blocks_of("tool_result") {
            self.result(entry, block);
        }
        if entry.subagent.is_some() {
            return;
        }
        if entry.is_meta() {
            self.meta(entry);
            return;
        }
        let texts = entry.texts();
        if texts.is_empty() && has_image(entry) && entry.blocks_of("tool_result").next().is_none() {
            self.prompt(entry, String::new());
        }
        self.texts(entry, &texts);
    }

    /// The expansion of a slash command: the model saw it.
    fn meta(&mut self, entry: &Entry<'_>) {
        let caveat = |text: &&str| text.contains("<local-command-") || text.starts_with("Caveat:");
        if !entry.texts().iter().any(caveat) {
            self.open_command();
        }
    }

    /// Text blocks of one entry make one prompt together.
    fn texts(&mut self, entry: &Entry<'_>, texts: &[&str]) {
        let mut words: Vec<String> = Vec::new();
        for text in texts {
            match note(text) {
                Note::Prompt(text) => words.push(text),
                other => self.note(entry, other),
            }
        }
        if !words.is_empty() {
            self.prompt(entry, words.join("\n"));
        }
    }

    fn note(&mut self, entry: &Entry<'_>, note: Note) {
        match note {
            Note::Prompt(text) => self.prompt(entry, text),
            Note::Machine(text) => {
                self.turn
                    .events
                    .push(submitted(entry, text, PromptOrigin::Machine))
            }
            Note::Command(text) => {
                self.command = Some(submitted(entry, text, PromptOrigin::Human));
            }
            Note::LocalOutput => self.command = None,
            Note::Interrupt => self.turn.interrupted = true,
            Note::Nothing => {}
        }
    }

    fn prompt(&mut self, entry: &Entry<'_>, text: String) {
        self.command = None;
        if entry.is_of_machine() {
            let prompt = submitted(entry, text, PromptOrigin::Machine);
            self.turn.events.push(prompt);
        } else {
            self.begin(submitted(entry, text, PromptOrigin::Human));
        }
    }

    /// The slash command that was waited with did reach the model.
    fn open_command(&mut self) {
        if let Some(prompt) = self.command.take() {
            self.begin(prompt);
        }
    }

    fn begin(&mut self, prompt: Event) {
        self.end_turn();
        self.turn.events.push(prompt);
    }

    fn end_turn(&mut self) {
        let mut turn = mem::take(&mut self.turn);
        let last = mem::take(&mut self.last);
        let ended = matches!(last.end, End::Words | End::Failure) && !turn.interrupted;
        turn.events.extend(last.event.filter(|_| ended));
        if !turn.events.is_empty() {
            self.done.turns.push(turn);
        }
    }

    fn result(&mut self, entry: &Entry<'_>, block: &Value) {
        let id = filled(block, "tool_use_id");
        let known = id.as_ref().and_then(|id| self.open.remove(id));
        let call = match known {
            Some(call) => call,
            // The second result of one call, or of a call that was cut out of the file.
            None if id.clone().is_some_and(|id| !self.seen.insert(id)) => return,
            None => tool::named(id, String::new(), &Value::Null),
        };
        let kind = outcome(entry, block, call);
        self.turn.events.push(entry.event(kind));
    }
}

fn submitted(entry: &Entry<'_>, text: String, origin: PromptOrigin) -> Event {
    entry.event(EventKind::PromptSubmitted {
        failure: notification::failure(&text),
        text,
        origin,
    })
}

fn outcome(entry: &Entry<'_>, block: &Value, call: ToolCall) -> EventKind {
    let seen = block.get("content").unwrap_or(&Value::Null);
    let details = entry.tool_use_result();
    let failed = flag(block, "is_error")
        || details
            .and_then(Value::as_str)
            .is_some_and(|text| text.starts_with("Error: "));
    if !failed {
        let response = details.filter(|details| !details.is_null()).unwrap_or(seen);
        let result = result::success(&call, response);
        return EventKind::ToolSucceeded { call, result };
    }
    let text = block_text(seen);
    if entry.is_denial() || refusal::is_refusal(&text) {
        return EventKind::ToolDenied { call, reason: text };
    }
    let mut result = result::failure(&text);
    result.interrupted |= details.is_some_and(|details| flag(details, "interrupted"));
    EventKind::ToolFailed { call, result }
}
