//! Transcripts of Claude Code and the turns they become.

mod prompts;

use receipt_core::agent::claude_code::transcript::{Turn, parse};
use receipt_core::event::{EventKind, PromptOrigin};
use serde_json::{Value, json};

pub(crate) fn user(content: Value) -> Value {
    json!({"type": "user", "sessionId": "s", "cwd": "/home/dev/project", "message": {"role": "user", "content": content}})
}

fn says(id: &str, content: Value) -> Value {
    json!({"type": "assistant", "sessionId": "s", "message": {"id": id, "role": "assistant", "content": content, "stop_reason": null}})
}

pub(crate) fn words(id: &str, text: &str) -> Value {
    says(id, json!([{"type": "text", "text": text}]))
}

pub(crate) fn bash(id: &str) -> Value {
    says(
        &format!("m-{id}"),
        json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "make test"}}]),
    )
}

pub(crate) fn result(id: &str, text: &str, is_error: bool) -> Value {
    user(json!([{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": is_error}]))
}

fn with(mut entry: Value, field: &str, value: Value) -> Value {
    entry[field] = value;
    entry
}

pub(crate) fn lines(entries: &[Value]) -> Vec<u8> {
    entries
        .iter()
        .flat_map(|entry| format!("{entry}\n").into_bytes())
        .collect()
}

fn read(entries: &[Value]) -> Vec<Turn> {
    let transcript = parse(&lines(entries));
    assert_eq!(transcript.skipped_lines, 0);
    transcript.turns
}

/// The turn in short: event names, with prompts' and stops' texts.
pub(crate) fn short(turn: &Turn) -> Vec<String> {
    turn.events
        .iter()
        .map(|event| match &event.kind {
            EventKind::PromptSubmitted { text, origin, .. } => {
                let by = if *origin == PromptOrigin::Human {
                    "human"
                } else {
                    "machine"
                };
                format!("{by}: {text}")
            }
            EventKind::StopRequested { message, .. } => format!("stop: {message}"),
            EventKind::ToolDenied { reason, .. } => format!("denied: {reason}"),
            kind => kind.name().to_owned(),
        })
        .collect()
}

#[test]
fn a_turn_runs_from_prompt_to_prompt() {
    let turns = read(&[
        user(json!("Add mul.")),
        bash("t1"),
        result("t1", "ok", false),
        words("m2", "Done."),
        user(
            json!([{"type": "text", "text": "<system-reminder>Be nice.</system-reminder>"}, {"type": "text", "text": "And div."}]),
        ),
        words("m3", "Also"),
        words("m3", "done."),
    ]);
    assert_eq!(
        short(&turns[0]),
        [
            "human: Add mul.",
            "tool-requested",
            "tool-succeeded",
            "stop: Done."
        ]
    );
    assert_eq!(short(&turns[1]), ["human: And div.", "stop: Also\ndone."]);
    assert_eq!(turns[0].events[0].session, "s");
    assert_eq!(turns[0].events[0].cwd.as_deref(), Some("/home/dev/project"));
    assert_eq!(turns.len(), 2);
}

#[test]
fn results_keep_their_exit_codes() {
    let turns = read(&[
        user(json!("Test.")),
        bash("t1"),
        with(
            result("t1", "Exit code 3\nboom", true),
            "toolUseResult",
            json!("Error: Exit code 3\nboom"),
        ),
        bash("t2"),
        with(
            result("t2", "fine", false),
            "toolUseResult",
            json!({"stdout": "fine", "stderr": "", "interrupted": false}),
        ),
        bash("t3"),
        result("t3", "1 failed", true),
        bash("t4"),
        with(
            result("t4", "This command requires approval", true),
            "toolUseResult",
            json!("Error: This command requires approval"),
        ),
        bash("t5"),
        with(
            result("t5", "No.", true),
            "toolDenialKind",
            json!("user-rejected"),
        ),
        words("m", "So."),
    ]);
    let exits: Vec<Option<i32>> = turns[0]
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::ToolSucceeded { result, .. } | EventKind::ToolFailed { result, .. } => {
                Some(result.exit)
            }
            _ => None,
        })
        .collect();
    assert_eq!(exits, [Some(3), Some(0), None]);
    let names = short(&turns[0]);
    assert!(names.contains(&"denied: This command requires approval".to_owned()));
    assert!(names.contains(&"denied: No.".to_owned()));
}

#[test]
fn a_list_result_and_an_edit_are_understood() {
    let edit = says(
        "m1",
        json!([{"type": "tool_use", "id": "e", "name": "Edit",
        "input": {"file_path": "a.py", "old_string": "x", "new_string": "y"}}]),
    );
    let patch = json!({"filePath": "/p/a.py", "structuredPatch": [{"lines": [" k", "-x", "+y"]}], "originalFile": "k\nx\n"});
    let turns = read(&[
        user(json!("Edit.")),
        edit,
        with(result("e", "updated", false), "toolUseResult", patch),
        bash("b"),
        with(
            result("b", "", false),
            "toolUseResult",
            json!([{"type": "text", "text": "listed"}]),
        ),
        words("m2", "ok"),
    ]);
    let EventKind::ToolSucceeded { result, .. } = &turns[0].events[2].kind else {
        panic!()
    };
    assert_eq!(result.changes[0].added, ["y"]);
    assert_eq!(result.changes[0].removed, ["x"]);
    let EventKind::ToolSucceeded { result, .. } = &turns[0].events[4].kind else {
        panic!()
    };
    assert_eq!((result.output.as_str(), result.exit), ("listed", Some(0)));
}

#[test]
fn an_interrupted_or_failed_turn_has_no_stop() {
    let turns = read(&[
        user(json!("One.")),
        bash("t1"),
        result(
            "t1",
            "The user doesn't want to proceed with this tool use. STOP.",
            true,
        ),
        user(json!([{"type": "text", "text": "[Request interrupted by user for tool use]"}])),
        user(json!("Two.")),
        with(
            with(
                words("m2", "API Error: 400"),
                "isApiErrorMessage",
                json!(true),
            ),
            "error",
            json!("unknown"),
        ),
        user(json!("Three.")),
        words("m3", "Hi."),
        user(
            json!([{"type": "text", "text": "[Request interrupted by user]"}, {"type": "text", "text": "Four."}]),
        ),
        bash("t4"),
    ]);
    assert_eq!(short(&turns[0])[..2], ["human: One.", "tool-requested"]);
    assert_eq!(turns[0].events.len(), 3);
    assert_eq!(short(&turns[1]), ["human: Two.", "stop-failed"]);
    assert_eq!(short(&turns[2]), ["human: Three."]);
    assert_eq!(short(&turns[3]), ["human: Four.", "tool-requested"]);
    let interrupted: Vec<bool> = turns.iter().map(|turn| turn.interrupted).collect();
    assert_eq!(interrupted, [true, false, true, false]);
}

#[test]
fn subagents_in_the_same_file_are_told_apart() {
    let side = |entry| {
        with(
            with(entry, "isSidechain", json!(true)),
            "agentId",
            json!("a1"),
        )
    };
    let progress = json!({"type": "progress", "data": {"type": "agent_progress", "agentId": "a2", "message": bash("t2")}});
    let turns = read(&[
        user(json!("Go.")),
        side(bash("t1")),
        side(result("t1", "ok", false)),
        side(words("x", "Sub done.")),
        progress,
        words("m", "Main done."),
    ]);
    assert_eq!(
        short(&turns[0]),
        [
            "human: Go.",
            "tool-requested",
            "tool-succeeded",
            "tool-requested",
            "stop: Main done."
        ]
    );
    let ids: Vec<Option<&str>> = turns[0]
        .events
        .iter()
        .map(|event| event.subagent.as_ref().map(|agent| agent.id.as_str()))
        .collect();
    assert_eq!(ids, [None, Some("a1"), Some("a1"), Some("a2"), None]);
}

#[test]
fn repeated_entries_and_ids_count_once() {
    let once = with(user(json!("Go.")), "uuid", json!("u1"));
    let turns = read(&[
        once.clone(),
        bash("t1"),
        bash("t1"),
        result("t1", "ok", false),
        result("t1", "ok", false),
        once,
        words("m", "Done."),
    ]);
    assert_eq!(
        short(&turns[0]),
        [
            "human: Go.",
            "tool-requested",
            "tool-succeeded",
            "stop: Done."
        ]
    );
    assert_eq!(turns.len(), 1);
}
