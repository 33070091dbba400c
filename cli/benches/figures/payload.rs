//! Hook payloads as the client sends them, of a chosen size.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Payloads of one session, each written to a file that a hook reads.
#[derive(Debug)]
pub struct Session {
    id: String,
    cwd: PathBuf,
    transcript: PathBuf,
    folder: PathBuf,
    count: usize,
}

impl Session {
    /// A session in a working directory, with its transcript somewhere.
    pub fn new(id: &str, cwd: &Path, transcript: &Path, folder: &Path) -> Self {
        let folder = folder.join(id);
        std::fs::create_dir_all(&folder).unwrap();
        Self {
            id: id.to_owned(),
            cwd: cwd.to_path_buf(),
            transcript: transcript.to_path_buf(),
            folder,
            count: 0,
        }
    }

    fn file(&mut self, event: &str, more: Value) -> PathBuf {
        self.count += 1;
        let mut payload = json!({
            "session_id": self.id, "transcript_path": self.transcript, "cwd": self.cwd,
            "permission_mode": "default", "hook_event_name": event,
        });
        payload
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let path = self.folder.join(format!("{}.json", self.count));
        std::fs::write(&path, payload.to_string()).unwrap();
        path
    }

    /// The session begins.
    pub fn start(&mut self) -> PathBuf {
        self.file("SessionStart", json!({"source": "startup"}))
    }

    /// A person's prompt.
    pub fn prompt(&mut self) -> PathBuf {
        let prompt = format!("Go on with step {}.", self.count);
        self.file("UserPromptSubmit", json!({"prompt": prompt}))
    }

    /// A file was read: a call before and after, the latter of about `size` bytes.
    pub fn read(&mut self, size: usize) -> [PathBuf; 2] {
        let id = format!("toolu_{:024}", self.count);
        let input = json!({"file_path": self.cwd.join("src/file.py")});
        let before = json!({"tool_name": "Read", "tool_use_id": id, "tool_input": input});
        let content = text(size);
        let mut after = before.clone();
        after["tool_response"] = json!({"type": "text", "file": {
            "filePath": self.cwd.join("src/file.py"), "content": content,
            "numLines": 100, "startLine": 1, "totalLines": 100}});
        [
            self.file("PreToolUse", before),
            self.file("PostToolUse", after),
        ]
    }

    /// A call that may write, before it happens, of about `size` bytes.
    pub fn edit(&mut self, size: usize) -> PathBuf {
        let id = format!("toolu_{:024}", self.count);
        let input = json!({"file_path": self.cwd.join("src/file.py"),
            "old_string": "x = 1", "new_string": text(size)});
        let call = json!({"tool_name": "Edit", "tool_use_id": id, "tool_input": input});
        self.file("PreToolUse", call)
    }

    /// A new file of two lines: the call, and its result.
    pub fn write(&mut self) -> [PathBuf; 2] {
        let path = self.cwd.join("src/new.py");
        let id = format!("toolu_{:024}", self.count);
        let text = "x = 1\ny = 2\n";
        let mut call = json!({"tool_name": "Write", "tool_use_id": id,
            "tool_input": {"file_path": path, "content": text}});
        let before = self.file("PreToolUse", call.clone());
        call["tool_response"] = json!({"type": "create", "filePath": path, "content": text,
            "originalFile": null, "structuredPatch": []});
        [before, self.file("PostToolUse", call)]
    }

    /// The agent wants to stop.
    pub fn stop(&mut self) -> PathBuf {
        self.stop_saying(&format!("Step {} is finished.", self.count))
    }

    /// The agent wants to stop, with this message.
    pub fn stop_saying(&mut self, message: &str) -> PathBuf {
        self.file(
            "Stop",
            json!({"stop_hook_active": false, "last_assistant_message": message}),
        )
    }
}

/// Source-like text of about that size.
fn text(size: usize) -> String {
    let mut text = String::with_capacity(size + 40);
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&format!(
            "value_{number} = compute(\"{number}\", {number})\n"
        ));
    }
    text
}
